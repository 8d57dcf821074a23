// Package charset decodes bytes to UTF-8 by their byte order mark, their declarations and their content.
package charset

import (
	"bytes"
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/gogs/chardet"
	"golang.org/x/net/html/charset"
	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/unicode/utf32"
	"golang.org/x/text/transform"

	"github.com/citeloop/citeloop/fetch/extract/document"
	"github.com/citeloop/citeloop/internal/datafile"
	"github.com/citeloop/citeloop/internal/lazyregexp"
)

const (
	// sampleBytes is how much of a body is looked at: 64 KiB have thousands of letters of any script.
	sampleBytes = 64 << 10
	// The number of bytes beyond ASCII from which an encoding is detected, and from which that may outvote a declaration.
	minForeign, minAgainst = 3, 6
	// maxInvalid is the share of invalid characters among those beyond ASCII up to which an encoding is believed. A page with one
	// sentence in another encoding is below it, a page in another encoding is above. Chosen.
	maxInvalid = 0.05
	// From the confidence sure on a detection outvotes a declaration that has less than half of it, from likely on one that has
	// less than a third. Chosen: a text of one line in the right encoding has 31 and more, in another alphabet's some 10.
	sure, likely = 40, 25
)

// Decode converts a body to UTF-8. The first of these decides: a byte order mark; text that is valid UTF-8 by no chance; the
// declaration of XML; that of an HTML page in <meta>; that of contentType. A declaration that the bytes contradict does not count: many
// servers declare ISO-8859-1 for everything. Without a declaration the bytes decide, then Windows-1252.
func Decode(body []byte, contentType, kind string) string {
	body = Narrow(body)
	_, name, certain := charset.DetermineEncoding(body[:min(len(body), 3)], contentType)
	var declared []string
	inXML := "" // what the file's own program wrote
	if m := xmlEncoding.FindStringSubmatch(string(body[:min(len(body), 256)])); m != nil {
		if enc, known := charset.Lookup(m[1]); enc != nil && !strings.HasPrefix(known, "utf-16") {
			inXML, declared = known, append(declared, known)
		}
	}
	if kind == document.TypeHTML {
		// Without a declaration the answer is one of these two, which need none.
		if _, meta, _ := charset.DetermineEncoding(body, ""); meta != "utf-8" && meta != "windows-1252" {
			declared = append(declared, meta)
		}
	}
	if isWide := strings.HasPrefix(name, "utf-16"); certain && (!isWide || bytes.IndexByte(body, 0) >= 0) {
		declared = append(declared, name)
	}
	for _, name := range declared { // of these, valid UTF-8 proves nothing
		if name == "replacement" || strings.HasPrefix(name, "iso-2022") || strings.HasPrefix(name, "utf-16") {
			return decodeAs(lookup(name), body)
		}
	}
	if utf8.Valid(body) && !chanceUTF8(body, declared) {
		if bytes.Contains(body, []byte("\x1b$")) && isASCII(body) {
			return decodeAs(lookup("iso-2022-jp"), body)
		}
		return string(bytes.TrimPrefix(body, []byte("\xef\xbb\xbf")))
	}
	sample := body[:min(len(body), sampleBytes)]
	votes := detect(sample)
	for _, name := range declared {
		if invalid(name, sample) <= maxInvalid && (name == inXML || !votes.against(name)) {
			return decodeAs(lookup(name), body)
		}
	}
	if votes.best != "" {
		return decodeAs(lookup(votes.best), body)
	}
	return decodeAs(lookup(append(declared, "windows-1252")[0]), body)
}

var xmlEncoding = lazyregexp.New(`^\s*<\?xml[^>]*?\bencoding\s*=\s*["']([\w.:-]+)["']`)

// Narrow converts a text in UTF-16 or UTF-32 to UTF-8; other bodies it returns. Such a text has a byte order mark, or, in UTF-16, zeros
// at every second byte of its letters and spaces of ASCII, and nowhere else.
func Narrow(body []byte) []byte {
	switch { // the mark of UTF-32 begins like that of UTF-16
	case bytes.HasPrefix(body, []byte("\xff\xfe\x00\x00")):
		return []byte(decodeAs(utf32.UTF32(utf32.LittleEndian, utf32.IgnoreBOM), body))
	case bytes.HasPrefix(body, []byte("\x00\x00\xfe\xff")):
		return []byte(decodeAs(utf32.UTF32(utf32.BigEndian, utf32.IgnoreBOM), body))
	case bytes.HasPrefix(body, []byte("\xff\xfe")):
		return []byte(decodeAs(lookup("utf-16le"), body))
	case bytes.HasPrefix(body, []byte("\xfe\xff")):
		return []byte(decodeAs(lookup("utf-16be"), body))
	}
	sample := body[:min(len(body), sampleBytes)&^1]
	var zeros [2]int
	for i, c := range sample {
		if c == 0 {
			zeros[i%2]++
		}
	}
	for at, name := range []string{"utf-16be", "utf-16le"} {
		if zeros[at] <= len(sample)/100 || zeros[1-at] > 0 {
			continue
		}
		isControl := func(r rune) bool { return r < ' ' && !strings.ContainsRune("\t\n\r\f", r) || r == utf8.RuneError }
		if !strings.ContainsFunc(decodeAs(lookup(name), sample), isControl) {
			return []byte(decodeAs(lookup(name), body))
		}
	}
	return body
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

// chanceUTF8 reports whether a body that is valid UTF-8 may be in a declared encoding nevertheless. In single-byte encodings two
// characters are no chance: the first bytes would be capitals and the others symbols. In double-byte encodings single words can
// be valid UTF-8.
func chanceUTF8(body []byte, declared []string) bool {
	foreign := 0
	for _, r := range string(body[:min(len(body), sampleBytes)]) {
		if r >= utf8.RuneSelf {
			foreign++
		}
	}
	if foreign == 0 {
		return false
	}
	for _, name := range declared {
		switch name {
		case "utf-8", "windows-1252":
		case "shift_jis", "euc-jp", "euc-kr", "big5", "gbk", "gb18030":
			if foreign < 4 {
				return true
			}
		default:
			if foreign < 2 {
				return true
			}
		}
	}
	return false
}

// invalid is the share of characters beyond ASCII that an encoding does not have.
func invalid(name string, sample []byte) float64 {
	bad, foreign := 0, 0
	for _, r := range decodeAs(lookup(name), sample) {
		if r >= utf8.RuneSelf {
			foreign++
			if r == utf8.RuneError || r < 0xA0 {
				bad++
			}
		}
	}
	return float64(bad) / float64(max(1, foreign))
}

// votes are the confidences, from 0 to 100, in the encodings of a body by its statistics.
type votes struct {
	foreign int    // bytes beyond ASCII
	best    string // "" = unknown
	shares  map[string]int
}

func detect(sample []byte) (v votes) {
	for _, c := range sample {
		if c >= utf8.RuneSelf {
			v.foreign++
		}
	}
	if v.foreign < minForeign {
		return v
	}
	found := guesses(sample)
	v.shares = map[string]int{}
	if dos := dosRussian(sample); dos >= sure && dos > found[0].Confidence {
		v.best, v.shares["ibm866"] = "ibm866", dos
		return v
	}
	lost := 0.0 // of the best guess
	for _, f := range found {
		enc, name := charset.Lookup(f.Charset)
		if name == "koi8-r" { // which has rules of tables at the places of four Ukrainian letters
			name = "koi8-u"
		}
		if enc == nil || invalid(name, sample) > maxInvalid {
			continue
		}
		if v.best == "" {
			v.best, lost = name, invalid(name, sample)
		}
		v.shares[family(name)] = max(v.shares[family(name)], f.Confidence)
	}
	if lost > 0 && invalid(thai, sample) == 0 {
		v.best = thai
	}
	return v
}

// thai is an encoding that the detector does not know. It takes Thai for Chinese with wrong letters.
const thai = "windows-874"

// guesses are the encodings that a text may have, the likeliest first, and at least one.
func guesses(sample []byte) []chardet.Result {
	found, _ := chardet.NewTextDetector().DetectAll(foreignWords(sample)) // the error means no guess
	slices.SortFunc(found, func(a, b chardet.Result) int {
		return cmp.Or(b.Confidence-a.Confidence, strings.Compare(a.Charset, b.Charset))
	})
	return append(found, chardet.Result{})
}

// dosRussian is the confidence in a Russian text of DOS. The detector does not know its encoding, but the same letters in that of
// Windows. It can tell no other encoding of DOS or of old Macs from those that it knows.
func dosRussian(sample []byte) int {
	windows := encoding.ReplaceUnsupported(lookup("windows-1251").NewEncoder())
	recoded, _ := windows.Bytes([]byte(decodeAs(lookup("ibm866"), sample))) // replaces what it does not have
	if best := guesses(recoded)[0]; best.Charset == "windows-1251" {
		return best.Confidence
	}
	return 0
}

// foreignWords are the words with bytes beyond ASCII: an English menu says nothing about the encoding of the text beside it.
func foreignWords(sample []byte) []byte {
	var words [][]byte
	for word := range bytes.FieldsFuncSeq(sample, func(r rune) bool { return r <= ' ' || r == '<' || r == '>' }) {
		if !isASCII(word) {
			words = append(words, word)
		}
	}
	return bytes.Join(words, []byte(" "))
}

// unjudged are the encodings that the detector does not know. No server declares one for everything.
var unjudged = datafile.Words(`windows-874 windows-1257 windows-1258 macintosh x-mac-cyrillic ibm866 iso-8859-3 iso-8859-4 iso-8859-10
	iso-8859-13 iso-8859-14 iso-8859-16`)

// against reports whether a body is likely in another encoding than the declared one.
func (v votes) against(declared string) bool {
	if unjudged[declared] {
		return false
	}
	best, other := v.shares[family(v.best)], v.shares[family(declared)]
	return v.foreign >= minAgainst && (best >= sure && 2*other < best || best >= likely && 3*other < best)
}

// families are one name each for encodings that have the same letters at the same places.
var families = map[string]string{"gb18030": "gbk", "iso-8859-8": "windows-1255", "iso-8859-8-i": "windows-1255",
	"iso-8859-7": "windows-1253", "iso-8859-2": "windows-1250", "iso-8859-15": "windows-1252", "koi8-u": "koi8-r"}

func family(name string) string { return cmp.Or(families[name], name) }

func isASCII(body []byte) bool {
	return !bytes.ContainsFunc(body, func(r rune) bool { return r >= utf8.RuneSelf })
}
