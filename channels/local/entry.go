package local

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/citeloop/citeloop/fetch/extract/document"
	"github.com/citeloop/citeloop/internal/lazyregexp"
	"github.com/citeloop/citeloop/internal/text/words"
)

// stored is what a search and a list show of a document, besides its text.
type stored struct {
	Title       string      `json:"title,omitempty"`
	Authors     []string    `json:"authors,omitempty"`
	PublishedAt string      `json:"published_at,omitempty"`
	DOI         string      `json:"doi,omitempty"`
	SourceType  string      `json:"source_type,omitempty"`
	Type        string      `json:"type,omitempty"` // value of type: in queries: pdf, html, markdown, text, epub, docx, mail, feed
	Language    string      `json:"language,omitempty"`
	Head        []statement `json:"head,omitempty"`  // what it states of itself, in order
	Stems       string      `json:"stems,omitempty"` // language whose stems its words have
}

// statement is a statement of a document of itself, such as its status.
type statement struct {
	Name   string   `json:"n"` // lower case, words joined by hyphens
	Values []string `json:"v"`
}

// entry is a document as the index takes it.
type entry struct {
	part                            string // of a mailbox: the message; "" = the whole file
	about                           stored
	language                        string // whose stems the words have
	bytes                           int    // of the text
	passages, words, titleWords     int
	title, name, author, head, body string // terms
	terms, text                     []byte // packed
	links                           []byte // packed: a line for each file that it links to, with the terms; nil = none
}

// shortTypes are the names of media types in queries.
var shortTypes = map[string]string{
	document.TypeHTML: "html", "application/xhtml+xml": "html", document.TypeMarkdown: "markdown", document.TypePlain: "text",
	document.TypePDF: "pdf", document.TypeEPUB: "epub", document.TypeDOCX: "docx", document.TypeMessage: "mail",
	document.TypeRSS: "feed", document.TypeAtom: "feed", document.TypeJSONFeed: "feed",
}

// unstemmed is the tag of an undetermined language: its words are folded but not stemmed.
const unstemmed = "und"

// stemmers make entries. They remember the stems of each language, and are not safe for concurrent use.
type stemmers struct {
	codec     *codec
	analyzers map[string]*words.Analyzer
}

func newStemmers(c *codec) *stemmers { return &stemmers{c, map[string]*words.Analyzer{}} }

func (s *stemmers) of(language string) *words.Analyzer {
	a := s.analyzers[language]
	if a == nil {
		a = words.NewAnalyzer(language)
		s.analyzers[language] = a
	}
	return a
}

// terms lists the terms of a text.
func terms(a *words.Analyzer, text string) (out []string) {
	a.SearchTerms(text, func(t words.SearchTerm) { out = append(out, t.Term) })
	return out
}

func (s *stemmers) entryOf(rel, part string, d document.Document, links []link) entry {
	text := strings.ToValidUTF8(d.Text, "\ufffd")
	content := d.Furniture.Mask(text)
	language := cmp.Or(words.Language(content), primary(d.Language))
	a, plain := s.of(language), s.of(unstemmed)
	e := entry{part: part, language: language, bytes: len(text), about: stored{Title: d.Title, Authors: d.Authors, PublishedAt: d.PublishedAt, DOI: d.DOI,
		SourceType: d.SourceType, Type: cmp.Or(shortTypes[d.ContentType], d.ContentType), Language: cmp.Or(d.Language, language), Head: headOf(rel, d), Stems: language}}
	dig, known := &digest{}, map[string]int{}
	numbers := func(text string) (out []int) {
		a.SearchTerms(text, func(t words.SearchTerm) { out = append(out, dig.number(known, t.Term)) })
		return out
	}
	dig.title = numbers(d.Title)
	if part == "" {
		dig.name = numbers(nameOf(a, rel, d.Title))
	}
	e.words = dig.split(content, numbers)
	e.passages, e.titleWords = len(dig.passages), len(dig.title)
	e.title, e.name = dig.join(dig.title), dig.join(dig.name)
	e.author = strings.Join(terms(plain, strings.Join(d.Authors, "\n")), " ")
	var head, body strings.Builder
	for _, h := range e.about.Head {
		for _, v := range h.Values {
			head.WriteString(strings.Join(terms(a, h.Name+" "+v), " ") + " ")
		}
	}
	for _, p := range dig.passages {
		distinct := slices.Clone(p.terms)
		slices.Sort(distinct)
		body.WriteString(dig.join(slices.Compact(distinct)))
	}
	e.head, e.body = head.String(), body.String()
	e.terms, e.text = s.codec.pack(dig.encode()), s.codec.pack([]byte(text))
	var out strings.Builder
	for _, l := range links {
		out.WriteString(l.to + "\t" + strings.Join(terms(a, l.text), " ") + "\n")
	}
	if out.Len() > 0 {
		e.links = s.codec.pack([]byte(out.String()))
	}
	return e
}

func (d *digest) join(numbers []int) string {
	var b strings.Builder
	for _, n := range numbers {
		b.WriteString(d.terms[n])
		b.WriteByte(' ')
	}
	return b.String()
}

var numberInName = lazyregexp.New(`(\pL)(\d)`)

// nameOf returns the words of the names of file and folder that the title lacks.
func nameOf(a *words.Analyzer, rel, title string) string {
	have := terms(a, title)
	folder, name := path.Split(rel)
	name = strings.TrimSuffix(name, ".gz")
	name = path.Base(folder) + " " + strings.TrimSuffix(name, path.Ext(name))
	name += " " + numberInName.ReplaceAllString(name, "$1 $2") // rfc2616 is RFC 2616
	var names []string
	a.SearchTerms(name, func(t words.SearchTerm) {
		if !slices.Contains(have, t.Term) {
			have = append(have, t.Term)
			names = append(names, t.Written)
		}
	})
	return strings.Join(names, " ")
}

// primary returns the primary subtag of a language tag.
func primary(tag string) string {
	tag, _, _ = strings.Cut(strings.ToLower(tag), "-")
	tag, _, _ = strings.Cut(tag, "_")
	return tag
}
