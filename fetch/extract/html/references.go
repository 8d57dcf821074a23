package html

import (
	"strings"

	"github.com/citeloop/citeloop/fetch/extract/document"
	"github.com/citeloop/citeloop/internal/docid"
)

// citedReferences reads the references that publishers list for scholarly indexes. One is a title, or pairs
// of a name and a value with semicolons between them.
func (m *pageMeta) citedReferences() []document.Reference {
	var out []document.Reference
	for _, v := range m.names["citation_reference"] {
		var r document.Reference
		if !strings.Contains(v, "=") {
			r.Text = v
		}
		for pair := range strings.SplitSeq(v, ";") {
			name, value, ok := strings.Cut(pair, "=")
			if !ok {
				continue
			}
			switch strings.TrimSpace(name) {
			case "citation_title":
				r.Text = value
			case "citation_doi":
				r.DOI = docid.NormalizeDOI(value)
			}
		}
		r.Text = document.Shorten(document.Title(r.Text), document.MaxReferenceChars)
		if r.DOI != "" {
			r.URL = "https://doi.org/" + r.DOI
		}
		if r.DOI != "" || r.Text != "" {
			out = append(out, r)
		}
	}
	return out
}
