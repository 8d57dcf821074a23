package channels

import (
	"cmp"
	"context"
	"encoding/json"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/citeloop/citeloop/loopstate"
)

// federalRegister searches the daily journal of the government of the United States
// (https://www.federalregister.gov/developers/documentation/api/v1).
var federalRegister = channel{
	Description: Description{
		Name:          "federalregister",
		Description:   "Federal Register: rules, proposed rules, notices and presidential documents of the United States since 1994.",
		GoodFor:       []string{"regulation and how it came about", "executive orders", "agencies' notices"},
		For:           []Kind{KindLaw},
		SourceTypes:   []string{"primary"},
		RatePerSecond: 1, // chosen
		Parallel:      1,
		Honours:       Filters{Dates: true},
		Tested:        "a recorded answer of the service",
	},
	url:    "https://www.federalregister.gov/api/v1/documents.json",
	search: searchFederalRegister,
}

func searchFederalRegister(ctx context.Context, c *client, q Query) ([]Result, error) {
	params := url.Values{"conditions[term]": {q.Text}, "per_page": {strconv.Itoa(q.Limit)}, "order": {"relevance"}}
	set(params, "conditions[publication_date][gte]", firstDay(q.Since))
	set(params, "conditions[publication_date][lte]", lastDay(q.Until))
	return ask(ctx, c, request{params: params, explain: explainFederalRegister}, parseFederalRegister)
}

func parseFederalRegister(body []byte) ([]Result, error) {
	reply, err := decodeJSON[struct {
		Errors  json.RawMessage    `json:"errors"`
		Count   *int               `json:"count"`
		Results *[]json.RawMessage `json:"results"`
	}](body)
	switch {
	case err != nil:
		return nil, err
	case reply.Results == nil && len(reply.Errors) > 0:
		_, words := explainFederalRegister(200, body)
		return nil, sourceSays(words)
	case reply.Results == nil && reply.Count != nil && *reply.Count == 0:
		return nil, nil // it leaves the list out where there is nothing in it
	case reply.Results == nil:
		return nil, failure(StatusMalformed, "the answer has no list of documents")
	}
	var found []Result
	for _, d := range each[struct {
		Title    string `json:"title"`
		Type     string `json:"type"`
		Abstract string `json:"abstract"`
		Excerpts string `json:"excerpts"` // with <span class="match">
		Number   string `json:"document_number"`
		HTML     string `json:"html_url"`
		PDF      string `json:"pdf_url"`
		Date     string `json:"publication_date"`
		Agencies []struct {
			Name string `json:"name"`
			Raw  string `json:"raw_name"`
		} `json:"agencies"`
	}](*reply.Results) {
		e := Result{Evidence: loopstate.Evidence{Title: d.Title, URL: d.HTML, PublishedAt: d.Date, SourceType: "primary", Language: "en"}}
		e.URL = cmp.Or(e.URL, d.PDF)
		for _, a := range d.Agencies {
			if a.Name == "" {
				a.Name = a.Raw
			}
			e.Authors = append(e.Authors, a.Name)
		}
		text := cmp.Or(plainText(d.Abstract), plainText(d.Excerpts))
		e.Snippet = joinSaid([]string{strings.TrimSpace(d.Type + " " + d.Number), text})
		found = append(found, e)
	}
	return found, nil
}

// explainFederalRegister reads {"errors": {"field": "words"}}, whose values are texts or lists of them.
func explainFederalRegister(code int, body []byte) (Status, string) {
	reply, err := decodeJSON[struct {
		Errors map[string]oneOrMany `json:"errors"`
	}](body)
	if err != nil || len(reply.Errors) == 0 {
		return explainMessage(code, body)
	}
	var said []string
	for _, field := range slices.Sorted(maps.Keys(reply.Errors)) {
		said = append(said, field+": "+strings.Join(reply.Errors[field], ", "))
	}
	return "", joinSaid(said)
}
