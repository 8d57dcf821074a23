package loops

import (
	"math"
	"sync"

	"github.com/hashicorp/golang-lru/v2/simplelru"
)

// bounded is a cache of the last used values whose sizes sum to at most a limit in bytes. It keeps the last used value even
// if that one alone is larger. It is safe for concurrent use.
type bounded[K comparable, V comparable] struct {
	mu     sync.Mutex
	limit  int
	used   int
	values *simplelru.LRU[K, sized[V]]
}

type sized[V any] struct {
	value V
	size  int
}

func newBounded[K comparable, V comparable](limit int) *bounded[K, V] {
	values, _ := simplelru.NewLRU[K, sized[V]](math.MaxInt, nil) // its only error is a size below one
	return &bounded[K, V]{limit: limit, values: values}
}

func (c *bounded[K, V]) get(key K) (V, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	kept, ok := c.values.Get(key)
	return kept.value, ok
}

// keep adds a value of a size, or changes the size of the kept value, and returns the kept one. Another value with the same
// key stays.
func (c *bounded[K, V]) keep(key K, value V, size int) V {
	c.mu.Lock()
	defer c.mu.Unlock()
	kept, ok := c.values.Get(key)
	if ok && kept.value != value {
		return kept.value
	}
	c.used += size - kept.size
	c.values.Add(key, sized[V]{value, size})
	for c.used > c.limit && c.values.Len() > 1 {
		_, oldest, _ := c.values.RemoveOldest()
		c.used -= oldest.size
	}
	return value
}

// bytes returns the sum of the sizes.
func (c *bounded[K, V]) bytes() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.used
}

func (c *bounded[K, V]) remove(key K) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if kept, ok := c.values.Peek(key); ok {
		c.used -= kept.size
		c.values.Remove(key)
	}
}
