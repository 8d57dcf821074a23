package channels

import (
	"strings"

	"golang.org/x/text/language"

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
	quoted, about := queryTerms(text)
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
func luceneOrDOI(text, field string) (string, error) {
	if doi := wholeQueryDOI(text); doi != "" {
		return field + `:"` + doi + `"`, nil
	}
	query := luceneQuery(text)
	if query == "" {
		return "", failure(StatusError, "the query has no words")
	}
	return query, nil
}

// rangeTerm returns a range of days in Lucene's syntax, both ends included, or "" without dates.
func rangeTerm(field, since, until string) string {
	if since+until == "" {
		return ""
	}
	from, to := "1000-01-01", "2999-12-31"
	if since != "" {
		from = firstDay(since)
	}
	if until != "" {
		to = lastDay(until)
	}
	return field + ":[" + from + " TO " + to + "]"
}

// bcp47 returns a source's language ("eng", "EN", "en_US") as a tag, or "" if it is unknown.
func bcp47(s string) string {
	tag, err := language.Parse(strings.TrimSpace(s))
	if err != nil || tag.IsRoot() {
		return ""
	}
	return tag.String()
}

// givenFirst turns "Miller, Ada" into "Ada Miller". Other names stay as they are.
func givenFirst(name string) string {
	last, given, ok := strings.Cut(name, ",")
	if !ok || strings.Contains(given, ",") || strings.TrimSpace(given) == "" {
		return name
	}
	return strings.TrimSpace(given) + " " + strings.TrimSpace(last)
}
