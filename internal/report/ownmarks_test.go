package report

import (
	"strings"
	"testing"
	"unicode/utf8"
)

// The marks [inference] become one discreet sign, explained once: in HTML at the end of each of the author's own
// sentences, in Markdown at the end of those that follow each other in a paragraph.
func TestInferenceMarksBecomeSigns(t *testing.T) {
	const text = "# Pumps\n\n## Advice [inference]\n\nBuy the small pump.\n\n**[inference]** It is cheaper. It costs 40 crowns [S1]. So wait [inference].\n\nIt lasts. It pays.\nGo on.\n\nWrite `a [inference] b` to mark it.\n"
	d := english(t)
	d.Text, d.Sentences = text, nil
	add := func(words, status string) {
		start := utf8.RuneCountInString(text[:strings.Index(text, words)])
		s := Sentence{Text: strings.ReplaceAll(words, " [inference]", ""), Start: start, End: start + utf8.RuneCountInString(words), Status: status, Flags: []string{}, Receipts: []Receipt{}}
		if status == "own" {
			s.Own = "inference"
		}
		d.Sentences = append(d.Sentences, s)
	}
	add("Buy the small pump.", "own")
	add("It is cheaper.", "own")
	add("It costs 40 crowns [S1].", "grounded")
	add("So wait [inference].", "own")
	add("It lasts.", "own")
	add("It pays.", "own")
	add("Go on.", "own")
	for format, want := range map[string][]string{
		Markdown: {"## Advice\n", "Buy the small pump.°", "It is cheaper.°", "So wait.°", "It lasts. It pays.\nGo on.°", "`a [inference] b`"},
		HTML:     {"Buy the small pump.", "It is cheaper.", "So wait.", "<sup>°</sup>", "a [inference] b"},
	} {
		out := string(render(t, format, d))
		for _, w := range want {
			if !strings.Contains(out, w) {
				t.Errorf("%s: no %q", format, w)
			}
		}
		if n := strings.Count(out, "[inference]"); n != 1 {
			t.Errorf("%s: %d marks, want only the one in code", format, n)
		}
		if strings.Contains(out, "****") {
			t.Errorf("%s: emphasis of nothing", format)
		}
	}
	if md := string(render(t, Markdown, d)); strings.Count(md, "° the author's own") != 1 || strings.Count(md, "°") != 5 {
		t.Errorf("the sign is not explained once, or stands elsewhere:\n%s", md)
	}
}
