package channels

import (
	"cmp"
	"context"
	"net/url"
	"strconv"

	"github.com/tidwall/gjson"
)

// zenodoPage bounds the results of a request without an account (https://developers.zenodo.org, "Records").
const zenodoPage = 25

// searchZenodo searches the general repository of CERN: data, software, reports, slides, preprints.
func searchZenodo(ctx context.Context, c *client, q Query) ([]Result, error) {
	query, err := luceneOrDOI(q.Text, "doi")
	if err != nil {
		return nil, err
	}
	if dates := rangeTerm("publication_date", q.Since, q.Until); dates != "" {
		query = "(" + query + ") AND " + dates
	}
	return ask(ctx, c, request{params: url.Values{"q": {query}, "size": {strconv.Itoa(min(q.Limit, zenodoPage))}, "sort": {"bestmatch"}}}, parseZenodo)
}

var parseZenodo = records{
	of:    "records",
	paths: paths{List: "hits.hits", Title: "metadata.title", Date: "metadata.publication_date", Language: "metadata.language"},
	more: func(r gjson.Result, e *Result) {
		e.SourceType = sourceTypes["posted-content"] // deposited by the authors and not refereed
		e.DOI = first(r, "doi", "metadata.doi")
		e.URL = cmp.Or(first(r, "links.self_html", "links.html"), paths{URL: "https://zenodo.org/records/{id}"}.link(r))
		for _, name := range texts(r, "metadata.creators.#.name") {
			e.Authors = append(e.Authors, givenFirst(name))
		}
		e.Related = distinct(doiID(text(r, "conceptdoi"))) // of all versions together
		for _, other := range r.Get("metadata.related_identifiers").Array() {
			if relation := text(other, "relation"); text(other, "scheme") == "doi" && (relation == "isVersionOf" || relation == "isNewVersionOf" || relation == "isPreviousVersionOf") {
				e.Related = distinct(append(e.Related, doiID(text(other, "identifier")))...)
			}
		}
		e.Snippet = cmp.Or(plainText(text(r, "metadata.description")), text(r, "metadata.resource_type.title"))
	},
}.read
