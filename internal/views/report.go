package views

import (
	"sort"

	"github.com/citeloop/citeloop/internal/report"
	"github.com/citeloop/citeloop/internal/verify"
	"github.com/citeloop/citeloop/internal/wording"
	"github.com/citeloop/citeloop/loopstate"
)

// Describe sets the parts of the document from the loop's state. It lists only weaknesses of claims that the draft states.
func Describe(d *report.Document, st *loopstate.State, v verify.Result) {
	d.Query, d.AsOf, d.Decision = st.Query, st.AsOf, wording.Advised(st)
	d.Rounds = append([]loopstate.Round{}, st.Rounds...)
	d.Contradictions = append([]loopstate.Contradiction{}, st.Contradictions...)
	d.OpenQuestions, d.OpenGaps, d.NotTried, d.OneSource = []report.OpenQuestion{}, []string{}, []string{}, []string{}
	tried := st.Tried()
	for _, g := range st.GapsWith("all") {
		switch {
		case g.Status == loopstate.GapUnanswerable:
			d.OpenQuestions = append(d.OpenQuestions, report.OpenQuestion{Question: g.Gap, Why: g.Why, Tried: tried[g.ID].String()})
		case g.Status == loopstate.GapOpen:
			d.OpenGaps = append(d.OpenGaps, g.Gap)
		}
	}
	for _, a := range d.Decision.Advice {
		switch a.Code {
		case loopstate.AdviseAngles, loopstate.AdviseRecent, loopstate.AdviseTypes, loopstate.AdviseLanguages:
			d.NotTried = append(d.NotTried, a.Words)
		}
	}
	if len(st.Searches) > 0 && !v.OfDraft {
		for _, c := range st.OneSourceClaims() {
			d.OneSource = append(d.OneSource, c.Claim)
		}
	}
	d.Origins, d.Coverage = st.Origins(), st.Coverage
	for _, src := range st.Sources {
		src.Pages, src.Furniture = nil, nil // internal
		if src.Capture != nil {             // the web archive has the full headers
			short := *src.Capture
			short.Header, short.Accept = nil, ""
			src.Capture = &short
		}
		d.Sources = append(d.Sources, report.Source{Source: src})
	}
	d.Import = st.Import
	d.ToRead = len(v.Pending)
	d.Searches, d.Reviews = searchCounts(st.Searches), report.ReviewsOf(st.Reviews)
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
	sort.Slice(counts, func(i, j int) bool { return counts[i].Channel < counts[j].Channel })
	return counts
}

// Receipts adds the sentences with their verdicts and passages, and the conflicts.
func Receipts(d *report.Document, v verify.Result) {
	receipt := func(p verify.Passage, citations ...verify.Citation) report.Receipt {
		src := v.Sources[p.SourceID]
		page, last := src.Pages.Span(p.Start, p.End)
		r := report.Receipt{SourceID: p.SourceID, URL: src.FinalURL, SHA256: src.SHA256, FetchedAt: src.FetchedAt, Start: p.Start, End: p.End, Lines: p.Lines, Page: page, LastPage: last, Passage: p.Text}
		if src.Text != nil {
			r.Before, r.After = verify.Surroundings(src.Text, p.Start, p.End)
			r.Locate(src.Text.Lines(), citations)
		}
		return r
	}
	for _, c := range v.Claims {
		sentence := report.Sentence{ClaimID: c.ID, Text: c.Text, Status: c.Status, Basis: c.Basis(), Because: c.Because, Flags: append([]string{}, c.Flags...), IndependentOrigins: c.Origins,
			Confidence: c.Confidence, Verbatim: c.Verbatim, Remarks: c.Remarks, Reading: c.Reading, Pending: c.Pending(), Receipts: []report.Receipt{}}
		if sentence.Start, sentence.End = c.Span(); c.Sentence != nil && !c.Covered {
			sentence.Markers = markersOf(c)
		}
		for _, p := range c.Passages {
			r := receipt(p, c.Citations...)
			for _, q := range c.Quoted {
				if q.SourceID == p.SourceID {
					r.Quote, r.Grade = q.Quote, string(q.Grade)
				}
			}
			sentence.Receipts = append(sentence.Receipts, r)
		}
		d.Sentences = append(d.Sentences, sentence)
	}
	for _, u := range v.Uncited {
		if start, end := u.Span(); v.OfDraft {
			d.Sentences = append(d.Sentences, report.Sentence{Text: u.Text, Start: start, End: end, Status: "uncited", Flags: []string{}, Receipts: []report.Receipt{}, Because: "The sentence claims something and cites nothing."})
		}
	}
	for _, c := range v.Own {
		start, end := c.Span()
		d.Sentences = append(d.Sentences, report.Sentence{Text: c.Text, Start: start, End: end, Status: "own", Own: c.Sentence.Own, Flags: []string{}, Receipts: []report.Receipt{}, Markers: markersOf(c)})
	}
	sort.SliceStable(d.Sentences, func(i, j int) bool { return d.Sentences[i].Start < d.Sentences[j].Start })
	d.Conflicts = []report.Conflict{}
	for _, x := range v.Conflicts {
		d.Conflicts = append(d.Conflicts, report.Conflict{Topic: x.Topic, A: receipt(x.A), B: receipt(x.B), ValueA: x.ValueA, ValueB: x.ValueB, Because: x.Because})
	}
}

func markersOf(c verify.Claim) []report.MarkerAt {
	var out []report.MarkerAt
	for _, m := range c.Citations {
		out = append(out, report.MarkOf(m))
	}
	return out
}

// CitedFirst numbers the cited sources by their first citation and puts them first. The others have no number.
func CitedFirst(sources []report.Source, sentences []report.Sentence) []report.Source {
	at := make(map[string]int, len(sources))
	for i, src := range sources {
		at[src.ID] = i
	}
	number := 0
	for _, sentence := range sentences {
		counted := map[string]bool{}
		cite := func(id string) {
			i, ok := at[id]
			if !ok || counted[id] {
				return
			}
			counted[id] = true
			if sources[i].Number == 0 {
				number++
				sources[i].Number = number
			}
			sources[i].Claims++
		}
		for _, m := range sentence.Markers {
			cite(m.SourceID)
		}
		for _, r := range sentence.Receipts {
			cite(r.SourceID)
		}
	}
	sort.SliceStable(sources, func(i, j int) bool {
		a, b := sources[i].Number, sources[j].Number
		if (a == 0) != (b == 0) {
			return b == 0
		}
		return a < b
	})
	if sources == nil {
		sources = []report.Source{}
	}
	return sources
}
