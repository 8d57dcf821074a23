package channels

import (
	"cmp"
	"context"
	"net/http"
	"net/url"
	"strconv"

	"github.com/tidwall/gjson"
)

// searchJina searches the general web (https://jina.ai/reader: s.jina.ai), asked for results without the texts of pages,
// which it would otherwise read and bill.
func searchJina(ctx context.Context, c *client, q Query) ([]Result, error) {
	params := url.Values{"q": {q.Text}, "num": {strconv.Itoa(q.Limit)}}
	set(params, "hl", primaryLanguage(q.Language))
	req := request{params: params, explain: explainJina, header: http.Header{"X-Respond-With": {"no-content"}}}
	if c.key != "" {
		req.header.Set("Authorization", "Bearer "+c.key)
	}
	return ask(ctx, c, req, parseJina)
}

var parseJina = records{
	of: "pages", explain: explainJina,
	paths: paths{List: "data", Title: "title", URL: "url", Date: "date"},
	more: func(r gjson.Result, e *Result) {
		e.Snippet = cmp.Or(plainText(text(r, "description")), text(r, "content"))
		bySite(r, e)
	},
}.read

// explainJina recognises that the service answers 422 to a search that finds nothing.
var explainJina = explains(errorRule{http.StatusUnprocessableEntity, "no search results", StatusEmpty})
