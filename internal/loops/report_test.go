package loops_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/citeloop/citeloop/internal/loops"
	"github.com/citeloop/citeloop/internal/report"
	"github.com/citeloop/citeloop/internal/verify"
	"github.com/citeloop/citeloop/loopstate"
)

// written returns a report in a format.
func written(t *testing.T, format string, d report.Document) string {
	t.Helper()
	var out strings.Builder
	noError(t, report.Write(&out, format, d))
	return out.String()
}

// Each receipt of a report leads to its passage, and that of a file does not name its folder.
func TestReport(t *testing.T) {
	t.Parallel()
	h, loop := withSources(t)
	d := h.report(loops.ReportInput{Loop: loop, Draft: "The lighthouse was built in 1874 by Maria Holt [S1]. It can be seen from 30 " +
		"kilometres away [S1].\n\nLocal fishermen land about 300 tonnes of herring a year [the harbour](https://example.org/harbour).\n"})
	if d.Verdict != verify.Review || d.Unverified || len(d.Sentences) != 3 || d.Sources[0].ID != "S1" || d.Sources[0].Number != 1 ||
		d.Sources[1].Number != 2 {
		t.Errorf("document %+v", d)
	}
	for _, s := range d.Sentences {
		if len(s.Receipts) == 0 {
			t.Fatalf("%q has no receipt", s.Text)
		}
		for _, r := range s.Receipts {
			text := []rune(h.web.pages[r.URL].Text)
			if string(text[r.Start:r.End]) != r.Passage || r.SHA256 != loopstate.HashText([]byte(string(text))).String() {
				t.Errorf("receipt %+v does not lead to its passage", r)
			}
		}
	}
	files := []string{"file:///home/ada/a.md", "file:///home/ada/b.md"}
	for i, at := range files {
		h.web.put(at, at, fmt.Sprintf("The crane at the quay lifts %d tonnes of stone a day.", 40+i))
	}
	must(h.Read(t.Context(), loops.ReadInput{Loop: loop, URLs: files}))(t)
	d = h.report(loops.ReportInput{Loop: loop, Draft: "The crane at the quay lifts 40 tonnes of stone a day [S3:1].\n\n" +
		"The crane at the quay lifts 41 tonnes of stone a day [S4:1].\n"})
	text := written(t, report.JSON, d)
	if len(d.Conflicts) != 1 || d.Conflicts[0].Sides[0].URL != "a.md" || strings.Contains(text, "/home/ada") {
		t.Errorf("a report of files, with %+v, has their folders:\n%s", d.Conflicts, text)
	}
}

// A text that fails is refused with the sentences that block it, or marked as a draft.
func TestReportRefusesFailedText(t *testing.T) {
	t.Parallel()
	h, loop := withSources(t)
	for draft, want := range map[string][]string{
		"# Answer\n\nThe lighthouse was built in 1950 by the engineer Maria Holt [S1:70].": {
			`what blocks it: line 3 "The lighthouse was built in 1950`, `S1 has 13 lines, so there is no S1:70)`},
		"The harbour has a new name now.": {`line 1 "The harbour has a new name now." (cites nothing)`},
		"The lighthouse was built in 1874 by the engineer Maria Holt [S99].": {
			`line 1 "The lighthouse was built in 1874`, `S99`, `was never read)`},
		"The lighthouse was built in 1874 [tower](" + towerAt + ").": {"was never read in this loop"},
		strings.Repeat("The harbour has a new name now.\n\n", 12):    {"; and 4 more"},
	} {
		_, err := h.Report(t.Context(), loops.ReportInput{Loop: loop, Draft: draft})
		if _, ok := errors.AsType[*verify.UnverifiedError](err); !ok {
			t.Fatalf("error %v, want an verify.UnverifiedError", err)
		}
		for _, part := range want {
			if !strings.Contains(err.Error(), part) {
				t.Errorf("%v\nlacks %q", err, part)
			}
		}
		d := h.report(loops.ReportInput{Loop: loop, Draft: draft, AllowUnverified: true})
		if !d.Unverified || !strings.Contains(written(t, report.Markdown, d), "DRAFT") {
			t.Errorf("%q is not marked as a draft", draft)
		}
	}
	if h.web.asked[towerAt] != 0 {
		t.Error("a report reads what it cites")
	}
	refusal(t, errOf(h.Report(t.Context(), loops.ReportInput{Loop: h.start("q")})), "draft", loopstate.CodeNothingToSay)
}

// Without a text, a report has the recorded claims, without retracted ones; or else the sources and the gaps, and says that no text was
// checked.
func TestReportWithoutText(t *testing.T) {
	t.Parallel()
	h, loop := withSources(t)
	h.addGap(loop, loopstate.GapInput{Gap: "Who paid for the tower?"})
	d := h.report(loops.ReportInput{Loop: loop})
	for _, format := range []string{report.Markdown, report.HTML, report.JSON} {
		for _, want := range []string{"o text was checked", d.Sources[0].Title, "Who paid for the tower?"} {
			if text := written(t, format, d); !strings.Contains(text, want) {
				t.Errorf("%s lacks %q:\n%s", format, want, text)
			}
		}
	}
	h.update(loop, loopstate.UpdateInput{Claims: []loopstate.Claim{{Claim: "Clocks are blue.", SourceIDs: []string{"S1"}}}})
	h.update(loop, loopstate.UpdateInput{Retractions: []string{"C1"}})
	for _, text := range []string{"The lighthouse was built in 1950.", "The lighthouse was built in 1874."} {
		h.check(loops.VerifyInput{Loop: loop, Claims: []verify.Claim{verify.New(text, "S1")}})
	}
	d = h.report(loops.ReportInput{Loop: loop})
	if len(d.Sentences) != 2 || d.Sentences[0].ClaimID != "C2" || d.Sentences[1].ClaimID != "C3" {
		t.Errorf("sentences %+v", d.Sentences)
	}
}

// A contradiction quotes the lines that it names, and disputes what rests on them until it is resolved.
func TestContradictionsDispute(t *testing.T) {
	t.Parallel()
	draft := "The lighthouse was built in 1874 by Maria Holt [S1:1]. It can be seen from 30 kilometres away [S1:3]."
	for _, tt := range []struct {
		name  string
		x     loopstate.Contradiction
		sides int
		want  []report.State
	}{
		{"lines", loopstate.Contradiction{Why: "They differ.", SourceIDs: []string{"S1:1", "S2:1"}}, 2,
			[]report.State{report.Disputed, report.OneOrigin}},
		{"resolved", loopstate.Contradiction{Resolution: "S1 is right.", SourceIDs: []string{"S1:1", "S2:1"}}, 2,
			[]report.State{report.OneOrigin, report.OneOrigin}},
		{"sources alone", loopstate.Contradiction{Why: "They differ.", SourceIDs: []string{"S1", "S2"}}, 0,
			[]report.State{report.OneOrigin, report.OneOrigin}},
	} {
		h, loop := withSources(t)
		tt.x.Topic = "Its builder"
		h.update(loop, loopstate.UpdateInput{Contradictions: []loopstate.Contradiction{tt.x}})
		d := h.report(loops.ReportInput{Loop: loop, Draft: draft})
		for i := range d.Sentences { // as a reader leaves them
			d.Sentences[i].Basis, d.Sentences[i].Status, d.Sentences[i].Pending = verify.BasisReview, loopstate.Grounded, false
		}
		x := d.Contradictions[0]
		if got := d.States(); !slices.Equal(got, tt.want) || !slices.Equal(x.SourceIDs, []string{"S1", "S2"}) || len(x.Sides) != tt.sides {
			t.Errorf("%s: %v of %+v, want %v", tt.name, got, x, tt.want)
		}
		for _, r := range x.Sides {
			if text := []rune(h.web.pages[r.URL].Text); r.Passage == "" || string(text[r.Start:r.End]) != r.Passage {
				t.Errorf("%s: %+v does not lead to its line", tt.name, r)
			}
		}
	}
}

// Every passage of a PDF has its page.
func TestPassagesHavePages(t *testing.T) {
	t.Parallel()
	h, loop := newLoop(t, "How deep is the channel?")
	pages := []string{
		"The harbour of Port Arden was founded by fishermen. " + strings.Repeat("Its early years are told elsewhere at length. ", 8),
		"The channel is 9 metres deep at low water. " + strings.Repeat("It is kept open by the authority of the port. ", 8),
		"The pilots keep a table of the tides for every day. " + strings.Repeat("The table hangs at the customs hall for all to see. ", 8),
	}
	h.web.put("https://example.org/depths.pdf", "Depths", strings.Join(pages, "\n\n"))
	p := h.web.pages["https://example.org/depths.pdf"]
	p.Pages = []int{0, utf8.RuneCountInString(pages[0]) + 2, utf8.RuneCountInString(pages[0]+pages[1]) + 4}
	h.web.pages["https://example.org/depths.pdf"] = p
	h.read(loop, "https://example.org/depths.pdf")
	found := must(findPassages(h.Service, t.Context(), loop, "pilots table of the tides", nil, 1))(t)
	if len(found) != 1 || found[0].Page != 3 {
		t.Errorf("found %+v, want a passage of page 3", found)
	}
	doc := h.report(loops.ReportInput{Loop: loop, Draft: "The channel is 9 metres deep at low water [S1].", AllowUnverified: true})
	if r := doc.Sentences[0].Receipts[0]; r.Page != 2 || doc.Sources[0].Pages != nil {
		t.Errorf("the receipt is of page %d, want 2; the report carries %v", r.Page, doc.Sources[0].Pages)
	}
	if text := h.prompt("critic", loop); !strings.Contains(text, ", PDF p. 2 (untrusted text)") {
		t.Errorf("a prompt gets no page: %s", text)
	}
}
