package channels

import (
	"cmp"
	"context"
	"net/url"
	"strconv"

	"github.com/tidwall/gjson"
)

// searchCORE searches the full texts of open copies in repositories (https://api.core.ac.uk/docs/v3).
func searchCORE(ctx context.Context, c *client, q Query) ([]Result, error) {
	query, err := luceneOrDOI(q.Text, "doi")
	if err != nil {
		return nil, err
	}
	// By year; months and days are filtered afterwards.
	query += around(" AND yearPublished>=", yearOr(q.Since, ""), "") + around(" AND yearPublished<=", yearOr(q.Until, ""), "")
	return ask(ctx, c, request{params: url.Values{"q": {query}, "limit": {strconv.Itoa(q.Limit)}}, header: c.keyIn("Authorization", "Bearer ")}, parseCORE)
}

var parseCORE = records{
	of:    "works",
	paths: paths{List: "results", Title: "title", DOI: "doi", Language: "language.code"},
	more: func(r gjson.Result, e *Result) {
		e.IDs = distinct(arxivKey(text(r, "arxivId")), pmid(text(r, "pubmedId")))
		if text(r, "documentType") == "thesis" { // "research" is anything: refereed articles, manuscripts, working papers
			e.SourceType = sourceTypes["dissertation"]
		}
		e.PublishedAt = cmp.Or(normalDate(text(r, "publishedDate")), yearAt(r, "yearPublished"))
		for _, name := range texts(r, "authors.#.name") {
			e.Authors = append(e.Authors, givenFirst(name))
		}
		addresses := append([]string{text(r, "downloadUrl")}, texts(r, `links.#(type=="display")#.url`)...)
		addresses = append(addresses, registeredURL(e.DOI), paths{URL: "https://core.ac.uk/works/{id}"}.link(r))
		e.URL = firstValid(addresses...)
		e.Snippet = cmp.Or(plainText(text(r, "abstract")), joinMessages([]string{text(r, "documentType"), text(r, "publisher")}))
	},
}.read
