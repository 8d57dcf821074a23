// Package bounded bounds the memory of a process: a cache of values of different sizes.
package bounded

import (
	"math"
	"sync"

	"github.com/hashicorp/golang-lru/v2/simplelru"
)

// Cache keeps the last used values whose sizes sum to at most a limit in bytes. It keeps the last used value even
// if that one alone is larger. It is safe for concurrent use.
type Cache[K comparable, V comparable] struct {
	mu     sync.Mutex
	limit  int
	used   int
	values *simplelru.LRU[K, sized[V]]
}

type sized[V any] struct {
	value V
	size  int
}

// New returns a cache with a limit in bytes.
func New[K comparable, V comparable](limit int) *Cache[K, V] {
	values, _ := simplelru.NewLRU[K, sized[V]](math.MaxInt, nil) // its only error is a size below one
	return &Cache[K, V]{limit: limit, values: values}
}

// Get returns the value of a key.
func (c *Cache[K, V]) Get(key K) (V, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	kept, ok := c.values.Get(key)
	return kept.value, ok
}

// Keep adds a value of a size, or changes the size of the kept value, and returns the kept one. Another value with the same
// key stays.
func (c *Cache[K, V]) Keep(key K, value V, size int) V {
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

// Remove drops a value.
func (c *Cache[K, V]) Remove(key K) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if kept, ok := c.values.Peek(key); ok {
		c.used -= kept.size
		c.values.Remove(key)
	}
}
