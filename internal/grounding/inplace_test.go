package grounding

import "testing"

func TestReplaced(t *testing.T) {
	tests := []struct {
		name, claim, text string
		want              bool
	}{
		{"between the same words", "The ferry carried 260 guests on its first trip to the island.", "The ferry carried 200 guests on its first trip to the island. In 1990 it burned 260 tons of coal.", true},
		{"the text has it there too", "The ferry carried 260 guests on its first trip.", "The ferry carried 260 guests on its first trip, and 200 guests on its last.", false},
		{"another sentence agrees", "The ferry carried 260 guests on its first trip to the island.", "The ferry carried 200 guests on its first trip to the island. The ferry carried 260 guests on its first trip to the island.", false},
		{"other words around it", "The ferry carried 260 guests on its first trip.", "Of 200 tickets for the first trip, guests on the ferry bought 150.", false},
		{"a date", "August 1911: the ferry left from Edward Street in the evening.", "August 1914: the ferry left from Edward Street in the evening. In August 1911 it was built.", true},
		{"the same date in other words", "On 3 March 1998 the ferry left from Edward Street.", "On 1998-03-03 the ferry left from Edward Street.", false},
		{"small words", "The ferry had four chief engines on its upper deck.", "The ferry had two chief engines on its upper deck, and four cooks.", true},
		{"rounded", "The ferry cost more than 3 million francs in the first year.", "The ferry cost more than 3.2 million francs in the first year.", false},
		{"Chinese", "渡轮定于14日在港口首次起航，14人参加。", "渡轮定于12日在港口首次起航，14人参加。", true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := compareWith(tt.claim, tt.text).replaced(); got != tt.want {
				t.Errorf("replaced: %t, want %t", got, tt.want)
			}
		})
	}
}
