package channels

import (
	"cmp"
	"context"
	"net/http"
	"net/url"
	"strconv"

	"github.com/citeloop/citeloop/loopstate"
)

// core searches the open copies of repositories, in their full texts (https://api.core.ac.uk/docs/v3).
var core = channel{
	Description: Description{
		Name:          "core",
		Description:   "CORE: open copies from repositories of universities everywhere, searched in their full texts; theses and reports among them.",
		GoodFor:       []string{"open full texts", "theses", "reports of institutions"},
		For:           []Kind{KindScholarly, KindOpenCopy},
		SourceTypes:   []string{"primary"},
		NeedsKey:      true,
		KeyFrom:       "free: https://core.ac.uk/services/api",
		RatePerSecond: 1, // personal keys: ten a minute for searches; it slows down by X-RateLimit headers. 1/s (chosen)
		Parallel:      1,
		Honours:       Filters{Dates: true},
		Tested:        "its documented format (version 3)",
	},
	url:    "https://api.core.ac.uk/v3/search/works",
	search: searchCORE,
}

func searchCORE(ctx context.Context, c *client, q Query) ([]Result, error) {
	query := luceneQuery(q.Text)
	if doi := wholeQueryDOI(q.Text); doi != "" {
		query = `doi:"` + doi + `"`
	}
	if query == "" {
		return nil, failure(StatusError, "the query has no words")
	}
	// By year; the frame looks at the days.
	query += around(" AND yearPublished>=", yearOr(q.Since, ""), "") + around(" AND yearPublished<=", yearOr(q.Until, ""), "")
	req := request{params: url.Values{"q": {query}, "limit": {strconv.Itoa(q.Limit)}}}
	if c.key != "" {
		req.header = http.Header{"Authorization": {"Bearer " + c.key}}
	}
	return ask(ctx, c, req, parseCORE)
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
	list, err := listIn(body, "works", nil, "results")
	if err != nil {
		return nil, err
	}
	return resultsOf(list, coreRecord.result), nil
}

func (r coreRecord) result() Result {
	e := Result{
		Evidence: loopstate.Evidence{Title: r.Title, DOI: r.DOI, PublishedAt: normalDate(r.Date), Snippet: plainText(r.Abstract)},
		IDs:      distinct(arxivKey(string(r.ArXiv)), pmid(string(r.PubMed))),
	}
	if r.Kind == "thesis" { // "research" is anything: refereed articles, manuscripts, working papers
		e.SourceType = sourceTypes["dissertation"]
	}
	e.PublishedAt = cmp.Or(e.PublishedAt, partialDate(r.Year, 0, 0))
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
	addresses = append(addresses, registeredURL(r.DOI))
	if r.ID != "" {
		addresses = append(addresses, "https://core.ac.uk/works/"+url.PathEscape(string(r.ID)))
	}
	for _, address := range addresses {
		if e.URL == "" && validURL(address) {
			e.URL = address
		}
	}
	e.Snippet = cmp.Or(e.Snippet, joinSaid([]string{r.Kind, r.Publish}))
	return e
}
