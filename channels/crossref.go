package channels

import (
	"cmp"
	"context"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/tidwall/gjson"
)

// searchCrossref searches the metadata of scholarly works (https://api.crossref.org/swagger-ui/index.html).
func searchCrossref(ctx context.Context, c *client, q Query) ([]Result, error) {
	if doi := wholeQueryDOI(q.Text); doi != "" { // a DOI of another agency gives 404 and a line of text
		params := url.Values{}
		set(params, "mailto", c.cfg.Contact)
		return ask(ctx, c, request{params: params, path: []string{doi}, lookUp: true, explain: explainCrossref}, parseCrossrefWork)
	}
	params := url.Values{"query": {q.Text}, "rows": {strconv.Itoa(q.Limit)}}
	filters := distinct(around("from-pub-date:", q.Since, ""), around("until-pub-date:", q.Until, ""))
	set(params, "filter", strings.Join(filters, ","))
	set(params, "mailto", c.cfg.Contact) // the polite pool
	return ask(ctx, c, request{params: params, explain: explainCrossref}, parseCrossref)
}

var parseCrossref = records{
	of: "works", paths: paths{List: "message.items"}, more: crossrefWork,
	said: func(answer gjson.Result) *Failure {
		status := text(answer, "status")
		if status == "ok" || status == "" {
			return nil
		}
		_, words := explainCrossref(http.StatusOK, []byte(answer.Raw))
		return failure(StatusError, "the source says %s: %s", clip(status, 60), clip(plainText(words), maxWords))
	},
	explain: func(int, []byte) (Status, string) { return "", "" },
}.read

var parseCrossrefWork = records{
	of: "works", paths: paths{List: "none"}, more: crossrefWork,
	one: recordAt("message", "DOI"),
}.read

func crossrefWork(r gjson.Result, e *Result) {
	e.Title, e.DOI, e.SourceType = firstOf(r, "title"), text(r, "DOI"), sourceTypes[text(r, "type")]
	e.Language = text(r, "language")
	if sub := firstOf(r, "subtitle"); sub != "" && e.Title != "" && !strings.Contains(e.Title, sub) {
		e.Title += ": " + sub
	}
	for _, number := range texts(r, "ISBN") { // a chapter has the ISBN of its book
		e.IDs = distinct(append(e.IDs, isbn(number))...)
	}
	for _, relation := range []string{"is-preprint-of", "has-preprint", "is-version-of", "has-version"} {
		for _, other := range r.Get("relation." + relation).Array() {
			if text(other, "id-type") == "doi" {
				e.Related = distinct(append(e.Related, doiID(text(other, "id")))...)
			}
		}
	}
	e.URL = registeredURL(e.DOI)
	// Best first: readers expect the earliest publication that Crossref knows.
	for _, date := range []string{"published", "issued", "published-online", "published-print", "posted"} {
		parts := r.Get(date + ".date-parts.0") // [2020, 5]; an unknown date is [null]
		e.PublishedAt = cmp.Or(e.PublishedAt, partialDate(int(parts.Get("0").Int()), int(parts.Get("1").Int()), int(parts.Get("2").Int())))
	}
	for _, a := range r.Get("author").Array() {
		name := cmp.Or(strings.TrimSpace(text(a, "given")+" "+text(a, "family")), text(a, "name")) // an organisation
		e.Authors = append(e.Authors, name)
	}
	// Most records have no abstract; the snippet then says where the work appeared.
	e.Snippet = cmp.Or(strings.TrimPrefix(plainText(text(r, "abstract")), "Abstract "),
		joinMessages([]string{strings.ReplaceAll(text(r, "type"), "-", " "), firstOf(r, "container-title"), text(r, "publisher")}))
}

// explainCrossref reads the message of a validation failure, a list, or of an exception, an object.
func explainCrossref(_ int, body []byte) (Status, string) {
	for _, path := range []string{"message.0.message", "message.message"} {
		if words := messageIn(body, path); words != "" {
			return "", words
		}
	}
	return "", ""
}
