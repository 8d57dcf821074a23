package textcheck

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/citeloop/citeloop/internal/outcome"
	"github.com/citeloop/citeloop/internal/verify"
	"github.com/citeloop/citeloop/loopstate"
)

// A suppressed finding is shown in every format and counted, and changes no number of sentences.
func TestSuppressions(t *testing.T) {
	t.Parallel()
	const text = "It never rains on the island in May.\n\nThe tower of Arden was built in 1874 by two brothers [9].\n"
	day := func(d int) time.Time { return time.Date(2026, 3, d, 0, 0, 0, 0, time.UTC) }
	here := map[string]bool{"a.md": true}
	all := []Suppression{
		{File: "citeloop.toml", Line: 1, Kind: Uncited, Text: "It never  rains…", Reason: "known to all", Until: day(4), Drafts: here},
		{File: "citeloop.toml", Line: 5, Kind: Hallucinated, Reason: "in print", Until: day(3), Drafts: here},
		{File: "citeloop.toml", Line: 9, Kind: Quote, Text: "gone", Reason: "x", Drafts: here, Expected: true},
		{File: "citeloop.toml", Line: 13, Kind: Quote, Text: "gone", Reason: "x", Drafts: here},
		{File: "citeloop.toml", Line: 17, Kind: Hallucinated, Reason: "x", Drafts: map[string]bool{"b.md": true}},
	}
	cfg := config(island())
	plain := check(t, cfg, Draft{"a.md", text})
	cfg.Suppress = all
	r := check(t, cfg, Draft{"a.md", text})
	if r.Verdict != outcome.Fail || plain.Files[0].Findings[Uncited] != 1 || r.Files[0].Findings[Uncited] != 0 || r.Files[0].Findings[Hallucinated] != 1 || r.Files[0].Suppressed != 1 {
		t.Errorf("verdict %s, findings %v", r.Verdict, r.Files[0].Findings)
	}
	if r.Files[0].Counts != plain.Files[0].Counts || r.Groundedness != plain.Groundedness {
		t.Errorf("the numbers changed: %+v, before %+v", r.Files[0].Counts, plain.Files[0].Counts)
	}
	for format, want := range map[string][]string{
		Text:   {"a.md:1:1: suppressed: uncited: It never", "accepted: known to all (citeloop.toml:1, until 2026-03-04)", "1 finding suppressed", "citeloop.toml:5: warning: the suppression of hallucinated ended on 2026-03-03", "citeloop.toml:9: warning: the suppression of quote accepts nothing"},
		JSON:   {`"suppressed": [`, `"reason": "known to all"`, `"state": "expired"`, `"until": "2026-03-04"`},
		JSONL:  {`{"type":"suppressed","finding":"uncited"`},
		SARIF:  {`"justification": "known to all"`, `"kind": "external"`, "the suppression of hallucinated ended"},
		GitHub: {"::notice file=a.md,line=1,endLine=1,col=1,endColumn=37,title=Suppressed%3A A claim without a source::", "::warning file=citeloop.toml,line=5,title=Suppression::"},
		HTML:   {"suppressed: uncited: It never rains on the island in May.: known to all", "the suppression of hallucinated ended on 2026-03-03"},
	} {
		var b bytes.Buffer
		if err := Write(&b, format, r); err != nil {
			t.Fatal(err)
		}
		for _, w := range want {
			if !strings.Contains(b.String(), w) {
				t.Errorf("%s lacks %q:\n%.4000s", format, w, b.String())
			}
		}
		if format == Text && strings.Contains(b.String(), "toml:13") {
			t.Error("a suppression is called unused although not all of its texts were checked")
		}
	}
	all[1].Until = time.Time{} // both findings are accepted: but nobody has read anything
	if r = check(t, cfg, Draft{"a.md", text}); r.Verdict != outcome.Undecided || r.Files[0].Supported != 0 {
		t.Errorf("verdict %s", r.Verdict)
	}
}

// A contradicted sentence whose finding is suppressed stays contradicted in the numbers, and counts against the threshold.
func TestSuppressedContradiction(t *testing.T) {
	t.Parallel()
	for threshold, want := range map[float64]string{0.8: outcome.Pass, 0.9: outcome.Fail} {
		accepted := begin([]Suppression{{Kind: Contradicted, Reason: "x", Drafts: map[string]bool{"a.md": true}}}, noon)
		r := &Result{Overall: Overall{Threshold: threshold, FailOn: DefaultFailOn(), Suppressions: accepted}, drafts: []parsed{{name: "a.md"}}}
		for i := range 5 {
			c := verify.Claim{Text: "A sentence.", Finding: verify.Finding{Status: loopstate.Grounded, Reading: &loopstate.Reading{Answer: loopstate.AnswerSupported}}}
			if i == 0 {
				c.Status, c.Reading = loopstate.Unsupported, &loopstate.Reading{Answer: loopstate.AnswerContradicted}
			}
			r.Claims = append(r.Claims, Claim{of: c})
			r.drafts[0].Tally.Add(c)
		}
		r.drafts[0].Groundedness = r.drafts[0].Tally.Groundedness()
		r.judge()
		if f := r.Files[0]; f.Verdict != want || f.Supported != 4 || f.Contradicted != 1 || f.Suppressed != 1 || f.Groundedness != 0.8 {
			t.Errorf("threshold %v: %+v", threshold, f)
		}
	}
}
