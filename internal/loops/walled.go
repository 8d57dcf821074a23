package loops

import (
	"cmp"
	"context"
	"sync"

	lru "github.com/hashicorp/golang-lru/v2"

	"github.com/citeloop/citeloop/loopstate"
)

// A page behind a wall (a log-in, a subscription, a check for browsers) is one that the user may be able to open. A
// host whose user can be asked is given their text for it.

const (
	// MinPastedChars and MaxPastedChars bound a text that the user pastes, in code points. A long book has about
	// 2 million.
	MinPastedChars = loopstate.MinSourceChars
	MaxPastedChars = 2_000_000
)

// TextQuestion is what the user is asked when a page is walled.
type TextQuestion struct {
	At     int    // which of the call's addresses, from 0, each counted once
	URL    string // as the host gave it
	Reason string // what was met there
}

// TextAnswer is what came of it; the title may be missing. Text is empty when the user declined, did not answer, or gave none that is a source.
type TextAnswer struct {
	Asked       bool // false: there was no time left to ask
	Title, Text string
}

// AskText asks the user for the text of a walled page. An error ends the call; what was read besides is kept first.
type AskText func(ctx context.Context, q TextQuestion) (TextAnswer, error)

// HandedText is the user's text for one of a call's addresses.
type HandedText struct {
	At          int    // as in TextQuestion
	Title, Text string // the title may be missing
}

// askForText asks for the first walled page of a call that the user was not asked for yet: one question a call is
// enough, and searchers who work in parallel get one at a time. The user's text takes the place of the page.
func (s *Service) askForText(ctx context.Context, in ReadInput, out []PageOutcome) error {
	if in.AskText == nil || in.Loop == "" {
		return nil
	}
	for i := range out {
		if !out[i].Walled || out[i].AskedFor {
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

// maxQuestions are remembered: more walls than one research meets.
const maxQuestions = 1_000

// questions remembers the last pages for which the user was asked, so that a host that fetches a walled page
// repeatedly does not ask repeatedly; and which loops have an open question. After a restart the user may be
// asked once more.
type questions struct {
	asked *lru.Cache[question, struct{}]
	opens sync.Map // loop ids
}

type question struct{ loop, url string }

// open reports whether a loop has no open question; then it has one until done is called.
func (q *questions) open(loop string) (done func(), ok bool) {
	if _, has := q.opens.LoadOrStore(loop, true); has {
		return nil, false
	}
	return func() { q.opens.Delete(loop) }, true
}

func (q *questions) note(loop, url string) { q.asked.Add(question{loop, url}, struct{}{}) }

func (q *questions) has(loop, url string) bool { return q.asked.Contains(question{loop, url}) }
