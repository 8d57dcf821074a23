package passage

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

func texts(ps []Passage) []string {
	var out []string
	for _, p := range ps {
		out = append(out, p.Text)
	}
	return out
}

func TestSplit(t *testing.T) {
	tests := []struct {
		name, text string
		size       int
		want       []string
	}{
		{"joins within a paragraph", "One is. Two is. Three is.\n\nFour is.", 16, []string{"One is. Two is.", "Three is.", "Four is."}},
		{"a paragraph is not joined with the next", "One.\n\nTwo.", 100, []string{"One.", "Two."}},
		{"a heading begins a passage", "One.\n# Two\nThree.", 100, []string{"One.", "# Two\nThree."}},
		{"a long sentence is cut at spaces", "alpha beta gamma delta", 11, []string{"alpha beta", "gamma delta"}},
		{"a word that is too long is cut", "abcdefghij", 4, []string{"abcd", "efgh", "ij"}},
		{"code points, not bytes", "水水水水水", 2, []string{"水水", "水水", "水"}},
		{"a parameter leads to its text", "lock_timeout (integer)\n\nAborts a statement that waits too long.\n\nThe default is zero.", 75,
			[]string{"lock_timeout (integer)\n\nAborts a statement that waits too long.", "The default is zero."}},
		{"a heading and a question lead to an answer", "Räume (2)\n\n(12) Is this a bug?\n\nNo, it is not.", 75,
			[]string{"Räume (2)\n\n(12) Is this a bug?\n\nNo, it is not."}},
		{"a sentence leads to nothing", "It is short.\n\nSo is this.", 75, []string{"It is short.", "So is this."}},
		{"nor does what follows it", "It is short.\n\nSee also (1)", 75, []string{"It is short.", "See also (1)"}},
		{"nothing", "", 75, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, texts(Split(tt.text, tt.size))); diff != "" {
				t.Errorf("Split(%q, %d) (-want +got):\n%s", tt.text, tt.size, diff)
			}
		})
	}
}

// codePoints cuts a text as range does: an invalid byte is one.
func codePoints(text string) []string {
	var out []string
	for i := 0; i < len(text); {
		_, w := utf8.DecodeRuneInString(text[i:])
		out = append(out, text[i:i+w])
		i += w
	}
	return out
}

func FuzzSplit(f *testing.F) {
	for _, s := range []string{
		"Dr. A. B. met C. [1] “Yes.” No!\n\n# H\n- x\n1. y", "水温12.5度。“好！”[2] 真的？", "a\xff\xfe. B\x80c",
		"((((....]]]] [1][2",
		strings.Repeat("word ", 60) + "\nNext line", "\r\n. \r\n", "e\u0301. \u00adÉ",
		"a <!-- b --> c. {# d #}\n\n- [e](#f)\n\n[//]: # (g)",
	} {
		f.Add(s, 20)
	}
	f.Fuzz(func(t *testing.T, text string, size int) {
		size = 1 + int(uint(size)%200)
		points, at := codePoints(text), 0
		for _, p := range Split(text, size) {
			if p.Start < at || p.End <= p.Start || p.End > len(points) || p.End-p.Start > size {
				t.Fatalf("passage %d to %d after %d in a text of %d", p.Start, p.End, at, len(points))
			}
			if got := strings.Join(points[p.Start:p.End], ""); got != p.Text {
				t.Fatalf("text[%d:%d] is %q, the passage says %q", p.Start, p.End, got, p.Text)
			}
			at = p.End
		}
		if p := Excerpt(text, text, size); strings.Join(points[p.Start:p.End], "") != p.Text || p.End-p.Start > size &&
			strings.TrimSpace(text) != "" {
			t.Fatalf("excerpt %d to %d of %d: %q", p.Start, p.End, size, p.Text)
		}
	})
}
