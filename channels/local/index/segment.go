package index

import (
	"encoding/binary"
	"fmt"
	"io"
	"iter"
	"sync"
)

// Segment is an open segment. It is safe for concurrent use.
type Segment struct {
	body    *checkedReader
	sum     *summary
	dict    *dictionary
	texts   *textReader
	lengths []byte   // two bytes a passage
	placeOf []uint32 // of documents, in their section
	firstOf []uint32 // of documents: their first passage; one more at the end
	fileOf  []uint32 // of documents
	inTitle []uint16 // of documents: words of their titles
	filed   []byte   // the section of files
	fileAt  []uint32 // of files, in their section
	links   linkTable

	byPathOnce sync.Once
	byPath     map[uint64]int // the first file with a hash
}

// Open reads the tables of a segment. The error wraps [ErrDamaged] if the bytes are not a valid segment.
func Open(r io.ReaderAt, size int64) (*Segment, error) {
	body, err := openChecked(r, size)
	if err != nil {
		return nil, err
	}
	sum, err := decodeSummary(body)
	if err != nil {
		return nil, err
	}
	s := &Segment{body: body, sum: sum}
	if err := s.open(); err != nil {
		return nil, err
	}
	return s, nil
}

func (s *Segment) open() error {
	tables := map[int][]byte{} // the sections that are kept in memory
	for _, i := range []int{sectionSparse, sectionLengths, sectionPlaces, sectionFiles, sectionChunks, sectionLinks, sectionTargets} {
		at, size := s.sum.span(i)
		raw, err := s.body.read(at, int64(size))
		if err != nil {
			return err
		}
		tables[i] = raw
	}
	var err error
	at, size := s.sum.span(sectionDictionary)
	_, lists := s.sum.span(sectionLists)
	if s.dict, err = openDictionary(s.body, at, size, tables[sectionSparse], (s.sum.terms+dictBlock-1)/dictBlock, lists); err != nil {
		return err
	}
	s.lengths = tables[sectionLengths]
	if err := s.openDocuments(tables[sectionPlaces]); err != nil {
		return err
	}
	if err := s.openTexts(tables[sectionChunks]); err != nil {
		return err
	}
	if err := s.openFiles(tables[sectionFiles]); err != nil {
		return err
	}
	return s.openLinks(tables[sectionLinks], tables[sectionTargets])
}

// placeBytes is the size of a document's entry in the table of places.
const placeBytes = 4 + 4 + 2

func (s *Segment) openDocuments(places []byte) error {
	if len(s.lengths) != 2*s.sum.passages || len(places) != placeBytes*s.sum.documents {
		return fmt.Errorf("%w: its tables are too short", ErrDamaged)
	}
	_, documents := s.sum.span(sectionDocuments)
	s.placeOf, s.firstOf = make([]uint32, s.sum.documents), make([]uint32, s.sum.documents+1)
	s.inTitle = make([]uint16, s.sum.documents)
	for i := range s.placeOf {
		place := places[placeBytes*i:]
		s.placeOf[i] = binary.LittleEndian.Uint32(place)
		s.firstOf[i] = binary.LittleEndian.Uint32(place[4:])
		s.inTitle[i] = binary.LittleEndian.Uint16(place[8:])
		if int(s.placeOf[i]) > documents || int(s.firstOf[i]) > s.sum.passages || i > 0 && s.firstOf[i] < s.firstOf[i-1] || i == 0 && s.firstOf[i] != 0 {
			return fmt.Errorf("%w: its documents are out of order", ErrDamaged)
		}
	}
	if s.sum.documents == 0 && s.sum.passages > 0 {
		return fmt.Errorf("%w: its passages are of no document", ErrDamaged)
	}
	s.firstOf[s.sum.documents] = uint32(s.sum.passages)
	return nil
}

// openFiles reads the section of files: every search with path: needs it.
func (s *Segment) openFiles(filed []byte) error {
	s.filed = filed
	s.fileOf = make([]uint32, 0, s.sum.documents)
	c := fields{cursor: cursor{b: s.filed}}
	for i := range s.sum.files {
		s.fileAt = append(s.fileAt, uint32(len(s.filed)-len(c.b)))
		var f File
		if c.file(&f, s.sum.documents-len(s.fileOf)); c.bad {
			return fmt.Errorf("%w: its files", ErrDamaged)
		}
		for range f.documents {
			s.fileOf = append(s.fileOf, uint32(i))
		}
	}
	if len(s.fileOf) != s.sum.documents {
		return fmt.Errorf("%w: its files have other documents than it has", ErrDamaged)
	}
	return nil
}

func (s *Segment) openTexts(chunks []byte) error {
	at, packed := s.sum.span(sectionTexts)
	s.texts = &textReader{body: s.body, at: at, size: s.sum.textBytes, last: -1}
	n := (s.sum.textBytes + chunkBytes - 1) / chunkBytes
	if n > len(chunks) {
		return fmt.Errorf("%w: chunks of text are missing", ErrDamaged)
	}
	c := cursor{b: chunks}
	end := uint64(0)
	for range n {
		end += c.uvarint()
		if c.bad || end > uint64(packed) {
			return fmt.Errorf("%w: a chunk of text lies outside of it", ErrDamaged)
		}
		s.texts.ends = append(s.texts.ends, end)
	}
	return nil
}

func (s *Segment) openLinks(links, targets []byte) error {
	if len(links)%linkBytes != 0 || len(targets)%targetBytes != 0 || len(links)/linkBytes > maxLinks {
		return fmt.Errorf("%w: its links", ErrDamaged)
	}
	t := linkTable{links: links, targets: make([]uint64, len(targets)/targetBytes), words: make([]uint32, len(targets)/targetBytes)}
	for i := range t.targets {
		t.targets[i] = binary.LittleEndian.Uint64(targets[targetBytes*i:])
	}
	for i := range t.count() {
		document, target, words := t.link(uint32(i))
		if document >= s.sum.documents || target >= len(t.targets) {
			return fmt.Errorf("%w: a link is of no document or to no target", ErrDamaged)
		}
		t.words[target] += words
		t.all += int(words)
	}
	s.links = t
	return nil
}

// Counts of a segment, deleted files included.
func (s *Segment) Files() int     { return s.sum.files }
func (s *Segment) Documents() int { return s.sum.documents }
func (s *Segment) Passages() int  { return s.sum.passages }
func (s *Segment) TextBytes() int { return s.sum.textBytes }

// EachFile yields the files with their numbers, in order.
func (s *Segment) EachFile() iter.Seq2[int, File] {
	return func(yield func(int, File) bool) {
		c := fields{cursor: cursor{b: s.filed}} // read to the end when the segment was opened
		first := 0
		for i := range s.sum.files {
			f := File{first: first}
			c.file(&f, s.sum.documents-first)
			first += f.documents
			if !yield(i, f) {
				return
			}
		}
	}
}

func (s *Segment) path(file int) string {
	c := cursor{b: s.filed[s.fileAt[file]:]}
	return c.string()
}

// About returns a document, which [Part.EachDocument] yielded, without its text.
func (s *Segment) About(document int) (About, error) {
	at, size := s.sum.span(sectionDocuments)
	begin, end := int(s.placeOf[document]), size
	if document+1 < len(s.placeOf) {
		end = int(s.placeOf[document+1])
	}
	raw, err := s.body.read(at+int64(begin), int64(end-begin))
	if err != nil {
		return About{}, err
	}
	c, a := fields{cursor: cursor{b: raw}}, About{}
	c.document(&a)
	a.first, a.through = int(s.firstOf[document]), int(s.firstOf[document+1])
	if c.bad || a.file != int(s.fileOf[document]) {
		return About{}, fmt.Errorf("%w: a document", ErrDamaged)
	}
	a.Path = s.path(a.file)
	return a, nil
}

// EachDocument yields the documents of files that are not deleted, with their numbers and without their texts, up to the first
// error.
func (p Part) EachDocument(yield func(document int, a About) bool) error {
	for i, file := range p.fileOf {
		if p.Deleted.Has(int(file)) {
			continue
		}
		a, err := p.About(i)
		if err != nil || !yield(i, a) {
			return err
		}
	}
	return nil
}

// Texts yields the documents of a file with their texts, to put them into another segment.
func (s *Segment) Texts(f File) ([]Document, error) {
	var out []Document
	for i := range f.documents {
		a, err := s.About(f.first + i)
		if err != nil {
			return nil, err
		}
		if a.Text, err = s.texts.slice(a.text, a.textBytes); err != nil {
			return nil, err
		}
		links, err := s.texts.slice(a.text+a.textBytes, a.linkBytes)
		if err != nil {
			return nil, err
		}
		c := fields{cursor: cursor{b: []byte(links)}}
		if c.links(&a.Links); c.bad {
			return nil, fmt.Errorf("%w: the links of a document", ErrDamaged)
		}
		out = append(out, a.Document)
	}
	return out, nil
}

// TextOf returns the text of a document.
func (s *Segment) TextOf(a About) (string, error) { return s.texts.slice(a.text, a.textBytes) }

// Passage is a part of a document's text; Start and End count code points.
type Passage struct {
	Start, End int
	Text       string
}

// passage reads the nth passage of a document, from 0.
func (s *Segment) passage(a About, nth int) (Passage, error) {
	at, size := s.sum.span(sectionPassages)
	if a.passagesAt > size {
		return Passage{}, fmt.Errorf("%w: passages lie outside of it", ErrDamaged)
	}
	const most = 4 * 10 // bytes of one
	raw, err := s.body.read(at+int64(a.passagesAt), int64(min(size-a.passagesAt, (nth+1)*most)))
	if err != nil {
		return Passage{}, err
	}
	c := cursor{b: raw}
	var p Passage
	begin, end := 0, 0
	for range nth + 1 {
		p.Start = p.End + c.count(maxSize)
		p.End = p.Start + c.count(maxSize)
		begin = end + c.count(a.textBytes)
		end = begin + c.count(a.textBytes)
	}
	if c.bad || end > a.textBytes {
		return Passage{}, fmt.Errorf("%w: a passage lies outside of its text", ErrDamaged)
	}
	p.Text, err = s.texts.slice(a.text+begin, end-begin)
	return p, err
}

// list reads the list of a term, or returns nil if nothing has it.
func (s *Segment) list(field byte, word string) (*postingList, error) {
	t, ok, err := s.dict.find(string(field) + word)
	if err != nil || !ok {
		return nil, err
	}
	at, _ := s.sum.span(sectionLists)
	raw, err := s.body.read(at+int64(t.at), int64(t.postings))
	if err != nil {
		return nil, err
	}
	ids := s.sum.documents
	switch field {
	case fieldText:
		ids = s.sum.passages
	case fieldLink:
		ids = s.links.count()
	}
	l, ok := newPostingList(raw, t.count, uint32(ids))
	if !ok {
		return nil, fmt.Errorf("%w: a list of postings", ErrDamaged)
	}
	l.loadPos = func() ([]byte, error) { return s.body.read(at+int64(t.at+t.postings), int64(t.positions)) }
	return l, nil
}

// length returns the number of terms in a passage.
func (s *Segment) length(passage uint32) uint16 {
	return binary.LittleEndian.Uint16(s.lengths[2*passage:])
}

// Part is a segment in a search.
type Part struct {
	*Segment
	Deleted *Bits  // deleted or replaced files; nil = none
	Folder  string // prefix of the paths, for path:
}

// fileOfPath returns the file with the hash of a path, or -1.
func (s *Segment) fileOfPath(hash uint64) int {
	s.byPathOnce.Do(func() {
		s.byPath = make(map[uint64]int, s.sum.files)
		for i := s.sum.files - 1; i >= 0; i-- {
			s.byPath[pathHash(s.path(i))] = i
		}
	})
	if file, ok := s.byPath[hash]; ok {
		return file
	}
	return -1
}
