package source

import (
	"strings"

	"github.com/citeloop/citeloop/channels/normal"
	"github.com/citeloop/citeloop/internal/lazyregexp"
)

// luceneSyntax finds a field of a Lucene-like query language (Europe PMC, DataCite, Zenodo, DOAJ, CORE); such a query
// is sent unchanged. A title such as "BERT: pre-training" and an address do not match.
var luceneSyntax = lazyregexp.New(`(?:^|[\s(])[A-Za-z_][A-Za-z_.]{1,40}:["(\[\w]`)

// maxLuceneTerms bounds a query made of a whole paragraph, which services reject (chosen).
const maxLuceneTerms = 16

// luceneQuery returns a plain query in which nothing is read as syntax: quoted phrases stay phrases, question words are
// dropped. It returns "" for a query without words.
func luceneQuery(text string) string {
	if luceneSyntax.MatchString(text) {
		return text
	}
	var terms []string
	quoted, about := normal.QueryTerms(text)
	for _, phrase := range quoted {
		terms = append(terms, `"`+phrase+`"`)
	}
	for _, w := range about {
		if w = strings.Trim(w, "+#"); w == strings.ToUpper(w) && (w == "AND" || w == "OR" || w == "NOT" || w == "TO") {
			w = strings.ToLower(w)
		}
		if w != "" {
			terms = append(terms, w)
		}
	}
	return strings.Join(terms[:min(len(terms), maxLuceneTerms)], " ")
}

// luceneOrDOI returns a search in the field if the query is a DOI, otherwise luceneQuery.
func luceneOrDOI(text, field string) string {
	if doi := normal.WholeQueryDOI(text); doi != "" && field != "" {
		return field + `:"` + doi + `"`
	}
	return luceneQuery(text)
}
