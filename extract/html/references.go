package html

import (
	"net/url"
	"strings"
	"unicode/utf8"

	"github.com/citeloop/citeloop/extract/document"
	"github.com/citeloop/citeloop/loopstate"
	"golang.org/x/net/html"
)

const (
	maxReferences     = 300
	maxReferenceChars = 300 // of the text of one
)

// refer keeps a link of the text that leads to another site, or to a paper.
func (m *markup) refer(to string, n *html.Node) {
	u, err := url.Parse(to)
	if err != nil || u.Host == "" || len(m.links) >= maxReferences {
		return
	}
	doi := ""
	if host := strings.ToLower(u.Hostname()); host == "doi.org" || host == "dx.doi.org" || strings.Contains(u.Path, "/doi/") {
		doi = loopstate.NormalizeDOI(to)
	}
	if doi == "" && m.base != nil && document.SameSite(u.Hostname(), m.base.Hostname()) {
		return
	}
	u.Fragment, u.RawFragment = "", ""
	key := document.First(doi, u.String())
	if m.linked[key] {
		return
	}
	if m.linked == nil {
		m.linked = map[string]bool{}
	}
	m.linked[key] = true
	m.links = append(m.links, document.Reference{URL: u.String(), DOI: doi, Text: cutText(document.Title(inlineText(n)), maxReferenceChars)})
}

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
				r.DOI = loopstate.NormalizeDOI(value)
			}
		}
		r.Text = cutText(document.Title(r.Text), maxReferenceChars)
		if r.DOI != "" {
			r.URL = "https://doi.org/" + r.DOI
		}
		if r.DOI != "" || r.Text != "" {
			out = append(out, r)
		}
	}
	return out
}

func cutText(s string, chars int) string {
	if utf8.RuneCountInString(s) <= chars {
		return s
	}
	return string([]rune(s)[:chars-1]) + "…"
}
