package channels

import (
	"context"
	"net/http"
	"net/url"
	"strings"

	"github.com/citeloop/citeloop/loopstate"
)

// courtListener searches the Free Law Project's opinions of courts in the United States, or the dockets of federal
// cases where the query speaks of a docket, a complaint or a filing
// (https://www.courtlistener.com/help/api/rest/search/).
var courtListener = channel{
	Description: Description{
		Name:          "courtlistener",
		Description:   "CourtListener: opinions of courts in the United States, and dockets of federal cases where the query says docket, complaint, motion or filed.",
		GoodFor:       []string{"case law", "what a court held", "pending federal cases"},
		For:           []Kind{KindLaw},
		SourceTypes:   []string{"primary"},
		KeyFrom:       "optional, for more requests: https://www.courtlistener.com/help/api/rest/#permissions",
		RatePerSecond: 0.5, // chosen; 5,000 an hour with a key, few without
		Parallel:      1,
		Honours:       Filters{Dates: true},
		Tested:        "a recorded answer of the service",
	},
	url:    "https://www.courtlistener.com/api/rest/v4/search/",
	search: searchCourtListener,
}

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
	req := request{params: params}
	if c.key != "" {
		req.header = http.Header{"Authorization": {"Token " + c.key}}
	}
	return ask(ctx, c, req, parseCourtListener)
}

type courtRecord struct {
	Case      string    `json:"caseName"`
	Opinion   string    `json:"absolute_url"`
	Docket    string    `json:"docket_absolute_url"`
	Court     string    `json:"court"`
	Number    string    `json:"docketNumber"`
	Filed     string    `json:"dateFiled"`
	Citations oneOrMany `json:"citation"`
	Cause     string    `json:"cause"`
	Opinions  []struct {
		Snippet string `json:"snippet"`
	} `json:"opinions"`
	Documents []struct {
		Description string `json:"description"`
		Snippet     string `json:"snippet"`
	} `json:"recap_documents"`
}

func parseCourtListener(body []byte) ([]Result, error) {
	list, err := listIn(body, "cases", nil, "results")
	if err != nil {
		return nil, err
	}
	var found []Result
	for _, r := range each[courtRecord](list) {
		e := Result{Evidence: loopstate.Evidence{PublishedAt: r.Filed, SourceType: "primary", Language: "en"}}
		if r.Case != "" {
			e.Title = r.Case
			if r.Court != "" {
				e.Title += " (" + r.Court + ")"
			}
		}
		for _, path := range []string{r.Opinion, r.Docket} {
			if strings.HasPrefix(path, "/") && e.URL == "" {
				e.URL = "https://www.courtlistener.com" + path
			}
		}
		e.Authors = distinct(r.Court)
		said := []string{strings.Join(r.Citations, ", "), r.Number, r.Cause}
		for _, o := range r.Opinions {
			said = append(said, plainText(o.Snippet))
		}
		for _, d := range r.Documents {
			said = append(said, plainText(d.Description), plainText(d.Snippet))
		}
		e.Snippet = joinSaid(said)
		found = append(found, e)
	}
	return found, nil
}
