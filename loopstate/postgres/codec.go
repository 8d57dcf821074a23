package postgres

import (
	"fmt"

	"github.com/klauspost/compress/zstd"
)

// maxUnpackedBytes bounds a text or a snapshot, and with it what a damaged or forged row can make of memory.
// Chosen: a hundred times a long book.
const maxUnpackedBytes = 64 << 20

// codec packs with zstd. It is safe for concurrent use.
type codec struct {
	encoder *zstd.Encoder
	decoder *zstd.Decoder
}

func newCodec() (*codec, error) {
	encoder, err := zstd.NewWriter(nil, zstd.WithZeroFrames(true)) // a checksum in each frame is the default
	if err != nil {
		return nil, fmt.Errorf("postgres: %w", err)
	}
	decoder, err := zstd.NewReader(nil, zstd.WithDecoderMaxMemory(maxUnpackedBytes), zstd.WithDecoderMaxWindow(maxUnpackedBytes))
	if err != nil {
		return nil, fmt.Errorf("postgres: %w", err)
	}
	return &codec{encoder, decoder}, nil
}

func (c *codec) pack(b []byte) ([]byte, error) {
	if len(b) > maxUnpackedBytes {
		return nil, fmt.Errorf("%d bytes are more than the %d that can be kept", len(b), maxUnpackedBytes)
	}
	return c.encoder.EncodeAll(b, nil), nil
}

// unpack returns bytes that are never nil: an empty text is a text.
func (c *codec) unpack(packed []byte) ([]byte, error) {
	return c.decoder.DecodeAll(packed, []byte{})
}

func (c *codec) close() {
	_ = c.encoder.Close() // it has no stream that could fail
	c.decoder.Close()
}
