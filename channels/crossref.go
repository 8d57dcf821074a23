package channels

import (
	"cmp"
	"context"
	"encoding/json"
	"net/url"
	"strconv"
	"strings"

	"github.com/citeloop/citeloop/loopstate"
)

// crossref searches the metadata of scholarly works (https://api.crossref.org/swagger-ui/index.html).
var crossref = channel{
	Description: Description{
		Name:          "crossref",
		Description:   "Crossref: journal articles, proceedings, preprints, books and reports with a DOI, of all publishers and fields.",
		GoodFor:       []string{"scholarly literature", "finding a DOI", "publication dates and authors"},
		For:           []Kind{KindScholarly},
		SourceTypes:   []string{"peer", "primary"},
		RatePerSecond: 1, // the public pool answers x-rate-limit-limit: 5, but the load is shared; start at 1/s (chosen)
		Parallel:      1,
		Honours:       Filters{Dates: true},
		Tested:        "recorded refusals of the service, and its documented format",
	},
	url:    "https://api.crossref.org/works",
	search: searchCrossref,
}

func searchCrossref(ctx context.Context, c *client, q Query) ([]Result, error) {
	if doi := wholeQueryDOI(q.Text); doi != "" { // one that Crossref did not register is a 404 with a line of text
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

type crossrefWork struct {
	DOI            string    `json:"DOI"`
	Title          oneOrMany `json:"title"`
	Subtitle       oneOrMany `json:"subtitle"`
	Abstract       string    `json:"abstract"` // JATS
	Type           string    `json:"type"`
	ContainerTitle oneOrMany `json:"container-title"`
	Publisher      string    `json:"publisher"`
	Language       string    `json:"language"`
	ISBN           oneOrMany `json:"ISBN"` // a chapter has its book's
	Relation       loose     `json:"relation"`
	Author         []struct {
		Given, Family, Name string
	} `json:"author"`
	// The dates, best first: what readers call the date of a work is the earliest publication that Crossref knows.
	Published       crossrefDate `json:"published"`
	Issued          crossrefDate `json:"issued"`
	PublishedOnline crossrefDate `json:"published-online"`
	PublishedPrint  crossrefDate `json:"published-print"`
	Posted          crossrefDate `json:"posted"`
}

type crossrefDate struct {
	Parts [][]*int `json:"date-parts"` // [[2020, 5]]; an unknown date is [[null]]
}

func (d crossrefDate) String() string {
	if len(d.Parts) == 0 {
		return ""
	}
	var ymd [3]int
	for i, part := range d.Parts[0] {
		if i == len(ymd) || part == nil {
			break
		}
		ymd[i] = *part
	}
	return partialDate(ymd[0], ymd[1], ymd[2])
}

func parseCrossref(body []byte) ([]Result, error) {
	reply, err := decodeJSON[struct {
		Status  string          `json:"status"`
		Message json.RawMessage `json:"message"`
	}](body)
	if err != nil {
		return nil, err
	}
	if reply.Status != "ok" && reply.Status != "" {
		_, words := explainCrossref(200, body)
		return nil, failure(StatusError, "the source says %s: %s", clip(oneLine(reply.Status), 60), clip(plainText(words), maxWords))
	}
	list, err := decodeJSON[struct {
		Items *[]json.RawMessage `json:"items"`
	}](reply.Message)
	if err != nil || list.Items == nil {
		return nil, failure(StatusMalformed, "the answer has no list of works")
	}
	return resultsOf(*list.Items, crossrefWork.result), nil
}

func parseCrossrefWork(body []byte) ([]Result, error) {
	reply, err := decodeJSON[struct {
		Message *crossrefWork `json:"message"`
	}](body)
	switch {
	case err != nil:
		return nil, err
	case reply.Message == nil || reply.Message.DOI == "":
		return nil, failure(StatusMalformed, "the answer has no work")
	}
	return []Result{reply.Message.result()}, nil
}

func (w crossrefWork) result() Result {
	e := Result{Evidence: loopstate.Evidence{
		Title:      w.Title.first(),
		Snippet:    strings.TrimPrefix(plainText(w.Abstract), "Abstract "),
		SourceType: sourceTypes[w.Type],
		DOI:        w.DOI,
		Language:   w.Language,
	}}
	for _, number := range w.ISBN {
		e.IDs = distinct(append(e.IDs, isbn(number))...)
	}
	for _, relation := range []string{"is-preprint-of", "has-preprint", "is-version-of", "has-version"} {
		var others []struct {
			Type string `json:"id-type"`
			ID   string `json:"id"`
		}
		if json.Unmarshal(w.Relation[relation], &others) == nil {
			for _, other := range others {
				if other.Type == "doi" {
					e.Related = distinct(append(e.Related, doiID(other.ID))...)
				}
			}
		}
	}
	if sub := w.Subtitle.first(); sub != "" && e.Title != "" && !strings.Contains(e.Title, sub) {
		e.Title += ": " + sub
	}
	e.URL = registeredURL(w.DOI)
	for _, date := range []crossrefDate{w.Published, w.Issued, w.PublishedOnline, w.PublishedPrint, w.Posted} {
		if e.PublishedAt = date.String(); e.PublishedAt != "" {
			break
		}
	}
	for _, a := range w.Author {
		name := cmp.Or(strings.TrimSpace(a.Given+" "+a.Family), a.Name) // an organisation
		e.Authors = append(e.Authors, name)
	}
	// most records have no abstract: where it appeared is what there is to go by
	e.Snippet = cmp.Or(e.Snippet, joinSaid([]string{strings.ReplaceAll(w.Type, "-", " "), w.ContainerTitle.first(), w.Publisher}))
	return e
}

// explainCrossref reads the message of a validation failure, a list, or of an exception, an object.
func explainCrossref(_ int, body []byte) (Status, string) {
	type message struct {
		Message string `json:"message"`
	}
	if list, err := decodeJSON[struct{ Message []message }](body); err == nil && len(list.Message) > 0 {
		return "", list.Message[0].Message
	}
	if one, err := decodeJSON[struct{ Message message }](body); err == nil {
		return "", one.Message.Message
	}
	return "", string(body[:min(len(body), 1_000)]) // 404 is a line of plain text
}
