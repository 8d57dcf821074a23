package index

import "encoding/binary"

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
	starts                            [sectionCount]int64
	files, documents, passages, terms int
	words, titleWords, textBytes      int
	languages                         []string
}

func (s *summary) begin(section int, at int64) { s.starts[section] = at }

func (s *summary) numbers() []*int {
	return []*int{&s.files, &s.documents, &s.passages, &s.terms, &s.words, &s.titleWords, &s.textBytes}
}

// encode encodes the summary; its last 8 bytes are its length, because readers start at the end.
func (s *summary) encode() []byte {
	var b []byte
	for _, at := range s.starts {
		b = binary.AppendUvarint(b, uint64(at))
	}
	for _, n := range s.numbers() {
		b = binary.AppendUvarint(b, uint64(*n))
	}
	b = binary.AppendUvarint(b, uint64(len(s.languages)))
	for _, l := range s.languages {
		b = appendString(b, l)
	}
	return binary.LittleEndian.AppendUint64(b, uint64(len(b)))
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
	raw, err := body.read(body.size-8-int64(size), int64(size))
	if err != nil {
		return nil, err
	}
	c := cursor{b: raw}
	s := &summary{}
	last := int64(0)
	for i := range s.starts {
		s.starts[i] = int64(c.count(int(body.size)))
		if s.starts[i] < last {
			return nil, ErrDamaged
		}
		last = s.starts[i]
	}
	for _, n := range s.numbers() {
		*n = c.count(maxSize)
	}
	languages := c.count(len(c.b))
	for range languages {
		s.languages = append(s.languages, c.string())
	}
	if c.bad || s.documents > maxDocuments || s.passages > maxPassages {
		return nil, ErrDamaged
	}
	return s, nil
}

// span is the position of a section.
func (s *summary) span(section int) (at int64, size int) {
	return s.starts[section], int(s.starts[section+1] - s.starts[section])
}
