package web

import (
	"crypto/rand"
	"sync"
	"time"
)

const (
	// ticketLife is how long a one-time link works: long enough to open it, too short to be found in a log later.
	ticketLife = time.Minute
	// maxTickets are out at a time: one that is asked for beyond them takes the place of the oldest.
	maxTickets = 8
	// linkEvery is how often a visitor can have a link announced.
	linkEvery = 5 * time.Second
)

// tickets are the one-time links that were made and not used yet.
type tickets struct {
	now func() time.Time

	mu        sync.Mutex
	out       []ticket // oldest first
	announced time.Time
}

type ticket struct {
	word string
	till time.Time
}

func newTickets(now func() time.Time) *tickets { return &tickets{now: now} }

// draw makes a ticket. It has 128 random bits.
func (t *tickets) draw() string {
	word := rand.Text()
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.out) >= maxTickets {
		t.out = t.out[1:]
	}
	t.out = append(t.out, ticket{word, t.now().Add(ticketLife)})
	return word
}

// take reports whether a ticket is good, once.
func (t *tickets) take(word string) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	for i, k := range t.out {
		if k.word == word {
			t.out = append(t.out[:i:i], t.out[i+1:]...)
			return t.now().Before(k.till)
		}
	}
	return false
}

// mayAnnounce reports whether a link may be announced by now, and counts that it is.
func (t *tickets) mayAnnounce() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if now := t.now(); t.announced.IsZero() || now.Sub(t.announced) >= linkEvery {
		t.announced = now
		return true
	}
	return false
}
