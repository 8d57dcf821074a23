package sanitize

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestCountInvisible(t *testing.T) {
	tests := []struct {
		name, text string
		want       Invisible
	}{
		{"an ordinary text", "Über 5 – “quotes”…\n", Invisible{}},
		{"words in tags", "Hello\U000E0049\U000E0067\U000E006E.", Invisible{Tags: 3}},
		{"the flag of Scotland", "\U0001F3F4\U000E0067\U000E0062\U000E0073\U000E0063\U000E0074\U000E007F here", Invisible{}},
		{"tags behind a flag's end and a word", "\U0001F3F4\U000E0067\U000E007F a\U000E0067", Invisible{Tags: 1}},
		{"turned round", "safe \u202Eexe.txt\u202C", Invisible{Overrides: 1}},
		{"isolates", "\u2067עברית\u2069", Invisible{}},
		{"bits", "a" + strings.Repeat("\u200b\u200c", 8) + "b", Invisible{ZeroWidth: 16}},
		{"bits at the end", "a" + strings.Repeat("\u2063", 5), Invisible{ZeroWidth: 5}},
		{"a break and a byte order mark", "\ufefflong\u200bword", Invisible{}},
		{"a family of four", "👨\u200d👩\u200d👧\u200d👦", Invisible{}},
		{"tags that a flag does not have", "\U0001F3F4" + strings.Repeat("\U000E0067", 20) + " here", Invisible{Tags: 20}},
		{"a byte behind each letter", "a\U000E0110b\U000E0120", Invisible{Selectors: 2}},
		{"an emoji's selector left behind", "a\ufe0f b", Invisible{}},
		{"bytes in selectors", "😀\U000E0110\U000E0120\U000E0130", Invisible{Selectors: 3}},
		{"a heart and a character's form", "❤\ufe0f 葛\U000E0100", Invisible{}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, CountInvisible(tt.text)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
	if n := (Invisible{1, 2, 3, 4}).Total(); n != 10 {
		t.Errorf("in all %d, want 10", n)
	}
}
