package source

import (
	"context"
	"encoding/xml"
	"net/url"
	"strconv"
	"strings"

	"github.com/citeloop/citeloop/channels"
	"github.com/citeloop/citeloop/channels/normal"
	"github.com/citeloop/citeloop/internal/lazyregexp"
	"github.com/citeloop/citeloop/internal/sanitize"
)

// searchArxiv searches the preprints of arXiv through its Atom API (https://info.arxiv.org/help/api/user-manual.html).
func searchArxiv(ctx context.Context, c *channels.Client, q channels.Query) ([]channels.Result, error) {
	if id := normal.ArxivID.FindStringSubmatch(q.Text); id != nil {
		return askArxiv(ctx, c, url.Values{"id_list": {id[1]}, "max_results": {"1"}})
	}
	if arxivSyntax.MatchString(q.Text) {
		return arxivQuery(ctx, c, q.Text, q)
	}
	terms := arxivTerms(q.Text)
	if len(terms) == 0 {
		return nil, channels.Fail(channels.StatusError, "the query has no words")
	}
	found, err := arxivQuery(ctx, c, strings.Join(terms, " AND "), q)
	if err == nil && len(found) == 0 && len(terms) > 2 {
		if found, err = arxivQuery(ctx, c, strings.Join(terms, " OR "), q); err == nil && len(found) > 0 {
			err = channels.Fail(channels.StatusOK, "no paper has all the words; searched for any of them")
		}
	}
	return found, err
}

func arxivQuery(ctx context.Context, c *channels.Client, query string, q channels.Query) ([]channels.Result, error) {
	if q.Since+q.Until != "" {
		query = "(" + query + ") AND " + submittedBetween(q.Since, q.Until)
	}
	return askArxiv(ctx, c, url.Values{
		"search_query": {query}, "start": {"0"}, "max_results": {strconv.Itoa(q.Limit)},
		"sortBy": {"relevance"}, "sortOrder": {"descending"},
	})
}

func askArxiv(ctx context.Context, c *channels.Client, params url.Values) ([]channels.Result, error) {
	return channels.Ask(ctx, c, channels.Request{Params: params, Want: channels.WantXML, Explain: explainArxiv}, parseArxiv)
}

var (
	// arxivSyntax finds a field of arXiv's own query language; such a query is sent unchanged.
	arxivSyntax  = lazyregexp.New(`(?:^|[\s(])(?:ti|au|abs|co|jr|cat|rn|id|all):\S`)
	arxivVersion = lazyregexp.New(`v\d+$`)
	// arxivWithdrawn is how arXiv words a withdrawal in the comment, and in older papers in place of the abstract.
	arxivWithdrawn = lazyregexp.New(`(?i)^\W*(?:this (?:paper|article|submission|manuscript|work) (?:has been|is|was) withdrawn|withdrawn\b)`)
)

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

type arxivFeed struct {
	XMLName xml.Name `xml:"feed"`
	Entries []struct {
		ID        string   `xml:"id"`
		Title     string   `xml:"title"`
		Summary   string   `xml:"summary"`
		Comment   string   `xml:"http://arxiv.org/schemas/atom comment"`
		Published string   `xml:"published"` // of version 1
		Authors   []string `xml:"author>name"`
		// DOI of the published article, as the authors gave it
		PublishedDOI string `xml:"http://arxiv.org/schemas/atom doi"`
	} `xml:"entry"`
}

func parseArxiv(body []byte) ([]channels.Result, error) {
	feed, err := channels.DecodeXML[arxivFeed](body)
	if err != nil {
		return nil, err
	}
	var found []channels.Result
	for _, entry := range feed.Entries {
		if strings.Contains(entry.ID, "/api/errors") { // an error is an entry, with status 400 or 200
			return nil, channels.Fail(channels.StatusError, "the source says: %s", normal.Clip(sanitize.Line(entry.Summary), channels.MaxWords))
		}
		e := channels.Result{Evidence: channels.Evidence{
			Title:       entry.Title,
			Snippet:     entry.Summary,
			SourceType:  normal.CrossrefTypes["posted-content"],
			PublishedAt: entry.Published,
			Authors:     entry.Authors,
			Container:   "arXiv",
		}}
		if arxivWithdrawn.MatchString(entry.Comment) || arxivWithdrawn.MatchString(entry.Summary) {
			e.Update.Kind = "withdrawn"
		}
		if _, id, ok := strings.Cut(entry.ID, "/abs/"); ok {
			if m := normal.ArxivID.FindStringSubmatch(strings.TrimSpace(id)); m != nil {
				id, e.Version = arxivVersion.ReplaceAllString(m[1], ""), arxivVersion.FindString(m[1])
				e.URL = "https://arxiv.org/abs/" + id
				// arXiv's own DOI. The DOI of the published version identifies another document.
				e.DOI = "10.48550/arxiv." + id
				e.IDs = normal.Distinct(normal.ArxivKey(id))
				e.Related = normal.Distinct(normal.DOIKey(entry.PublishedDOI))
			}
		}
		found = append(found, e)
	}
	return found, nil
}

func explainArxiv(_ int, body []byte) (channels.Status, string) {
	feed, err := channels.DecodeXML[arxivFeed](body)
	if err != nil || len(feed.Entries) == 0 {
		return "", ""
	}
	return "", feed.Entries[0].Summary
}
