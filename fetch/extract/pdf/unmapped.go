package pdf

import (
	"bytes"
	"compress/zlib"
	"context"
	"io"

	"github.com/citeloop/citeloop/internal/lazyregexp"
)

// Some programs write maps of characters (ToUnicode) that map ligatures to nothing. Without such an entry PDFium takes the
// character from the name of the glyph.

const (
	maxMapBytes = 1 << 20 // of one map; those of CJK fonts reach 300 KB
	maxMaps     = 500     // of a file
)

var toNothing = lazyregexp.New(`<[0-9A-Fa-f]{2,8}>[ \t]*<(?:0000|[Ff][Ff][Ff][DEFdef])>`)

// mended reads a file again without such entries. The result must have the letters that were missing.
func (e *Engine) mended(ctx context.Context, body []byte, file pdfFile) pdfFile {
	body, changed := withoutEmptyMappings(body)
	if changed == 0 {
		return file
	}
	again, err := e.readPDF(ctx, body)
	if err != nil || len(again.pages) != len(file.pages) || again.letters-file.letters < file.missing-again.missing {
		return file
	}
	return again
}

// withoutEmptyMappings returns a copy of a file whose maps of characters lack the entries that map to nothing, and how many maps
// had some. Nothing moves in the file.
func withoutEmptyMappings(file []byte) (out []byte, changed int) {
	out = bytes.Clone(file)
	for rest := out; changed < maxMaps; {
		_, stream, found := bytes.Cut(rest, []byte("stream"))
		stream, next, closed := bytes.Cut(stream, []byte("endstream"))
		if !found || !closed {
			break
		}
		rest = next
		data := bytes.TrimLeft(stream, "\r\n")
		if shorter := withoutEntries(data); shorter != nil {
			clear(data[copy(data, shorter):])
			changed++
		}
	}
	return out, changed
}

// withoutEntries returns the data of a stream without the entries, in no more bytes, or nil.
func withoutEntries(data []byte) []byte {
	plain := data
	packed, err := zlib.NewReader(bytes.NewReader(data))
	if err == nil {
		plain, _ = io.ReadAll(io.LimitReader(packed, maxMapBytes)) // what follows the data is no error of the map
	}
	if len(plain) >= maxMapBytes || !bytes.Contains(plain, []byte("beginbfchar")) || !toNothing.Match(plain) {
		return nil
	}
	plain = []byte(toNothing.ReplaceAllString(string(plain), ""))
	if err != nil {
		return plain
	}
	var b bytes.Buffer
	w, _ := zlib.NewWriterLevel(&b, zlib.BestCompression) // fails for an unknown level alone
	_, _ = w.Write(plain)
	_ = w.Close()
	if b.Len() > len(data) {
		return nil
	}
	return b.Bytes()
}
