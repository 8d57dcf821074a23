// Package charset decodes bytes to UTF-8 by their byte order mark, their declaration or detection.
package charset

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"github.com/gogs/chardet"
	"golang.org/x/net/html/charset"
	"golang.org/x/text/encoding"
	"golang.org/x/text/transform"

	"github.com/citeloop/citeloop/fetch/extract/document"
)

// Decode converts a body to UTF-8. It determines the encoding in this order: a byte order mark; valid UTF-8, regardless of
// declarations; the declaration of the Content-Type or of an HTML page, unless the bytes contradict it; detection
// (detectCharset); Windows-1252.
//
// Many servers declare ISO-8859-1 for everything. Text beyond ASCII is not valid UTF-8 by chance, so that such a declaration
// is overruled.
func Decode(body []byte, contentType, kind string) string {
	probe := body
	if kind != document.TypeHTML {
		probe = body[:min(len(body), 3)] // for the byte order mark; <meta> counts only in HTML
	}
	enc, name, declared := charset.DetermineEncoding(probe, contentType)
	// A declaration in a page is not "certain", and these two are also the defaults without one.
	declared = declared || name != "utf-8" && name != "windows-1252"
	stateful := strings.HasPrefix(name, "iso-2022") || name == "replacement"
	wide := strings.HasPrefix(name, "utf-16")
	switch {
	case hasWideMark(body):
		return decodeAs(enc, body)
	case stateful && declared:
		return decodeAs(enc, body)
	case wide && declared && bytes.IndexByte(body, 0) >= 0:
		return decodeAs(enc, body)
	case utf8.Valid(body):
		if asciiOnly(body) && bytes.Contains(body, []byte("\x1b$")) {
			return decodeAs(lookup("iso-2022-jp"), body)
		}
		if declared && !plainlyUTF8(body, name) && !wide {
			return decodeAs(enc, body)
		}
		return string(bytes.TrimPrefix(body, []byte("\xef\xbb\xbf")))
	case declared && !contradicted(enc, name, body):
		return decodeAs(enc, body)
	}
	if found := detectCharset(body); found != "" {
		return decodeAs(lookup(found), body)
	}
	if declared {
		return decodeAs(enc, body)
	}
	return decodeAs(lookup("windows-1252"), body)
}

func decodeAs(enc encoding.Encoding, body []byte) string {
	decoded, _, err := transform.Bytes(enc.NewDecoder(), body)
	if err != nil { // decoders usually replace invalid bytes instead
		decoded = body
	}
	return strings.TrimPrefix(strings.ToValidUTF8(string(decoded), "\uFFFD"), "\uFEFF")
}

// lookup finds an encoding by its name. An unknown one leaves the bytes unchanged.
func lookup(name string) encoding.Encoding {
	if enc, _ := charset.Lookup(name); enc != nil {
		return enc
	}
	return encoding.Nop
}

// The number of characters beyond ASCII from which valid UTF-8 is no chance. For single-byte encodings two are enough: the
// first bytes would be capitals and the others symbols. In double-byte encodings single words can be valid UTF-8.
const (
	plainSingle = 2
	plainDouble = 4
)

// plainlyUTF8 reports whether a body is valid UTF-8 and cannot be in the declared encoding.
func plainlyUTF8(body []byte, declared string) bool {
	if asciiOnly(body) {
		return true
	}
	need := plainSingle
	switch declared {
	case "utf-8", "windows-1252":
		return true
	case "shift_jis", "euc-jp", "euc-kr", "big5", "gbk", "gb18030":
		need = plainDouble
	}
	for i := 0; i < len(body) && need > 0; {
		if body[i] < utf8.RuneSelf {
			i++
			continue
		}
		_, n := utf8.DecodeRune(body[i:])
		need--
		i += n
	}
	return need == 0
}

// maxBadShare is the largest share of characters beyond ASCII that the declared encoding may fail to decode. Chosen: a page
// with one sentence in another encoding is below it, a page in another encoding is above.
const maxBadShare = 0.05

// contradicted reports whether too much of the body is invalid in the declared encoding.
func contradicted(enc encoding.Encoding, name string, body []byte) bool {
	switch name {
	case "utf-8", "shift_jis", "euc-jp", "euc-kr", "big5", "gbk", "gb18030":
	default:
		return false // every byte is valid
	}
	good, bad := 0, 0
	for _, r := range decodeAs(enc, body[:min(len(body), charsetSample)]) {
		switch {
		case r == utf8.RuneError:
			bad++
		case r >= utf8.RuneSelf:
			good++
		}
	}
	return float64(bad) > maxBadShare*float64(good+bad)
}

const (
	// charsetSample is how much of a body is sampled: 64 KiB have thousands of letters of any script.
	charsetSample = 64 << 10
	// minForeign is the number of bytes beyond ASCII below which nothing is detected.
	minForeign = 3
)

// detectCharset returns the most likely encoding of a body without a usable declaration, or "". It needs enough bytes
// beyond ASCII.
func detectCharset(body []byte) string {
	sample := body[:min(len(body), charsetSample)]
	foreign := 0
	for _, c := range sample {
		if c >= utf8.RuneSelf {
			foreign++
		}
	}
	if foreign < minForeign {
		return ""
	}
	found, err := chardet.NewTextDetector().DetectBest(sample)
	if err != nil {
		return ""
	}
	if enc, name := charset.Lookup(found.Charset); enc != nil {
		return name
	}
	return ""
}

// hasWideMark reports a byte order mark of UTF-16.
func hasWideMark(body []byte) bool {
	return bytes.HasPrefix(body, []byte("\xff\xfe")) || bytes.HasPrefix(body, []byte("\xfe\xff"))
}

func asciiOnly(body []byte) bool {
	return !bytes.ContainsFunc(body, func(r rune) bool { return r >= utf8.RuneSelf })
}
