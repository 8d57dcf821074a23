package report

import (
	"slices"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	jsonv1 "github.com/go-json-experiment/json/v1"
)

// withSummary is a document after its warning and summary.
type withSummary struct {
	Warning string `json:"warning,omitempty"`
	Summary string `json:"summary"`
	Of      string `json:"confidence_of"` // what the confidence is a share of
	Document
}

// renderJSON writes the document with its receipts, indented. Lists are never null.
func renderJSON(d Document) ([]byte, error) {
	t := d.Tally()
	out := withSummary{Summary: Summary(d), Of: labels{}.f("%d of %d sentences were read", t.Read, t.Of)}
	if d.Unverified {
		out.Warning = draftNotice
	}
	d.Read, d.Of, d.Sentences = t.Read, t.Of, slices.Clone(d.Sentences)
	for i, state := range d.States() {
		d.Sentences[i].Word = state.Verdict().Word
	}
	out.Document = d
	return indented(out)
}

func indented(v any) ([]byte, error) {
	out, err := json.Marshal(v, jsontext.WithIndent("  "), jsontext.AllowInvalidUTF8(true), json.Deterministic(true),
		jsonv1.OmitEmptyWithLegacySemantics(true))
	return append(out, '\n'), err
}
