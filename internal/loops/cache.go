package loops

import (
	"container/list"
	"sync"

	"github.com/citeloop/citeloop/loopstate"
)

// maxCachedLoops bounds the folded states kept in memory. A loop that falls out is loaded again from its
// snapshot and the tail of its log.
const maxCachedLoops = 256

// cachedLoop is a folded state with the lock that one call at a time holds. state is nil until it was
// loaded, and again after anything went wrong while it was being changed.
type cachedLoop struct {
	id       string
	mu       sync.Mutex
	state    *loopstate.State
	snapshot int64 // the event of the last snapshot that is known
	users    int   // calls that hold or wait for mu; guarded by the cache's lock
	element  *list.Element
}

// stateCache keeps the states used last. It never evicts one that is in use.
type stateCache struct {
	mu     sync.Mutex
	limit  int
	loops  map[string]*cachedLoop
	recent *list.List // of *cachedLoop, most recent first
}

func newStateCache(limit int) *stateCache {
	return &stateCache{limit: limit, loops: map[string]*cachedLoop{}, recent: list.New()}
}

// acquire returns the loop's entry, locked. release must follow.
func (c *stateCache) acquire(id string) *cachedLoop {
	c.mu.Lock()
	l, ok := c.loops[id]
	if !ok {
		l = &cachedLoop{id: id}
		l.element = c.recent.PushFront(l)
		c.loops[id] = l
	} else {
		c.recent.MoveToFront(l.element)
	}
	l.users++
	c.mu.Unlock()
	l.mu.Lock()
	return l
}

func (c *stateCache) release(l *cachedLoop) {
	l.mu.Unlock()
	c.mu.Lock()
	defer c.mu.Unlock()
	l.users--
	// An id that led nowhere is not kept, or guessing ids would fill the cache.
	if l.users == 0 && l.state == nil {
		c.drop(l)
	}
	for e := c.recent.Back(); e != nil && len(c.loops) > c.limit; {
		oldest := e.Value.(*cachedLoop)
		e = e.Prev()
		if oldest.users == 0 {
			c.drop(oldest)
		}
	}
}

func (c *stateCache) drop(l *cachedLoop) {
	c.recent.Remove(l.element)
	delete(c.loops, l.id)
}
