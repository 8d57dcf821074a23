package channels

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"github.com/citeloop/citeloop/channels/local"
)

// listedBy is the channel that can list its documents.
const listedBy = "local"

// Mark identifies an address in a cursor.
func Mark(url string) uint32 { return local.Mark(url) }

// listed returns a [*QueryError] if the channels cannot list, or if the query has what a list does not apply.
func (q Query) listed(names []string) error {
	if len(names) != 1 || names[0] != listedBy {
		return &QueryError{"list", fmt.Sprintf("not possible with %s; use the channel %s alone, or leave list out", strings.Join(names, ", "), listedBy)}
	}
	for _, f := range []struct{ name, value string }{{"since", q.Since}, {"until", q.Until}, {"language", q.Language}} {
		if f.value != "" {
			return &QueryError{f.name, "not applied to a list; put a filter into query, such as created:2024 or language:en"}
		}
	}
	return nil
}

// listLocal lists the documents of the user's own folders.
func listLocal(ctx context.Context, c *client, q Query) ([]Result, error) {
	l, report, err := c.cfg.Corpus.List(ctx, q.Text, q.From, q.After, cmp.Or(q.Limit, DefaultLimit), progressOf(ctx, listedBy))
	if err != nil {
		return nil, notRead(err)
	}
	found := make([]Result, len(l.Entries))
	for i, e := range l.Entries {
		found[i] = Result{Evidence: Evidence{Title: e.Title, URL: local.FileURL(e.Path), Snippet: e.Head,
			SourceType: e.SourceType, PublishedAt: e.PublishedAt, Authors: e.Authors, DOI: e.DOI, Language: e.Language}}
	}
	remark := remarkOn(report)
	if remark == nil {
		remark = &Failure{Status: StatusOK, inconclusive: true}
	}
	remark.Message = joinMessages([]string{l.Words, remark.Message})
	remark.total, remark.first = l.Total, l.First
	return found, remark
}

// inOrder returns the results of lists as they are.
func inOrder(lists []List) (out []Ranked) {
	for _, l := range lists {
		for _, r := range l.Results {
			out = append(out, Ranked{Evidence: r.Evidence, Key: r.Key(), IDs: r.IDs, Ranks: map[string]int{l.Channel: len(out) + 1}, Share: 1})
		}
	}
	return out
}
