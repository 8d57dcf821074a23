package fetch

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html/charset"
	"golang.org/x/text/transform"
)

// decodeText turns a body into UTF-8: by its byte order mark, by what the Content-Type declares, by what an
// HTML page declares about itself, and failing those as UTF-8 when it is that, else as Windows-1252.
//
// Servers that declare ISO-8859-1 for everything are common, and text in it that is also valid UTF-8 beyond
// ASCII does not occur by chance; such a declaration is overruled.
func decodeText(body []byte, contentType, kind string) string {
	probe := body
	if kind != typeHTML {
		probe = body[:min(len(body), 3)] // for the byte order mark; a <meta> in a plain text declares nothing
	}
	enc, name, certain := charset.DetermineEncoding(probe, contentType)
	var asIs bool
	switch {
	case !utf8.Valid(body) || hasWideMark(body):
	case asciiOnly(body): // the same in every coding, but for those that write other letters in ASCII octets
		asIs = !strings.HasPrefix(name, "iso-2022") && !strings.HasPrefix(name, "utf-16") && name != "replacement"
	default:
		asIs = !certain || name == "utf-8" || name == "windows-1252"
	}
	if asIs {
		return string(bytes.TrimPrefix(body, []byte("\xef\xbb\xbf")))
	}
	decoded, _, err := transform.Bytes(enc.NewDecoder(), body)
	if err != nil { // the decoders replace what they cannot read; this is for one that does not
		decoded = body
	}
	return strings.TrimPrefix(strings.ToValidUTF8(string(decoded), "\uFFFD"), "\uFEFF")
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
