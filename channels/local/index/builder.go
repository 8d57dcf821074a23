package index

import (
	"cmp"
	"encoding/binary"
	"errors"
	"io"
	"path"
	"slices"
	"sort"
	"strings"
	"unicode/utf8"

	"github.com/citeloop/citeloop/internal/lazyregexp"
	"github.com/citeloop/citeloop/internal/text/passage"
	"github.com/citeloop/citeloop/internal/text/words"
)

// PassageChars is the size of a passage, in code points: it is shown as a result's snippet, which has up to 600.
const PassageChars = 600

// Builder builds a segment in memory. It is not safe for concurrent use.
type Builder struct {
	analyzers map[string]*analyzer // by language
	lists     map[string]*listBuilder
	touched   []*listBuilder
	texts     *textWriter

	files, documents         fields // sections
	passages                 []byte
	fileCount, documentCount int
	filedCount               int    // documents with a file
	places                   []byte // of documents: offset in their section, first passage, words of the title
	lengths                  []byte
	passageCount             uint32
	words                    uint64 // terms in passages
	titleWords               uint64
	languages                map[string]bool
	textBytes                int
	links                    []builtLink
}

// analyzer splits texts of one language into terms.
type analyzer struct {
	*words.Analyzer
	// ofText has the lists of the terms of texts by the number of the word: looking up a list by its name would take
	// longer than all other work for a word.
	ofText []*listBuilder
}

// NewBuilder returns an empty builder.
func NewBuilder() (*Builder, error) {
	texts, err := newTextWriter()
	if err != nil {
		return nil, err
	}
	return &Builder{analyzers: map[string]*analyzer{}, lists: map[string]*listBuilder{}, languages: map[string]bool{}, texts: texts,
		files: fields{writes: true}, documents: fields{writes: true}}, nil
}

// Files and TextBytes return how much the builder holds.
func (b *Builder) Files() int     { return b.fileCount }
func (b *Builder) TextBytes() int { return b.textBytes }

// Add adds a file with its documents. A file with a problem has no documents.
func (b *Builder) Add(f File, documents []Document) error {
	for _, d := range documents {
		if err := b.Document(f.Path, d); err != nil {
			return err
		}
	}
	b.File(f)
	return nil
}

// File completes a file: its documents are those added since the last one.
func (b *Builder) File(f File) {
	f.documents = b.documentCount - b.filedCount
	b.files.file(&f, 0)
	b.filedCount = b.documentCount
	b.fileCount++
}

// Document adds a document of the next file, whose path within the folder is given.
func (b *Builder) Document(path string, d Document) error {
	if b.documentCount == maxDocuments {
		return errors.New("a segment takes no more documents")
	}
	d.Text = strings.ToValidUTF8(d.Text, "\ufffd")
	language := cmp.Or(words.Language(d.Text), primary(d.Language))
	d.Language = cmp.Or(d.Language, language)
	analyzer := b.analyzerOf(language)
	b.languages[language] = true

	links := fields{writes: true}
	links.links(&d.Links)
	about := About{Document: d, file: b.fileCount, text: b.texts.add(d.Text), textBytes: len(d.Text), linkBytes: len(links.out), passagesAt: len(b.passages)}
	b.texts.add(string(links.out))
	b.textBytes += len(d.Text) + len(links.out)
	b.places = binary.LittleEndian.AppendUint32(b.places, uint32(len(b.documents.out)))
	b.places = binary.LittleEndian.AppendUint32(b.places, b.passageCount)
	b.documents.document(&about)
	b.addLinks(analyzer, b.documentCount, d.Links)
	id := uint32(b.documentCount)
	b.documentCount++

	inTitle := b.terms(analyzer, fieldTitle, d.Title, id)
	b.titleWords += uint64(inTitle)
	b.places = binary.LittleEndian.AppendUint16(b.places, uint16(min(inTitle, 1<<16-1)))
	b.terms(analyzer, fieldName, analyzer.named(path, d), id)
	// Names of authors are not stemmed; "it" is a language without a stemmer.
	b.terms(b.analyzerOf(unstemmed), fieldAuthor, strings.Join(d.Authors, "\n"), id)
	b.terms(b.analyzerOf(unstemmed), fieldType, d.Type, id)

	endChars, endBytes := 0, 0
	passages := passage.Split(d.Text, PassageChars)
	if len(passages) == 0 && strings.TrimSpace(d.Text) != "" { // a list of links or contents alone, such as bookmarks
		for _, c := range words.Cut(d.Text, PassageChars) {
			passages = append(passages, passage.Passage{Start: c.Start, End: c.End, Text: c.Text})
		}
	}
	for _, p := range passages {
		place := endBytes
		for range p.Start - endChars {
			_, size := utf8.DecodeRuneInString(d.Text[place:])
			place += size
		}
		for _, n := range []int{p.Start - endChars, p.End - p.Start, place - endBytes, len(p.Text)} {
			b.passages = binary.AppendUvarint(b.passages, uint64(n))
		}
		endChars, endBytes = p.End, place+len(p.Text)
		n := b.terms(analyzer, fieldText, p.Text, b.passageCount)
		b.words += uint64(n)
		if b.passageCount++; b.passageCount == maxPassages {
			return errors.New("a segment takes no more passages")
		}
	}
	return nil
}

// named returns the words of the names of a document's file and its folder that are not in the title. A message is not named by
// its mailbox.
func (a *analyzer) named(file string, d Document) (names string) {
	if d.Part != "" {
		return ""
	}
	have := map[string]bool{}
	a.Tokens(d.Title, func(t words.Token) { have[t.Term] = true })
	folder, name := path.Split(file)
	name = strings.TrimSuffix(name, ".gz")
	name = path.Base(folder) + " " + strings.TrimSuffix(name, path.Ext(name))
	name += " " + numberInName.ReplaceAllString(name, "$1 $2") // rfc2616 is RFC 2616
	a.Tokens(name, func(t words.Token) {
		if !have[t.Term] {
			have[t.Term] = true
			names += name[t.ByteStart:t.ByteEnd] + " "
		}
	})
	return names
}

var numberInName = lazyregexp.New(`(\pL)(\d)`)

const unstemmed = "und" // tag of an undetermined language: words are folded but not stemmed

func (b *Builder) analyzerOf(language string) *analyzer {
	a := b.analyzers[language]
	if a == nil {
		a = &analyzer{Analyzer: words.NewAnalyzer(language)}
		b.analyzers[language] = a
	}
	return a
}

// terms adds the terms of a text under an id and returns their number.
func (b *Builder) terms(a *analyzer, field byte, text string, id uint32) int {
	n := uint32(0)
	a.Tokens(text, func(t words.Token) {
		var list *listBuilder
		if field == fieldText && t.Word > 0 {
			if t.Word >= len(a.ofText) {
				a.ofText = append(a.ofText, make([]*listBuilder, t.Word-len(a.ofText)+1)...)
			}
			if list = a.ofText[t.Word]; list == nil {
				list = b.list(field, t.Term)
				a.ofText[t.Word] = list
			}
		} else {
			list = b.list(field, t.Term)
		}
		if list.occurs(n) {
			b.touched = append(b.touched, list)
		}
		n++
	})
	if field == fieldText {
		b.lengths = binary.LittleEndian.AppendUint16(b.lengths, uint16(min(n, 1<<16-1)))
	}
	for _, list := range b.touched {
		list.close(id)
	}
	b.touched = b.touched[:0]
	return int(n)
}

// list returns the list of a term by its name.
func (b *Builder) list(field byte, term string) *listBuilder {
	var name [1 + 4*64]byte // an analyzer keeps 64 characters of a word
	name[0] = field
	key := append(name[:1], term...)
	list := b.lists[string(key)]
	if list == nil {
		list = &listBuilder{}
		b.lists[string(key)] = list
	}
	return list
}

// WriteTo writes the segment. The builder cannot be used afterwards.
func (b *Builder) WriteTo(to io.Writer) (int64, error) {
	b.texts.flush()
	w := newCheckedWriter(to)
	var s summary
	section := func(i int, p []byte) { s.begin(i, w.n); _, _ = w.Write(p) } // w keeps its error

	section(sectionTexts, b.texts.packed)
	b.texts.packed = nil

	s.begin(sectionLists, w.n)
	names := make([]string, 0, len(b.lists))
	for name := range b.lists {
		names = append(names, name)
	}
	sort.Strings(names)
	var dict dictionaryWriter
	for _, name := range names {
		list := b.lists[name]
		positions := list.positions
		if name[0] != fieldText {
			positions = nil // nothing reads them
		}
		dict.add(name, term{count: int(list.count), postings: len(list.postings), positions: len(positions)})
		_, _ = w.Write(list.postings)
		_, _ = w.Write(positions)
	}
	b.lists = nil
	section(sectionDictionary, dict.body)
	section(sectionSparse, dict.sparse)
	section(sectionPassages, b.passages)
	section(sectionLengths, b.lengths)
	section(sectionDocuments, b.documents.out)
	section(sectionPlaces, b.places)
	section(sectionFiles, b.files.out)
	var chunks []byte
	last := uint64(0)
	for _, end := range b.texts.ends {
		chunks = binary.AppendUvarint(chunks, end-last)
		last = end
	}
	section(sectionChunks, chunks)
	links, targets := b.linkSections()
	section(sectionLinks, links)
	section(sectionTargets, targets)

	s.begin(sectionSummary, w.n)
	s.files, s.documents, s.passages, s.terms = b.fileCount, b.documentCount, int(b.passageCount), dict.n
	s.words, s.titleWords, s.textBytes = int(b.words), int(b.titleWords), b.texts.size
	for language := range b.languages {
		s.languages = append(s.languages, language)
	}
	slices.Sort(s.languages)
	_, _ = w.Write(s.encode())
	err := w.finish()
	return w.n, err
}

// primary returns the first subtag of a language tag, in lower case.
func primary(tag string) string {
	tag, _, _ = strings.Cut(strings.ToLower(tag), "-")
	tag, _, _ = strings.Cut(tag, "_")
	return tag
}

// builtLink is a link in a builder.
type builtLink struct {
	document, words uint32
	target          uint64
}

// addLinks adds the words of a document's links.
func (b *Builder) addLinks(a *analyzer, document int, links []Link) {
	for _, l := range links {
		if len(b.links) == maxLinks {
			return
		}
		n := b.terms(a, fieldLink, l.Text, uint32(len(b.links)))
		b.links = append(b.links, builtLink{uint32(document), uint32(n), pathHash(l.To)})
	}
}

// linkSections encodes the links and their targets.
func (b *Builder) linkSections() (links, targets []byte) {
	hashes := make([]uint64, len(b.links))
	for i, l := range b.links {
		hashes[i] = l.target
	}
	slices.Sort(hashes)
	hashes = slices.Compact(hashes)
	for _, l := range b.links {
		at, _ := slices.BinarySearch(hashes, l.target)
		for _, n := range []uint32{l.document, uint32(at), l.words} {
			links = binary.LittleEndian.AppendUint32(links, n)
		}
	}
	for _, h := range hashes {
		targets = binary.LittleEndian.AppendUint64(targets, h)
	}
	return links, targets
}
