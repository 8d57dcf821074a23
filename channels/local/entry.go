package local

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/klauspost/compress/zstd"

	"github.com/citeloop/citeloop/fetch/extract"
	"github.com/citeloop/citeloop/fetch/extract/document"
	"github.com/citeloop/citeloop/internal/sanitize"
	"github.com/citeloop/citeloop/internal/text/lines"
	"github.com/citeloop/citeloop/internal/text/passage"
	"github.com/citeloop/citeloop/internal/text/words"
)

// About is what is known of a document.
type About struct {
	Path        string `json:"-"` // absolute
	Title       string // or the name of its file
	Authors     []string
	PublishedAt string
	DOI         string
	SourceType  string
	Language    string
	Type        string              // value of type: in queries: pdf, html, markdown, text, epub, docx, mail, feed
	Bytes       int                 // of the text
	Head        []extract.Statement // what it states of itself, in order
}

// entry is a document as the index takes it.
type entry struct {
	about           About
	language        string // whose stems the words have
	passages, words int
	title           []string // terms
	named, body     string   // terms: of title, authors and head; of the text
	digest, text    string
	links           []link // with terms for texts
}

// shortTypes are the names of media types in queries.
var shortTypes = map[string]string{
	document.TypeHTML: "html", "application/xhtml+xml": "html", document.TypeMarkdown: "markdown", document.TypePlain: "text",
	document.TypePDF: "pdf", document.TypeEPUB: "epub", document.TypeDOCX: "docx", document.TypeMessage: "mail",
	document.TypeRSS: "feed", document.TypeAtom: "feed",
}

// terms lists the terms of a text.
func terms(a *words.Analyzer, text string) (out []string) {
	a.SearchTerms(text, func(t words.SearchTerm) { out = append(out, t.Term) })
	return out
}

func joined(terms []string) string { return strings.Join(terms, " ") }

// entryOf makes an entry, with analyzers by language. Its digest has a line for the title with the names, one for the head, and one
// for each passage: its place in the text, in code points, and its terms, each after a space.
func entryOf(analyzers map[string]*words.Analyzer, rel string, d document.Document, links []link) entry {
	text := strings.ToValidUTF8(d.Text, "\ufffd")
	content := d.Furniture.Mask(text)
	tag, _, _ := strings.Cut(strings.ReplaceAll(strings.ToLower(d.Language), "_", "-"), "-")
	language := cmp.Or(words.Language(content), tag)
	a := cmp.Or(analyzers[language], words.NewAnalyzer(language))
	analyzers[language] = a
	e := entry{language: language, text: text, about: About{Title: cmp.Or(strings.TrimSpace(d.Title), path.Base(rel)), Authors: d.Authors,
		PublishedAt: d.PublishedAt, DOI: d.DOI, SourceType: d.SourceType, Language: cmp.Or(d.Language, language),
		Type: cmp.Or(shortTypes[d.ContentType], d.ContentType), Bytes: len(text), Head: headOf(rel, d)}}
	e.title = terms(a, d.Title)
	e.title = append(e.title, nameOf(a, rel, e.title)...)
	var head []string
	for _, h := range e.about.Head {
		head = append(head, terms(a, h.Name+" "+strings.Join(h.Values, " "))...)
	}
	names := terms(words.NewAnalyzer("und"), strings.Join(d.Authors, "\n")) // not stemmed: a mill is no miller
	e.named = joined(slices.Concat(e.title, head, names))
	var digest, body strings.Builder
	fmt.Fprintf(&digest, " %s \n %s ", joined(e.title), joined(head))
	for _, p := range passage.Split(content, passageChars) {
		found := terms(a, p.Text)
		fmt.Fprintf(&digest, "\n%d %d %s ", p.Start, p.End, joined(found))
		e.passages++
		e.words += len(found)
		slices.Sort(found)
		body.WriteString(joined(slices.Compact(found)) + " ")
	}
	e.digest, e.body = digest.String(), body.String()
	for _, l := range links {
		e.links = append(e.links, link{l.to, joined(terms(a, l.text))})
	}
	return e
}

// passageChars is the size of an indexed passage, in code points.
const passageChars = 600

// nameOf returns the terms of the names of file and folder that the title lacks.
func nameOf(a *words.Analyzer, rel string, title []string) (out []string) {
	name := path.Base(path.Dir(rel)) + " " + path.Base(withoutExtension(rel))
	for _, term := range terms(a, name+spelled(name)) {
		if !slices.Contains(title, term) && !slices.Contains(out, term) {
			out = append(out, term)
		}
	}
	return out
}

// Limits of what the index keeps of a head (chosen: heads of proposals have 5 to 20 statements).
const (
	maxStatements = 40
	maxValues     = 10  // of one statement
	maxNameChars  = 40  // code points
	maxValueChars = 200 // code points
)

// stating are the endings of files that are statements from the first to the last line.
var stating = []string{".yaml", ".yml", ".toml"}

// headOf returns what a document states of itself: its head, all of a file of YAML or TOML, and the properties that its format
// keeps elsewhere. Title, authors, date, DOI and language have their own fields in the index.
func headOf(rel string, d document.Document) (out []extract.Statement) {
	head, _ := lines.Head(d.Text)
	if slices.Contains(stating, strings.ToLower(path.Ext(strings.TrimSuffix(rel, ".gz")))) {
		head = cmp.Or(head, d.Text)
	}
	for _, s := range append(extract.Statements(head), extract.Statement{Name: "status", Values: []string{d.DocStatus}},
		extract.Statement{Name: "publisher", Values: []string{d.Publisher}},
		extract.Statement{Name: "keywords", Values: strings.Split(d.Keywords, ",")}) {
		stated := extract.Statement{Name: sanitize.Short(s.Name, maxNameChars)}
		for _, v := range bounded(s.Values, maxValues) {
			if v = sanitize.Short(v, maxValueChars); v != "" {
				stated.Values = append(stated.Values, v)
			}
		}
		known := slices.ContainsFunc(out, func(s extract.Statement) bool { return s.Name == stated.Name })
		if !known && len(stated.Values) > 0 && s.Name != "title" {
			out = append(out, stated)
		}
	}
	return bounded(out, maxStatements)
}

// packer and unpacker compress texts. They are safe for concurrent use; their options are valid.
var (
	packer = sync.OnceValues(func() (*zstd.Encoder, error) {
		return zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithLowerEncoderMem(true))
	})
	unpacker = sync.OnceValues(func() (*zstd.Decoder, error) { return zstd.NewReader(nil, zstd.WithDecoderConcurrency(0)) })
)

func pack(text string) []byte {
	enc, _ := packer()
	return enc.EncodeAll([]byte(text), nil)
}

func unpack(packed []byte) (string, error) {
	dec, _ := unpacker()
	raw, err := dec.DecodeAll(packed, nil)
	if err != nil {
		err = errDamaged
	}
	return string(raw), err
}
