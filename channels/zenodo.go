package channels

import (
	"context"
	"encoding/json"
	"net/url"
	"strconv"

	"github.com/citeloop/citeloop/loopstate"
)

const zenodoURL = "https://zenodo.org/api/records"

// zenodoPage is the most that Zenodo gives to those without an account (https://developers.zenodo.org, "Records").
const zenodoPage = 25

// zenodo searches the general repository of CERN: data, software, reports, slides, preprints.
type zenodo struct{ door *door }

func newZenodo(d *door) Channel { return &zenodo{d} }

func (c *zenodo) Describe() Description {
	return Description{
		Name:          "zenodo",
		Description:   "Zenodo: deposited datasets, software, reports, slides and preprints, with descriptions. Not refereed there.",
		GoodFor:       []string{"datasets", "project deliverables", "research software", "posters and slides"},
		For:           []Kind{KindData},
		SourceTypes:   []string{"primary"},
		Configured:    true,
		RatePerSecond: 1, // guests: 60 a minute (https://developers.zenodo.org, "Rate limiting"; 1000 in 5 minutes in channels.md)
		Parallel:      1,
		Hosts:         []string{"zenodo.org"},
		Honours:       Filters{Dates: true},
		Tested:        "its documented format",
	}
}

func (c *zenodo) Search(ctx context.Context, q Query) ([]Result, error) {
	query := luceneQuery(q.Text)
	if doi := wholeQueryDOI(q.Text); doi != "" {
		query = `doi:"` + doi + `"`
	}
	if query == "" {
		return nil, failure(StatusError, "the query has no words")
	}
	if dates := rangeTerm("publication_date", q.Since, q.Until); dates != "" {
		query = "(" + query + ") AND " + dates
	}
	u, err := c.door.address(zenodoURL, "", url.Values{"q": {query}, "size": {strconv.Itoa(min(q.Limit, zenodoPage))}, "sort": {"bestmatch"}})
	if err != nil {
		return nil, err
	}
	return ask(ctx, c.door, request{url: u, want: wantJSON, explain: explainMessage},
		func(a answer) ([]Result, error) { return parseZenodo(a.body) })
}

type zenodoRecord struct {
	ID         scalar `json:"id"`
	DOI        string `json:"doi"`
	ConceptDOI string `json:"conceptdoi"` // of all versions together
	Links      struct {
		SelfHTML string `json:"self_html"`
		HTML     string `json:"html"` // before 2023
	} `json:"links"`
	Metadata struct {
		Title       string `json:"title"`
		DOI         string `json:"doi"`
		Date        string `json:"publication_date"`
		Description string `json:"description"` // HTML
		Language    string `json:"language"`
		Creators    []struct {
			Name string `json:"name"`
		} `json:"creators"`
		Type struct {
			Title string `json:"title"`
		} `json:"resource_type"`
		Related []struct {
			ID       string `json:"identifier"`
			Relation string `json:"relation"`
			Scheme   string `json:"scheme"`
		} `json:"related_identifiers"`
	} `json:"metadata"`
}

func parseZenodo(body []byte) ([]Result, error) {
	reply, err := decodeJSON[struct {
		Status  int    `json:"status"`
		Message string `json:"message"`
		Hits    *struct {
			Hits *[]json.RawMessage `json:"hits"`
		} `json:"hits"`
	}](body)
	switch {
	case err != nil:
		return nil, err
	case reply.Hits == nil && reply.Message != "":
		return nil, sourceSays(reply.Message)
	case reply.Hits == nil || reply.Hits.Hits == nil:
		return nil, failure(StatusMalformed, "the answer has no list of records")
	}
	var found []Result
	for _, record := range each[zenodoRecord](*reply.Hits.Hits) {
		found = append(found, record.result())
	}
	return found, nil
}

func (r zenodoRecord) result() Result {
	m := r.Metadata
	e := Result{
		Evidence: loopstate.Evidence{
			Title: m.Title, URL: r.Links.SelfHTML, DOI: r.DOI, PublishedAt: m.Date, Snippet: plainText(m.Description), Language: bcp47(m.Language),
			SourceType: sourceTypes["posted-content"], // whatever it is: deposited by its authors, refereed nowhere
		},
		Related: distinct(doiID(r.ConceptDOI)),
	}
	if e.DOI == "" {
		e.DOI = m.DOI
	}
	if e.URL == "" {
		e.URL = r.Links.HTML
	}
	if e.URL == "" && r.ID != "" {
		e.URL = "https://zenodo.org/records/" + url.PathEscape(string(r.ID))
	}
	for _, c := range m.Creators {
		e.Authors = append(e.Authors, givenFirst(c.Name))
	}
	for _, o := range m.Related {
		if o.Scheme == "doi" && (o.Relation == "isVersionOf" || o.Relation == "isNewVersionOf" || o.Relation == "isPreviousVersionOf") {
			e.Related = distinct(append(e.Related, doiID(o.ID))...)
		}
	}
	if e.Snippet == "" {
		e.Snippet = m.Type.Title
	}
	return e
}
