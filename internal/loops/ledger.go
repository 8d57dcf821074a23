package loops

import (
	"context"

	"github.com/citeloop/citeloop/fetch"
	"github.com/citeloop/citeloop/loopstate"
)

// What is answered to the host is entered into the loop's read ledger (loopstate/ledger.go): by the event that the
// call appends anyway, or by one of its own where it appends none. A call that shows nothing new appends nothing.

// shownOf is what an answer shows of each page, by source id: of a text that the event under way brings, the id
// that it gets there.
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

// wholeTexts is what a caller of [Service.Read] shows who does not say: all of it.
func wholeTexts(pages []PageOutcome) []loopstate.Spans {
	spans := make([]loopstate.Spans, len(pages))
	for i, p := range pages {
		spans[i] = loopstate.Spans{{0, p.Chars}}
	}
	return spans
}

type onlookerKey struct{}

// AsOnlooker says that the calls under ctx are made by somebody who may look at loops and not change them. What is
// shown to an onlooker is not entered into the ledger: whoever makes the claims has not seen it.
func AsOnlooker(ctx context.Context) context.Context {
	return context.WithValue(ctx, onlookerKey{}, true)
}

// enter writes what an answer shows into the ledger. A loop that was aborted is read on without one: nothing can
// be claimed in it any more.
func (s *Service) enter(ctx context.Context, loop string, shown []loopstate.ShownText) error {
	if onlooker, _ := ctx.Value(onlookerKey{}).(bool); onlooker || len(shown) == 0 {
		return nil
	}
	return s.change(ctx, loop, "", func(st *loopstate.State) (loopstate.Payload, error) {
		return entry(st, shown), nil
	}, func(*loopstate.State, loopstate.Event) error { return nil })
}

// entry is the event that the ledger lacks, or nil.
func entry(st *loopstate.State, shown []loopstate.ShownText) loopstate.Payload {
	if fresh := st.Unrecorded(shown); len(fresh) > 0 && st.Abort == "" {
		return loopstate.Shown{Shown: fresh}
	}
	return nil
}
