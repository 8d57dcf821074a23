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

// AcceptEncoding lists the content codings that [ReadBody] decodes.
const AcceptEncoding = "gzip, br, zstd, deflate"

// minPlain is the length from which bytes without a control character are a text: one in 70,000 compressed bodies has none.
const minPlain = 100

// errEncoding means that a body is not in the coding that its header names.
var errEncoding = errors.New("content encoding")

// ReadBody reads and decompresses the body of a response. Its size is limited on the wire, and again after decompression. A
// coding that is unknown, or that the bytes contradict, counts as none. The error is that of the network, or wraps
// [limit.ErrTooLarge]; then the beginning is returned, too.
func ReadBody(resp *http.Response, maxWire, maxDecoded int64) ([]byte, error) {
	if resp.ContentLength > maxWire {
		return nil, fmt.Errorf("%w: the server announces %s, the limit is %s", limit.ErrTooLarge,
			limit.Size(resp.ContentLength), limit.Size(maxWire))
	}
	wire, err := io.ReadAll(&limit.Reader{R: resp.Body, Left: maxWire, Over: fmt.Errorf("%w: more than %s were sent",
		limit.ErrTooLarge, limit.Size(maxWire))})
	if err != nil {
		return wire, err
	}
	plain, err := decode(wire, strings.Join(resp.Header.Values("Content-Encoding"), ","))
	var body []byte
	if err == nil {
		body, err = io.ReadAll(&limit.Reader{R: plain, Left: maxDecoded, Over: fmt.Errorf("%w: more than %s after decompression",
			limit.ErrTooLarge, limit.Size(maxDecoded))})
		if errors.Is(err, gzip.ErrHeader) { // bytes after the checked end, which browsers ignore
			err = nil
		}
	}
	if err != nil && !errors.Is(err, limit.ErrTooLarge) {
		err = fmt.Errorf("%w: %w", errEncoding, err)
	}
	return body, err
}

// decode decompresses a body. It decodes one coding only: several would multiply the work of a small body.
func decode(wire []byte, codings string) (io.Reader, error) {
	known := ""
	for coding := range strings.SplitSeq(strings.ToLower(codings), ",") {
		switch coding = strings.TrimPrefix(strings.TrimSpace(coding), "x-"); coding {
		case "gzip", "zstd", "br", "deflate":
			if known != "" {
				return nil, fmt.Errorf("more than one (%s)", codings)
			}
			known = coding
		}
	}
	r, head := bytes.NewReader(wire), wire[:min(len(wire), 512)]
	switch {
	case bytes.HasPrefix(head, []byte("\x1f\x8b\x08")): // also by another name, or none
		return gzip.NewReader(r)
	case bytes.HasPrefix(head, []byte("\x28\xb5\x2f\xfd")):
		// RFC 9659: HTTP clients must support a window of 8 MiB, and need not support more.
		return zstd.NewReader(r, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(8<<20), zstd.WithDecoderLowmem(true))
	case len(head) > minPlain && strings.HasPrefix(http.DetectContentType(head), "text/"): // not compressed
	case known == "br":
		return brotli.NewReader(r), nil
	case known == "deflate" && len(head) > 1 && head[0]&0x0f == 8 && (uint(head[0])<<8|uint(head[1]))%31 == 0:
		return zlib.NewReader(r) // as RFC 9110 requires
	case known == "deflate":
		return flate.NewReader(r), nil // as some servers send it
	}
	return r, nil
}
