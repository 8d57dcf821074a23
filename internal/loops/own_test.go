package loops_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/citeloop/citeloop/internal/loops"
	"github.com/citeloop/citeloop/internal/report"
	"github.com/citeloop/citeloop/internal/verify"
)

// The author's own statements need no source, are never grounded, are counted, and are in every format of the report.
func TestOwnStatementsOfADraft(t *testing.T) {
	t.Parallel()
	h, loop := withSources(t)
	const draft = "The lighthouse was built in 1874 by Maria Holt. [S1]\n\nSo it is older than the museum. [inference]\n\n" +
		"So the engineer was then at least 20 years old [inference].\n\n## What I could not " +
		"find\n\nNone of the sources read says what the lamp cost.\n"
	v := readThrough(t, h, loops.VerifyInput{Loop: loop, Draft: draft}, nil)
	var own []string
	for _, c := range v.Own {
		own = append(own, c.Sentence.Own)
	}
	if diff := cmp.Diff([]string{"inference", "inference", "absence"}, own); diff != "" {
		t.Errorf("own statements (-want +got):\n%s", diff)
	}
	if len(v.Claims) != 1 || len(v.Uncited) != 0 || v.Verdict != verify.Pass || v.Groundedness != 1 {
		t.Errorf("%d claims, %d uncited, %s, %.2f", len(v.Claims), len(v.Uncited), v.Verdict, v.Groundedness)
	}
	flags := strings.Join(v.Flags, "\n")
	for _, want := range []string{"own_statement: 3 sentences are the author's own",
		"own_statement: inferences state figures; cite the source of those that are facts (lines 5)"} {
		if !strings.Contains(flags, want) {
			t.Errorf("no flag %q in\n%s", want, flags)
		}
	}
	doc := h.report(loops.ReportInput{Loop: loop, Draft: draft})
	write := func(format string) string {
		t.Helper()
		var b strings.Builder
		noError(t, report.Write(&b, format, doc))
		return b.String()
	}
	if markdown, page := write(report.Markdown), write(report.HTML); !strings.Contains(markdown, "the author's own") ||
		!strings.Contains(page, `class="s v-own"`) {
		t.Errorf("Markdown or HTML does not show whose statement it is:\n%s", markdown)
	}
	var parsed struct {
		Sentences []struct{ Status, Own string } `json:"findings"`
	}
	noError(t, json.Unmarshal([]byte(write(report.JSON)), &parsed))
	var states []string
	for _, s := range parsed.Sentences {
		states = append(states, s.Status+" "+s.Own)
	}
	if diff := cmp.Diff([]string{"grounded ", "own inference", "own inference", "own absence"}, states); diff != "" {
		t.Errorf("JSON (-want +got):\n%s", diff)
	}
}

// A text with only the author's own statements does not pass.
func TestOwnStatementsAloneDoNotPass(t *testing.T) {
	t.Parallel()
	h, loop := withSources(t)
	v := h.check(loops.VerifyInput{Loop: loop, Draft: "The lighthouse was built in 1874 by Maria Holt. [inference]\n\n## Open " +
		"questions\n\nIt remains unknown what the lamp cost.\n"})
	if v.Verdict != verify.Review || v.Groundedness != 0 || len(v.Own) != 2 {
		t.Errorf("%s, %.2f", v.Verdict, v.Groundedness)
	}
}
