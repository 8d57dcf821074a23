package channels

import (
	"context"
	"net/http"
	"strings"

	"github.com/tidwall/gjson"
)

// searchSerper returns Google's results (https://serper.dev).
func searchSerper(ctx context.Context, c *client, q Query) ([]Result, error) {
	asked := struct {
		Query    string `json:"q"`
		Max      int    `json:"num"`
		Language string `json:"hl,omitempty"`
		Range    string `json:"tbs,omitempty"`
	}{Query: q.Text, Max: q.Limit, Language: primaryLanguage(q.Language)}
	if q.Since+q.Until != "" {
		asked.Range = "cdr:1"
		if q.Since != "" {
			asked.Range += ",cd_min:" + usDate(firstDay(q.Since))
		}
		if q.Until != "" {
			asked.Range += ",cd_max:" + usDate(lastDay(q.Until))
		}
	}
	return ask(ctx, c, request{body: asked, explain: explainSerper, header: c.keyIn("X-Api-Key", "")}, parseSerper)
}

// usDate returns YYYY-MM-DD as M/D/YYYY, the form of Google's ranges.
func usDate(day string) string {
	return strings.TrimPrefix(day[5:7], "0") + "/" + strings.TrimPrefix(day[8:10], "0") + "/" + day[:4]
}

var parseSerper = records{
	of: "pages", more: bySite,
	paths: paths{List: "organic", Title: "title", URL: "link", Snippet: "snippet", Date: "date"},
	none: func(answer gjson.Result) bool {
		return answer.Get("searchParameters").Exists() && text(answer, "message") == ""
	},
}.read

// explainSerper recognises a 403 for a wrong key and a 400 for used-up credits.
var explainSerper = explains(
	errorRule{http.StatusForbidden, "unauthorized", StatusAuthRequired},
	errorRule{0, "not enough credits", StatusRateLimited})
