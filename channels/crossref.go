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
		SourceTypes:   []string{"peer", "primary"},
		Configured:    true,
		RatePerSecond: 1, // the public pool answers x-rate-limit-limit: 5, but the load is shared; start at 1/s (channels.md)
		Parallel:      1,
		Hosts:         []string{"api.crossref.org"},
		Honours:       Filters{Dates: true},
		Tested:        "recorded refusals of the service, and its documented format",
	}
}

func (c *crossref) Search(ctx context.Context, q Query) ([]loopstate.Evidence, error) {
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
	if c.door.cfg.Contact != "" {
		params.Set("mailto", c.door.cfg.Contact) // the polite pool
	}
	u, err := c.door.address(crossrefURL, "", params)
	if err != nil {
		return nil, err
	}
	return ask(ctx, c.door, request{url: u, want: wantJSON, explain: explainCrossref},
		func(a answer) ([]loopstate.Evidence, error) { return parseCrossref(a.body) })
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

func parseCrossref(body []byte) ([]loopstate.Evidence, error) {
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
	var found []loopstate.Evidence
	for _, work := range each[crossrefWork](*list.Items) {
		found = append(found, work.evidence())
	}
	return found, nil
}

func (w crossrefWork) evidence() loopstate.Evidence {
	e := loopstate.Evidence{
		Title:      w.Title.first(),
		Snippet:    strings.TrimPrefix(plainText(w.Abstract), "Abstract "),
		SourceType: sourceTypes[w.Type],
		DOI:        w.DOI,
		Language:   w.Language,
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
