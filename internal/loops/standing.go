package loops

import (
	"context"
	"slices"
	"time"

	"github.com/citeloop/citeloop/internal/standing"
	"github.com/citeloop/citeloop/loopstate"
)

// lookTime is how long a fetch waits after its pages for what was published about them (chosen: Crossref answers in one
// second, and is asked once a second). A later call looks up what is left.
const lookTime = 4 * time.Second

// services are those that are asked what was published about a source: none unless the user wants them.
func (s *Service) services() standing.Services {
	if !s.LookUp {
		return standing.Services{}
	}
	return standing.Services{Searcher: s.Searcher, Now: s.Now}
}

// lookUpMissing looks up the cited sources that nobody has looked up yet, before a report. What cannot be looked up in time stays so.
func (s *Service) lookUpMissing(ctx context.Context, loop string) error {
	if !s.LookUp {
		return nil
	}
	sources, err := s.Sources(ctx, loop)
	if err != nil {
		return err
	}
	missing := slices.DeleteFunc(sources, func(src loopstate.Source) bool { return src.Standing != nil })
	looking, cancel := context.WithTimeout(ctx, lookTime)
	defer cancel()
	looks := s.services().Looks(looking)
	for _, src := range missing {
		looks.Begin(src)
	}
	var again []loopstate.Reread
	for _, src := range missing {
		if found := looks.Of(src); found != nil {
			again = append(again, loopstate.Reread{SourceID: src.ID, At: found.At, Standing: found})
		}
	}
	_, err = s.noteAgain(ctx, loop, again)
	return err
}

// noteAgain records what is new about sources that were read or looked up again, and returns it.
func (s *Service) noteAgain(ctx context.Context, loop string, again []loopstate.Reread) (news []loopstate.Reread, err error) {
	if len(again) == 0 {
		return nil, nil
	}
	err = change(ctx, s, loop, "", func(st *loopstate.State) (loopstate.Payload, error) {
		if news = st.News(again); len(news) == 0 {
			return nil, nil
		}
		return loopstate.Read{Again: news}, nil
	}, func(*loopstate.State, *loopstate.Read, loopstate.Event) error { return nil })
	return news, err
}
