package sanitize

import (
	"strings"
	"testing"
)

func TestCountInvisible(t *testing.T) {
	tests := []struct {
		name, text string
		want       int
	}{
		{"an ordinary text", "Über 5 – “quotes”…\n", 0},
		{"words in tags", "Hello\U000E0049\U000E0067\U000E006E.", 3},
		{"the flag of Scotland", "\U0001F3F4\U000E0067\U000E0062\U000E0073\U000E0063\U000E0074\U000E007F here", 0},
		{"tags behind a flag's end and a word", "\U0001F3F4\U000E0067\U000E007F a\U000E0067", 1},
		{"turned round", "safe \u202Eexe.txt\u202C", 1},
		{"isolates", "\u2067עברית\u2069", 0},
		{"bits", "a" + strings.Repeat("\u200b\u200c", 8) + "b", 16},
		{"bits at the end", "a" + strings.Repeat("\u2063", 5), 5},
		{"a break and a byte order mark", "\ufefflong\u200bword", 0},
		{"a family of four", "👨\u200d👩\u200d👧\u200d👦", 0},
		{"tags that a flag does not have", "\U0001F3F4" + strings.Repeat("\U000E0067", 20) + " here", 20},
		{"a byte behind each letter", "a\U000E0110b\U000E0120", 2},
		{"an emoji's selector left behind", "a\ufe0f b", 0},
		{"bytes in selectors", "😀\U000E0110\U000E0120\U000E0130", 3},
		{"a heart and a character's form", "❤\ufe0f 葛\U000E0100", 0},
	}
	for _, tt := range tests {
		if got := CountInvisible(tt.text); got != tt.want {
			t.Errorf("%s: %d, want %d", tt.name, got, tt.want)
		}
	}
}
