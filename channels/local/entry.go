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
	"github.com/citeloop/citeloop/internal/lazyregexp"
	"github.com/citeloop/citeloop/internal/sanitize"
	"github.com/citeloop/citeloop/internal/text/lines"
	"github.com/citeloop/citeloop/internal/text/passage"
	"github.com/citeloop/citeloop/internal/text/words"
)

// About is what is known of a document.
type About struct {
	Path        string `json:"-"` // absolute
	Title       string
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
	about               About
	language            string // whose stems the words have
	passages, words     int
	title, author, head []string // terms
	body                string   // the same
	digest, text        []byte   // packed
	links               []link   // with terms for texts
}

// shortTypes are the names of media types in queries.
var shortTypes = map[string]string{
	document.TypeHTML: "html", "application/xhtml+xml": "html", document.TypeMarkdown: "markdown", document.TypePlain: "text",
	document.TypePDF: "pdf", document.TypeEPUB: "epub", document.TypeDOCX: "docx", document.TypeMessage: "mail",
	document.TypeRSS: "feed", document.TypeAtom: "feed",
}

// unstemmed is the tag of an undetermined language: names are folded but not stemmed, so that a mill is no miller.
const unstemmed = "und"

// stemmers are the analyzers of a worker, by language. They remember stems, and are not safe for concurrent use.
type stemmers map[string]*words.Analyzer

func (s stemmers) of(language string) *words.Analyzer {
	if s[language] == nil {
		s[language] = words.NewAnalyzer(language)
	}
	return s[language]
}

// terms lists the terms of a text.
func terms(a *words.Analyzer, text string) (out []string) {
	a.SearchTerms(text, func(t words.SearchTerm) { out = append(out, t.Term) })
	return out
}

func joined(terms []string) string { return strings.Join(terms, " ") }

// entryOf makes an entry. Its digest has a line for the title with the names, one for the head, and one for each passage: its place in the
// text, in code points, and its terms, each after a space.
func (s stemmers) entryOf(rel string, d document.Document, links []link) *entry {
	text := strings.ToValidUTF8(d.Text, "\ufffd")
	content := d.Furniture.Mask(text)
	language := cmp.Or(words.Language(content), primary(d.Language))
	a := s.of(language)
	e := &entry{language: language, text: pack(text), about: About{Title: d.Title, Authors: d.Authors,
		PublishedAt: d.PublishedAt, DOI: d.DOI, SourceType: d.SourceType, Language: cmp.Or(d.Language, language),
		Type: cmp.Or(shortTypes[d.ContentType], d.ContentType), Bytes: len(text), Head: headOf(rel, d)}}
	e.title = terms(a, d.Title)
	e.title = append(e.title, nameOf(a, rel, e.title)...)
	e.author = terms(s.of(unstemmed), strings.Join(d.Authors, "\n"))
	for _, h := range e.about.Head {
		e.head = append(e.head, terms(a, h.Name+" "+strings.Join(h.Values, " "))...)
	}
	var digest, body strings.Builder
	fmt.Fprintf(&digest, " %s \n %s ", joined(e.title), joined(e.head))
	for _, p := range passage.Split(content, passageChars) {
		found := terms(a, p.Text)
		fmt.Fprintf(&digest, "\n%d %d %s ", p.Start, p.End, joined(found))
		e.passages++
		e.words += len(found)
		slices.Sort(found)
		body.WriteString(joined(slices.Compact(found)) + " ")
	}
	e.digest, e.body = pack(digest.String()), body.String()
	for _, l := range links {
		e.links = append(e.links, link{l.to, joined(terms(a, l.text))})
	}
	return e
}

// passageChars is the size of an indexed passage, in code points.
const passageChars = 600

var numberInName = lazyregexp.New(`(\pL)(\d)`)

// nameOf returns the terms of the names of file and folder that the title lacks.
func nameOf(a *words.Analyzer, rel string, title []string) (out []string) {
	name := path.Base(path.Dir(rel)) + " " + path.Base(withoutExtension(rel))
	name += " " + numberInName.ReplaceAllString(name, "$1 $2") // rfc2616 is RFC 2616
	for _, term := range terms(a, name) {
		if !slices.Contains(title, term) && !slices.Contains(out, term) {
			out = append(out, term)
		}
	}
	return out
}

// primary returns the primary subtag of a language tag.
func primary(tag string) string {
	tag, _, _ = strings.Cut(strings.ReplaceAll(strings.ToLower(tag), "_", "-"), "-")
	return tag
}

// Limits of what the index keeps of a head (chosen: heads of proposals have 5 to 20 statements).
const (
	maxStatements  = 40
	maxValues      = 10  // of one statement
	maxNameChars   = 40  // code points
	maxValueChars  = 200 // code points
	maxHeadedLines = 200 // of a file of YAML or TOML, as of a head
)

// stating are the endings of files that are statements from the first to the last line.
var stating = []string{".yaml", ".yml", ".toml"}

// headOf returns what a document states of itself: its head, all of a file of YAML or TOML, and the properties that its format
// keeps elsewhere. Title, authors, date, DOI and language have their own fields in the index.
func headOf(rel string, d document.Document) (out []extract.Statement) {
	add := func(name string, values ...string) {
		known := slices.ContainsFunc(out, func(s extract.Statement) bool { return s.Name == name })
		if known || len(out) == maxStatements || name == "title" {
			return
		}
		s := extract.Statement{Name: sanitize.Short(name, maxNameChars)}
		for _, v := range values {
			if v = sanitize.Short(v, maxValueChars); v != "" && len(s.Values) < maxValues {
				s.Values = append(s.Values, v)
			}
		}
		if len(s.Values) > 0 {
			out = append(out, s)
		}
	}
	head, _ := lines.Head(d.Text)
	if ext := path.Ext(strings.TrimSuffix(rel, ".gz")); head == "" && slices.Contains(stating, strings.ToLower(ext)) {
		all := strings.SplitN(d.Text, "\n", maxHeadedLines+1)
		head = strings.Join(all[:min(len(all), maxHeadedLines)], "\n")
	}
	for _, s := range extract.Statements(head) {
		add(s.Name, s.Values...)
	}
	for _, s := range [][2]string{{"status", d.DocStatus}, {"publisher", d.Publisher}, {"subject", d.Subject}, {"modified", d.ModifiedAt},
		{"licence", d.Licence}, {"arxiv", d.ArXiv}, {"pmid", d.PMID}} {
		add(s[0], s[1])
	}
	add("keywords", strings.Split(d.Keywords, ",")...)
	return out
}

// maxStoredBytes bounds a text, and what a damaged index may unpack (chosen: a document has 20 MB at most).
const maxStoredBytes = 256 << 20

// packer and unpacker compress texts. They are safe for concurrent use; their options are valid.
var (
	packer = sync.OnceValues(func() (*zstd.Encoder, error) {
		return zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithLowerEncoderMem(true))
	})
	unpacker = sync.OnceValues(func() (*zstd.Decoder, error) {
		return zstd.NewReader(nil, zstd.WithDecoderConcurrency(0), zstd.WithDecoderMaxMemory(maxStoredBytes))
	})
)

func pack(text string) []byte {
	enc, _ := packer()
	return enc.EncodeAll([]byte(text), nil)
}

func unpack(packed []byte) (string, error) {
	dec, _ := unpacker()
	raw, err := dec.DecodeAll(packed, nil)
	if err != nil {
		return "", errDamaged
	}
	return string(raw), nil
}
