package local

import (
	"path"
	"slices"
	"strings"

	"github.com/citeloop/citeloop/fetch/extract"
	"github.com/citeloop/citeloop/fetch/extract/document"
	"github.com/citeloop/citeloop/internal/sanitize"
	"github.com/citeloop/citeloop/internal/text/lines"
)

// Limits of what the index keeps of a head (chosen: heads of proposals have 5 to 20 statements).
const (
	maxStatements  = 40
	maxValues      = 10  // of one statement
	maxNameChars   = 40  // code points
	maxValueChars  = 200 // code points
	maxHeadedLines = 200 // of a file of YAML or TOML, as of a head
)

// headOf returns what a document states of itself: its head, all of a file of YAML or TOML, and the properties that its format
// keeps elsewhere. Title, authors, date, DOI and language have their own fields in the index.
func headOf(rel string, d document.Document) (out []statement) {
	add := func(name string, values ...string) {
		if len(out) == maxStatements || name == "title" || slices.ContainsFunc(out, func(s statement) bool { return s.Name == name }) {
			return
		}
		s := statement{Name: sanitize.Short(name, maxNameChars)}
		for _, v := range values {
			if v = sanitize.Short(v, maxValueChars); v != "" && len(s.Values) < maxValues {
				s.Values = append(s.Values, v)
			}
		}
		if len(s.Values) > 0 {
			out = append(out, s)
		}
	}
	head, _ := lines.Head(d.Text)
	if head == "" {
		switch strings.ToLower(path.Ext(strings.TrimSuffix(rel, ".gz"))) {
		case ".yaml", ".yml", ".toml":
			all := strings.SplitN(d.Text, "\n", maxHeadedLines+1)
			head = strings.Join(all[:min(len(all), maxHeadedLines)], "\n")
		}
	}
	for _, s := range extract.Statements(head) {
		add(s.Name, s.Values...)
	}
	add("status", d.DocStatus)
	add("publisher", d.Publisher)
	add("subject", d.Subject)
	add("keywords", strings.Split(d.Keywords, ",")...)
	add("modified", d.ModifiedAt)
	add("licence", d.Licence)
	add("arxiv", d.ArXiv)
	add("pmid", d.PMID)
	return out
}
