package report

import (
	"bytes"
	"strings"
	"testing"

	"github.com/citeloop/citeloop/loopstate"
)

// swollen returns a document with oversized texts: a title of 10,000 characters, a word of 2 MB.
func swollen(t testing.TB) Document {
	word := strings.Repeat("slowa", 2<<20/5)
	s := source(1, 1, 1, strings.Repeat("Title ", 10_000/6), "https://example.org/"+strings.Repeat("p", 3000))
	s.Authors = []string{strings.Repeat("Very Long ", 500), "Jane Doe"}
	s.Publisher = strings.Repeat("Press", 2000)
	d := Document{StateID: "L1", Query: strings.Repeat("why ", 5000), AsOf: "2026-11-01", GeneratedAt: written, Verdict: "pass", Groundedness: 1, Threshold: 0.8, Generator: "citeloop 0.1.0",
		Decision: finished(), Sources: []Source{s}, Text: "A short claim stands here [S1]. " + strings.Repeat("w", 20_000) + " is one word [S1].\n"}
	d.Sentences = []Sentence{
		{Text: "A short claim stands here", Status: loopstate.Grounded, Confidence: 1, Receipts: []Receipt{receipt(s, 0, "", word, "")}},
		{Text: strings.Repeat("w", 20_000) + " is one word", Status: loopstate.Inferred, Because: strings.Repeat("because", 100), Receipts: []Receipt{receipt(s, 7, "before ", "word", " after")}},
	}
	return placed(t, d)
}

func TestOversizedTextsAreCut(t *testing.T) {
	d := swollen(t)
	page := render(t, HTML, d)
	if len(page) > 400<<10 {
		t.Errorf("the page has %d bytes", len(page))
	}
	for _, want := range []string{"2089150 more characters of the passage are not shown.", strings.Repeat("slowa", passageChars/5) + "</span>"} {
		if !bytes.Contains(bytes.ReplaceAll(page, []byte("<wbr>"), nil), []byte(want)) {
			t.Errorf("the page lacks %.60q", want)
		}
	}
	if bytes.Contains(page, []byte(strings.Repeat("Title ", titleChars))) {
		t.Error("a title is too long")
	}
	for _, format := range []string{BibTeX, CSLJSON, RIS} {
		if got := len(render(t, format, d)); got > 40<<10 {
			t.Errorf("%s has %d bytes", format, got)
		}
	}
	if got := len(render(t, JSON, d)); got < 2<<20 {
		t.Errorf("the JSON has %d bytes: it is incomplete", got)
	}
}
