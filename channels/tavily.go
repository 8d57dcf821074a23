package channels

import (
	"context"
	"encoding/json"
	"net/http"

	"github.com/citeloop/citeloop/loopstate"
)

const tavilyURL = "https://api.tavily.com/search"

// tavily searches the general web for programs (https://docs.tavily.com/documentation/api-reference/endpoint/search).
type tavily struct{ door *door }

func newTavily(d *door) Channel { return &tavily{d} }

func (c *tavily) Describe() Description {
	return Description{
		Name:          "tavily",
		Description:   "The general web, with passages picked for the question.",
		GoodFor:       []string{"the general web", "questions in whole sentences"},
		For:           []Kind{KindWeb, KindNews},
		SourceTypes:   []string{"primary", "press", "practitioner"},
		NeedsKey:      true,
		KeyFrom:       "https://app.tavily.com",
		Configured:    true,
		RatePerSecond: 1.5, // 100 a minute for keys of development
		Parallel:      2,
		Hosts:         []string{"api.tavily.com"},
		Honours:       Filters{Dates: true},
		Tested:        "recorded answers of the service",
	}
}

const maxTavily = 20 // results of one request, by its documentation

func (c *tavily) Search(ctx context.Context, q Query) ([]Result, error) {
	u, err := c.door.address(tavilyURL, "", nil)
	if err != nil {
		return nil, err
	}
	asked := struct {
		Query string `json:"query"`
		Max   int    `json:"max_results"`
		Since string `json:"start_date,omitempty"`
		Until string `json:"end_date,omitempty"`
	}{Query: q.Text, Max: min(q.Limit, maxTavily)}
	if q.Since != "" {
		asked.Since = firstDay(q.Since)
	}
	if q.Until != "" {
		asked.Until = lastDay(q.Until)
	}
	body, err := json.Marshal(asked)
	if err != nil {
		return nil, err
	}
	req := request{url: u, want: wantJSON, body: body, explain: explainTavily, header: http.Header{}}
	if c.door.key != "" {
		req.header.Set("Authorization", "Bearer "+c.door.key)
	}
	return ask(ctx, c.door, req, func(a answer) ([]Result, error) { return parseTavily(a.body) })
}

func parseTavily(body []byte) ([]Result, error) {
	reply, err := decodeJSON[struct {
		Results *[]json.RawMessage `json:"results"`
	}](body)
	if err != nil {
		return nil, err
	}
	if reply.Results == nil {
		if _, words := explainTavily(http.StatusOK, body); words != "" {
			return nil, sourceSays(words)
		}
		return nil, failure(StatusMalformed, "the answer has no list of results")
	}
	var found []Result
	for _, hit := range each[struct {
		Title     string `json:"title"`
		URL       string `json:"url"`
		Content   string `json:"content"`
		Published string `json:"published_date"`
	}](*reply.Results) {
		found = append(found, Result{Evidence: loopstate.Evidence{
			Title: hit.Title, URL: hit.URL, Snippet: hit.Content, PublishedAt: hit.Published, SourceType: typeOfSite(hit.URL),
		}})
	}
	return found, nil
}

// explainTavily reads {"detail": {"error": "words"}}, and its two codes for a plan that is used up.
func explainTavily(code int, body []byte) (Status, string) {
	var status Status
	if code == 432 || code == 433 {
		status = StatusRateLimited
	}
	reply, err := decodeJSON[struct {
		Detail loose `json:"detail"`
	}](body)
	var words string
	if err == nil && json.Unmarshal(reply.Detail["error"], &words) == nil {
		return status, words
	}
	_, words = explainMessage(code, body)
	return status, words
}
