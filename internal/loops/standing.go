package loops

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/citeloop/citeloop/channels"
	"github.com/citeloop/citeloop/internal/docid"
	"github.com/citeloop/citeloop/loopstate"
)

const (
	// lookTime is how long a call waits for what was published about its sources (chosen: Crossref answers in one second, and is asked
	// once a second). A later call looks up what is left.
	lookTime = 6 * time.Second
	// maxLooks is how many sources are looked up at a time; the services have rates of their own.
	maxLooks = 4
)

// lookUp asks scholarly services what was published about sources later: a retraction, a correction. The answers are in the order of
// the sources, nil for one about which no service answered before ctx ends.
func (s *Service) lookUp(ctx context.Context, sources []loopstate.Source) []*loopstate.Standing {
	found := make([]*loopstate.Standing, len(sources))
	var looks errgroup.Group
	looks.SetLimit(maxLooks)
	for i, src := range sources {
		if q, ok := s.lookupOf(src); ok {
			looks.Go(func() error {
				found[i] = s.ask(ctx, q)
				return nil
			})
		}
	}
	_ = looks.Wait()
	return found
}

// lookup is what services are asked about a source.
type lookup struct {
	text  string
	names []string
	key   string // of the record that answers
}

// lookupOf returns how to ask about a source, if the user wants that. Only the proven identifier of a document that came from the web is
// sent to anybody.
func (s *Service) lookupOf(src loopstate.Source) (l lookup, ok bool) {
	if !s.LookUp || src.Pasted || src.SHA256 == "" || docid.Host(src.FinalURL) == "" {
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
	default: // the list of channels may ask the store
		return l, false
	}
	all := s.Searcher.List()
	l.names = slices.DeleteFunc(l.names, func(name string) bool {
		return !slices.ContainsFunc(all, func(c channels.Info) bool { return c.Name == name && c.Configured })
	})
	return l, len(l.names) > 0
}

// gravest are the kinds of updates, the gravest first.
var gravest = []string{"retracted", "withdrawn", "removed", "expression of concern", "corrected", ""}

// ask returns the gravest update that services name, or nil if none of them answered.
func (s *Service) ask(ctx context.Context, l lookup) *loopstate.Standing {
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

// lookUpMissing looks up the sources that nobody has looked up yet, before a report. What cannot be looked up in time stays so.
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
	var again []loopstate.Reread
	for i, found := range s.lookUp(looking, missing) {
		if found != nil {
			again = append(again, loopstate.Reread{SourceID: missing[i].ID, At: found.At, Standing: found})
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
	err = change(ctx, s, loop, "", "", func(st *loopstate.State) (loopstate.Payload, error) {
		if news = st.News(again); len(news) == 0 {
			return nil, nil
		}
		return loopstate.Read{Again: news}, nil
	}, func(*loopstate.State, *loopstate.Read, loopstate.Event) error { return nil })
	return news, err
}
