package storage

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/klauspost/compress/zstd"

	"github.com/citeloop/citeloop/loopstate"
)

// maxTextBytes bounds a text, and so the memory that a damaged or forged row can take. It is about a hundred times a long book.
const maxTextBytes = 64 << 20

func newDecoder() (*zstd.Decoder, error) {
	return zstd.NewReader(nil, zstd.WithDecoderMaxMemory(maxTextBytes), zstd.WithDecoderMaxWindow(maxTextBytes),
		zstd.WithDecoderConcurrency(1))
}

// Text is a text as the stores keep it, under the hash of the unpacked text.
type Text struct {
	Hash   loopstate.Hash
	Packed []byte
}

// pack packs texts, each once, in frames with a checksum. They are sorted by hash, so that concurrent writers lock their rows in
// the same order. A window of 256 KiB packs texts as small as a larger one.
func pack(texts [][]byte) ([]Text, error) {
	if len(texts) == 0 {
		return nil, nil
	}
	encoder, err := zstd.NewWriter(nil, zstd.WithZeroFrames(true), zstd.WithWindowSize(256<<10), zstd.WithLowerEncoderMem(true),
		zstd.WithEncoderConcurrency(1))
	if err != nil {
		return nil, err
	}
	byHash := map[loopstate.Hash]Text{}
	for _, text := range texts {
		if len(text) > maxTextBytes {
			return nil, fmt.Errorf("too large to store: %d bytes; the limit is %d", len(text), maxTextBytes)
		}
		hash := loopstate.HashText(text)
		byHash[hash] = Text{hash, encoder.EncodeAll(text, nil)}
	}
	return slices.SortedFunc(maps.Values(byHash), func(a, b Text) int { return bytes.Compare(a.Hash[:], b.Hash[:]) }), nil
}

// unpack reverses pack and verifies the hash. It never returns nil for an empty text.
func unpack(decoder *zstd.Decoder, packed []byte, hash loopstate.Hash) ([]byte, error) {
	text, err := decoder.DecodeAll(packed, []byte{})
	if err == nil && loopstate.HashText(text) != hash {
		err = errors.New("wrong sha256")
	}
	return text, err
}
