package storage

import (
	"bytes"
	"iter"
	"maps"
	"slices"

	"github.com/citeloop/citeloop/loopstate"
)

// named returns the hashes that events name, each once and sorted. An append stores them with its loop, so that a Delete
// knows which texts no other loop names.
func named(events []loopstate.Event) []loopstate.Hash {
	all := map[loopstate.Hash]bool{}
	for _, e := range events {
		for h := range HashesIn(e.Data) {
			all[h] = true
		}
	}
	return slices.SortedFunc(maps.Keys(all), func(a, b loopstate.Hash) int { return bytes.Compare(a[:], b[:]) })
}

// HashesIn yields the hashes in data: each run of exactly 64 hexadecimal digits, in lower or upper case. They tell a store
// which texts an event names, without knowing its payload.
func HashesIn(data []byte) iter.Seq[loopstate.Hash] {
	return func(yield func(loopstate.Hash) bool) {
		const digits = 2 * len(loopstate.Hash{})
		for i := 0; i < len(data); i++ {
			start := i
			for i < len(data) && hexDigit(data[i]) {
				i++
			}
			if i-start == digits {
				if h, err := loopstate.ParseHash(string(data[start:i])); err == nil && !yield(h) {
					return
				}
			}
		}
	}
}

func hexDigit(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c && c <= 'f' || 'A' <= c && c <= 'F'
}
