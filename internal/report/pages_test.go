package report

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/citeloop/citeloop/loopstate"
)

// paged returns a report on two PDFs, one of them pasted, and a web page.
func paged() Document {
	paper := source(1, 1, 4, "Depths of the channel", "https://example.org/depths.pdf#top")
	paper.ContentType = "application/pdf"
	minutes := source(2, 2, 1, "Minutes", "https://example.org/minutes.pdf")
	minutes.ContentType, minutes.Pasted = "application/pdf", true
	page := source(3, 3, 1, "Tides", "https://example.org/tides")
	on := func(s Source, start, first, last int) Receipt {
		r := receipt(s, start, "", "The channel is 9 metres deep.", "")
		r.Page, r.LastPage = first, last
		return r
	}
	say := func(status string, receipts ...Receipt) Sentence {
		return Sentence{Text: "The channel is 9 metres deep.", Status: status, Receipts: receipts}
	}
	return Document{Query: "How deep is the channel?", Sources: []Source{paper, minutes, page}, Sentences: []Sentence{
		say(loopstate.Grounded, on(paper, 5000, 12, 13), on(page, 30, 0, 0)),
		say(loopstate.Grounded, on(paper, 900, 3, 3)),
		say(loopstate.Inferred, on(paper, 950, 4, 4), on(minutes, 10, 1, 1)),
		say(loopstate.Unsupported, on(paper, 9000, 40, 40)), // the closest passage, which does not support the claim
	}}
}

func TestReceiptsHavePages(t *testing.T) {
	d := paged()
	d.Conflicts = []Conflict{{Topic: "Depth", ValueA: "9 m", ValueB: "8 m", A: d.Sentences[0].Receipts[0], B: d.Sentences[0].Receipts[1]}}
	d.Contradictions = []loopstate.Contradiction{{ID: "X1", Topic: "Dredging", SourceIDs: []string{"S1"}, Passages: []loopstate.Quoted{{SourceID: "S1", Start: 7, End: 9, Page: 2, Text: "It was dredged."}}}}
	for format, wants := range map[string][]string{
		Markdown: {" (PDF pp. 12–13)", "cited by 4 sentences, on PDF pp. 3–4, 12–13"},
		FullMarkdown: {"PDF pp. 12–13, characters 5000 to 5029", "PDF p. 3, characters 900 to 929", "PDF p. 1, characters 10 to 39", "PDF p. 40, characters", ` characters 30 to 59`,
			"cited by 4 sentences, on PDF pp. 3–4, 12–13", "cited by 1 sentence, on PDF p. 1", "**9 m** ", "PDF pp. 12–13\n", "PDF p. 2, characters 7 to 9", "[open at this page](<https://example.org/depths.pdf#page=2>)"},
		HTML: {`<a href="https://example.org/depths.pdf#page=12" rel="noreferrer noopener nofollow">Open at this page</a>`, "PDF pp. 12–13 · ", "cited by 4 sentences, on PDF pp. 3–4, 12–13 · ",
			`<a href="https://example.org/tides#:~:text=`, "Open at this passage</a>"},
		BibTeX:  {"Cited: PDF pp. 3--4, 12--13. SHA-256", "Text pasted by the user. Cited: PDF p. 1. SHA-256"},
		CSLJSON: {`"locator": "3-4, 12-13"`, `"locator": "1"`},
		JSON:    {`"page": 12,`, `"last_page": 13,`, `"page": 40,`},
	} {
		got := string(render(t, format, d))
		for _, want := range wants {
			if !strings.Contains(got, want) {
				t.Errorf("%s lacks %q", format, want)
			}
		}
		if strings.Contains(got, "minutes.pdf#page") {
			t.Errorf("%s links a pasted text to a page", format)
		}
	}
}

func TestCitedPages(t *testing.T) {
	on := func(id string, spans ...int) (s Sentence) {
		s.Status = loopstate.Grounded
		for i := 0; i+1 < len(spans); i += 2 {
			s.Receipts = append(s.Receipts, Receipt{SourceID: id, Page: spans[i], LastPage: spans[i+1]})
		}
		return s
	}
	tests := []struct {
		name      string
		sentences []Sentence
		want      map[string]string
	}{
		{"none", nil, map[string]string{}},
		{"one", []Sentence{on("S1", 7, 7)}, map[string]string{"S1": "7"}},
		{"the same twice", []Sentence{on("S1", 7, 7), on("S1", 7, 7)}, map[string]string{"S1": "7"}},
		{"beside each other", []Sentence{on("S1", 8, 8, 7, 7), on("S1", 9, 9)}, map[string]string{"S1": "7-9"}},
		{"one in the other", []Sentence{on("S1", 2, 9, 3, 4), on("S1", 11, 11)}, map[string]string{"S1": "2-9, 11"}},
		{"no last page", []Sentence{on("S1", 5, 0)}, map[string]string{"S1": "5"}},
		{"two sources", []Sentence{on("S2", 1, 1), on("S1", 3, 3)}, map[string]string{"S1": "3", "S2": "1"}},
		{"no pages", []Sentence{on("S1", 0, 0)}, map[string]string{}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := map[string]string{}
			for id, spans := range citedPages(Document{Sentences: tt.sentences}) {
				got[id] = pageNumbers(spans, "-")
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}
