// Package states holds the folded states of loops in memory. Any number of calls read a state at the same time, one at a time
// changes it, and no lock is held across I/O. The log of the store decides: a state is brought up to its end before each
// use, and of two processes that append at the same time one repeats its step.
package states

import (
	"context"
	"log/slog"
	"time"

	"github.com/citeloop/citeloop/internal/bounded"
	"github.com/citeloop/citeloop/loopstate"
)

const (
	// maxStateBytes bounds the folded states in memory. An evicted loop is loaded again from its snapshot and the end of its
	// log.
	maxStateBytes = 32 << 20
	// bytesPerJSON is the memory of a state and its draft for each byte of its snapshot, and bytesPerState that of an empty
	// one. Measured as the heap of 30 loops with hits, sources and claims.
	bytesPerJSON, bytesPerState = 6, 8 << 10
	// WriteTimeout bounds one write. The caller's context does not cancel a write that has started, so that a cancelled
	// call has a known outcome.
	WriteTimeout = 10 * time.Second
)

// Config configures a Cache. All fields are required.
type Config struct {
	Store    loopstate.Store
	Now      func() time.Time
	NewID    func() string // for operations
	Logger   *slog.Logger
	Owner    func(ctx context.Context) (string, error)  // of the call
	MayWrite func(ctx context.Context, bytes int) error // returns an error if the owner has no space for an event
	Forgot   func(loop string)                          // called when a loop is dropped from memory
}

// Cache keeps the states of the last used loops.
type Cache struct {
	Config
	loops *bounded.Cache[string, *entry]
}

// New returns an empty Cache.
func New(cfg Config) *Cache {
	return &Cache{Config: cfg, loops: bounded.New[string, *entry](maxStateBytes)}
}

// cached returns the loop's entry. A new entry is not cached until the loop is found, so that guessed ids do not evict
// loops.
func (c *Cache) cached(id string) *entry {
	if l, ok := c.loops.Get(id); ok {
		return l
	}
	return newEntry(id)
}

// cacheState caches the entry of a loop that exists, by its present size. The caller holds the turn.
func (c *Cache) cacheState(l *entry) { c.loops.Keep(l.id, l, bytesPerState+bytesPerJSON*l.json) }

// forget drops a loop from memory. The caller holds the turn.
func (c *Cache) forget(l *entry) {
	l.draft, l.snapshot, l.json = nil, 0, 0
	l.publish(nil)
	c.loops.Remove(l.id)
	c.Forgot(l.id)
}

// UnknownLoop is the error for malformed ids, unknown loops, and loops of other owners, so that callers cannot distinguish
// them.
func UnknownLoop() error {
	return &loopstate.Error{Code: loopstate.CodeUnknownLoop, Subject: "loop"}
}
