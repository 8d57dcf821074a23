package channels

import (
	"cmp"
	"context"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/tidwall/gjson"
)

// searchDOAJ searches the Directory of Open Access Journals (https://doaj.org/api/docs). The query is a part of the path.
func searchDOAJ(ctx context.Context, c *client, q Query) ([]Result, error) {
	query, err := luceneOrDOI(q.Text, "doi")
	if err != nil {
		return nil, err
	}
	if q.Since+q.Until != "" { // by year; months and days are filtered afterwards
		query = "(" + query + ") AND bibjson.year:[" + yearOr(q.Since, "1000") + " TO " + yearOr(q.Until, "2999") + "]"
	}
	return ask(ctx, c, request{params: url.Values{"page": {"1"}, "pageSize": {strconv.Itoa(q.Limit)}}, path: []string{query}}, parseDOAJ)
}

var parseDOAJ = records{
	of:    "results",
	paths: paths{List: "results", Title: "bibjson.title"},
	more: func(r gjson.Result, e *Result) {
		b := r.Get("bibjson")
		e.PublishedAt = partialDate(atoi(text(b, "year")), monthNumber(text(b, "month")), 0)
		for _, name := range texts(b, "author.#.name") {
			e.Authors = append(e.Authors, givenFirst(name))
		}
		for _, id := range b.Get("identifier").Array() {
			if strings.EqualFold(text(id, "type"), "doi") {
				e.DOI = text(id, "id")
			}
		}
		if printed := texts(b, "journal.language"); len(printed) == 1 { // the languages of the journal
			e.Language = bcp47(printed[0])
		}
		link := text(b, `link.#(type=="fulltext").url`)
		if journal := text(b, "ref.journal"); journal != "" { // the record of a whole journal
			link = journal
		} else {
			e.SourceType = sourceTypes["journal-article"] // DOAJ lists only peer-reviewed journals
		}
		e.URL = firstValid(link, registeredURL(e.DOI), paths{URL: "https://doaj.org/article/{id}"}.link(r))
		e.Snippet = cmp.Or(plainText(text(b, "abstract")), joinMessages([]string{text(b, "journal.title"), text(b, "journal.publisher")}))
	},
}.read

// monthNumber reads "4", "04", "April" and "Apr". It returns 0 for other texts.
func monthNumber(s string) int {
	s = strings.TrimSpace(s)
	for _, layout := range []string{"1", "January", "Jan"} {
		if t, err := time.Parse(layout, s); err == nil {
			return int(t.Month())
		}
	}
	return 0
}
