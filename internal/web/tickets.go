package web

import (
	"crypto/rand"
	"sync"
	"time"
)

const (
	// ticketLife is how long a one-time link works: long enough to open it, too short to be reused from a log.
	ticketLife = time.Minute
	// maxTickets bounds the unused links; a new one replaces the oldest.
	maxTickets = 8
	// linkEvery is how often a visitor can request a link.
	linkEvery = 5 * time.Second
)

// tickets are the unused one-time links.
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

// draw returns a new ticket of 128 random bits.
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

// take invalidates a ticket and reports whether it was valid.
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

// mayAnnounce reports whether a link may be announced now, and records the time.
func (t *tickets) mayAnnounce() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if now := t.now(); t.announced.IsZero() || now.Sub(t.announced) >= linkEvery {
		t.announced = now
		return true
	}
	return false
}
