package storage

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/klauspost/compress/zstd"

	"github.com/citeloop/citeloop/loopstate"
)

// maxTextBytes bounds a text, and so the memory that a damaged or forged row can take. It is about a hundred times a long book.
const maxTextBytes = 64 << 20

// codec packs texts with zstd. It is safe for concurrent use. The zero value is ready.
type codec struct {
	encoders sync.Pool // idle ones; the collector frees those not used lately
	decoder  *zstd.Decoder
}

func newCodec() (*codec, error) {
	decoder, err := zstd.NewReader(nil, zstd.WithDecoderMaxMemory(maxTextBytes), zstd.WithDecoderMaxWindow(maxTextBytes),
		zstd.WithDecoderConcurrency(1))
	if err != nil {
		return nil, fmt.Errorf("storage: %w", err)
	}
	return &codec{decoder: decoder}, nil
}

// pack compresses a text. Frames have a checksum by default. A window of 256 KiB packs texts as small as a larger one.
func (c *codec) pack(text []byte) ([]byte, error) {
	if len(text) > maxTextBytes {
		return nil, fmt.Errorf("too large to store: %d bytes; the limit is %d", len(text), maxTextBytes)
	}
	encoder, idle := c.encoders.Get().(*zstd.Encoder)
	if !idle {
		var err error
		encoder, err = zstd.NewWriter(nil, zstd.WithZeroFrames(true), zstd.WithWindowSize(256<<10), zstd.WithLowerEncoderMem(true),
			zstd.WithEncoderConcurrency(1))
		if err != nil {
			return nil, fmt.Errorf("storage: %w", err)
		}
	}
	defer c.encoders.Put(encoder)
	return encoder.EncodeAll(text, nil), nil
}

// Text is a text as the stores keep it, under the hash of the unpacked text.
type Text struct {
	Hash   loopstate.Hash
	Packed []byte
}

// packAll packs texts, each once. They are sorted by hash, so that concurrent writers lock their rows in the same order.
func (c *codec) packAll(texts [][]byte) ([]Text, error) {
	byHash := make(map[loopstate.Hash][]byte, len(texts))
	for _, text := range texts {
		byHash[loopstate.HashText(text)] = text
	}
	all := make([]Text, 0, len(byHash))
	for hash, text := range byHash {
		packed, err := c.pack(text)
		if err != nil {
			return nil, err
		}
		all = append(all, Text{hash, packed})
	}
	slices.SortFunc(all, func(a, b Text) int { return bytes.Compare(a.Hash[:], b.Hash[:]) })
	return all, nil
}

// unpack reverses pack and verifies the hash. It never returns nil for an empty text.
func (c *codec) unpack(packed []byte, hash loopstate.Hash) ([]byte, error) {
	text, err := c.decoder.DecodeAll(packed, []byte{})
	if err == nil && loopstate.HashText(text) != hash {
		err = errors.New("wrong sha256")
	}
	return text, err
}
