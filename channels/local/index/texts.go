package index

import (
	"fmt"
	"sync"

	"github.com/klauspost/compress/zstd"
)

// chunkBytes is the unit of compression (chosen): reading a passage unpacks one or two chunks, a tenth of a millisecond
// each, and larger chunks compress little better.
const chunkBytes = 64 << 10

// textWriter compresses concatenated texts into chunks.
type textWriter struct {
	enc    *zstd.Encoder
	open   []byte
	packed []byte
	ends   []uint64 // end of each chunk among the packed bytes
	size   int      // bytes of text so far
}

func newTextWriter() (*textWriter, error) {
	// One encoder for each builder, and its fastest level: text packs to a third with it, and a builder
	// spends a tenth of its time there.
	enc, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(1), zstd.WithLowerEncoderMem(true))
	if err != nil {
		return nil, err
	}
	return &textWriter{enc: enc, open: make([]byte, 0, chunkBytes)}, nil
}

// add appends a text and returns its offset.
func (t *textWriter) add(text string) int {
	start := t.size
	t.size += len(text)
	for len(text) > 0 {
		n := min(len(text), chunkBytes-len(t.open))
		t.open = append(t.open, text[:n]...)
		text = text[n:]
		if len(t.open) == chunkBytes {
			t.flush()
		}
	}
	return start
}

func (t *textWriter) flush() {
	if len(t.open) == 0 {
		return
	}
	t.packed = t.enc.EncodeAll(t.open, t.packed)
	t.open = t.open[:0]
	t.ends = append(t.ends, uint64(len(t.packed)))
}

// textReader unpacks chunks. It caches the last one, because neighbouring passages use it again.
type textReader struct {
	body *checkedReader
	at   int64 // of the section
	ends []uint64
	size int // bytes of all texts

	mu   sync.Mutex
	dec  *zstd.Decoder
	last int // chunk in kept; -1 = none
	kept []byte
}

// chunk returns one chunk unpacked, valid until the next call.
func (t *textReader) chunk(i int) ([]byte, error) {
	if t.last == i {
		return t.kept, nil
	}
	if t.dec == nil {
		dec, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxMemory(chunkBytes*2))
		if err != nil {
			return nil, err
		}
		t.dec = dec
	}
	begin := uint64(0)
	if i > 0 {
		begin = t.ends[i-1]
	}
	packed, err := t.body.read(t.at+int64(begin), int64(t.ends[i]-begin))
	if err != nil {
		return nil, err
	}
	t.last = -1
	if t.kept, err = t.dec.DecodeAll(packed, t.kept[:0]); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	if want := min(chunkBytes, t.size-i*chunkBytes); len(t.kept) != want {
		return nil, fmt.Errorf("%w: a chunk of text has %d bytes, not %d", ErrDamaged, len(t.kept), want)
	}
	t.last = i
	return t.kept, nil
}

// slice returns n bytes of text from start.
func (t *textReader) slice(start, n int) (string, error) {
	if start < 0 || n < 0 || start > t.size || n > t.size-start {
		return "", fmt.Errorf("%w: a text lies outside of it", ErrDamaged)
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	out := make([]byte, 0, n)
	for n > 0 {
		i, from := start/chunkBytes, start%chunkBytes
		chunk, err := t.chunk(i)
		if err != nil {
			return "", err
		}
		part := chunk[from:min(len(chunk), from+n)]
		out = append(out, part...)
		start, n = start+len(part), n-len(part)
	}
	return string(out), nil
}
