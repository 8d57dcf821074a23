package channels

import (
	"context"
	"net/url"
	"strings"

	"github.com/tidwall/gjson"
)

// searchCourtListener searches the Free Law Project's opinions of courts in the United States, or the dockets of federal
// cases if the query mentions a docket, a complaint or a filing (https://www.courtlistener.com/help/api/rest/search/).
func searchCourtListener(ctx context.Context, c *client, q Query) ([]Result, error) {
	params := url.Values{"q": {q.Text}, "type": {"o"}, "order_by": {"score desc"}}
	low := " " + strings.ToLower(q.Text) + " "
	for _, word := range []string{"docket", "complaint", "motion", "filed", "pending", "pleading"} {
		if strings.Contains(low, " "+word+" ") {
			params.Set("type", "r")
		}
	}
	set(params, "filed_after", firstDay(q.Since))
	set(params, "filed_before", lastDay(q.Until))
	return ask(ctx, c, request{params: params, header: c.keyIn("Authorization", "Token ")}, parseCourtListener)
}

var parseCourtListener = records{
	of:    "cases",
	paths: paths{List: "results", Title: "caseName", Date: "dateFiled", Authors: "court"},
	more: func(r gjson.Result, e *Result) {
		e.SourceType, e.Language = "primary", "en"
		if court := text(r, "court"); court != "" && e.Title != "" {
			e.Title += " (" + court + ")"
		}
		for _, path := range []string{text(r, "docket_absolute_url"), text(r, "absolute_url")} {
			if strings.HasPrefix(path, "/") { // an opinion replaces the docket
				e.URL = "https://www.courtlistener.com" + path
			}
		}
		said := []string{strings.Join(texts(r, "citation"), ", "), text(r, "docketNumber"), text(r, "cause")}
		for _, of := range []string{"opinions.#.snippet", "recap_documents.#.description", "recap_documents.#.snippet"} {
			for _, words := range texts(r, of) {
				said = append(said, plainText(words))
			}
		}
		e.Snippet = joinMessages(said)
	},
}.read
