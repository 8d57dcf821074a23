package grounding

import "testing"

func TestReplaced(t *testing.T) {
	tests := []struct {
		name, claim, text string
		want              string // what the text writes there
	}{
		{"between the same words", "The ferry carried 260 guests on its first trip to the island.", "The ferry carried 200 guests on its first trip to the island. In 1990 it burned 260 tons of coal.", "200"},
		{"the text has it there too", "The ferry carried 260 guests on its first trip.", "The ferry carried 260 guests on its first trip, and 200 guests on its last.", ""},
		{"another sentence agrees", "The ferry carried 260 guests on its first trip to the island.", "The ferry carried 200 guests on its first trip to the island. The ferry carried 260 guests on its first trip to the island.", ""},
		{"other words around it", "The ferry carried 260 guests on its first trip.", "Of 200 tickets for the first trip, guests on the ferry bought 150.", ""},
		{"a date", "August 1911: the ferry left from Edward Street in the evening.", "August 1914: the ferry left from Edward Street in the evening. In August 1911 it was built.", "August 1914"},
		{"the same date in other words", "On 3 March 1998 the ferry left from Edward Street.", "On 1998-03-03 the ferry left from Edward Street.", ""},
		{"small words", "The ferry had four chief engines on its upper deck.", "The ferry had two chief engines on its upper deck, and four cooks.", "two"},
		{"rounded", "The ferry cost more than 3 million francs in the first year.", "The ferry cost more than 3.2 million francs in the first year.", ""},
		{"Chinese", "渡轮定于14日在港口首次起航，14人参加。", "渡轮定于12日在港口首次起航，14人参加。", "12日"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, got, _, _ := compareWith(tt.claim, tt.text).replaced()
			if got != tt.want {
				t.Errorf("in its place is %q, want %q", got, tt.want)
			}
		})
	}
}
