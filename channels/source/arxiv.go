package source

import (
	"context"
	"strings"

	"github.com/citeloop/citeloop/channels"
	"github.com/citeloop/citeloop/channels/normal"
	"github.com/citeloop/citeloop/internal/lazyregexp"
)

// arxiv searches the preprints of arXiv through its Atom API (https://info.arxiv.org/help/api/user-manual.html).
type arxiv struct{ Recipe }

func (s arxiv) search(ctx context.Context, c *channels.Client, q channels.Query) ([]channels.Result, error) {
	if id := normal.ArxivID.FindStringSubmatch(q.Text); id != nil {
		q.Limit = 1
		return s.Ask(ctx, c, q, Code{Values: map[string]string{"kind": id[1]}})
	}
	if arxivSyntax.MatchString(q.Text) {
		return s.query(ctx, c, q.Text, q)
	}
	terms := arxivTerms(q.Text)
	if len(terms) == 0 {
		return nil, channels.Fail(channels.StatusError, "the query has no words")
	}
	found, err := s.query(ctx, c, strings.Join(terms, " AND "), q)
	if err == nil && len(found) == 0 && len(terms) > 2 {
		if found, err = s.query(ctx, c, strings.Join(terms, " OR "), q); err == nil && len(found) > 0 {
			err = channels.Fail(channels.StatusOK, "no paper has all the words; searched for any of them")
		}
	}
	return found, err
}

func (s arxiv) query(ctx context.Context, c *channels.Client, query string, q channels.Query) ([]channels.Result, error) {
	if q.Since+q.Until != "" {
		query = "(" + query + ") AND " + submittedBetween(q.Since, q.Until)
	}
	return s.Ask(ctx, c, q, Code{Values: map[string]string{"words": query}})
}

// arxivSyntax finds a field of arXiv's own query language; such a query is sent unchanged.
var arxivSyntax = lazyregexp.New(`(?:^|[\s(])(?:ti|au|abs|co|jr|cat|rn|id|all):\S`)

// maxArxivTerms bounds a query made of a whole paragraph, which the API's parser rejects (chosen).
const maxArxivTerms = 12

// arxivTerms translates a plain query into arXiv's language. Quoted phrases stay phrases, question words are dropped,
// and every term searches all fields.
func arxivTerms(text string) []string {
	var terms []string
	quoted, about := normal.QueryTerms(text)
	for _, phrase := range quoted {
		terms = append(terms, `all:"`+phrase+`"`)
	}
	for _, word := range about {
		terms = append(terms, "all:"+word)
	}
	return terms[:min(len(terms), maxArxivTerms)]
}

// submittedBetween returns the filter for the date of the first version, both ends included.
func submittedBetween(since, until string) string {
	from, to := "199107010000", "299912312359" // arXiv began in August 1991
	if since != "" {
		from = strings.ReplaceAll(normal.FirstDay(since), "-", "") + "0000"
	}
	if until != "" {
		to = strings.ReplaceAll(normal.LastDay(until), "-", "") + "2359"
	}
	return "submittedDate:[" + from + " TO " + to + "]"
}
