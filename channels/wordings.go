package channels

import (
	"context"
	"fmt"

	"github.com/citeloop/citeloop/channels/normal"
)

// searchWordings asks one channel for the query and then for its variants, one after the other. A failure ends it: the
// same source would fail again.
func (r *Registry) searchWordings(ctx context.Context, s *Client, q Query) (Outcome, []List) {
	wordings := append([]string{q.Text}, q.Variants...)
	var out Outcome
	var lists []List
	keys := map[string]bool{}
	for i, text := range wordings {
		q.Text = text
		one, found := r.search(ctx, s, q)
		lists = append(lists, List{Channel: s.Name, Variant: text, Results: found})
		for _, e := range found {
			keys[e.Key()] = true
		}
		if i == 0 {
			out = one
		} else {
			out = together(out, one, text, len(keys))
		}
		if one.Status != StatusOK && one.Status != StatusEmpty && one.Status != StatusDegraded {
			break
		}
	}
	return out, lists
}

// together adds the outcome of another wording; count is that of both.
func together(o, next Outcome, wording string, count int) Outcome {
	o.Took += next.Took
	o.Count = count
	o.RetryAfter = max(o.RetryAfter, next.RetryAfter)
	o.Provisional = o.Provisional || next.Provisional
	failed := next.Status != StatusOK && next.Status != StatusEmpty
	switch {
	case failed && (o.Status == StatusOK || count > 0):
		o.Status = StatusDegraded
	case failed:
		o.Status = next.Status
	case next.Status == StatusOK && o.Status == StatusEmpty:
		o.Status = StatusOK
	}
	said := next.Message
	if failed {
		said = normal.Join(string(next.Status), said)
	}
	if said != "" {
		o.Message = normal.Join(o.Message, fmt.Sprintf("for %q: %s", normal.Clip(wording, 60), said))
	}
	return o
}
