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

// datacite searches what has a DOI of DataCite (https://support.datacite.org/docs/api): datasets, software, theses,
// reports, preprints, deposited in some 3,000 repositories.
var datacite = channel{
	Description: Description{
		Name:          "datacite",
		Description:   "DataCite: datasets, software, theses, reports and preprints with a DOI, from research repositories everywhere.",
		GoodFor:       []string{"datasets", "research software", "theses and reports", "a DOI that Crossref does not know"},
		For:           []Kind{KindData, KindScholarly},
		SourceTypes:   []string{"peer", "primary"},
		RatePerSecond: 3, // 1000 in 5 minutes without an account (https://support.datacite.org/docs/rate-limit)
		Parallel:      2,
		Honours:       Filters{Dates: true},
		Tested:        "recorded look-ups of the service, and its documented format",
	},
	url:    "https://api.datacite.org/dois",
	search: searchDataCite,
}

func searchDataCite(ctx context.Context, c *client, q Query) ([]Result, error) {
	if doi := wholeQueryDOI(q.Text); doi != "" {
		return askDataCite(ctx, c, true, url.Values{}, doi)
	}
	query := luceneQuery(q.Text)
	if query == "" {
		return nil, failure(StatusError, "the query has no words")
	}
	if q.Since+q.Until != "" { // by year; the frame looks at the days
		query = "(" + query + ") AND publicationYear:[" + yearOr(q.Since, "1000") + " TO " + yearOr(q.Until, "2999") + "]"
	}
	return askDataCite(ctx, c, false, url.Values{"query": {query}, "page[size]": {strconv.Itoa(q.Limit)}, "disable-facets": {"true"}})
}

func yearOr(date, open string) string {
	if len(date) < 4 {
		return open
	}
	return date[:4]
}

func askDataCite(ctx context.Context, c *client, lookUp bool, params url.Values, elements ...string) ([]Result, error) {
	return ask(ctx, c, request{params: params, path: elements, lookUp: lookUp, explain: explainDataCite}, parseDataCite)
}

type dataciteRecord struct {
	ID         string `json:"id"`
	Attributes struct {
		DOI    string `json:"doi"`
		Titles []struct {
			Title string `json:"title"`
			Type  string `json:"titleType"` // "" is the main one
		} `json:"titles"`
		Creators []struct {
			Name   string `json:"name"`
			Given  string `json:"givenName"`
			Family string `json:"familyName"`
		} `json:"creators"`
		Descriptions []struct {
			Description string `json:"description"`
			Type        string `json:"descriptionType"`
		} `json:"descriptions"`
		Dates []struct {
			Date string `json:"date"`
			Type string `json:"dateType"`
		} `json:"dates"`
		Year     int             `json:"publicationYear"`
		Language string          `json:"language"`
		URL      string          `json:"url"`
		Publish  json.RawMessage `json:"publisher"` // a name, or an object with one
		Types    struct {
			General string `json:"resourceTypeGeneral"`
			Free    string `json:"resourceType"`
		} `json:"types"`
		Others []struct {
			Relation string `json:"relationType"`
			ID       string `json:"relatedIdentifier"`
			Kind     string `json:"relatedIdentifierType"`
		} `json:"relatedIdentifiers"`
	} `json:"attributes"`
}

// parseDataCite reads the list of a search or the one record of a look-up.
func parseDataCite(body []byte) ([]Result, error) {
	reply, err := decodeJSON[struct {
		Data   json.RawMessage `json:"data"`
		Errors []struct{ Title string }
	}](body)
	switch {
	case err != nil:
		return nil, err
	case len(reply.Errors) > 0:
		return nil, sourceSays(reply.Errors[0].Title)
	}
	var records []json.RawMessage
	if json.Unmarshal(reply.Data, &records) != nil || records == nil {
		var one struct{ Type string }
		if json.Unmarshal(reply.Data, &one) != nil || one.Type != "dois" {
			return nil, failure(StatusMalformed, "the answer has no list of records")
		}
		records = []json.RawMessage{reply.Data}
	}
	return resultsOf(records, dataciteRecord.result), nil
}

// sameWorkRelations are DataCite's words for another version of the same work. Parts, references and supplements
// are other works.
var sameWorkRelations = map[string]bool{
	"IsVersionOf": true, "HasVersion": true, "IsNewVersionOf": true, "IsPreviousVersionOf": true,
	"IsVariantFormOf": true, "IsOriginalFormOf": true, "IsTranslationOf": true, "HasTranslation": true,
}

func (r dataciteRecord) result() Result {
	a := r.Attributes
	kind := cmp.Or(dataciteTypes[a.Types.General], dataciteTexts[strings.ToLower(a.Types.Free)])
	e := Result{Evidence: loopstate.Evidence{DOI: a.DOI, Language: bcp47(a.Language), SourceType: sourceTypes[kind]}}
	for _, t := range a.Titles {
		if e.Title == "" || t.Type == "" {
			e.Title = t.Title
		}
		if t.Type == "" {
			break
		}
	}
	for _, d := range a.Descriptions {
		if e.Snippet == "" || d.Type == "Abstract" {
			e.Snippet = plainText(d.Description)
		}
	}
	for _, name := range []string{"Issued", "Available", "Created", "Submitted"} {
		for _, d := range a.Dates {
			first, _, _ := strings.Cut(d.Date, "/") // of a range
			// "2017" beside "07.04.2017" says less than it
			if date := normalDate(first); d.Type == name && len(date) > len(e.PublishedAt) && strings.HasPrefix(date, e.PublishedAt) {
				e.PublishedAt = date
			}
		}
	}
	e.PublishedAt = cmp.Or(e.PublishedAt, partialDate(a.Year, 0, 0))
	for _, c := range a.Creators {
		name := strings.TrimSpace(c.Given + " " + c.Family)
		if c.Given == "" || c.Family == "" {
			name = givenFirst(c.Name)
		}
		e.Authors = append(e.Authors, name)
	}
	for _, o := range a.Others {
		switch {
		case o.Kind == "DOI" && o.Relation == "IsIdenticalTo":
			e.IDs = distinct(append(e.IDs, doiID(o.ID))...)
		case o.Kind == "DOI" && sameWorkRelations[o.Relation]:
			e.Related = distinct(append(e.Related, doiID(o.ID))...)
		case o.Kind == "PMID" && o.Relation == "IsIdenticalTo":
			e.IDs = distinct(append(e.IDs, pmid(o.ID))...)
		}
	}
	e.URL = cmp.Or(registeredURL(a.DOI), a.URL)
	e.Snippet = cmp.Or(e.Snippet, joinSaid(distinct(a.Types.General, a.Types.Free, publisherName(a.Publish))))
	return e
}

func publisherName(raw json.RawMessage) string {
	var name string
	if json.Unmarshal(raw, &name) == nil {
		return name
	}
	var object struct{ Name string }
	if json.Unmarshal(raw, &object) == nil {
		return object.Name
	}
	return ""
}

func explainDataCite(_ int, body []byte) (Status, string) {
	said, err := decodeJSON[struct {
		Errors []struct{ Title, Detail string }
	}](body)
	if err != nil || len(said.Errors) == 0 {
		return "", ""
	}
	return "", joinSaid([]string{said.Errors[0].Title, said.Errors[0].Detail})
}
