package fetch

import (
	"bufio"
	"bytes"
	"compress/flate"
	"compress/gzip"
	"compress/zlib"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"unicode/utf8"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/zstd"

	"github.com/citeloop/citeloop/fetch/extract/limit"
)

// AcceptEncoding lists the content codings that [ReadBody] decodes.
const AcceptEncoding = "gzip, br, zstd, deflate"

// errEncoding means that a body is not in the coding that its header names.
var errEncoding = errors.New("content encoding")

// ReadBody reads and decompresses the body of a response. Its size is limited on the wire, and again after decompression. A
// coding that is unknown, or that the bytes contradict, counts as none. The error is that of the network, or wraps
// [limit.ErrTooLarge].
func ReadBody(resp *http.Response, maxWire, maxDecoded int64) ([]byte, error) {
	if resp.ContentLength > maxWire {
		return nil, fmt.Errorf("%w: the server announces %s, the limit is %s", limit.ErrTooLarge,
			limit.Size(resp.ContentLength), limit.Size(maxWire))
	}
	wire := &witness{r: &limit.Reader{R: resp.Body, Left: maxWire, Over: fmt.Errorf("%w: more than %s were sent",
		limit.ErrTooLarge, limit.Size(maxWire))}}
	plain, err := decode(bufio.NewReader(wire), strings.Join(resp.Header.Values("Content-Encoding"), ","))
	if err != nil {
		return nil, wire.cause(err)
	}
	var buf bytes.Buffer
	if n := resp.ContentLength; n > 0 && n < maxDecoded {
		buf.Grow(int(n) + bytes.MinRead)
	}
	_, err = buf.ReadFrom(&limit.Reader{R: plain, Left: maxDecoded, Over: fmt.Errorf("%w: more than %s after decompression",
		limit.ErrTooLarge, limit.Size(maxDecoded))})
	if errors.Is(err, gzip.ErrHeader) && wire.err == nil { // bytes after the checked end, which browsers ignore
		err = nil
	}
	return buf.Bytes(), wire.cause(err)
}

// witness records the error of the network, because a decoder reports only that it could not continue.
type witness struct {
	r   io.Reader
	err error
}

func (w *witness) Read(p []byte) (int, error) {
	n, err := w.r.Read(p)
	if err != nil && err != io.EOF && w.err == nil { // the first one: what follows is that the connection is closed
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

// decode decompresses a body. It decodes one coding only: several would multiply the work of a small body.
func decode(r *bufio.Reader, codings string) (io.Reader, error) {
	known := ""
	for coding := range strings.SplitSeq(strings.ToLower(codings), ",") {
		switch coding = strings.TrimPrefix(strings.TrimSpace(coding), "x-"); coding {
		case "gzip", "zstd", "br", "deflate":
			if known != "" {
				return nil, fmt.Errorf("%w: more than one (%s)", errEncoding, codings)
			}
			known = coding
		}
	}
	head, err := r.Peek(512)
	if err != nil && err != io.EOF || len(head) == 0 {
		return r, nil // reading meets the error again
	}
	switch {
	case bytes.HasPrefix(head, []byte("\x1f\x8b\x08")): // also by another name, or none
		return gzip.NewReader(r)
	case bytes.HasPrefix(head, []byte("\x28\xb5\x2f\xfd")):
		// RFC 9659: HTTP clients must support a window of 8 MiB, and need not support more.
		return zstd.NewReader(r, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(8<<20), zstd.WithDecoderLowmem(true))
	case len(head) > 30 && strings.HasPrefix(http.DetectContentType(head), "text/") && validUTF8(head): // not compressed
	case known == "br":
		return brotli.NewReader(r), nil
	case known == "deflate" && len(head) > 1 && head[0]&0x0f == 8 && (uint(head[0])<<8|uint(head[1]))%31 == 0:
		return zlib.NewReader(r) // as RFC 9110 requires
	case known == "deflate":
		return flate.NewReader(r), nil // as some servers send it
	}
	return r, nil
}

// validUTF8 reports whether the head of a text is UTF-8; its last character may be cut.
func validUTF8(head []byte) bool {
	for cut := range min(utf8.UTFMax, len(head)) {
		if utf8.Valid(head[:len(head)-cut]) {
			return true
		}
	}
	return false
}
