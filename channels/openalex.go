package channels

import (
	"cmp"
	"context"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/tidwall/gjson"
)

// searchOpenAlex searches the works of OpenAlex (https://developers.openalex.org). Searches are metered since
// 2026-02-13: a free key pays for about a thousand a day; looking up a DOI costs nothing.
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
	set(params, "api_key", c.key) // the API documents no other place; addresses are never logged
	set(params, "mailto", c.cfg.Contact)
	return ask(ctx, c, request{params: params, path: elements, lookUp: lookUp, explain: explainOpenAlex}, parseOpenAlex)
}

// parseOpenAlex reads the list of a search or the one record of a look-up.
var parseOpenAlex = records{
	of:    "works",
	paths: paths{List: "results", DOI: "doi", Language: "language"},
	said: func(answer gjson.Result) *Failure {
		if words := text(answer, "error"); words != "" {
			return failureWithMessage(joinMessages([]string{words, text(answer, "message")}))
		}
		return nil
	},
	one: func(answer gjson.Result) gjson.Result {
		if openAlexID(text(answer, "id")) == "" {
			return gjson.Result{}
		}
		return answer
	},
	more: func(r gjson.Result, e *Result) {
		e.Title = first(r, "title", "display_name")
		e.SourceType = openAlexType(r)
		e.IDs = distinct(openAlexID(text(r, "id")), pmid(lastElement(text(r, "ids.pmid"))), pmcid(lastElement(text(r, "ids.pmcid"))))
		e.PublishedAt = cmp.Or(text(r, "publication_date"), yearAt(r, "publication_year"))
		for _, a := range r.Get("authorships").Array() {
			e.Authors = append(e.Authors, first(a, "author.display_name", "raw_author_name"))
		}
		doi := registeredURL(strings.TrimPrefix(e.DOI, "https://doi.org/"))
		e.URL = firstValid(text(r, "best_oa_location.landing_page_url"), text(r, "best_oa_location.pdf_url"), doi, text(r, "primary_location.landing_page_url"), text(r, "id"))
		e.Snippet = cmp.Or(plainText(uninverted(r.Get("abstract_inverted_index"))), joinMessages([]string{text(r, "primary_location.source.display_name"), text(r, "type")}))
		if r.Get("is_retracted").Bool() {
			e.Snippet = joinMessages([]string{"RETRACTED", e.Snippet})
		}
	},
}.read

// openAlexType counts an article as refereed if it is in a journal or in proceedings.
func openAlexType(r gjson.Result) string {
	kind := sourceTypes[openAlexTypes[text(r, "type")]]
	in := text(r, "primary_location.source.type") // journal, conference, repository, …
	switch {
	case kind != "peer":
		return kind
	case r.Get("primary_location.source").IsObject() && text(r, "primary_location.version") == "submittedVersion":
		return sourceTypes["posted-content"]
	case in == "journal", in == "conference":
		return kind
	}
	return ""
}

func lastElement(address string) string {
	return address[strings.LastIndexByte(address, '/')+1:]
}

// maxAbstractWords bounds an abstract; the longest have a few thousand words.
const maxAbstractWords = 5_000

// uninverted assembles an abstract from the positions of its words.
func uninverted(index gjson.Result) string {
	placed := make([]string, 0, 256)
	for word, places := range index.Map() {
		for _, place := range places.Array() {
			at := int(place.Int())
			if at < 0 || at >= maxAbstractWords {
				continue
			}
			for len(placed) <= at {
				placed = append(placed, "")
			}
			// The index may have two words at one position; the order of the map must not decide.
			if placed[at] < word {
				placed[at] = word
			}
		}
	}
	return strings.Join(placed, " ")
}

// explainOpenAlex recognises a refused key and a used-up allowance.
var explainOpenAlex = explains(
	errorRule{http.StatusTooManyRequests, "", ""},
	errorRule{0, "api key", StatusAuthRequired},
	errorRule{0, "api_key", StatusAuthRequired})
