package loops

import (
	"context"
	"slices"
	"time"

	"github.com/citeloop/citeloop/internal/standing"
	"github.com/citeloop/citeloop/internal/states"
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
	_, err = s.noteAgain(ctx, loop, again, nil)
	return err
}

// noteAgain records what is new about sources that were read or looked up again, and returns it. current has the texts of those that it
// stores beside the earlier ones.
func (s *Service) noteAgain(ctx context.Context, loop string, again []loopstate.Reread, current map[string]PageOutcome) (news []loopstate.Reread, err error) {
	if len(again) == 0 {
		return nil, nil
	}
	err = s.change(ctx, loop, "", func(st *loopstate.State) (loopstate.Payload, error) {
		if news = st.News(again); len(news) == 0 {
			return nil, nil
		}
		var sources []loopstate.Source
		var texts [][]byte
		needs := 0
		for _, r := range news {
			if now, ok := current[r.SourceID]; ok {
				sources, texts = append(sources, now.Source), append(texts, []byte(now.Text))
				needs += len(now.Text)
			}
		}
		if len(sources) == 0 || st.Abort != "" || s.checkSpace(ctx, "loop", int64(needs)) != nil { // what is known without the texts
			return loopstate.Read{Again: news}, nil
		}
		p, err := st.Read(sources, nil)
		if err != nil {
			return nil, err
		}
		for i, r := range news {
			key := current[r.SourceID].Key
			if src, ok := st.SourceByKey(key); ok && key != "" {
				news[i].Now = src.ID
			}
			for _, src := range p.Sources {
				if src.Key == key {
					news[i].Now = src.ID
				}
			}
		}
		p.Again = news
		return states.WithTexts{Payload: p, Texts: texts}, nil
	}, func(*loopstate.State, loopstate.Event) error { return nil })
	return news, err
}
