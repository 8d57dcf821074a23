package channels

import (
	"cmp"
	"context"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/tidwall/gjson"
)

// semanticScholarFields are requested by name, because by default the service returns only titles.
const semanticScholarFields = "title,url,abstract,externalIds,publicationTypes,publicationDate,year,venue,authors"

// searchSemanticScholar searches the Academic Graph (https://api.semanticscholar.org/api-docs/graph). It works without a key,
// but all callers without one share a pool that often answers 429; a key allows one request a second.
func searchSemanticScholar(ctx context.Context, c *client, q Query) ([]Result, error) {
	params := url.Values{"query": {q.Text}, "limit": {strconv.Itoa(q.Limit)}, "fields": {semanticScholarFields}}
	if q.Since != "" || q.Until != "" {
		params.Set("publicationDateOrYear", q.Since+":"+q.Until)
	}
	return ask(ctx, c, request{params: params, explain: explainSemanticScholar, header: c.keyIn("X-Api-Key", "")}, parseSemanticScholar)
}

var parseSemanticScholar = records{
	of:    "papers",
	paths: paths{List: "data", Title: "title", URL: "url", Authors: "authors.#.name", DOI: "externalIds.DOI"},
	said:  errorAt("error"),
	none:  func(answer gjson.Result) bool { return isZero(answer.Get("total")) }, // without results, the answer has no list
	more: func(r gjson.Result, e *Result) {
		arxiv, paper, types := text(r, "externalIds.ArXiv"), text(r, "paperId"), texts(r, "publicationTypes")
		e.IDs = distinct(arxivKey(arxiv), pmid(text(r, "externalIds.PubMed")), pmcid(text(r, "externalIds.PubMedCentral")), s2ID(paper))
		if e.URL == "" && s2ID(paper) != "" {
			e.URL = "https://www.semanticscholar.org/paper/" + paper
		}
		// Semantic Scholar's own page has only an abstract; prefer an address with the text.
		e.URL = cmp.Or(registeredURL(e.DOI), around("https://arxiv.org/abs/", arxiv, ""), e.URL)
		e.PublishedAt = cmp.Or(text(r, "publicationDate"), yearAt(r, "year"))
		switch {
		case arxiv != "" && e.DOI == "": // the readable copy is the preprint
			e.SourceType = sourceTypes["posted-content"]
		case slices.Contains(types, "JournalArticle"), slices.Contains(types, "Conference"):
			e.SourceType = sourceTypes["journal-article"]
		case slices.Contains(types, "Dataset"):
			e.SourceType = sourceTypes["dataset"]
		}
		e.Snippet = cmp.Or(plainText(text(r, "abstract")), joinMessages([]string{text(r, "venue"), strings.Join(types, ", ")}))
	},
}.read

// explainSemanticScholar reads {"message": …} of the gateway and {"error": …} of the service. It answers 404
// to a search that matches nothing on some of its endpoints.
func explainSemanticScholar(status int, body []byte) (Status, string) {
	gateway := messageIn(body, "message")
	if status == http.StatusForbidden && strings.EqualFold(gateway, "Forbidden") {
		return StatusAuthRequired, "its key is not accepted: " + gateway
	}
	return "", messageIn(body, "message", "error")
}
