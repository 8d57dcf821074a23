package channels

import (
	"cmp"
	"context"
	"net/url"
	"strconv"

	"github.com/citeloop/citeloop/loopstate"
)

// zenodoPage is the most that Zenodo gives to those without an account (https://developers.zenodo.org, "Records").
const zenodoPage = 25

// zenodo searches the general repository of CERN: data, software, reports, slides, preprints.
var zenodo = channel{
	Description: Description{
		Name:          "zenodo",
		Description:   "Zenodo: deposited datasets, software, reports, slides and preprints, with descriptions. Not refereed there.",
		GoodFor:       []string{"datasets", "project deliverables", "research software", "posters and slides"},
		For:           []Kind{KindData},
		SourceTypes:   []string{"primary"},
		RatePerSecond: 1, // guests: 60 a minute (https://developers.zenodo.org, "Rate limiting")
		Parallel:      1,
		Honours:       Filters{Dates: true},
		Tested:        "its documented format",
	},
	url:    "https://zenodo.org/api/records",
	search: searchZenodo,
}

func searchZenodo(ctx context.Context, c *client, q Query) ([]Result, error) {
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
	return ask(ctx, c, request{params: url.Values{"q": {query}, "size": {strconv.Itoa(min(q.Limit, zenodoPage))}, "sort": {"bestmatch"}}}, parseZenodo)
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
	list, err := listIn(body, "records", nil, "hits", "hits")
	if err != nil {
		return nil, err
	}
	return resultsOf(list, zenodoRecord.result), nil
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
	e.DOI = cmp.Or(e.DOI, m.DOI)
	e.URL = cmp.Or(e.URL, r.Links.HTML)
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
	e.Snippet = cmp.Or(e.Snippet, m.Type.Title)
	return e
}
