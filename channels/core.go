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

const coreURL = "https://api.core.ac.uk/v3/search/works"

// core searches the open copies of repositories, in their full texts (https://api.core.ac.uk/docs/v3).
type core struct{ door *door }

func newCORE(d *door) Channel { return &core{d} }

func (c *core) Describe() Description {
	return Description{
		Name:          "core",
		Description:   "CORE: open copies from repositories of universities everywhere, searched in their full texts; theses and reports among them.",
		GoodFor:       []string{"open full texts", "theses", "reports of institutions"},
		For:           []Kind{KindScholarly, KindOpenCopy},
		SourceTypes:   []string{"primary"},
		NeedsKey:      true,
		KeyFrom:       "free: https://core.ac.uk/services/api",
		Configured:    true,
		RatePerSecond: 1, // personal keys: ten a minute for searches; it slows down by X-RateLimit headers. 1/s (channels.md)
		Parallel:      1,
		Hosts:         []string{"api.core.ac.uk"},
		Honours:       Filters{Dates: true},
		Tested:        "its documented format (version 3)",
	}
}

func (c *core) Search(ctx context.Context, q Query) ([]Result, error) {
	query := luceneQuery(q.Text)
	if doi := wholeQueryDOI(q.Text); doi != "" {
		query = `doi:"` + doi + `"`
	}
	if query == "" {
		return nil, failure(StatusError, "the query has no words")
	}
	if q.Since != "" { // by year; the frame looks at the days
		query += " AND yearPublished>=" + q.Since[:4]
	}
	if q.Until != "" {
		query += " AND yearPublished<=" + q.Until[:4]
	}
	u, err := c.door.address(coreURL, "", url.Values{"q": {query}, "limit": {strconv.Itoa(q.Limit)}})
	if err != nil {
		return nil, err
	}
	req := request{url: u, want: wantJSON, explain: explainMessage}
	if c.door.key != "" {
		req.header = http.Header{"Authorization": {"Bearer " + c.door.key}}
	}
	return ask(ctx, c.door, req, func(a answer) ([]Result, error) { return parseCORE(a.body) })
}

type coreRecord struct {
	ID       scalar `json:"id"`
	Title    string `json:"title"`
	Abstract string `json:"abstract"`
	DOI      string `json:"doi"`
	ArXiv    scalar `json:"arxivId"`
	PubMed   scalar `json:"pubmedId"`
	Year     int    `json:"yearPublished"`
	Date     string `json:"publishedDate"`
	Download string `json:"downloadUrl"`
	Kind     string `json:"documentType"` // research, thesis, slides, unknown
	Publish  string `json:"publisher"`
	Authors  []struct {
		Name string `json:"name"`
	} `json:"authors"`
	Language *struct {
		Code string `json:"code"`
	} `json:"language"`
	Links []struct {
		Type string `json:"type"` // download, reader, display
		URL  string `json:"url"`
	} `json:"links"`
}

func parseCORE(body []byte) ([]Result, error) {
	reply, err := decodeJSON[struct {
		Message string             `json:"message"`
		Results *[]json.RawMessage `json:"results"`
	}](body)
	switch {
	case err != nil:
		return nil, err
	case reply.Results == nil:
		return nil, noList(reply.Message, "works")
	}
	var found []Result
	for _, record := range each[coreRecord](*reply.Results) {
		found = append(found, record.result())
	}
	return found, nil
}

func (r coreRecord) result() Result {
	e := Result{
		Evidence: loopstate.Evidence{Title: r.Title, DOI: r.DOI, PublishedAt: normalDate(r.Date), Snippet: plainText(r.Abstract)},
		IDs:      distinct(arxivKey(string(r.ArXiv)), pmid(string(r.PubMed))),
	}
	if r.Kind == "thesis" { // "research" is anything: refereed articles, manuscripts, working papers
		e.SourceType = sourceTypes["dissertation"]
	}
	if e.PublishedAt == "" {
		e.PublishedAt = partialDate(r.Year, 0, 0)
	}
	if r.Language != nil {
		e.Language = bcp47(r.Language.Code)
	}
	for _, a := range r.Authors {
		e.Authors = append(e.Authors, givenFirst(a.Name))
	}
	addresses := []string{r.Download}
	for _, l := range r.Links {
		if l.Type == "display" {
			addresses = append(addresses, l.URL)
		}
	}
	if bare := strings.ToLower(strings.TrimSpace(r.DOI)); strings.HasPrefix(bare, "10.") {
		addresses = append(addresses, doiURL(bare))
	}
	if r.ID != "" {
		addresses = append(addresses, "https://core.ac.uk/works/"+url.PathEscape(string(r.ID)))
	}
	for _, address := range addresses {
		if e.URL == "" && validURL(address) {
			e.URL = address
		}
	}
	if e.Snippet == "" {
		e.Snippet = joinSaid([]string{r.Kind, r.Publish})
	}
	return e
}
