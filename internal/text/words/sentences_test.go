package words

import (
	_ "embed"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

//go:embed testdata/sentences.txt
var splitTexts string

func TestSentencesInSixLanguages(t *testing.T) {
	for line := range strings.Lines(splitTexts) {
		language, marked, ok := strings.Cut(strings.TrimRight(line, "\n"), "\t")
		if !ok || strings.HasPrefix(language, "#") {
			continue
		}
		t.Run(language, func(t *testing.T) {
			var want []string
			for part := range strings.SplitSeq(marked, "¶") {
				want = append(want, strings.TrimSpace(part))
			}
			text := strings.ReplaceAll(marked, "¶", "")
			if diff := cmp.Diff(want, texts(Sentences(text))); diff != "" {
				t.Errorf("Sentences(%q) (-want +got):\n%s", text, diff)
			}
		})
	}
}

func texts(ps []Span) []string {
	var out []string
	for _, p := range ps {
		out = append(out, p.Text)
	}
	return out
}

func TestSentences(t *testing.T) {
	tests := []struct {
		name, text string
		want       []string
	}{
		{"empty", " \n\t ", nil},
		{"titles and initials", "Dr. Grey met J. K. Marlow. They spoke.", []string{"Dr. Grey met J. K. Marlow.", "They spoke."}},
		{"decimals and versions", "It rose 3.5 % in v1.2.3 of the plan. Then it fell.", []string{"It rose 3.5 % in v1.2.3 of the plan.",
			"Then it fell."}},
		{"abbreviation that may end", "Ships arrive at 3 p.m. The port closes. Acme Inc. Europe sells rope.",
			[]string{"Ships arrive at 3 p.m.", "The port closes.", "Acme Inc. Europe sells rope."}},
		{"number abbreviation", "See No. 5 and Fig. 2. He said no. Nobody spoke.", []string{"See No. 5 and Fig. 2.", "He said no.",
			"Nobody spoke."}},
		{"month", "Opened on Jan. 5. It closed in Jan. Nobody came.", []string{"Opened on Jan. 5.", "It closed in Jan.", "Nobody came."}},
		{"one letter that is no initial", "Lemons have vitamin C. The peel has more.",
			[]string{"Lemons have vitamin C.", "The peel has more."}},
		{"lower case goes on", "The firm (est. in Bern) grew. e.g. this.", []string{"The firm (est. in Bern) grew. e.g. this."}},
		{"closing quotes", "“Stop!” He left. (He ran.) Done?", []string{"“Stop!”", "He left.", "(He ran.)", "Done?"}},
		{"citation marks", "It fell. [3][4] It rose.[5] It [6] stayed. [7]",
			[]string{"It fell. [3][4]", "It rose.[5]", "It [6] stayed. [7]"}},
		{"ellipsis", "Wait... he said. Wait... Then he left.", []string{"Wait... he said.", "Wait...", "Then he left."}},
		{"Chinese", "水温为12.5度。“很热！”他说。[2] 真的吗？是", []string{"水温为12.5度。",
			"“很热！”他说。[2]", "真的吗？", "是"}},
		{"initials in Chinese", "评级由A.M. Best确认。", []string{"评级由A.M. Best确认。"}},
		{"headings and lists", "# Rivers\nThe Aare is long\n- one item\n- two items\n1. first point\n2. second point",
			[]string{"# Rivers", "The Aare is long", "- one item", "- two items", "1. first point", "2. second point"}},
		{"numbered lists with wrapped items", "The rules are these:\n\n1. Small ships are exempt\n2. Other ships pay before they " +
			"leave\n   and report to the office\n3) Nobody anchors here\n  10. Lamps burn\n(11) Bells ring",
			[]string{"The rules are these:", "1. Small ships are exempt",
				"2. Other ships pay before they leave\n   and report to the office", "3) Nobody anchors here", "10. Lamps burn",
				"(11) Bells ring"}},
		{"hard-wrapped lines", "The committee that met in the spring of that year decided to\nKeep the bridge closed until the river " +
			"had gone down again, and\nthen to open it. It did.", []string{
			"The committee that met in the spring of that year decided to\nKeep the bridge closed until the river had gone down " +
				"again, and\nthen to open it.", "It did."}},
		{"lettered lists", "Members may\na) use the boats,\nb) invite\n   one guest, and\n(iv) keep a locker.\nsee also)",
			[]string{"Members may", "a) use the boats,", "b) invite\n   one guest, and", "(iv) keep a locker.\nsee also)"}},
		{"short lines are items", "Home\nAbout us\nNew York", []string{"Home", "About us", "New York"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, texts(Sentences(tt.text))); diff != "" {
				t.Errorf("Sentences(%q) (-want +got):\n%s", tt.text, diff)
			}
		})
	}
}

func TestCut(t *testing.T) {
	for text, want := range map[string][]string{
		"alpha beta gamma delta": {"alpha beta", "gamma", "delta"}, " abcdefghijkl ": {"abcdefghij", "kl"}, "水水": {"水水"}, " ": nil,
	} {
		if diff := cmp.Diff(want, texts(Cut(text, 10))); diff != "" {
			t.Errorf("Cut(%q) (-want +got):\n%s", text, diff)
		}
	}
}

// checkSpans holds what is promised of offsets: each passage is text[start:end], they ascend without overlap,
// and between them is only white space.
func checkSpans(t *testing.T, text string, ps []Span, size int) {
	t.Helper()
	runes := codePoints(text)
	at := 0
	for _, p := range ps {
		if p.Start < at || p.End <= p.Start || p.End > len(runes) {
			t.Fatalf("passage %d to %d after %d in a text of %d", p.Start, p.End, at, len(runes))
		}
		if got := strings.Join(runes[p.Start:p.End], ""); got != p.Text {
			t.Fatalf("text[%d:%d] is %q, the passage says %q", p.Start, p.End, got, p.Text)
		}
		if size > 0 && p.End-p.Start > size {
			t.Fatalf("a passage of %d code points, at most %d wanted", p.End-p.Start, size)
		}
		if gap := strings.Join(runes[at:p.Start], ""); strings.TrimFunc(gap, unicode.IsSpace) != "" {
			t.Fatalf("%q is in no passage", gap)
		}
		at = p.End
	}
	if rest := strings.Join(runes[at:], ""); strings.TrimFunc(rest, unicode.IsSpace) != "" {
		t.Fatalf("%q is in no passage", rest)
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

func FuzzSentences(f *testing.F) {
	for _, s := range []string{
		"Dr. A. B. met C. [1] “Yes.” No!\n\n# H\n- x\n1. y", "水温12.5度。“好！”[2] 真的？", "a\xff\xfe. B\x80c",
		"((((....]]]] [1][2",
		strings.Repeat("word ", 60) + "\nNext line", "\r\n. \r\n", "e\u0301. \u00adÉ",
	} {
		f.Add(s, 20)
	}
	f.Fuzz(func(t *testing.T, text string, size int) {
		checkSpans(t, text, Sentences(text), 0)
		size = 1 + int(uint(size)%200)
		checkSpans(t, text, Cut(text, size), size)
	})
}
