// Package charset decodes bytes to UTF-8 by their byte order mark, their declaration or detection.
package charset

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"github.com/citeloop/citeloop/fetch/extract/document"
	"golang.org/x/net/html/charset"
	"golang.org/x/text/encoding"
	"golang.org/x/text/transform"
)

// Decode turns a body into UTF-8. In this order: a byte order mark; valid UTF-8, whatever is
// declared; what the Content-Type or an HTML page declares, unless the bytes contradict it; what the bytes
// look like (detectCharset); Windows-1252.
//
// Servers that declare ISO-8859-1 for everything are common, and text that is valid UTF-8 beyond ASCII does not
// occur by chance; such a declaration is overruled.
func Decode(body []byte, contentType, kind string) string {
	probe := body
	if kind != document.TypeHTML {
		probe = body[:min(len(body), 3)] // for the byte order mark; a <meta> in a plain text declares nothing
	}
	enc, name, declared := charset.DetermineEncoding(probe, contentType)
	// What a page declares about itself is not "certain", and those two are also what is taken without it.
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
	if err != nil { // the decoders replace what they cannot read; this is for one that does not
		decoded = body
	}
	return strings.TrimPrefix(strings.ToValidUTF8(string(decoded), "\uFFFD"), "\uFEFF")
}

// lookup finds an encoding by its name; one that is unknown leaves the bytes alone.
func lookup(name string) encoding.Encoding {
	if enc, _ := charset.Lookup(name); enc != nil {
		return enc
	}
	return encoding.Nop
}

// How many characters beyond ASCII make valid UTF-8 more than chance. In a coding of one byte a character two
// are enough: the first bytes are capitals and the others signs. In one of two bytes, single words agree.
const (
	plainSingle = 2
	plainDouble = 4
)

// plainlyUTF8 reports valid UTF-8 that cannot be what is declared.
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

// maxBadShare is the share of characters beyond ASCII that a declaration may fail to decode. Chosen: a page
// with a pasted sentence in another coding stays under it, a page in another coding does not.
const maxBadShare = 0.05

// contradicted reports a declaration under which too much of the body makes no sense.
func contradicted(enc encoding.Encoding, name string, body []byte) bool {
	switch name {
	case "utf-8", "shift_jis", "euc-jp", "euc-kr", "big5", "gbk", "gb18030":
	default:
		return false // every byte is a character, there is nothing to fail
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

// hasWideMark reports a byte order mark of UTF-16.
func hasWideMark(body []byte) bool {
	return bytes.HasPrefix(body, []byte("\xff\xfe")) || bytes.HasPrefix(body, []byte("\xfe\xff"))
}

func asciiOnly(body []byte) bool {
	for _, c := range body {
		if c >= 0x80 {
			return false
		}
	}
	return true
}
