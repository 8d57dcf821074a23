package report

import (
	"bytes"
	"encoding/json"

	"github.com/citeloop/citeloop/internal/report/messages"
	"github.com/citeloop/citeloop/loopstate"
)

// withWarning is a document after its warning and summary.
type withWarning struct {
	Warning string `json:"warning,omitempty"`
	Summary string `json:"summary"`
	Of      string `json:"confidence_of"` // what the confidence is a share of
	Document
}

// renderJSON writes the document, indented. Lists are never null.
func renderJSON(d Document) ([]byte, error) {
	out := withWarning{Document: filled(d)}
	out.Summary, out.Of = facts{Document: out.Document}.checked(), Shares(d)
	if d.Unverified {
		out.Warning = draftNotice(messages.Table{})
	}
	return indented(out)
}

func indented(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// filled returns a copy of d with empty lists instead of nil, so that the JSON has no null lists.
func filled(d Document) Document {
	d.Sentences = append([]Sentence{}, d.Sentences...)
	for i := range d.Sentences {
		s := &d.Sentences[i]
		s.nameReader()
		s.State = states[s.state()].word
		s.Noted = s.noted()
		s.Flags, s.Receipts = orEmpty(s.Flags), orEmpty(s.Receipts)
	}
	d.Sources = append([]Source{}, d.Sources...)
	for i := range d.Sources {
		d.Sources[i].Authors = orEmpty(d.Sources[i].Authors)
	}
	d.Contradictions = append([]loopstate.Contradiction{}, d.Contradictions...)
	for i := range d.Contradictions {
		d.Contradictions[i].SourceIDs = orEmpty(d.Contradictions[i].SourceIDs)
	}
	d.Rounds = append([]loopstate.Round{}, d.Rounds...)
	for i := range d.Rounds {
		d.Rounds[i].Guardrails = orEmpty(d.Rounds[i].Guardrails)
		d.Rounds[i].Decision = filledDecision(d.Rounds[i].Decision)
	}
	d.Searches = append([]SearchCount{}, d.Searches...)
	for i := range d.Searches {
		if d.Searches[i].Outcomes == nil {
			d.Searches[i].Outcomes = map[string]int{}
		}
	}
	d.Decision = filledDecision(d.Decision)
	d.Conflicts, d.CoverageGaps = orEmpty(d.Conflicts), orEmpty(d.CoverageGaps)
	d.OpenQuestions, d.OpenGaps = orEmpty(d.OpenQuestions), orEmpty(d.OpenGaps)
	d.Reviews = append([]Review{}, d.Reviews...)
	for i := range d.Reviews {
		d.Reviews[i].Readers, d.Reviews[i].Items = orEmpty(d.Reviews[i].Readers), orEmpty(d.Reviews[i].Items)
	}
	d.NotTried, d.OneSource = orEmpty(d.NotTried), orEmpty(d.OneSource)
	d.Origins = d.origins()
	n := readOf(d)
	d.Read, d.Of, d.Statement = n.Read, n.Of, facts{Document: d}.bound()
	return d
}

func filledDecision(d loopstate.Decision) loopstate.Decision {
	d.NextQueries, d.NextURLsToFetch = orEmpty(d.NextQueries), orEmpty(d.NextURLsToFetch)
	return d
}

func orEmpty[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}
