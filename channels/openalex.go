package channels

import (
	"cmp"
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/citeloop/citeloop/loopstate"
)

// openAlex searches the works of OpenAlex (https://developers.openalex.org). Searches are metered since
// 2026-02-13: a free key pays for about a thousand a day; looking up a DOI costs nothing.
var openAlex = channel{
	Description: Description{
		Name:          "openalex",
		Description:   "OpenAlex: 270 million scholarly works of all fields with abstracts, ids and open copies.",
		GoodFor:       []string{"scholarly literature of all fields", "abstracts", "open copies", "by language"},
		For:           []Kind{KindScholarly, KindBiomedical, KindComputing},
		SourceTypes:   []string{"peer", "primary"},
		NeedsKey:      true,
		KeyFrom:       "free: https://openalex.org/settings/api",
		RatePerSecond: 5, // documented: 100; the day's allowance is what counts, 5 chosen
		Parallel:      2,
		Honours:       Filters{Dates: true, Language: true},
		Tested:        "recorded answers of the service from before it wanted a key",
	},
	url:    "https://api.openalex.org/works",
	search: searchOpenAlex,
}

func searchOpenAlex(ctx context.Context, c *client, q Query) ([]Result, error) {
	if doi := wholeQueryDOI(q.Text); doi != "" {
		return askOpenAlex(ctx, c, true, url.Values{}, "doi:"+doi)
	}
	params := url.Values{"search": {q.Text}, "per-page": {strconv.Itoa(q.Limit)}}
	filters := distinct(around("from_publication_date:", firstDay(q.Since), ""), around("to_publication_date:", lastDay(q.Until), ""),
		around("language:", primaryLanguage(q.Language), ""))
	set(params, "filter", strings.Join(filters, ","))
	return askOpenAlex(ctx, c, false, params)
}

func askOpenAlex(ctx context.Context, c *client, lookUp bool, params url.Values, elements ...string) ([]Result, error) {
	set(params, "api_key", c.key) // documented nowhere else; addresses are never logged
	set(params, "mailto", c.cfg.Contact)
	return ask(ctx, c, request{params: params, path: elements, lookUp: lookUp, explain: explainOpenAlex}, parseOpenAlex)
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
	return resultsOf(records, openAlexRecord.result), nil
}

func (r openAlexRecord) result() Result {
	e := Result{
		Evidence: loopstate.Evidence{Title: r.Title, DOI: r.DOI, PublishedAt: r.Date, Language: bcp47(r.Language), Snippet: plainText(uninverted(r.Abstract)), SourceType: r.sourceType()},
		IDs:      distinct(openAlexID(r.ID), pmid(lastElement(r.IDs.PMID)), pmcid(lastElement(r.IDs.PMCID))),
	}
	e.Title = cmp.Or(e.Title, r.Display)
	e.PublishedAt = cmp.Or(e.PublishedAt, partialDate(r.Year, 0, 0))
	for _, a := range r.Authors {
		name := cmp.Or(a.Author.Name, a.Raw)
		e.Authors = append(e.Authors, name)
	}
	doi := registeredURL(strings.TrimPrefix(strings.TrimSpace(r.DOI), "https://doi.org/"))
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
	e.Snippet = cmp.Or(e.Snippet, joinSaid([]string{primary.sourceName(), r.Type}))
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

// explainOpenAlex recognises a refused key and a used-up allowance.
func explainOpenAlex(code int, body []byte) (Status, string) {
	_, words := explainMessage(code, body)
	low := strings.ToLower(words)
	if code != http.StatusTooManyRequests && (strings.Contains(low, "api key") || strings.Contains(low, "api_key")) {
		return StatusAuthRequired, words
	}
	return "", words
}
