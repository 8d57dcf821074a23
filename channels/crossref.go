package channels

import (
	"context"
	"encoding/json"
	"net/url"
	"strconv"
	"strings"

	"github.com/citeloop/citeloop/loopstate"
)

const crossrefURL = "https://api.crossref.org/works"

// crossref searches the metadata of scholarly works (https://api.crossref.org/swagger-ui/index.html).
type crossref struct{ door *door }

func newCrossref(d *door) Channel { return &crossref{d} }

func (c *crossref) Describe() Description {
	return Description{
		Name:          "crossref",
		Description:   "Crossref: journal articles, proceedings, preprints, books and reports with a DOI, of all publishers and fields.",
		GoodFor:       []string{"scholarly literature", "finding a DOI", "publication dates and authors"},
		For:           []Kind{KindScholarly},
		SourceTypes:   []string{"peer", "primary"},
		Configured:    true,
		RatePerSecond: 1, // the public pool answers x-rate-limit-limit: 5, but the load is shared; start at 1/s (channels.md)
		Parallel:      1,
		Hosts:         []string{"api.crossref.org"},
		Honours:       Filters{Dates: true},
		Tested:        "recorded refusals of the service, and its documented format",
	}
}

func (c *crossref) Search(ctx context.Context, q Query) ([]Result, error) {
	if doi := wholeQueryDOI(q.Text); doi != "" {
		return c.lookUp(ctx, doi)
	}
	params := url.Values{"query": {q.Text}, "rows": {strconv.Itoa(q.Limit)}}
	var filters []string
	if q.Since != "" {
		filters = append(filters, "from-pub-date:"+q.Since)
	}
	if q.Until != "" {
		filters = append(filters, "until-pub-date:"+q.Until)
	}
	if filters != nil {
		params.Set("filter", strings.Join(filters, ","))
	}
	c.politely(params)
	u, err := c.door.address(crossrefURL, "", params)
	if err != nil {
		return nil, err
	}
	return ask(ctx, c.door, request{url: u, want: wantJSON, explain: explainCrossref},
		func(a answer) ([]Result, error) { return parseCrossref(a.body) })
}

// lookUp asks for one work. A DOI that Crossref did not register is a 404 with a line of text.
func (c *crossref) lookUp(ctx context.Context, doi string) ([]Result, error) {
	params := url.Values{}
	c.politely(params)
	u, err := c.door.address(crossrefURL, "", params, doi)
	if err != nil {
		return nil, err
	}
	return ask(ctx, c.door, request{url: u, want: wantJSON, lookUp: true, explain: explainCrossref},
		func(a answer) ([]Result, error) { return parseCrossrefWork(a.body) })
}

func (c *crossref) politely(params url.Values) {
	if c.door.cfg.Contact != "" {
		params.Set("mailto", c.door.cfg.Contact) // the polite pool
	}
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
	var found []Result
	for _, work := range each[crossrefWork](*list.Items) {
		found = append(found, work.result())
	}
	return found, nil
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
	if bare := strings.ToLower(strings.TrimSpace(w.DOI)); strings.HasPrefix(bare, "10.") {
		e.URL = doiURL(bare) // as registered: some end in a sign that a normalised DOI leaves out
	}
	for _, date := range []crossrefDate{w.Published, w.Issued, w.PublishedOnline, w.PublishedPrint, w.Posted} {
		if e.PublishedAt = date.String(); e.PublishedAt != "" {
			break
		}
	}
	for _, a := range w.Author {
		name := strings.TrimSpace(a.Given + " " + a.Family)
		if name == "" {
			name = a.Name // an organisation
		}
		e.Authors = append(e.Authors, name)
	}
	if e.Snippet == "" { // most records have no abstract: where it appeared is what there is to go by
		e.Snippet = joinSaid([]string{strings.ReplaceAll(w.Type, "-", " "), w.ContainerTitle.first(), w.Publisher})
	}
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
