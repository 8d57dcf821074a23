package channels

import (
	"cmp"
	"context"
	"net/url"
	"strconv"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/citeloop/citeloop/internal/lazyregexp"
)

// searchDBLP searches the computer science bibliography (https://dblp.org/faq/How+to+use+the+dblp+search+API.html).
func searchDBLP(ctx context.Context, c *client, q Query) ([]Result, error) {
	// All words must match. DBLP reads "|" and "$" as syntax; words drops both.
	about := keywordsOrWords(q.Text)
	if len(about) == 0 {
		return nil, failure(StatusError, "the query has no words")
	}
	return ask(ctx, c, request{params: url.Values{"q": {strings.Join(about, " ")}, "format": {"json"}, "h": {strconv.Itoa(q.Limit)}}}, parseDBLP)
}

var parseDBLP = records{
	of:    "hits",
	paths: paths{List: "result.hits.hit", Date: "info.year"},
	said: func(answer gjson.Result) *Failure {
		if code := text(answer, `result.status.\@code`); code != "" && code != "200" {
			return failure(StatusError, "the source says %s: %s", clip(code, 60), clip(plainText(text(answer, "result.status.text")), maxWords))
		}
		return nil
	},
	none: func(answer gjson.Result) bool { return answer.Get("result.hits").IsObject() }, // without results, the answer has no list
	more: func(r gjson.Result, e *Result) {
		i := r.Get("info")
		e.Title, e.DOI = strings.TrimSuffix(firstOf(i, "title"), "."), firstOf(i, "doi")
		e.URL = cmp.Or(firstOf(i, "ee"), text(i, "url")) // an electronic edition, or DBLP's own record
		kind := text(i, "type")
		e.SourceType = sourceTypes[dblpTypes[kind]]
		e.Snippet = joinMessages([]string{strings.Join(texts(i, "venue"), ", "), kind, around("pages ", text(i, "pages"), "")})
		for _, name := range append(texts(i, "authors.author.text"), texts(i, "authors.author.#.text")...) { // an object, or a list of them
			e.Authors = append(e.Authors, homonym.ReplaceAllString(name, ""))
		}
	},
}.read

// homonym is the number by which DBLP distinguishes people with the same name: "Wei Wang 0001".
var homonym = lazyregexp.New(` \d{4}$`)
