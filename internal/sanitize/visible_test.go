package sanitize

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestVisible(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{"nothing to do", "plain\n\ttext é 日本", "plain\n\ttext é 日本"},
		{"zero width", "a\u200bb\u2060c\ufeffd", "abcd"},
		{"soft hyphen", "hy\u00adphen", "hyphen"},
		{"bidirectional controls", "\u202eevil\u202c \u2066x\u2069", "evil x"},
		{"bidirectional marks", "\u061cسنة\u200f a\u200eb", "سنة ab"},
		{"tags", "a\U000E0041\U000E0042b", "ab"},
		{"controls", "a\x00b\x1b[31mc\x7fd", "ab[31mcd"},
		{"ends of lines", "a\r\nb\rc\fd\ve\u0085f", "a\nb\nc\nd\ne\nf"},
		{"invalid UTF-8", "a\xffb", "a\uFFFDb"},
		{"joiner between Latin letters", "a\u200db\u200cc", "abc"},
		{"joiner in Persian", "می\u200cخواهم", "می\u200cخواهم"},
		{"joiner in emoji", "👩\u200d💻", "👩\u200d💻"},
		{"joiner behind a skin tone", "👩🏽\u200d🚀", "👩🏽\u200d🚀"},
		{"joiner at the end", "می\u200c", "می"},
		{"joiner before what is removed", "می\u200c\u200bخ", "میخ"},
		{"Arabic number sign", "\u0600123", "\u0600123"},
		{"selector behind a letter", "a\ufe01b\U000E0142c\ufe0f", "abc"},
		{"selectors in a row", "😀\ufe0f\U000E0110\U000E0120\ufe0f", "😀\ufe0f"},
		{"heart, keycap, ideograph", "❤\ufe0f 1\ufe0f\u20e3 葛\U000E0100", "❤\ufe0f 1\ufe0f\u20e3 葛\U000E0100"},
		{"selector of an emoji that selects nothing", "😀\ufe05", "😀"},
		{"mathematics and Mongolian", "∩\ufe00 ᠠ\u180b", "∩\ufe00 ᠠ\u180b"},
		{"Hangul fillers", "a\u3164b\uffa0c\u115fd\u1160", "abcd"},
		{"filler in old Korean", "\u115f\u1161", "\u115f\u1161"},
		{"combining grapheme joiner", "a\u034fb", "ab"},
	}
	for _, tt := range tests {
		if got := Visible(tt.in); got != tt.want {
			t.Errorf("%s: Visible(%q) = %q, want %q", tt.name, tt.in, got, tt.want)
		}
	}
}

// Visible removes all that CountInvisible counts, and applying it twice changes nothing.
func FuzzVisible(f *testing.F) {
	for _, seed := range []string{"", "a\u202Eb", "\xff\x00", "می\u200c\ufe0fخ", "🏴\U000E0067\U000E0062\U000E007F", "\u115f\u1160x",
		"❤\ufe0f\ufe0f\u200d🔥", strings.Repeat("\u200b\u200c", 9)} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got := Visible(s)
		if !utf8.ValidString(got) || Visible(got) != got {
			t.Errorf("Visible(%q) = %q, and then %q", s, got, Visible(got))
		}
		if n := CountInvisible(got); n != 0 {
			t.Errorf("%d are left of %q", n, s)
		}
	})
}
