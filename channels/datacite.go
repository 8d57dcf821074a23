package channels

import (
	"cmp"
	"context"
	"net/url"
	"strconv"
	"strings"

	"github.com/tidwall/gjson"
)

// searchDataCite searches works with a DataCite DOI (https://support.datacite.org/docs/api): datasets, software, theses,
// reports and preprints from about 3,000 repositories.
func searchDataCite(ctx context.Context, c *client, q Query) ([]Result, error) {
	if doi := wholeQueryDOI(q.Text); doi != "" {
		return askDataCite(ctx, c, true, url.Values{}, doi)
	}
	query := luceneQuery(q.Text)
	if query == "" {
		return nil, failure(StatusError, "the query has no words")
	}
	if q.Since+q.Until != "" { // by year; months and days are filtered afterwards
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

// parseDataCite reads the list of a search or the one record of a look-up.
var parseDataCite = records{
	of: "records", more: dataciteRecord,
	paths: paths{List: "data", DOI: "attributes.doi", Language: "attributes.language"},
	said: func(answer gjson.Result) *Failure {
		if answer.Get("errors.#").Int() > 0 {
			return failureWithMessage(text(answer, "errors.0.title"))
		}
		return nil
	},
	one: func(answer gjson.Result) gjson.Result {
		if text(answer, "data.type") != "dois" {
			return gjson.Result{}
		}
		return answer.Get("data")
	},
}.read

// sameWorkRelations are DataCite's words for another version of the same work. Parts, references and supplements
// are other works.
var sameWorkRelations = map[string]bool{
	"IsVersionOf": true, "HasVersion": true, "IsNewVersionOf": true, "IsPreviousVersionOf": true,
	"IsVariantFormOf": true, "IsOriginalFormOf": true, "IsTranslationOf": true, "HasTranslation": true,
}

func dataciteRecord(r gjson.Result, e *Result) {
	a := r.Get("attributes")
	general, free := text(a, "types.resourceTypeGeneral"), text(a, "types.resourceType")
	e.SourceType = sourceTypes[cmp.Or(dataciteTypes[general], dataciteTexts[strings.ToLower(free)])]
	for _, t := range a.Get("titles").Array() {
		main := text(t, "titleType") == ""
		if e.Title == "" || main {
			e.Title = text(t, "title")
		}
		if main {
			break
		}
	}
	for _, d := range a.Get("descriptions").Array() {
		if e.Snippet == "" || text(d, "descriptionType") == "Abstract" {
			e.Snippet = plainText(text(d, "description"))
		}
	}
	for _, name := range []string{"Issued", "Available", "Created", "Submitted"} {
		for _, d := range a.Get("dates").Array() {
			first, _, _ := strings.Cut(text(d, "date"), "/") // of a range
			// prefer a full date to its year
			if date := normalDate(first); text(d, "dateType") == name && len(date) > len(e.PublishedAt) && strings.HasPrefix(date, e.PublishedAt) {
				e.PublishedAt = date
			}
		}
	}
	e.PublishedAt = cmp.Or(e.PublishedAt, yearAt(a, "publicationYear"))
	for _, c := range a.Get("creators").Array() {
		given, family := text(c, "givenName"), text(c, "familyName")
		name := given + " " + family
		if given == "" || family == "" {
			name = givenFirst(text(c, "name"))
		}
		e.Authors = append(e.Authors, name)
	}
	for _, o := range a.Get("relatedIdentifiers").Array() {
		kind, relation, id := text(o, "relatedIdentifierType"), text(o, "relationType"), text(o, "relatedIdentifier")
		switch {
		case kind == "DOI" && relation == "IsIdenticalTo":
			e.IDs = distinct(append(e.IDs, doiID(id))...)
		case kind == "DOI" && sameWorkRelations[relation]:
			e.Related = distinct(append(e.Related, doiID(id))...)
		case kind == "PMID" && relation == "IsIdenticalTo":
			e.IDs = distinct(append(e.IDs, pmid(id))...)
		}
	}
	e.URL = cmp.Or(registeredURL(e.DOI), text(a, "url"))
	publisher := first(a, "publisher.name", "publisher") // a name, or an object with one
	e.Snippet = cmp.Or(e.Snippet, joinMessages(distinct(general, free, publisher)))
}

var explainDataCite = messageAt("errors.0.title", "errors.0.detail")
