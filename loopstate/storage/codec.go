// Package rowformat is how every store writes what goes into its rows: texts packed with zstd, times as text.
package rowformat

import (
	"fmt"

	"github.com/klauspost/compress/zstd"
)

// MaxUnpackedBytes bounds a text or a snapshot, and with it what a damaged or forged row can make of memory.
// Chosen: a hundred times a long book.
const MaxUnpackedBytes = 64 << 20

// Codec packs texts and snapshots with zstd. It is safe for concurrent use.
type Codec struct {
	encoder *zstd.Encoder
	decoder *zstd.Decoder
}

// NewCodec makes a codec; Close frees what it holds.
func NewCodec() (*Codec, error) {
	encoder, err := zstd.NewWriter(nil, zstd.WithZeroFrames(true)) // a checksum in each frame is the default
	if err != nil {
		return nil, fmt.Errorf("rowformat: %w", err)
	}
	decoder, err := zstd.NewReader(nil, zstd.WithDecoderMaxMemory(MaxUnpackedBytes), zstd.WithDecoderMaxWindow(MaxUnpackedBytes))
	if err != nil {
		return nil, fmt.Errorf("rowformat: %w", err)
	}
	return &Codec{encoder, decoder}, nil
}

// Pack refuses more than 64 MiB.
func (c *Codec) Pack(b []byte) ([]byte, error) {
	if len(b) > MaxUnpackedBytes {
		return nil, fmt.Errorf("%d bytes are more than the %d that can be kept", len(b), MaxUnpackedBytes)
	}
	return c.encoder.EncodeAll(b, nil), nil
}

// Unpack returns bytes that are never nil: an empty text is a text.
func (c *Codec) Unpack(packed []byte) ([]byte, error) {
	return c.decoder.DecodeAll(packed, []byte{})
}

// Close frees the codec, which must not be used afterwards.
func (c *Codec) Close() {
	_ = c.encoder.Close() // it has no stream that could fail
	c.decoder.Close()
}
