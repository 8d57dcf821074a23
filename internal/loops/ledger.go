package loops

import (
	"context"

	"github.com/citeloop/citeloop/fetch"
	"github.com/citeloop/citeloop/loopstate"
)

// The loop's read ledger (loopstate/shown.go) records what answers show to the host: in the event of the call, or in an
// extra event if the call has none. A call that shows nothing new appends nothing.

// shownOf returns what an answer shows of each page, by source id. fresh are the sources of the new event.
func shownOf(st *loopstate.State, fresh []loopstate.Source, pages []PageOutcome, spans []loopstate.Spans) []loopstate.ShownText {
	ids := make(map[string]string, len(fresh))
	for _, src := range fresh {
		ids[src.Key] = src.ID
	}
	var shown []loopstate.ShownText
	for i, p := range pages {
		if p.Status != fetch.StatusRead || i >= len(spans) {
			continue
		}
		id := ids[p.Key]
		if src, ok := st.SourceByKey(p.Key); ok {
			id = src.ID
		}
		shown = append(shown, loopstate.ShownText{SourceID: id, Spans: spans[i]})
	}
	return shown
}

// wholeTexts is the default of [ReadInput.Show].
func wholeTexts(pages []PageOutcome) []loopstate.Spans {
	spans := make([]loopstate.Spans, len(pages))
	for i, p := range pages {
		spans[i] = loopstate.Spans{{0, p.Chars}}
	}
	return spans
}

type onlookerKey struct{}

// AsOnlooker marks the calls under ctx as those of somebody who may read loops but not change them. The ledger does not
// record what they see, because they do not make the claims.
func AsOnlooker(ctx context.Context) context.Context {
	return context.WithValue(ctx, onlookerKey{}, true)
}

func onlooks(ctx context.Context) bool {
	onlooker, _ := ctx.Value(onlookerKey{}).(bool)
	return onlooker
}

// recordShown records what an answer shows. It does nothing for an aborted loop, which gets no more claims.
func (s *Service) recordShown(ctx context.Context, loop string, shown []loopstate.ShownText) error {
	if onlooks(ctx) || len(shown) == 0 {
		return nil
	}
	return s.change(ctx, loop, "", func(st *loopstate.State) (loopstate.Payload, error) {
		return shownEvent(st, shown), nil
	}, func(*loopstate.State, loopstate.Event) error { return nil })
}

// shownEvent returns the missing ledger event, or nil.
func shownEvent(st *loopstate.State, shown []loopstate.ShownText) loopstate.Payload {
	if fresh := st.Unrecorded(shown); len(fresh) > 0 && st.Abort == "" {
		return loopstate.Shown{Shown: fresh}
	}
	return nil
}
