package channels

import (
	"cmp"
	"context"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/citeloop/citeloop/loopstate"
)

// doaj searches the Directory of Open Access Journals (https://doaj.org/api/docs). The query is a part of the path.
var doaj = channel{
	Description: Description{
		Name:          "doaj",
		Description:   "DOAJ: articles of open access journals with peer review, all fields and many languages, with abstracts; all can be read.",
		GoodFor:       []string{"refereed articles that are free to read", "journals outside the English-speaking world", "abstracts"},
		For:           []Kind{KindScholarly},
		SourceTypes:   []string{"peer"},
		RatePerSecond: 1, // documented: two a second, bursts of five; 1/s (chosen)
		Parallel:      1,
		Honours:       Filters{Dates: true},
		Tested:        "recorded answers of the service's version 2, whose records are the same",
	},
	url:    "https://doaj.org/api/v4/search/articles",
	search: searchDOAJ,
}

func searchDOAJ(ctx context.Context, c *client, q Query) ([]Result, error) {
	query := luceneQuery(q.Text)
	if doi := wholeQueryDOI(q.Text); doi != "" {
		query = `doi:"` + doi + `"`
	}
	if query == "" {
		return nil, failure(StatusError, "the query has no words")
	}
	if q.Since+q.Until != "" { // by year; the frame looks at the months
		query = "(" + query + ") AND bibjson.year:[" + yearOr(q.Since, "1000") + " TO " + yearOr(q.Until, "2999") + "]"
	}
	return ask(ctx, c, request{params: url.Values{"page": {"1"}, "pageSize": {strconv.Itoa(q.Limit)}}, path: []string{query}}, parseDOAJ)
}

type doajRecord struct {
	ID  string `json:"id"`
	Bib struct {
		Title    string `json:"title"`
		Abstract string `json:"abstract"`
		Year     scalar `json:"year"`
		Month    scalar `json:"month"` // "4" or "April"
		Author   []struct {
			Name string `json:"name"`
		} `json:"author"`
		Identifier []struct {
			ID   string `json:"id"`
			Type string `json:"type"`
		} `json:"identifier"`
		Link []struct {
			Type string `json:"type"`
			URL  string `json:"url"`
		} `json:"link"`
		Journal struct {
			Title     string    `json:"title"`
			Publisher string    `json:"publisher"`
			Language  oneOrMany `json:"language"` // all that the journal prints, of which an article is in one
		} `json:"journal"`
		Ref struct {
			Journal string `json:"journal"`
		} `json:"ref"` // of the record of a whole journal
	} `json:"bibjson"`
}

func parseDOAJ(body []byte) ([]Result, error) {
	list, err := listIn(body, "results", nil, "results")
	if err != nil {
		return nil, err
	}
	return resultsOf(list, doajRecord.result), nil
}

func (r doajRecord) result() Result {
	b := r.Bib
	e := Result{Evidence: loopstate.Evidence{Title: b.Title, Snippet: plainText(b.Abstract), PublishedAt: partialDate(atoi(string(b.Year)), monthNumber(string(b.Month)), 0)}}
	for _, a := range b.Author {
		e.Authors = append(e.Authors, givenFirst(a.Name))
	}
	for _, id := range b.Identifier {
		if strings.EqualFold(id.Type, "doi") {
			e.DOI = id.ID
		}
	}
	for _, l := range b.Link {
		if l.Type == "fulltext" && e.URL == "" {
			e.URL = strings.TrimSpace(l.URL)
		}
	}
	if len(b.Journal.Language) == 1 {
		e.Language = bcp47(b.Journal.Language[0])
	}
	if b.Ref.Journal != "" {
		e.URL = b.Ref.Journal
	} else {
		e.SourceType = sourceTypes["journal-article"] // DOAJ lists no other journals
	}
	if doi := registeredURL(e.DOI); !validURL(e.URL) && doi != "" {
		e.URL = doi
	}
	if !validURL(e.URL) && r.ID != "" {
		e.URL = "https://doaj.org/article/" + url.PathEscape(r.ID)
	}
	e.Snippet = cmp.Or(e.Snippet, joinSaid([]string{b.Journal.Title, b.Journal.Publisher}))
	return e
}

// monthNumber reads "4", "04", "April" and "Apr"; 0 where it is none.
func monthNumber(s string) int {
	s = strings.TrimSpace(s)
	for _, layout := range []string{"1", "January", "Jan"} {
		if t, err := time.Parse(layout, s); err == nil {
			return int(t.Month())
		}
	}
	return 0
}
