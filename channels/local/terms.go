package local

import (
	"encoding/binary"
	"strings"
	"unicode/utf8"

	"github.com/klauspost/compress/zstd"

	"github.com/citeloop/citeloop/internal/text/passage"
)

// digest is what the ranking needs of a document: the terms of its title, of its names, and of each passage, as indexes into the
// distinct terms.
type digest struct {
	terms       []string
	title, name []int
	passages    []passageTerms
}

// passageTerms is a passage with its place in the text, in code points.
type passageTerms struct {
	start, end int
	terms      []int
}

// number returns the index of a term.
func (d *digest) number(known map[string]int, term string) int {
	n, ok := known[term]
	if !ok {
		n = len(d.terms)
		d.terms = append(d.terms, term)
		known[term] = n
	}
	return n
}

func (d *digest) encode() []byte {
	var out []byte
	number := func(n int) { out = binary.AppendUvarint(out, uint64(n)) }
	numbers := func(list []int) {
		number(len(list))
		for _, n := range list {
			number(n)
		}
	}
	number(len(d.terms))
	for _, t := range d.terms {
		number(len(t))
		out = append(out, t...)
	}
	numbers(d.title)
	numbers(d.name)
	number(len(d.passages))
	at := passageTerms{}
	for _, p := range d.passages {
		number(p.start - at.end)
		number(p.end - p.start)
		numbers(p.terms)
		at = p
	}
	return out
}

// decodeDigest reads a digest. Every number is checked before it is used as a size or an index.
func decodeDigest(raw []byte) (*digest, error) {
	d, bad := &digest{}, false
	number := func(most int) int {
		n, size := binary.Uvarint(raw)
		if size <= 0 || n > uint64(most) {
			bad = true
			return 0
		}
		raw = raw[size:]
		return int(n)
	}
	numbers := func() []int {
		list := make([]int, number(len(raw)))
		for i := range list {
			list[i] = number(len(d.terms) - 1)
		}
		return list
	}
	all := number(len(raw))
	d.terms = make([]string, 0, all)
	for range all {
		n := number(len(raw))
		if bad || n > len(raw) {
			return nil, errDamaged
		}
		d.terms = append(d.terms, string(raw[:n]))
		raw = raw[n:]
	}
	d.title, d.name = numbers(), numbers()
	at := passageTerms{}
	d.passages = make([]passageTerms, number(len(raw)))
	for i := range d.passages {
		p := &d.passages[i]
		p.start = at.end + number(maxStoredBytes)
		p.end = p.start + number(maxStoredBytes)
		if p.terms = numbers(); bad {
			return nil, errDamaged
		}
		at = *p
	}
	if bad {
		return nil, errDamaged
	}
	return d, nil
}

// split records the passages of a text, in which furniture is masked, and returns the number of its words.
func (d *digest) split(content string, terms func(string) []int) (words int) {
	for _, p := range passages(content) {
		found := passageTerms{start: p.Start, end: p.End, terms: terms(p.Text)}
		d.passages = append(d.passages, found)
		words += len(found.terms)
	}
	return words
}

// passageChars is the size of an indexed passage, in code points.
const passageChars = 600

// passages cuts a text into passages. A text that has none is a list of links or contents alone, such as bookmarks: it is one.
func passages(text string) []passage.Passage {
	if out := passage.Split(text, passageChars); len(out) > 0 {
		return out
	}
	body := strings.TrimSpace(text)
	if body == "" {
		return nil
	}
	start := utf8.RuneCountInString(text[:strings.Index(text, body)])
	return []passage.Passage{{Start: start, End: start + utf8.RuneCountInString(body), Text: body}}
}

// maxStoredBytes bounds a text, and what a damaged index may unpack (chosen: a document has 20 MB at most).
const maxStoredBytes = 256 << 20

// codec compresses texts and digests. It is safe for concurrent use.
type codec struct {
	enc *zstd.Encoder
	dec *zstd.Decoder
}

func newCodec() (*codec, error) {
	enc, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithLowerEncoderMem(true))
	if err != nil {
		return nil, err
	}
	dec, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(0), zstd.WithDecoderMaxMemory(maxStoredBytes))
	return &codec{enc, dec}, err
}

func (c *codec) pack(raw []byte) []byte { return c.enc.EncodeAll(raw, nil) }

func (c *codec) unpack(packed []byte) ([]byte, error) {
	raw, err := c.dec.DecodeAll(packed, nil)
	if err != nil {
		return nil, errDamaged
	}
	return raw, nil
}
