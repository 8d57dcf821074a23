package loops

import (
	"cmp"
	"context"
	"sync"

	lru "github.com/hashicorp/golang-lru/v2"

	"github.com/citeloop/citeloop/loopstate"
)

// The user may be able to open a restricted page: one behind a login, a paywall or a browser check. If the host can ask the
// user, they can paste its text.

const (
	// MinPastedChars and MaxPastedChars bound a text that the user pastes, in code points. A long book has about
	// 2 million.
	MinPastedChars = loopstate.MinSourceChars
	MaxPastedChars = 2_000_000
)

// askForText asks for the first restricted page of a call that the user was not asked for yet, unless another call on the
// loop is asking. The user's text replaces the page.
func (s *Service) askForText(ctx context.Context, in ReadInput, out []PageOutcome) error {
	if in.AskText == nil || in.Loop == "" {
		return nil
	}
	for i := range out {
		if !out[i].AccessRestricted || out[i].AskedFor {
			continue
		}
		done, ok := s.questions.open(in.Loop)
		if !ok {
			return nil
		}
		defer done()
		a, err := in.AskText(ctx, TextQuestion{At: i, URL: out[i].URL, Reason: out[i].Reason})
		if a.Asked {
			s.questions.note(in.Loop, out[i].URL)
			out[i].AskedFor = true
		}
		if err == nil && a.Text != "" {
			out[i] = s.pasted(cmp.Or(a.Title, out[i].URL), a.Text, out[i].URL)
		}
		return err
	}
	return nil
}

// maxQuestions bounds the remembered pages.
const maxQuestions = 1_000

// questions remembers the last pages for which the user was asked, so that fetching a page again does not ask again, and
// the loops with an open question. A restart forgets both.
type questions struct {
	asked *lru.Cache[question, struct{}]
	opens sync.Map // loop ids
}

type question struct{ loop, url string }

// open marks a loop as having an open question until done is called. ok is false if it already has one.
func (q *questions) open(loop string) (done func(), ok bool) {
	if _, has := q.opens.LoadOrStore(loop, true); has {
		return nil, false
	}
	return func() { q.opens.Delete(loop) }, true
}

func (q *questions) note(loop, url string) { q.asked.Add(question{loop, url}, struct{}{}) }

func (q *questions) has(loop, url string) bool { return q.asked.Contains(question{loop, url}) }
