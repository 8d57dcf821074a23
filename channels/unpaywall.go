package channels

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"regexp"
	"strings"

	"github.com/citeloop/citeloop/loopstate"
)

// unpaywall says where a work can be read (https://unpaywall.org/products/api). It is a resolver of DOIs first: a
// query that holds DOIs is answered with one record for each, whose address is the open copy and whose snippet says
// whose copy of which version it is, or that none is known. Other queries go to its search in titles.
var unpaywall = channel{
	Description: Description{
		Name:          "unpaywall",
		Description:   "Unpaywall: an open copy of the work behind a DOI. Give it DOIs; words are looked for in titles only.",
		GoodFor:       []string{"a legal open copy of a paywalled article", "which version a copy is"},
		For:           []Kind{KindOpenCopy},
		SourceTypes:   []string{"peer", "primary"},
		RatePerSecond: 1, // 100,000 a day and person; 1/s chosen
		Parallel:      1,
		Tested:        "recorded answers of the service",
	},
	url:     "https://api.unpaywall.org/v2",
	search:  searchUnpaywall,
	missing: needsContact("Unpaywall wants to know who asks: set CITELOOP_CONTACT to a mail address of yours"),
}

// maxDOIs bounds the look-ups of one query: at one a second they must end within a call.
const maxDOIs = 5

var doisInText = regexp.MustCompile(`(?i)\b10\.\d{4,9}/[^\s"<>,;]+`)

func searchUnpaywall(ctx context.Context, c *client, q Query) ([]Result, error) {
	var dois []string
	for _, m := range doisInText.FindAllString(q.Text, -1) {
		dois = distinct(append(dois, loopstate.NormalizeDOI(m))...)
	}
	if len(dois) == 0 {
		return askUnpaywall(ctx, c, false, url.Values{"query": {q.Text}}, "search")
	}
	var found []Result
	unknown := 0
	for _, doi := range dois[:min(len(dois), maxDOIs)] {
		got, err := askUnpaywall(ctx, c, true, url.Values{}, doi)
		if fail, ok := errors.AsType[*Failure](err); ok && fail.Status == StatusEmpty {
			unknown++
			continue
		}
		if err != nil && len(found) > 0 {
			return found, failure(StatusDegraded, "%d of %d DOIs were looked up; then: %s", len(found)+unknown, len(dois), asFailure(err).Message)
		}
		if err != nil {
			return nil, err
		}
		found = append(found, got...)
	}
	switch {
	case len(dois) > maxDOIs:
		return found, failure(StatusDegraded, "the first %d of %d DOIs were looked up", maxDOIs, len(dois))
	case unknown > 0:
		return found, failure(StatusOK, "%d of %d DOIs are not known to it", unknown, len(dois))
	}
	return found, nil
}

func askUnpaywall(ctx context.Context, c *client, lookUp bool, params url.Values, element string) ([]Result, error) {
	set(params, "email", c.cfg.Contact)
	return ask(ctx, c, request{params: params, path: []string{element}, lookUp: lookUp, explain: explainUnpaywall}, parseUnpaywall)
}

type unpaywallRecord struct {
	DOI     string `json:"doi"`
	Title   string `json:"title"`
	Genre   string `json:"genre"` // Crossref's types
	Date    string `json:"published_date"`
	Year    int    `json:"year"`
	Journal string `json:"journal_name"`
	Publish string `json:"publisher"`
	Status  string `json:"oa_status"` // gold, hybrid, bronze, green, closed
	Authors []struct {
		Given, Family, Name string
		Raw                 string `json:"raw_author_name"`
	} `json:"z_authors"`
	Best *struct {
		URL     string `json:"url"`
		PDF     string `json:"url_for_pdf"`
		Page    string `json:"url_for_landing_page"`
		Version string `json:"version"` // submittedVersion, acceptedVersion, publishedVersion
		License string `json:"license"`
		Host    string `json:"host_type"` // publisher, repository
	} `json:"best_oa_location"`
}

// parseUnpaywall reads the list of a search or the one record of a look-up.
func parseUnpaywall(body []byte) ([]Result, error) {
	reply, err := decodeJSON[struct {
		Results *[]json.RawMessage `json:"results"`
		DOI     string             `json:"doi"`
		Message string             `json:"message"`
	}](body)
	switch {
	case err != nil:
		return nil, err
	case reply.Results == nil && reply.DOI != "":
		one, err := decodeJSON[unpaywallRecord](body)
		if err != nil {
			return nil, err
		}
		return []Result{one.result("")}, nil
	case reply.Results == nil && reply.Message != "":
		status, words := explainUnpaywall(http.StatusOK, body)
		if status == "" {
			status = StatusError
		}
		return nil, failure(status, "the source says: %s", clip(plainText(words), maxWords))
	case reply.Results == nil:
		return nil, failure(StatusMalformed, "the answer has no record")
	}
	var found []Result
	for _, hit := range each[struct {
		Response unpaywallRecord `json:"response"`
		Snippet  string          `json:"snippet"` // of the title, with the words in bold
	}](*reply.Results) {
		found = append(found, hit.Response.result(hit.Snippet))
	}
	return found, nil
}

func (r unpaywallRecord) result(snippet string) Result {
	e := Result{Evidence: loopstate.Evidence{Title: r.Title, DOI: r.DOI, PublishedAt: r.Date, SourceType: sourceTypes[r.Genre]}}
	e.PublishedAt = cmp.Or(e.PublishedAt, partialDate(r.Year, 0, 0))
	for _, a := range r.Authors {
		name := cmp.Or(strings.TrimSpace(a.Given+" "+a.Family), a.Name+a.Raw)
		e.Authors = append(e.Authors, name)
	}
	copyOf := "no open copy is known"
	if b := r.Best; b != nil {
		for _, address := range []string{b.PDF, b.URL, b.Page} {
			if e.URL == "" && validURL(address) {
				e.URL = address
			}
		}
		copyOf = joinSaid([]string{"open copy at a " + b.Host, b.Version, b.License})
		if b.Version == "submittedVersion" {
			e.SourceType = sourceTypes["posted-content"] // what will be read there is the manuscript before review
		}
	}
	e.URL = cmp.Or(e.URL, registeredURL(r.DOI))
	if snippet = plainText(snippet); strings.Contains(plainText(r.Title), snippet) {
		snippet = ""
	}
	e.Snippet = joinSaid([]string{copyOf, r.Status, r.Journal, r.Publish, snippet})
	return e
}

// explainUnpaywall recognises the refusal of an invalid email address, 422.
func explainUnpaywall(code int, body []byte) (Status, string) {
	_, words := explainMessage(code, body)
	if code == http.StatusUnprocessableEntity || strings.Contains(strings.ToLower(words), "email") {
		return StatusAuthRequired, words
	}
	return "", words
}
