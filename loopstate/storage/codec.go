package storage

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/klauspost/compress/zstd"

	"github.com/citeloop/citeloop/loopstate"
)

// MaxUnpackedBytes bounds a text or a snapshot, and so the memory that a damaged or forged row can take. It is about a
// hundred times a long book.
const MaxUnpackedBytes = 64 << 20

// Codec packs texts and snapshots with zstd. It is safe for concurrent use.
type Codec struct {
	// encoders has what idle encoders keep: 2 MB each after a large snapshot. The collector frees the ones not used lately.
	encoders sync.Pool
	decoder  *zstd.Decoder
}

// newEncoder returns an encoder for one goroutine. Frames have a checksum by default. The default window of 8 MiB takes
// 16 MB as soon as a snapshot is larger than a megabyte. One of 256 KiB packs snapshots as small as one of 1 MiB (measured).
func newEncoder() (*zstd.Encoder, error) {
	return zstd.NewWriter(nil, zstd.WithZeroFrames(true), zstd.WithWindowSize(256<<10), zstd.WithLowerEncoderMem(true), zstd.WithEncoderConcurrency(1))
}

func newCodec() (*Codec, error) {
	decoder, err := zstd.NewReader(nil, zstd.WithDecoderMaxMemory(MaxUnpackedBytes), zstd.WithDecoderMaxWindow(MaxUnpackedBytes))
	if err != nil {
		return nil, fmt.Errorf("storage: %w", err)
	}
	return &Codec{decoder: decoder}, nil
}

// Pack compresses at most 64 MiB.
func (c *Codec) Pack(b []byte) ([]byte, error) {
	if len(b) > MaxUnpackedBytes {
		return nil, fmt.Errorf("too large to store: %d bytes; the limit is %d", len(b), MaxUnpackedBytes)
	}
	encoder, idle := c.encoders.Get().(*zstd.Encoder)
	if !idle {
		var err error
		if encoder, err = newEncoder(); err != nil {
			return nil, fmt.Errorf("storage: %w", err)
		}
	}
	defer c.encoders.Put(encoder)
	return encoder.EncodeAll(b, nil), nil
}

// PackedText is a text as the stores keep it, under the hash of the unpacked text.
type PackedText struct {
	Hash   loopstate.Hash
	Packed []byte
}

// PackTexts packs texts, each once. They are sorted by hash, so that concurrent writers lock their rows in the same order.
func (c *Codec) PackTexts(texts [][]byte) ([]PackedText, error) {
	byHash := make(map[loopstate.Hash][]byte, len(texts))
	for _, text := range texts {
		byHash[loopstate.HashText(text)] = text
	}
	all := make([]PackedText, 0, len(byHash))
	for hash, text := range byHash {
		packed, err := c.Pack(text)
		if err != nil {
			return nil, err
		}
		all = append(all, PackedText{hash, packed})
	}
	slices.SortFunc(all, func(a, b PackedText) int { return bytes.Compare(a.Hash[:], b.Hash[:]) })
	return all, nil
}

// Unpack reverses Pack. It never returns nil for an empty text.
func (c *Codec) Unpack(packed []byte) ([]byte, error) {
	return c.decoder.DecodeAll(packed, []byte{})
}

// UnpackText unpacks a text and verifies its hash.
func (c *Codec) UnpackText(packed []byte, hash loopstate.Hash) ([]byte, error) {
	text, err := c.Unpack(packed)
	if err == nil && loopstate.HashText(text) != hash {
		err = errors.New("wrong sha256")
	}
	if err != nil {
		return nil, fmt.Errorf("%w: stored text %s does not match its hash; fetch its source again: %w", ErrDamaged, hash, err)
	}
	return text, nil
}

// UnpackSnapshot sets the state of a snapshot. A damaged snapshot counts as missing, because the log can still be folded.
func (c *Codec) UnpackSnapshot(s loopstate.Snapshot, packed []byte) (loopstate.Snapshot, error) {
	var err error
	if s.State, err = c.Unpack(packed); err != nil {
		return loopstate.Snapshot{}, fmt.Errorf("%w: damaged snapshot of loop %s: %v", loopstate.ErrNotFound, s.Loop, err)
	}
	return s, nil
}

func (c *Codec) close() { c.decoder.Close() }

// timeLayout has nanoseconds, UTC and a fixed length, so that times sort like their texts. PostgreSQL's own type has
// microseconds only, and SQLite has no time type.
const timeLayout = "2006-01-02T15:04:05.000000000Z"

// FormatTime formats a time of the years 0 to 9999, the range that CheckAppend accepts.
func FormatTime(t time.Time) string { return t.UTC().Format(timeLayout) }

// ParseTime parses the output of FormatTime.
func ParseTime(s string) (time.Time, error) { return time.Parse(time.RFC3339Nano, s) }
