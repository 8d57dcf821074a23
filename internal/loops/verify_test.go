package loops_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/citeloop/citeloop/channels"
	"github.com/citeloop/citeloop/internal/loops"
	"github.com/citeloop/citeloop/internal/report"
	"github.com/citeloop/citeloop/internal/verify"
	"github.com/citeloop/citeloop/loopstate"
)

const lighthouse = `The lighthouse at Cape Arden was built in 1874 by the engineer Maria Holt.
It stands 42 metres high and its lamp can be seen from 30 kilometres away.
The keeper's harness was never inhabited after the fire of 1911, when the northern wall collapsed.
Today the lamp is electric and no keeper lives on the cape.

The stones of the lighthouse came from the quarry of Brack on 214 barges.
The first keeper kept a book of 1,460 nights and left it to the parish.
A fog bell of 620 kilograms was hung beside the lighthouse in 1889.
The lighthouse burned 38 litres of colza oil in a week of December.
The coast guard bought the lighthouse from the county for 90,000 crowns.
Storms broke the windows of the lighthouse in 1903 and again in 1927.
The parish council opposed the electric lamp because it feared the cost.
Visitors may climb the 198 steps of the lighthouse between May and October.`

const harbour = `The harbour of Port Arden is closed to large ships because the channel has silted up.
Local fishermen land about 300 tonnes of herring a year, most of it in spring.
The town council decided in 2019 to restore the old customs hall and to open a museum in it.`

// withSources returns a loop with two sources: S1 the lighthouse, S2 the harbour.
func withSources(t *testing.T) (*harness, string) {
	t.Helper()
	h := newHarness(t)
	loop := h.start("What is at Cape Arden?")
	h.web.put("https://example.org/lighthouse", "The lighthouse", lighthouse)
	h.web.put("https://example.org/harbour", "The harbour", harbour)
	if diff := cmp.Diff([]string{"S1", "S2"}, h.read(loop, "https://example.org/lighthouse", "https://example.org/harbour")); diff != "" {
		t.Fatal(diff)
	}
	return h, loop
}

func statuses(v verify.Result) []string {
	var out []string
	for _, c := range v.Claims {
		out = append(out, string(c.Status))
	}
	return out
}

func TestVerifyClaims(t *testing.T) {
	t.Parallel()
	h, loop := withSources(t)
	v, err := h.Verify(t.Context(), loops.VerifyInput{Loop: loop, Claims: []verify.Claim{
		verify.New("The lighthouse was built in 1874 by Maria Holt.", "S1"),
		verify.New("The lighthouse was built in 1894 by Maria Holt.", "S1"),
		verify.New("The town council decided to restore the old customs hall.", "S1"),
	}})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"inferred", "inferred", "inferred"}, statuses(v)); diff != "" {
		t.Errorf("statuses (-want +got):\n%s", diff)
	}
	if v.Verdict != verify.Review || !v.Gate() || v.Cycle != 1 || v.Review.Pending != 3 {
		t.Errorf("verdict %s, gate %v, cycle %d", v.Verdict, v.Gate(), v.Cycle)
	}
	p := v.Claims[0].Passages[0]
	text := []rune(h.web.pages["https://example.org/lighthouse"].Text)
	if string(text[p.Start:p.End]) != p.Text {
		t.Errorf("passage %+v does not match its offsets", p)
	}
	if got := []string{v.Claims[0].ID, v.Claims[1].ID, v.Claims[2].ID}; cmp.Diff([]string{"C1", "C2", "C3"}, got) != "" {
		t.Errorf("claim ids %v", got)
	}
}

// A citation of something that was not read fails any text.
func TestVerifyCatchesHallucinatedCitations(t *testing.T) {
	t.Parallel()
	h, loop := withSources(t)
	v, err := h.Verify(t.Context(), loops.VerifyInput{Loop: loop, Claims: []verify.Claim{
		verify.New("The lighthouse was built in 1874 by Maria Holt.", "S1", "S9"),
		{Text: "The lamp is electric today.", Citations: []verify.Citation{{URL: "https://example.org/unread"}}},
		{Text: "No keeper lives on the cape.", Citations: []verify.Citation{{}}},
	}})
	if err != nil {
		t.Fatal(err)
	}
	var cited []string
	for _, c := range v.Hallucinated {
		cited = append(cited, c.Citation)
	}
	if diff := cmp.Diff([]string{"S9", "https://example.org/unread", "(empty)"}, cited); diff != "" {
		t.Errorf("hallucinated (-want +got):\n%s", diff)
	}
	if v.Gate() || v.Verdict != "fail" {
		t.Errorf("gate %v, verdict %s", v.Gate(), v.Verdict)
	}
	uncited, err := h.Verify(t.Context(), loops.VerifyInput{Loop: loop, Claims: []verify.Claim{{Text: "The lamp is electric today."}}})
	if err != nil || uncited.Gate() || len(uncited.Uncited) != 1 {
		t.Errorf("a claim without a citation: gate %v, %+v, %v", uncited.Gate(), uncited.Uncited, err)
	}
}

const draft = `# Cape Arden

The lighthouse was built in 1874 by Maria Holt [S1]. It can be seen from 30 kilometres away [S1].

## The town

Local fishermen land about 300 tonnes of herring a year [the harbour page](https://example.org/harbour).
`

func TestVerifyDraft(t *testing.T) {
	t.Parallel()
	h, loop := withSources(t)
	v := h.check(loops.VerifyInput{Loop: loop, Draft: draft})
	if v.Verdict != verify.Review || len(v.Claims) != 3 || len(v.Uncited) != 0 || v.Groundedness != 0 || v.Review.Pending != 3 {
		t.Errorf("verdict %s, groundedness %v, %d claims, uncited %+v, statuses %v", v.Verdict, v.Groundedness, len(v.Claims), v.Uncited,
			statuses(v))
	}
	bad := h.check(loops.VerifyInput{Loop: loop, Draft: draft +
		"\nThe museum has 40,000 visitors a year.\n\nThe lamp is electric today [S7].\n"})
	if bad.Verdict != "fail" || bad.Gate() || len(bad.Uncited) != 1 || bad.Uncited[0].Sentence.Line != 9 || len(bad.Hallucinated) != 1 {
		t.Errorf("verdict %s, uncited %+v, hallucinated %+v", bad.Verdict, bad.Uncited, bad.Hallucinated)
	}
	view, err := h.State(t.Context(), loops.ViewInput{Loop: loop})
	if err != nil || view.Progress.Claims != 0 {
		t.Errorf("%d claims were recorded from drafts, %v: want none", view.Progress.Claims, err)
	}
}

// A claim that stays unsupported despite a search in between is a coverage gap.
func TestCoverageGapAfterTwoCycles(t *testing.T) {
	t.Parallel()
	h, loop := withSources(t)
	check := func() verify.Result {
		t.Helper()
		v, err := h.Verify(t.Context(), loops.VerifyInput{Loop: loop,
			Claims: []verify.Claim{{Text: "The lighthouse was sold to a hotel chain in 2023.",
				Citations: []verify.Citation{{SourceID: "S1", Quote: "sold to a hotel chain after long talks"}}}}})
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	check()
	if v := check(); len(v.CoverageGaps) != 0 {
		t.Errorf("without a search in between: %q", v.CoverageGaps)
	}
	done(h, h.Search, loops.SearchInput{Loop: loop, Channels: []string{"fakeWeb"}, Query: channels.Query{Text: "hotel"}})
	if v := check(); len(v.CoverageGaps) != 1 || !strings.Contains(v.CoverageGaps[0], "cycles 2 and 3") {
		t.Errorf("after a search: %q", v.CoverageGaps)
	}
}

func TestVerifyRefuses(t *testing.T) {
	t.Parallel()
	h, loop := withSources(t)
	tests := []struct {
		name    string
		in      loops.VerifyInput
		subject string
		code    loopstate.Code
	}{
		{"nothing", loops.VerifyInput{}, "claims", loopstate.CodeMissing},
		{"both", loops.VerifyInput{Draft: "x", Claims: []verify.Claim{{Text: "y"}}}, "draft", loopstate.CodeConflict},
		{"an empty claim", loops.VerifyInput{Claims: []verify.Claim{{Text: " "}}}, "claims[0].text", loopstate.CodeEmpty},
		{"a threshold", loops.VerifyInput{Draft: "x", Threshold: 80}, "threshold", loopstate.CodeOutOfRange},
		{"a huge draft", loops.VerifyInput{Draft: strings.Repeat("a ", 300_000)}, "draft", loopstate.CodeTooLong},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tt.in.Loop = loop
			_, err := h.Verify(t.Context(), tt.in)
			refusal(t, err, tt.subject, tt.code)
		})
	}
}

func TestReport(t *testing.T) {
	t.Parallel()
	h, loop := withSources(t)
	d := h.report(loops.ReportInput{Loop: loop, Draft: draft})
	if d.Verdict != verify.Review || d.Unverified || len(d.Sentences) != 3 || d.Sources[0].ID != "S1" || d.Sources[0].Number != 1 ||
		d.Sources[0].Claims != 2 || d.Sources[1].Number != 2 {
		t.Errorf("document %+v", d)
	}
	for _, s := range d.Sentences {
		if len(s.Receipts) == 0 {
			t.Fatalf("%q has no receipt", s.Text)
		}
		for _, r := range s.Receipts {
			src := map[string]string{"S1": "https://example.org/lighthouse", "S2": "https://example.org/harbour"}[r.SourceID]
			text := []rune(h.web.pages[src].Text)
			if string(text[r.Start:r.End]) != r.Passage || r.SHA256 != loopstate.HashText([]byte(string(text))).String() || r.URL != src {
				t.Errorf("receipt %+v does not lead to its passage", r)
			}
		}
	}
	for _, format := range report.Formats() {
		if report.OfLog(format) {
			continue
		}
		var out strings.Builder
		if err := report.Write(&out, format, d); err != nil || out.Len() == 0 {
			t.Errorf("%s: %d bytes, %v", format, out.Len(), err)
		}
	}
}

func TestReportRefusesFailedText(t *testing.T) {
	t.Parallel()
	h, loop := withSources(t)
	bad := "The lighthouse was built in 1950 by robots [S1:99]."
	_, err := h.Report(t.Context(), loops.ReportInput{Loop: loop, Draft: bad})
	var unverified *verify.UnverifiedError
	if !errors.As(err, &unverified) {
		t.Fatalf("error %v, want an verify.UnverifiedError", err)
	}
	d, err := h.Report(t.Context(), loops.ReportInput{Loop: loop, Draft: bad, AllowUnverified: true})
	if err != nil || !d.Unverified {
		t.Errorf("unverified %v, %v", d.Unverified, err)
	}
	for _, format := range []string{"markdown", "html"} {
		var out strings.Builder
		if err := report.Write(&out, format, d); err != nil || !strings.Contains(out.String(), "DRAFT") {
			t.Errorf("%s does not say DRAFT (%v)", format, err)
		}
	}
	_, err = h.Report(t.Context(), loops.ReportInput{Loop: h.start("q")})
	refusal(t, err, "draft", loopstate.CodeNothingToSay)
}

// Without a text and claims, the report has the sources and the gaps, and says that no text was checked.
func TestReportWithoutText(t *testing.T) {
	t.Parallel()
	h, loop := withSources(t)
	done(h, func(ctx context.Context, in loopstate.GapInput) (loops.GapAdded, error) {
		return h.AddGap(ctx, loop, "", in)
	},
		loopstate.GapInput{Gap: "Who paid for the tower?"})
	d := h.report(loops.ReportInput{Loop: loop})
	for _, format := range []string{report.Markdown, report.HTML, report.JSON} {
		var out strings.Builder
		noError(t, report.Write(&out, format, d))
		for _, want := range []string{"o text was checked", d.Sources[0].Title, "Who paid for the tower?"} {
			if !strings.Contains(out.String(), want) {
				t.Errorf("%s lacks %q:\n%s", format, want, out.String())
			}
		}
	}
}

func TestReportErrorNamesBlockingSentences(t *testing.T) {
	t.Parallel()
	h, loop := withSources(t)
	many := strings.Repeat("The harbour has a new name now.\n\n", 12)
	for _, tt := range []struct {
		name, draft string
		want        []string
	}{
		{"no such line", "# Answer\n\nThe lighthouse was built in 1950 by the engineer Maria Holt [S1:70].",
			[]string{`what blocks it: line 3 "The lighthouse was built in 1950`, `S1 has 13 lines, so there is no S1:70)`}},
		{"uncited", "The harbour has a new name now.", []string{`line 1 "The harbour has a new name now." (cites nothing)`}},
		{"unread", "The lighthouse was built in 1874 by the engineer Maria Holt [S99].",
			[]string{`line 1 "The lighthouse was built in 1874`, `S99`, `was never read)`}},
		{"many", many, []string{"; and 4 more"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := h.Report(t.Context(), loops.ReportInput{Loop: loop, Draft: tt.draft})
			if _, ok := errors.AsType[*verify.UnverifiedError](err); !ok {
				t.Fatalf("error %v, want an verify.UnverifiedError", err)
			}
			for _, want := range tt.want {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("%v\nlacks %q", err, want)
				}
			}
		})
	}
}

// Without a draft, the report has the recorded claims, without retracted ones.
func TestReportOfClaims(t *testing.T) {
	t.Parallel()
	h, loop := withSources(t)
	h.update(loop, loopstate.UpdateInput{Claims: []loopstate.ClaimInput{{Claim: "Clocks are blue.", SourceIDs: []string{"S1"}}}})
	h.update(loop, loopstate.UpdateInput{Retractions: []string{"C1"}})
	wrong := verify.New("The lighthouse was built in 1950 by the engineer Maria Holt.", "S1")
	wrong.Citations[0].Quote = "built in 1950 by the engineer Maria Stone after long talks"
	for _, claims := range [][]verify.Claim{
		{wrong},
		{verify.New("The lighthouse was built in 1874 by the engineer Maria Holt.", "S1")},
	} {
		h.check(loops.VerifyInput{Loop: loop, Claims: claims})
	}
	d := h.report(loops.ReportInput{Loop: loop})
	if len(d.Sentences) != 2 || d.Sentences[0].ClaimID != "C2" || d.Sentences[1].ClaimID != "C3" {
		t.Errorf("findings %+v", d.Sentences)
	}
}
