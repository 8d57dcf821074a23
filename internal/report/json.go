package report

import (
	"slices"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	jsonv1 "github.com/go-json-experiment/json/v1"
)

// renderJSON writes the document with its receipts, indented. Lists are never null.
func renderJSON(d Document) ([]byte, error) {
	t := d.Tally()
	d.Warning, d.Summary, d.Read, d.Of, d.Sentences = d.Notice(), Summary(d), t.Read, t.Of, slices.Clone(d.Sentences)
	for i, state := range d.States() {
		d.Sentences[i].Word = state.Verdict().Word
	}
	return indented(d)
}

func indented(v any) ([]byte, error) {
	out, err := json.Marshal(v, jsontext.WithIndent("  "), jsontext.AllowInvalidUTF8(true), json.Deterministic(true),
		jsonv1.OmitEmptyWithLegacySemantics(true))
	return append(out, '\n'), err
}
