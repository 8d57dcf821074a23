package loops

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/citeloop/citeloop/fetch"
	"github.com/citeloop/citeloop/internal/docid"
	"github.com/citeloop/citeloop/internal/report"
	"github.com/citeloop/citeloop/internal/verify"
	"github.com/citeloop/citeloop/internal/wording"
	"github.com/citeloop/citeloop/loopstate"
)

// ReportInput is a request for the report of a draft; if it is empty, of the loop's text, or else of the recorded claims.
type ReportInput struct {
	Loop            string
	Draft           string
	AllowUnverified bool
	Deliver         bool // the draft becomes the loop's text, unless the service is read only
}

// Report verifies the text again and returns the document of the report. It changes the loop only where in.Deliver is set: then
// the draft becomes its text. The error is [verify.UnverifiedError] if the text fails, unless in.AllowUnverified is set. Without a text
// and claims, nothing is checked.
func (s *Service) Report(ctx context.Context, in ReportInput) (d report.Document, err error) {
	deliver := in.Deliver && !s.ReadOnly
	if deliver {
		if err := s.lookUpMissing(ctx, in.Loop); err != nil {
			return d, err
		}
	}
	check, err := s.reported(ctx, in)
	if err != nil {
		return d, err
	}
	v, checked := verify.Result{Verdict: verify.Review, GeneratedAt: s.Now()}, check.chars() > 0
	if checked {
		if err := check.check(); err != nil {
			return d, err
		}
		if v, err = s.examine(ctx, &check); err != nil {
			return d, err
		}
	}
	if v.Verdict == verify.Fail && !in.AllowUnverified {
		return d, &verify.UnverifiedError{Result: v}
	}
	if deliver && check.Draft != "" {
		if err := s.deliver(ctx, check, &v); err != nil {
			return d, err
		}
	}
	err = s.view(ctx, in.Loop, func(st *loopstate.State) error {
		d = report.Document{StateID: in.Loop, GeneratedAt: v.GeneratedAt, Verdict: v.Verdict, Unverified: v.Verdict == verify.Fail,
			Groundedness: v.Groundedness, Threshold: v.Threshold, Text: check.Draft, CoverageGaps: verify.CoverageGaps(st),
			Generator: s.Generator}
		describe(&d, st)
		if last := st.Verification; !checked && last != nil {
			d.Verdict, d.Groundedness = last.Verdict, last.Groundedness
		}
		if !checked && len(d.Sources) == 0 {
			return &loopstate.Error{Code: loopstate.CodeNothingToSay, Subject: "draft"}
		}
		return nil
	})
	if err != nil {
		return d, err
	}
	s.hideFolders(d.Sources)
	report.Receipts(&d, v)
	if err := s.quoteSides(ctx, &d); err != nil {
		return d, err
	}
	d.Sources = report.CitedFirst(d.Sources, d.Sentences)
	return d, nil
}

// reported returns what a report checks: its draft, else the loop's text, else the recorded claims; or nothing.
func (s *Service) reported(ctx context.Context, in ReportInput) (check VerifyInput, err error) {
	check.Loop = in.Loop
	if check.Draft = docid.WithoutCredentials(in.Draft); check.Draft != "" {
		return check, nil
	}
	draft := ""
	err = s.view(ctx, in.Loop, func(st *loopstate.State) error {
		if st.Draft != nil {
			draft = st.Draft.SHA256
			return nil
		}
		check.Claims = recordedClaims(st)
		return nil
	})
	if err == nil {
		check.Draft, err = s.storedText(ctx, "the draft", draft)
	}
	return check, err
}

// quoteSides adds the lines that contradictions name.
func (s *Service) quoteSides(ctx context.Context, d *report.Document) error {
	named := map[string]bool{}
	for _, c := range d.Contradictions {
		for _, ref := range c.Cites {
			named[verify.Cite(ref).SourceID] = true
		}
	}
	if len(named) == 0 {
		return nil
	}
	sources, err := s.Sources(ctx, d.StateID)
	if err != nil {
		return err
	}
	texts, err := s.prepared(ctx, sources, named)
	report.QuoteSides(d, texts)
	return err
}

// hideFolders replaces the addresses of local files by their paths below the user's folders, because reports go to other people.
// A file that is in none of the folders any more has its name only.
func (s *Service) hideFolders(sources []report.Source) {
	var folders []string
	for _, folder := range s.Corpus {
		folders = append(folders, folder)
		if real, err := filepath.EvalSymlinks(folder); err == nil {
			folders = append(folders, real)
		}
	}
	name := func(address *string) {
		if !strings.HasPrefix(*address, "file:") {
			return
		}
		file, err := fetch.FilePath(*address)
		if err != nil {
			return
		}
		*address = filepath.Base(file)
		for _, folder := range folders {
			if below, err := filepath.Rel(folder, file); err == nil && filepath.IsLocal(below) {
				*address = filepath.ToSlash(below)
				return
			}
		}
	}
	for i := range sources {
		src := &sources[i]
		for _, address := range []*string{&src.Key, &src.URL, &src.FinalURL, &src.Title} { // a title may be an address
			name(address)
		}
	}
}

// deliver makes a draft the loop's text, unless it is already.
func (s *Service) deliver(ctx context.Context, in VerifyInput, v *verify.Result) error {
	hash := loopstate.HashText([]byte(in.Draft)).String()
	same, err := peek(ctx, s, in.Loop, func(st *loopstate.State) bool {
		return st.Draft != nil && st.Draft.SHA256 == hash && st.Draft.Verdict == v.Verdict && st.Draft.Round == st.Round+1
	})
	if err != nil || same {
		return err
	}
	return s.recordVerification(ctx, in, v)
}

// ReportText returns the report of the recorded claims in a format of package report. The error is [verify.UnverifiedError] if
// they fail.
func (s *Service) ReportText(ctx context.Context, loop, format string) (string, error) {
	doc, err := s.Report(ctx, ReportInput{Loop: loop})
	if err != nil {
		return "", err
	}
	var out strings.Builder
	if err := report.Write(&out, format, doc); err != nil {
		return "", fmt.Errorf("loops: write the report: %w", err)
	}
	return out.String(), nil
}

// describe sets the parts of the document from the loop's state.
func describe(d *report.Document, st *loopstate.State) {
	d.Query, d.AsOf, d.Decision = st.Query, st.AsOf, wording.Advised(st)
	d.Rounds = append([]loopstate.Round{}, st.Rounds...)
	d.Contradictions = []report.Contradiction{}
	for _, c := range st.Contradictions {
		d.Contradictions = append(d.Contradictions, report.Contradiction{Contradiction: c})
	}
	d.OpenQuestions, d.OpenGaps, d.NotTried = []report.OpenQuestion{}, []string{}, []string{}
	tried := st.Tried()
	for _, g := range st.GapsWith("all") {
		switch {
		case g.Status == loopstate.GapUnanswerable:
			d.OpenQuestions = append(d.OpenQuestions, report.OpenQuestion{Question: g.Gap, Why: g.Why,
				Tried: cmp.Or(tried[g.ID], loopstate.NotTried)})
		case g.Status == loopstate.GapOpen:
			d.OpenGaps = append(d.OpenGaps, g.Gap)
		}
	}
	for _, a := range d.Decision.Advice {
		switch a.Code {
		case loopstate.AdviseAngles, loopstate.AdviseRecent, loopstate.AdviseTypes:
			d.NotTried = append(d.NotTried, a.Words)
		}
	}
	d.Origins, d.Coverage = st.Origins(), st.Coverage
	for _, src := range st.Sources {
		src.Pages, src.Furniture = nil, nil // internal
		d.Sources = append(d.Sources, report.Source{Source: src})
	}
	d.Import = st.Import
	d.Searches, d.Reviews = searchCounts(st.Searches), st.Reviews
}

// searchCounts counts the searches and outcomes of each channel, by name.
func searchCounts(searches []loopstate.Search) []report.SearchCount {
	counts := []report.SearchCount{}
	at := map[string]int{}
	for _, search := range searches {
		for _, o := range search.Channels {
			i, ok := at[o.Channel]
			if !ok {
				i = len(counts)
				at[o.Channel] = i
				counts = append(counts, report.SearchCount{Channel: o.Channel, Outcomes: map[string]int{}})
			}
			counts[i].Searches++
			counts[i].Outcomes[o.Status]++
		}
	}
	slices.SortFunc(counts, func(a, b report.SearchCount) int { return strings.Compare(a.Channel, b.Channel) })
	return counts
}
