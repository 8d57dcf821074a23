package channels

import (
	"cmp"
	"context"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/tidwall/gjson"
)

// searchFederalRegister searches the daily journal of the government of the United States
// (https://www.federalregister.gov/developers/documentation/api/v1).
func searchFederalRegister(ctx context.Context, c *client, q Query) ([]Result, error) {
	params := url.Values{"conditions[term]": {q.Text}, "per_page": {strconv.Itoa(q.Limit)}, "order": {"relevance"}}
	set(params, "conditions[publication_date][gte]", firstDay(q.Since))
	set(params, "conditions[publication_date][lte]", lastDay(q.Until))
	return ask(ctx, c, request{params: params, explain: explainFederalRegister}, parseFederalRegister)
}

var parseFederalRegister = records{
	of: "documents", explain: explainFederalRegister,
	paths: paths{List: "results", Title: "title", Date: "publication_date"},
	none:  func(answer gjson.Result) bool { return isZero(answer.Get("count")) }, // without results, the answer has no list
	more: func(r gjson.Result, e *Result) {
		e.URL, e.SourceType, e.Language = first(r, "html_url", "pdf_url"), "primary", "en"
		for _, agency := range r.Get("agencies").Array() {
			e.Authors = append(e.Authors, first(agency, "name", "raw_name"))
		}
		words := cmp.Or(plainText(text(r, "abstract")), plainText(text(r, "excerpts")))
		e.Snippet = joinMessages([]string{strings.TrimSpace(text(r, "type") + " " + text(r, "document_number")), words})
	},
}.read

// explainFederalRegister reads {"errors": {"field": "words"}}, whose values are texts or lists of them.
func explainFederalRegister(code int, body []byte) (Status, string) {
	answer, err := readJSON(body)
	fields := answer.Get("errors").Map()
	if err != nil || len(fields) == 0 {
		return explainMessage(code, body)
	}
	var said []string
	for _, field := range slices.Sorted(maps.Keys(fields)) {
		said = append(said, field+": "+strings.Join(texts(answer, "errors."+gjson.Escape(field)), ", "))
	}
	return "", joinMessages(said)
}
