package index

import (
	"encoding/binary"
	"slices"
)

// The sections of a segment, in the order of its bytes.
const (
	sectionTexts = iota
	sectionLists
	sectionDictionary
	sectionSparse
	sectionPassages
	sectionLengths
	sectionDocuments
	sectionPlaces
	sectionFiles
	sectionChunks
	sectionLinks
	sectionTargets
	sectionSummary
	sectionCount
)

// Limits of a segment keep its numbers within 32 bits.
const (
	maxPassages  = 1 << 28
	maxDocuments = 1 << 24
)

// summary is the table of the sections, and their counts.
type summary struct {
	starts                            [sectionCount]int
	files, documents, passages, terms int
	words, titleWords, textBytes      int
	languages                         []string
}

func (s *summary) begin(section int, at int64) { s.starts[section] = int(at) }

func (f *fields) summary(s *summary, size int) {
	for i := range s.starts {
		f.count(&s.starts[i], size)
	}
	for _, n := range []*int{&s.files, &s.documents, &s.passages, &s.terms, &s.words, &s.titleWords, &s.textBytes} {
		f.count(n, maxSize)
	}
	listOf(f, &s.languages, f.string)
}

// encode encodes the summary; its last 8 bytes are its length, because readers start at the end.
func (s *summary) encode() []byte {
	f := fields{writes: true}
	f.summary(s, 0)
	return binary.LittleEndian.AppendUint64(f.out, uint64(len(f.out)))
}

func decodeSummary(body *checkedReader) (*summary, error) {
	tail, err := body.read(body.size-8, 8)
	if err != nil {
		return nil, err
	}
	size := binary.LittleEndian.Uint64(tail)
	if size > uint64(body.size-8) {
		return nil, ErrDamaged
	}
	f := fields{}
	if f.b, err = body.read(body.size-8-int64(size), int64(size)); err != nil {
		return nil, err
	}
	s := &summary{}
	f.summary(s, int(body.size))
	if f.bad || !slices.IsSorted(s.starts[:]) || s.documents > maxDocuments || s.passages > maxPassages {
		return nil, ErrDamaged
	}
	return s, nil
}

// span is the position of a section.
func (s *summary) span(section int) (at int64, size int) {
	return int64(s.starts[section]), s.starts[section+1] - s.starts[section]
}
