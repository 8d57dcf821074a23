package loops

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/citeloop/citeloop/channels"
	"github.com/citeloop/citeloop/internal/docid"
	"github.com/citeloop/citeloop/internal/states"
	"github.com/citeloop/citeloop/loopstate"
)

const (
	// lookTime is how long a fetch waits after its pages for what was published about them (chosen: Crossref answers in one
	// second, and is asked once a second). A later call looks up what is left.
	lookTime = 4 * time.Second
	// maxLooks is how many sources are looked up at a time; the services have rates of their own.
	maxLooks = 4
)

// lookup is what a service is asked about a source.
type lookup struct {
	text  string
	names []string
	key   string // of the record that answers
}

// lookupOf returns how to ask what was published about a source later. Only the proven identifier of a document that came from
// the web is sent to anybody.
func (s *Service) lookupOf(src loopstate.Source) (l lookup, ok bool) {
	if !s.LookUp || src.Pasted || docid.Host(src.FinalURL) == "" {
		return l, false
	}
	kind, id, _ := strings.Cut(src.Key, ":")
	switch {
	case src.DOI != "":
		l = lookup{src.DOI, []string{"crossref", "openalex"}, docid.CanonicalKey("", src.DOI)}
		if strings.HasPrefix(l.key, "arxiv:") {
			l.text, l.names = strings.TrimPrefix(l.key, "arxiv:"), []string{"arxiv"}
		}
	case kind == "arxiv":
		l = lookup{id, []string{"arxiv"}, src.Key}
	case kind == "pmid":
		l = lookup{id, []string{"pubmed"}, src.Key}
	}
	if len(l.names) == 0 { // the list of channels may ask the store
		return l, false
	}
	var configured []string
	for _, c := range s.Searcher.List() {
		if c.Configured && slices.Contains(l.names, c.Name) {
			configured = append(configured, c.Name)
		}
	}
	l.names = configured
	return l, len(configured) > 0
}

// gravest are the kinds of updates, the gravest first.
var gravest = []string{"retracted", "withdrawn", "removed", "expression of concern", "corrected", ""}

// standing asks services what was published about a document later. It returns nil if none of them answered.
func (s *Service) standing(ctx context.Context, l lookup) *loopstate.Standing {
	out := &loopstate.Standing{At: s.Now().UTC().Truncate(time.Second)}
	var asked []string
	for _, name := range l.names {
		answer, err := s.Searcher.Search(ctx, []string{name}, channels.Query{Text: l.text, Limit: 3}, nil)
		if err != nil || !slices.ContainsFunc(answer.Outcomes, func(o channels.Outcome) bool {
			return o.Status == channels.StatusOK || o.Status == channels.StatusEmpty
		}) {
			continue
		}
		asked = append(asked, name)
		for _, found := range answer.Evidence {
			if found.Evidence.Key() != l.key && !slices.Contains(found.IDs, l.key) {
				continue
			}
			if u := found.Update; slices.Index(gravest, u.Kind) < slices.Index(gravest, out.Kind) {
				out.Kind, out.Notice, out.Date, out.From = u.Kind, u.Notice, u.Date, name
			}
			out.Version = cmp.Or(out.Version, found.Version)
			out.Related = append(out.Related, found.Related...)
		}
	}
	if len(asked) == 0 {
		return nil
	}
	out.From = cmp.Or(out.From, strings.Join(asked, ", "))
	slices.Sort(out.Related)
	out.Related = slices.Compact(out.Related)
	return out
}

// looks are look-ups that run while pages are read.
type looks struct {
	svc   *Service
	ctx   context.Context
	turns chan struct{}
	all   sync.WaitGroup
	mu    sync.Mutex                     // guards found
	found map[string]*loopstate.Standing // by the key that was asked for; nil: not looked
}

func (s *Service) newLooks(ctx context.Context) *looks {
	return &looks{svc: s, ctx: ctx, turns: make(chan struct{}, maxLooks), found: map[string]*loopstate.Standing{}}
}

// begin looks a source up, without waiting for the answer.
func (l *looks) begin(src loopstate.Source) {
	q, ok := l.svc.lookupOf(src)
	if !ok {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if _, asked := l.found[q.key]; asked {
		return
	}
	l.found[q.key] = nil
	l.all.Go(func() {
		select {
		case l.turns <- struct{}{}:
			defer func() { <-l.turns }()
		case <-l.ctx.Done():
			return
		}
		found := l.svc.standing(l.ctx, q)
		l.mu.Lock()
		defer l.mu.Unlock()
		l.found[q.key] = found
	})
}

// of returns the answer about a source, or nil. It waits for all answers, which come at the latest when the context ends.
func (l *looks) of(src loopstate.Source) *loopstate.Standing {
	l.all.Wait()
	if q, ok := l.svc.lookupOf(src); ok {
		return l.found[q.key]
	}
	return nil
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
	looks := s.newLooks(looking)
	for _, src := range missing {
		looks.begin(src)
	}
	var again []loopstate.Reread
	for _, src := range missing {
		if found := looks.of(src); found != nil {
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
