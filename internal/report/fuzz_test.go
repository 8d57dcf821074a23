package report

import (
	"bytes"
	"testing"

	"github.com/citeloop/citeloop/loopstate"
)

// strewn returns a document with sentences and markers at the offsets in places: within the text, beyond its end,
// overlapping.
func strewn(text, title string, places []byte) Document {
	statuses := []string{"grounded", "inferred", "unsupported", "uncited", "", title}
	d := Document{Query: title, Text: text, Verdict: "pass", Generator: "citeloop", Sources: []Source{
		{Number: 1, Source: loopstate.Source{ID: "S1", Title: title, URL: text, FinalURL: title, Authors: []string{title, text}, DOI: title, Language: title}},
		{Number: 0, Source: loopstate.Source{ID: "S2", URL: "https://example.org/?q=" + title, PublishedAt: text, DuplicateOf: "S1"}},
	},
		CoverageGaps: []string{title}, OpenGaps: []string{text}, NotTried: []string{title, text, title, text, title, text, title}, OneSource: []string{text},
		OpenQuestions:  []OpenQuestion{{Question: title, Why: text, Tried: title}},
		Contradictions: []loopstate.Contradiction{{ID: text, Topic: title, Why: text, SourceIDs: []string{"S1", title}, Passages: []loopstate.Quoted{{SourceID: "S2", Start: 4, End: 2, Text: text}, {SourceID: title, Text: title}}}, {Topic: text, Resolution: title}},
		Conflicts:      []Conflict{{Topic: title, ValueA: text, ValueB: title, A: Receipt{SourceID: "S1", Passage: title}, B: Receipt{SourceID: text, URL: text, Passage: text}}},
		Searches:       []SearchCount{{Channel: title, Searches: 1, Outcomes: map[string]int{text: 1, "empty": 1}}},
	}
	for len(places) >= 4 && len(d.Sentences) < 20 {
		a, b, m, n := int(places[0]), int(places[1]), int(places[2]), int(places[3])
		places = places[4:]
		d.Sentences = append(d.Sentences, Sentence{Text: title, Start: a - 3, End: a + b%64, Status: statuses[m%len(statuses)], Because: text, Flags: []string{title},
			Markers:  []MarkerAt{{Start: a + m%32, End: a + m%32 + n%8, SourceID: []string{"S1", "S2", "S9", ""}[n%4]}, {Start: m, End: m + 2, SourceID: "S1"}},
			Receipts: []Receipt{{SourceID: []string{"S1", "S2", "S9"}[n%3], URL: text, Passage: text, Before: title, After: title, Start: n - 5, End: b}}[:n%2]})
	}
	return d
}

func seedFuzz(f *testing.F) {
	for _, doc := range fixtures(f) {
		if doc.golden {
			f.Add(doc.doc.Text, doc.doc.Query, []byte{3, 40, 1, 7, 30, 60, 2, 4, 90, 9, 3, 3})
		}
	}
	places := []byte{3, 6, 4, 4, 9, 12, 1, 5, 14, 40, 2, 3, 50, 8, 0, 4}
	for _, text := range []string{
		"**bold *and* [link [S1] text](https://example.org)** end [S1]. Next `code [S1]` one.",
		"# Title [S1]\n\n#### deep\n\n> quote\n> - list\n>   1. more\n\n| a | b |\n|---|--:|\n| [S1] | `x|y` |\n",
		"https://example.org/[S1] <https://example.org> <javascript:x> www.example.org a@example.org",
		"<br>line<br/>\n<!-- comment --> <![CDATA[x]]> <?php ?> &copy; &#0; &#x202e; \\< \\&amp;",
		"```\ncode", "~~~ x\n> y", "    indented\n\ttab", "[a]: javascript:x\n\n[a] ![a] [b](<javascript:x> 'y')", "⟦\uE0000\uE001⟧ \uE002 x",
		"a\r\nb\rc\x00d\xff\xfe", "- - - - a\n  - b\n\n    c", "*a **b* c**", "~~x ~~y~~ z~~", "\u202Eabc\u2066 def", "x https://aaaa=aaa.aa",
	} {
		f.Add(text, `"><script>alert(1)</script>`, places)
		f.Add(text, text, []byte(text))
	}
}

func FuzzHTML(f *testing.F) {
	seedFuzz(f)
	f.Fuzz(func(t *testing.T, text, title string, places []byte) {
		if len(text) > 4000 || len(title) > 1000 {
			return
		}
		d := strewn(text, title, places)
		out := render(t, HTML, d)
		for _, w := range checkPage(d, out) {
			t.Error(w)
		}
		if !bytes.Equal(out, render(t, HTML, d)) {
			t.Error("two renderings differ")
		}
	})
}

func FuzzMarkdown(f *testing.F) {
	seedFuzz(f)
	f.Fuzz(func(t *testing.T, text, title string, places []byte) {
		if len(text) > 4000 || len(title) > 1000 {
			return
		}
		d := strewn(text, title, places)
		for _, w := range checkMarkdown(d, render(t, Markdown, d)) {
			t.Error(w)
		}
	})
}

func FuzzBibliography(f *testing.F) {
	seedFuzz(f)
	f.Fuzz(func(t *testing.T, text, title string, places []byte) {
		d := strewn(text, title, places)
		if _, err := readBibTeX(string(render(t, BibTeX, d))); err != nil {
			t.Error(err)
		}
		if _, err := readRIS(string(render(t, RIS, d))); err != nil {
			t.Error(err)
		}
		render(t, CSLJSON, d)
		render(t, JSON, d)
	})
}
