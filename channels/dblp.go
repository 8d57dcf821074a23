package channels

import (
	"cmp"
	"context"
	"encoding/json"
	"net/url"
	"regexp"
	"strconv"
	"strings"

	"github.com/citeloop/citeloop/loopstate"
)

// dblp searches the computer science bibliography (https://dblp.org/faq/How+to+use+the+dblp+search+API.html).
var dblp = channel{
	Description: Description{
		Name:          "dblp",
		Description:   "DBLP: computer science papers by words of their titles, authors and venues; carefully kept, without abstracts.",
		GoodFor:       []string{"computer science", "an author's papers", "the venue and year of a paper"},
		For:           []Kind{KindComputing},
		SourceTypes:   []string{"peer", "primary"},
		RatePerSecond: 1, // it answers 429 with Retry-After to crawlers and names no number; 1/s (chosen)
		Parallel:      1,
		Tested:        "a transcribed answer of the service, and its documented format",
	},
	url:    "https://dblp.org/search/publ/api",
	search: searchDBLP,
}

func searchDBLP(ctx context.Context, c *client, q Query) ([]Result, error) {
	// Every word must match. DBLP reads "|" and "$" as syntax; words leaves both behind.
	about := keywords(q.Text)
	if len(about) == 0 {
		about = words(q.Text)
	}
	if len(about) == 0 {
		return nil, failure(StatusError, "the query has no words")
	}
	return ask(ctx, c, request{params: url.Values{"q": {strings.Join(about, " ")}, "format": {"json"}, "h": {strconv.Itoa(q.Limit)}}}, parseDBLP)
}

type dblpInfo struct {
	Title   oneOrMany `json:"title"`
	Venue   oneOrMany `json:"venue"`
	Year    scalar    `json:"year"`
	Type    string    `json:"type"`
	DOI     oneOrMany `json:"doi"`
	Pages   scalar    `json:"pages"`
	EE      oneOrMany `json:"ee"` // electronic editions
	URL     string    `json:"url"`
	Authors struct {
		Author json.RawMessage `json:"author"` // an object, or a list of them
	} `json:"authors"`
}

func parseDBLP(body []byte) ([]Result, error) {
	reply, err := decodeJSON[struct {
		Result *struct {
			Status struct {
				Code string `json:"@code"`
				Text string `json:"text"`
			} `json:"status"`
			Hits *struct {
				Hit []json.RawMessage `json:"hit"` // absent where there are none
			} `json:"hits"`
		} `json:"result"`
	}](body)
	switch {
	case err != nil:
		return nil, err
	case reply.Result == nil:
		return nil, failure(StatusMalformed, "the answer has no result")
	case reply.Result.Status.Code != "" && reply.Result.Status.Code != "200":
		return nil, failure(StatusError, "the source says %s: %s", clip(oneLine(reply.Result.Status.Code), 60), clip(plainText(reply.Result.Status.Text), maxWords))
	case reply.Result.Hits == nil:
		return nil, failure(StatusMalformed, "the answer has no list of hits")
	}
	var found []Result
	for _, hit := range each[struct{ Info dblpInfo }](reply.Result.Hits.Hit) {
		found = append(found, hit.Info.result())
	}
	return found, nil
}

func (i dblpInfo) result() Result {
	e := Result{Evidence: loopstate.Evidence{
		Title: strings.TrimSuffix(i.Title.first(), "."), URL: i.EE.first(), DOI: i.DOI.first(), PublishedAt: string(i.Year), Authors: i.authors(),
		SourceType: sourceTypes[dblpTypes[i.Type]], Snippet: joinSaid([]string{strings.Join(i.Venue, ", "), i.Type, i.pages()}),
	}}
	e.URL = cmp.Or(e.URL, i.URL) // DBLP's own record
	return e
}

func (i dblpInfo) pages() string {
	if i.Pages == "" {
		return ""
	}
	return "pages " + string(i.Pages)
}

// homonym is the number by which DBLP tells people of one name apart: "Wei Wang 0001".
var homonym = regexp.MustCompile(` \d{4}$`)

func (i dblpInfo) authors() []string {
	type author struct{ Text string }
	var many []author
	if json.Unmarshal(i.Authors.Author, &many) != nil {
		var one author
		if json.Unmarshal(i.Authors.Author, &one) != nil {
			return nil
		}
		many = []author{one}
	}
	var names []string
	for _, a := range many {
		names = append(names, homonym.ReplaceAllString(a.Text, ""))
	}
	return names
}
