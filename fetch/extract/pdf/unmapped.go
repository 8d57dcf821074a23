package pdf

import (
	"bytes"
	"compress/zlib"
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

// withoutEmptyMappings returns a copy of a file whose maps of characters lack the entries that map to nothing. Nothing moves in
// the file. ok is false if there are none.
func withoutEmptyMappings(file []byte) (out []byte, ok bool) {
	for at, maps := 0, 0; maps < maxMaps; {
		from := bytes.Index(file[at:], []byte("stream"))
		if from < 0 {
			break
		}
		from += at + len("stream")
		at = from
		length := bytes.Index(file[from:], []byte("endstream"))
		if length < 0 {
			break
		}
		at += length + len("endstream")
		data := bytes.TrimLeft(file[from:from+length], "\r\n")
		if len(data) > maxMapBytes {
			continue
		}
		shorter := withoutEntries(data)
		if shorter == nil {
			continue
		}
		if out == nil {
			out = bytes.Clone(file)
		}
		place := out[from+length-len(data) : from+length]
		clear(place[copy(place, shorter):])
		maps++
	}
	return out, out != nil
}

// withoutEntries returns the data of a stream without the entries, in no more bytes, or nil.
func withoutEntries(data []byte) []byte {
	plain, packed := data, false
	if r, err := zlib.NewReader(bytes.NewReader(data)); err == nil {
		packed = true
		if plain, err = io.ReadAll(io.LimitReader(r, maxMapBytes)); err != nil && len(plain) == 0 {
			return nil
		}
	}
	if !bytes.Contains(plain, []byte("beginbfchar")) || !toNothing.Match(plain) {
		return nil
	}
	plain = []byte(toNothing.ReplaceAllString(string(plain), ""))
	if !packed {
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
