package fetch

import (
	"bytes"
	"compress/flate"
	"compress/gzip"
	"compress/zlib"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/zstd"

	"github.com/citeloop/citeloop/fetch/extract/limit"
)

// acceptEncoding lists the content codings that are decoded.
const acceptEncoding = "gzip, br, zstd, deflate"

var errEncoding = errors.New("content encoding")

// readBody reads and decompresses the body of a response. Its size is limited on the wire, and again after
// decompression, because of decompression bombs.
func readBody(resp *http.Response, maxWire, maxDecoded int64) ([]byte, error) {
	if resp.ContentLength > maxWire {
		return nil, fmt.Errorf("%w: the server announces %s, the limit is %s", limit.ErrTooLarge, limit.Size(resp.ContentLength), limit.Size(maxWire))
	}
	wire := &witness{r: &limit.Reader{R: resp.Body, Left: maxWire, Over: fmt.Errorf("%w: more than %s were sent", limit.ErrTooLarge, limit.Size(maxWire))}}
	plain, err := decode(wire, resp.Header.Get("Content-Encoding"))
	if err != nil {
		return nil, wire.cause(err)
	}
	defer plain.Close()
	var buf bytes.Buffer
	if n := resp.ContentLength; n > 0 && n < maxDecoded {
		buf.Grow(int(n) + bytes.MinRead)
	}
	_, err = buf.ReadFrom(&limit.Reader{R: plain, Left: maxDecoded, Over: fmt.Errorf("%w: more than %s after decompression", limit.ErrTooLarge, limit.Size(maxDecoded))})
	return buf.Bytes(), wire.cause(err)
}

// witness records the error of the network, because a decoder reports only that it could not continue.
type witness struct {
	r   io.Reader
	err error
}

func (w *witness) Read(p []byte) (int, error) {
	n, err := w.r.Read(p)
	if err != nil && err != io.EOF {
		w.err = err
	}
	return n, err
}

// cause returns the network's error if there was one, else the decoder's.
func (w *witness) cause(err error) error {
	switch {
	case err == nil, errors.Is(err, limit.ErrTooLarge), errors.Is(err, errEncoding):
		return err
	case w.err != nil:
		return w.err
	}
	return fmt.Errorf("%w: %w", errEncoding, err)
}

// decode decompresses a body. It accepts one coding only: a list is a mistake or an attack.
func decode(r io.Reader, coding string) (io.ReadCloser, error) {
	switch strings.ToLower(strings.TrimSpace(coding)) {
	case "", "identity":
		return io.NopCloser(r), nil
	case "gzip", "x-gzip":
		zr, err := gzip.NewReader(r)
		if err != nil {
			return nil, err
		}
		return zr, nil
	case "zstd":
		// RFC 9659: HTTP clients must support a window of 8 MiB, and need not support more.
		zr, err := zstd.NewReader(r, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(8<<20), zstd.WithDecoderLowmem(true))
		if err != nil {
			return nil, err
		}
		return zr.IOReadCloser(), nil
	case "br":
		return io.NopCloser(brotli.NewReader(r)), nil
	case "deflate":
		return inflate(r)
	default:
		return nil, fmt.Errorf("%w %q was not asked for", errEncoding, coding)
	}
}

// inflate reads "deflate" in both forms that servers send: with the zlib header that RFC 9110 requires, and without.
func inflate(r io.Reader) (io.ReadCloser, error) {
	var head [2]byte
	n, err := io.ReadFull(r, head[:])
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) {
		return nil, err
	}
	r = io.MultiReader(bytes.NewReader(head[:n]), r)
	if n == 2 && head[0]&0x0f == 8 && (uint(head[0])<<8|uint(head[1]))%31 == 0 {
		zr, err := zlib.NewReader(r)
		if err != nil {
			return nil, err
		}
		return zr, nil
	}
	return flate.NewReader(r), nil
}
