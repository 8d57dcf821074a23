package loops

import (
	"cmp"
	"context"
	"maps"
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
	check := VerifyInput{Loop: in.Loop, Draft: docid.WithoutCredentials(in.Draft)}
	var last loopstate.Draft
	round := 0
	err = s.view(ctx, in.Loop, func(st *loopstate.State) error {
		if round = st.Round + 1; st.Draft != nil {
			last = *st.Draft
		} else if check.Draft == "" {
			check.Claims = recordedClaims(st)
		}
		return nil
	})
	if err == nil && check.Draft == "" {
		check.Draft, err = s.storedText(ctx, "the draft", last.SHA256)
	}
	if err != nil {
		return d, err
	}
	hash := loopstate.HashText([]byte(check.Draft)).String()
	v, checked := verify.Result{Verdict: verify.Review, GeneratedAt: s.Now()}, check.chars() > 0
	if checked {
		if err = check.check(); err == nil {
			v, err = s.examine(ctx, &check)
		}
	}
	switch {
	case err != nil:
		return d, err
	case v.Verdict == verify.Fail && !in.AllowUnverified:
		return d, &verify.UnverifiedError{Result: v}
	case deliver && check.Draft != "" && (last.SHA256 != hash || last.Verdict != v.Verdict || last.Round != round):
		if err := s.recordVerification(ctx, check, &v); err != nil {
			return d, err
		}
	}
	var sources []loopstate.Source
	err = s.view(ctx, in.Loop, func(st *loopstate.State) error {
		d = report.Document{StateID: in.Loop, GeneratedAt: v.GeneratedAt, Verdict: v.Verdict, Unverified: v.Verdict == verify.Fail,
			Groundedness: v.Groundedness, Threshold: v.Threshold, Text: check.Draft, CoverageGaps: verify.CoverageGaps(st),
			Generator: s.Generator}
		describe(&d, st)
		if last := st.Verification; !checked && last != nil {
			d.Verdict, d.Groundedness = last.Verdict, last.Groundedness
		}
		if sources = slices.Clone(st.Sources); !checked && len(sources) == 0 {
			return &loopstate.Error{Code: loopstate.CodeNothingToSay, Subject: "draft"}
		}
		return nil
	})
	if err != nil {
		return d, err
	}
	s.hideFolders(d.Sources)
	report.Receipts(&d, v)
	named := map[string]bool{} // sources whose lines contradictions name
	for _, c := range d.Contradictions {
		for _, ref := range c.Cites {
			named[verify.Cite(ref).SourceID] = true
		}
	}
	texts, err := s.prepared(ctx, sources, named)
	if err != nil {
		return d, err
	}
	report.QuoteSides(&d, texts)
	d.Sources = report.CitedFirst(d.Sources, d.Sentences)
	return d, nil
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
	counts := map[string]report.SearchCount{}
	for _, search := range searches {
		for _, o := range search.Channels {
			c := counts[o.Channel]
			if c.Searches++; c.Outcomes == nil {
				c.Channel, c.Outcomes = o.Channel, map[string]int{}
			}
			c.Outcomes[o.Status]++
			counts[o.Channel] = c
		}
	}
	sorted := slices.AppendSeq([]report.SearchCount{}, maps.Values(counts))
	slices.SortFunc(sorted, func(a, b report.SearchCount) int { return strings.Compare(a.Channel, b.Channel) })
	return sorted
}
