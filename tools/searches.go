package tools

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"

	"github.com/citeloop/citeloop/channels"
	"github.com/citeloop/citeloop/internal/loops"
	"golang.org/x/sync/errgroup"
)

type searcher interface {
	Search(ctx context.Context, in loops.SearchInput) (loops.Found, error)
}

// searches are the searches of a call, one for each query.
type searches struct {
	svc     searcher
	ask     loops.SearchInput // without query and limit
	queries []string
}

// run asks all queries for a number of hits of each channel. The further ones are not asked if no channel answered the first one:
// they would fail as well. again asks for hits that an earlier call had, see [loops.SearchInput].
func (s *searches) run(ctx context.Context, limit int, again bool) (found []loops.Found, notAsked []string, err error) {
	found = make([]loops.Found, len(s.queries))
	total := len(s.ask.Channels) * len(s.queries)
	search := func(ctx context.Context, i int, operation string) (err error) {
		ask := s.ask
		ask.Operation, ask.Again, ask.Query.Text, ask.Query.Limit = operation, again, s.queries[i], limit
		ask.Done = func(o channels.Outcome) {
			stepped(ctx, total, fmt.Sprintf("%s: %s, %d hits", o.Name, o.Status, o.Count))
		}
		found[i], err = s.svc.Search(ctx, ask)
		return err
	}
	if err := search(ctx, 0, s.ask.Operation); err != nil {
		return nil, nil, err
	}
	if !searched(found[0]) {
		return found[:1], s.queries[1:], nil
	}
	group, searching := errgroup.WithContext(ctx)
	for i, query := range s.queries {
		if i > 0 || len(s.queries) > 1 && provisional(found[0]) { // the index has grown
			group.Go(func() error { return search(searching, i, operationFor(s.ask.Operation, query)) })
		}
	}
	return found, nil, group.Wait()
}

// operationFor returns the operation id of one of several queries of a call. It has a fixed length, and no host can choose
// an id that equals it.
func operationFor(call, query string) string {
	if call == "" {
		return ""
	}
	sum := sha256.Sum256(fmt.Appendf(nil, "citeloop query %d:%s%s", len(call), call, query))
	return "query-" + hex.EncodeToString(sum[:])
}

// provisional reports whether a channel answered from a part of its source.
func provisional(f loops.Found) bool {
	return slices.ContainsFunc(f.Outcomes, func(o channels.Outcome) bool { return o.Provisional })
}

// searched reports whether any channel could be searched.
func searched(f loops.Found) bool {
	return slices.ContainsFunc(f.Outcomes, func(o channels.Outcome) bool {
		return o.Status == channels.StatusOK || o.Status == channels.StatusEmpty || o.Status == channels.StatusDegraded
	})
}
