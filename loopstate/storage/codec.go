package storage

import (
	"bytes"
	"errors"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"

	"github.com/klauspost/compress/zstd"

	"github.com/citeloop/citeloop/loopstate"
)

// maxTextBytes bounds a text, and so the memory that a damaged or forged row can take. It is about a hundred times a long book.
const maxTextBytes = 64 << 20

func newDecoder() (*zstd.Decoder, error) {
	return zstd.NewReader(nil, zstd.WithDecoderMaxMemory(maxTextBytes), zstd.WithDecoderMaxWindow(maxTextBytes),
		zstd.WithDecoderConcurrency(1))
}

// packedText is a text as the stores keep it, under the hash of the unpacked text.
type packedText struct {
	hash  loopstate.Hash
	bytes []byte
}

// pack packs texts, each once, in frames with a checksum. They are sorted by hash, so that concurrent writers lock their rows in
// the same order. A window of 256 KiB packs texts as small as a larger one.
func pack(texts [][]byte) ([]packedText, error) {
	if len(texts) == 0 {
		return nil, nil
	}
	encoder, err := zstd.NewWriter(nil, zstd.WithZeroFrames(true), zstd.WithWindowSize(256<<10), zstd.WithLowerEncoderMem(true),
		zstd.WithEncoderConcurrency(1))
	if err != nil {
		return nil, err
	}
	byHash := map[loopstate.Hash]packedText{}
	for _, text := range texts {
		if len(text) > maxTextBytes {
			return nil, fmt.Errorf("too large to store: %d bytes; the limit is %d", len(text), maxTextBytes)
		}
		hash := loopstate.HashText(text)
		byHash[hash] = packedText{hash, encoder.EncodeAll(text, nil)}
	}
	return slices.SortedFunc(maps.Values(byHash), func(a, b packedText) int { return bytes.Compare(a.hash[:], b.hash[:]) }), nil
}

// unpack reverses pack and verifies the hash. It never returns nil for an empty text.
func unpack(decoder *zstd.Decoder, packed []byte, hash loopstate.Hash) ([]byte, error) {
	text, err := decoder.DecodeAll(packed, []byte{})
	if err == nil && loopstate.HashText(text) != hash {
		err = errors.New("wrong sha256")
	}
	return text, err
}

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
