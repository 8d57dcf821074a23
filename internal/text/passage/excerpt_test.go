package passage

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestExcerpt(t *testing.T) {
	filler := strings.Repeat("The gardens of the town were in flower that day. ", 6)
	tests := []struct{ name, text, query, want string }{
		{"a short text is whole", "The keeper wrote it down.", "lamp", "The keeper wrote it down."},
		{"the sentence with the words", filler + "The keeper lit the lamp before dusk. " + filler, "who lit a lamp",
			"The keeper lit the lamp before dusk."},
		{"the middle of a long sentence", strings.Repeat("gardens and ", 20) + "the keeper who lit the lamp " +
			strings.Repeat("and gardens ", 20), "keeper lamp", "keeper who lit the lamp"},
		{"no word of the query", filler, "submarine", "The gardens of the town"},
		{"no spaces", strings.Repeat("花园里没有人。", 20) + "灯塔看守人点亮了灯。" +
			strings.Repeat("花园里没有人。", 20), "灯塔看守人", "灯塔看守人点亮了灯"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := Excerpt(tt.text, tt.query, 60)
			if n := utf8.RuneCountInString(got.Text); n > 60 || !strings.Contains(got.Text, tt.want) {
				t.Errorf("%d characters: %q, want %q", n, got.Text, tt.want)
			}
			if runes := []rune(tt.text); string(runes[got.Start:got.End]) != got.Text {
				t.Errorf("%d-%d is %q, not %q", got.Start, got.End, string(runes[got.Start:got.End]), got.Text)
			}
		})
	}
}
