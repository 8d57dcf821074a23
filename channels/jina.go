package channels

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/citeloop/citeloop/loopstate"
)

const jinaURL = "https://s.jina.ai/"

// jina searches the general web (https://jina.ai/reader: s.jina.ai), asked for results without the texts of pages,
// which it would otherwise read and bill.
type jina struct{ door *door }

func newJina(d *door) Channel { return &jina{d} }

func (c *jina) Describe() Description {
	return Description{
		Name:          "jina",
		Description:   "The general web by Jina's search for programs.",
		GoodFor:       []string{"the general web", "any language"},
		For:           []Kind{KindWeb},
		SourceTypes:   []string{"primary", "press", "practitioner"},
		NeedsKey:      true,
		KeyFrom:       "https://jina.ai/api-dashboard",
		Configured:    true,
		RatePerSecond: 1.5, // 100 a minute with a free key
		Parallel:      2,
		Hosts:         []string{"s.jina.ai"},
		Honours:       Filters{Language: true},
		Tested:        "its documented format",
	}
}

func (c *jina) Search(ctx context.Context, q Query) ([]Result, error) {
	params := url.Values{"q": {q.Text}, "num": {strconv.Itoa(q.Limit)}}
	if q.Language != "" {
		params.Set("hl", primaryLanguage(q.Language))
	}
	u, err := c.door.address(jinaURL, "", params)
	if err != nil {
		return nil, err
	}
	req := request{url: u, want: wantJSON, explain: explainJina, header: http.Header{"X-Respond-With": {"no-content"}}}
	if c.door.key != "" {
		req.header.Set("Authorization", "Bearer "+c.door.key)
	}
	return ask(ctx, c.door, req, func(a answer) ([]Result, error) { return parseJina(a.body) })
}

func parseJina(body []byte) ([]Result, error) {
	reply, err := decodeJSON[struct {
		Code    int                `json:"code"`
		Message string             `json:"message"`
		Data    *[]json.RawMessage `json:"data"`
	}](body)
	switch {
	case err != nil:
		return nil, err
	case reply.Data == nil && reply.Message != "":
		status, words := explainJina(reply.Code, body)
		if status == "" {
			status = StatusError
		}
		return nil, failure(status, "the source says: %s", clip(plainText(words), maxWords))
	case reply.Data == nil:
		return nil, failure(StatusMalformed, "the answer has no list of pages")
	}
	var found []Result
	for _, hit := range each[struct {
		Title       string `json:"title"`
		URL         string `json:"url"`
		Description string `json:"description"`
		Content     string `json:"content"`
		Date        string `json:"date"`
	}](*reply.Data) {
		e := Result{Evidence: loopstate.Evidence{Title: hit.Title, URL: hit.URL, Snippet: plainText(hit.Description), PublishedAt: hit.Date, SourceType: typeOfSite(hit.URL)}}
		if e.Snippet == "" {
			e.Snippet = plainText(hit.Content)
		}
		found = append(found, e)
	}
	return found, nil
}

// explainJina knows that it answers 422 to a search that finds nothing.
func explainJina(code int, body []byte) (Status, string) {
	_, words := explainMessage(code, body)
	if code == http.StatusUnprocessableEntity && strings.Contains(strings.ToLower(words), "no search results") {
		return StatusEmpty, words
	}
	return "", words
}
