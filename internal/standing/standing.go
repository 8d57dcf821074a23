// Package standing asks scholarly services what was published about a source after it was read: a retraction, a correction. It
// needs no store.
package standing

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/citeloop/citeloop/channels"
	"github.com/citeloop/citeloop/internal/docid"
	"github.com/citeloop/citeloop/loopstate"
)

// maxLooks is how many sources are looked up at a time; the services have rates of their own.
const maxLooks = 4

// Searcher searches channels.
type Searcher interface {
	Search(ctx context.Context, names []string, q channels.Query, done func(channels.Outcome)) (channels.Answer, error)
	List() []channels.Info
}

// Services are the services that are asked.
type Services struct {
	Searcher Searcher
	Now      func() time.Time
}

// Asks reports whether a service can be asked about a source.
func (s Services) Asks(src loopstate.Source) bool {
	_, ok := s.lookupOf(src)
	return ok
}

// lookup is what a service is asked about a source.
type lookup struct {
	text  string
	names []string
	key   string // of the record that answers
}

// lookupOf returns how to ask what was published about a source later. Only the proven identifier of a document that came from
// the web is sent to anybody.
func (s Services) lookupOf(src loopstate.Source) (l lookup, ok bool) {
	if s.Searcher == nil || src.Pasted || docid.Host(src.FinalURL) == "" {
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

// ask asks services what was published about a document later. It returns nil if none of them answered.
func (s Services) ask(ctx context.Context, l lookup) *loopstate.Standing {
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
		}
	}
	if len(asked) == 0 {
		return nil
	}
	out.From = cmp.Or(out.From, strings.Join(asked, ", "))
	return out
}

// Looks are look-ups that run while pages are read.
type Looks struct {
	from  Services
	ctx   context.Context
	turns chan struct{}
	all   sync.WaitGroup
	mu    sync.Mutex                     // guards found
	found map[string]*loopstate.Standing // by the key that was asked for; nil: not looked
}

// Looks returns look-ups that end with ctx.
func (s Services) Looks(ctx context.Context) *Looks {
	return &Looks{from: s, ctx: ctx, turns: make(chan struct{}, maxLooks), found: map[string]*loopstate.Standing{}}
}

// Begin looks a source up, without waiting for the answer.
func (l *Looks) Begin(src loopstate.Source) {
	q, ok := l.from.lookupOf(src)
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
		found := l.from.ask(l.ctx, q)
		l.mu.Lock()
		defer l.mu.Unlock()
		l.found[q.key] = found
	})
}

// Of returns the answer about a source, or nil. It waits for all answers, which come at the latest when the context ends.
func (l *Looks) Of(src loopstate.Source) *loopstate.Standing {
	l.all.Wait()
	if q, ok := l.from.lookupOf(src); ok {
		return l.found[q.key]
	}
	return nil
}
