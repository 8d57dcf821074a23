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

const openAlexURL = "https://api.openalex.org/works"

// openAlex searches the works of OpenAlex (https://developers.openalex.org). Searches are metered since
// 2026-02-13: a free key pays for about a thousand a day; looking up a DOI costs nothing.
type openAlex struct{ door *door }

func newOpenAlex(d *door) Channel { return &openAlex{d} }

func (c *openAlex) Describe() Description {
	return Description{
		Name:          "openalex",
		Description:   "OpenAlex: 270 million scholarly works of all fields with abstracts, ids and open copies.",
		GoodFor:       []string{"scholarly literature of all fields", "abstracts", "open copies", "by language"},
		For:           []Kind{KindScholarly, KindBiomedical, KindComputing},
		SourceTypes:   []string{"peer", "primary"},
		NeedsKey:      true,
		KeyFrom:       "free: https://openalex.org/settings/api",
		Configured:    true,
		RatePerSecond: 5, // documented: 100; the day's allowance is what counts, 5 chosen
		Parallel:      2,
		Hosts:         []string{"api.openalex.org"},
		Honours:       Filters{Dates: true, Language: true},
		Tested:        "recorded answers of the service from before it wanted a key",
	}
}

func (c *openAlex) Search(ctx context.Context, q Query) ([]Result, error) {
	if doi := wholeQueryDOI(q.Text); doi != "" {
		return c.ask(ctx, true, url.Values{}, "doi:"+doi)
	}
	params := url.Values{"search": {q.Text}, "per-page": {strconv.Itoa(q.Limit)}}
	var filters []string
	if q.Since != "" {
		filters = append(filters, "from_publication_date:"+firstDay(q.Since))
	}
	if q.Until != "" {
		filters = append(filters, "to_publication_date:"+lastDay(q.Until))
	}
	if q.Language != "" {
		filters = append(filters, "language:"+primaryLanguage(q.Language))
	}
	if filters != nil {
		params.Set("filter", strings.Join(filters, ","))
	}
	return c.ask(ctx, false, params)
}

func (c *openAlex) ask(ctx context.Context, lookUp bool, params url.Values, elements ...string) ([]Result, error) {
	if c.door.key != "" {
		params.Set("api_key", c.door.key) // documented nowhere else; addresses are never logged
	}
	if c.door.cfg.Contact != "" {
		params.Set("mailto", c.door.cfg.Contact)
	}
	u, err := c.door.address(openAlexURL, "", params, elements...)
	if err != nil {
		return nil, err
	}
	return ask(ctx, c.door, request{url: u, want: wantJSON, lookUp: lookUp, explain: explainOpenAlex},
		func(a answer) ([]Result, error) { return parseOpenAlex(a.body) })
}

type openAlexLocation struct {
	Page    string `json:"landing_page_url"`
	PDF     string `json:"pdf_url"`
	Version string `json:"version"`
	Source  *struct {
		Name string `json:"display_name"`
		Type string `json:"type"` // journal, conference, repository, …
	} `json:"source"`
}

type openAlexRecord struct {
	ID        string                       `json:"id"`
	Title     string                       `json:"title"`
	Display   string                       `json:"display_name"`
	DOI       string                       `json:"doi"`
	Date      string                       `json:"publication_date"`
	Year      int                          `json:"publication_year"`
	Language  string                       `json:"language"`
	Type      string                       `json:"type"`
	Retracted bool                         `json:"is_retracted"`
	IDs       struct{ PMID, PMCID string } `json:"ids"` // addresses
	Primary   *openAlexLocation            `json:"primary_location"`
	BestOpen  *openAlexLocation            `json:"best_oa_location"`
	Authors   []struct {
		Author struct {
			Name string `json:"display_name"`
		} `json:"author"`
		Raw string `json:"raw_author_name"`
	} `json:"authorships"`
	Abstract map[string][]int `json:"abstract_inverted_index"` // null where there is none
}

// parseOpenAlex reads the list of a search or the one record of a look-up.
func parseOpenAlex(body []byte) ([]Result, error) {
	reply, err := decodeJSON[struct {
		ID      string             `json:"id"`
		Error   string             `json:"error"`
		Message string             `json:"message"`
		Results *[]json.RawMessage `json:"results"`
	}](body)
	var records []json.RawMessage
	switch {
	case err != nil:
		return nil, err
	case reply.Error != "":
		return nil, sourceSays(joinSaid([]string{reply.Error, reply.Message}))
	case reply.Results != nil:
		records = *reply.Results
	case openAlexID(reply.ID) != "":
		records = []json.RawMessage{body}
	default:
		return nil, failure(StatusMalformed, "the answer has no list of works")
	}
	var found []Result
	for _, record := range each[openAlexRecord](records) {
		found = append(found, record.result())
	}
	return found, nil
}

func (r openAlexRecord) result() Result {
	e := Result{
		Evidence: loopstate.Evidence{Title: r.Title, DOI: r.DOI, PublishedAt: r.Date, Language: bcp47(r.Language), Snippet: plainText(uninverted(r.Abstract)), SourceType: r.sourceType()},
		IDs:      distinct(openAlexID(r.ID), pmid(lastElement(r.IDs.PMID)), pmcid(lastElement(r.IDs.PMCID))),
	}
	if e.Title == "" {
		e.Title = r.Display
	}
	if e.PublishedAt == "" {
		e.PublishedAt = partialDate(r.Year, 0, 0)
	}
	for _, a := range r.Authors {
		name := a.Author.Name
		if name == "" {
			name = a.Raw
		}
		e.Authors = append(e.Authors, name)
	}
	bare := strings.ToLower(strings.TrimPrefix(strings.TrimSpace(r.DOI), "https://doi.org/"))
	doi := ""
	if strings.HasPrefix(bare, "10.") {
		doi = doiURL(bare)
	}
	var open, primary openAlexLocation
	if r.BestOpen != nil {
		open = *r.BestOpen
	}
	if r.Primary != nil {
		primary = *r.Primary
	}
	for _, address := range []string{open.Page, open.PDF, doi, primary.Page, r.ID} {
		if e.URL == "" && validURL(address) {
			e.URL = address
		}
	}
	if e.Snippet == "" {
		e.Snippet = joinSaid([]string{primary.sourceName(), r.Type})
	}
	if r.Retracted {
		e.Snippet = joinSaid([]string{"RETRACTED", e.Snippet})
	}
	return e
}

func (l openAlexLocation) sourceName() string {
	if l.Source == nil {
		return ""
	}
	return l.Source.Name
}

// sourceType takes an article for refereed where it stands in a journal or in proceedings.
func (r openAlexRecord) sourceType() string {
	kind := sourceTypes[openAlexTypes[r.Type]]
	if kind != "peer" {
		return kind
	}
	p := r.Primary
	switch {
	case p == nil || p.Source == nil:
		return ""
	case p.Version == "submittedVersion":
		return sourceTypes["posted-content"]
	case p.Source.Type == "journal", p.Source.Type == "conference":
		return kind
	}
	return ""
}

func lastElement(address string) string {
	return address[strings.LastIndexByte(address, '/')+1:]
}

// maxAbstractWords bounds an abstract put together from its index; the longest are a few thousand words.
const maxAbstractWords = 5_000

// uninverted puts an abstract together from the places of its words.
func uninverted(index map[string][]int) string {
	placed := make([]string, 0, 256)
	for word, places := range index {
		for _, at := range places {
			if at < 0 || at >= maxAbstractWords {
				continue
			}
			for len(placed) <= at {
				placed = append(placed, "")
			}
			// Two words at one place are an error of the index; the choice must not be the map's.
			if placed[at] < word {
				placed[at] = word
			}
		}
	}
	return strings.Join(placed, " ")
}

// explainOpenAlex knows the refusals of a key and of an allowance that is used up.
func explainOpenAlex(code int, body []byte) (Status, string) {
	_, words := explainMessage(code, body)
	low := strings.ToLower(words)
	if code != http.StatusTooManyRequests && (strings.Contains(low, "api key") || strings.Contains(low, "api_key")) {
		return StatusAuthRequired, words
	}
	return "", words
}
