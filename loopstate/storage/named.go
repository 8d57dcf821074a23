package storage

import (
	"bytes"
	"iter"
	"maps"
	"slices"
	"strings"

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
		for run := range bytes.FieldsFuncSeq(data, func(r rune) bool { return !strings.ContainsRune("0123456789abcdefABCDEF", r) }) {
			if h, err := loopstate.ParseHash(string(run)); err == nil && !yield(h) {
				return
			}
		}
	}
}
