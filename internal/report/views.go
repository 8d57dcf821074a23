package report

import (
	"cmp"
	"html/template"
	"strings"
	"time"

	"github.com/citeloop/citeloop/internal/docid"
	"github.com/citeloop/citeloop/internal/report/drawing"
	"github.com/citeloop/citeloop/internal/report/messages"
	"github.com/citeloop/citeloop/internal/sanitize"
	"github.com/citeloop/citeloop/loopstate"
)

// The parts of the page. Fields of type template.HTML are escaped by writeText or contain only our own links.

type findingView struct {
	N    int
	HTML template.HTML // the sentence with its citations and its verdict
}

type proofView struct {
	N        int
	Back     string // anchor of the sentence
	Said     template.HTML
	Verdict  drawing.Verdict
	Because  string
	Origins  int
	Remarks  []string // in words
	Flags    []string // in words
	Receipts []receiptView
}

type receiptView struct {
	J                      int
	Source                 sourceRef
	Lang                   string
	Before, Passage, After template.HTML // with numbered lines; in Passage the cited ones and the reader's deciding words are marked
	Heading                string
	File                   string // of a local source: "notes/otters.md:12"
	CutBefore, CutAfter    bool   // the stored text continues
	Read, Stamp            string
	SHA256                 string
	Lines                  string // "lines 120–128"
	Start, End             int    // of a document without lines
	Pages                  string // of a PDF
	Quote                  template.HTML
	Grade                  string
	Living                 template.URL // the passage on the live page
	Archived               template.URL // the passage in the web archive
	Left                   string       // how much of the passage is not shown
}

// sourceRef is a link to a source.
type sourceRef struct {
	Label  string
	Anchor int // source-N of the page; 0 if not in the list
	Title  template.HTML
	Lang   string
	Link   template.URL
}

type sourceView struct {
	Source
	sourceRef
	Shown              template.HTML // the address, as text
	Authors, Publisher template.HTML
	Published, Type    string
	DOI, DOIText       string
	Read, Stamp        string
	Claims             string
	Original           sourceRef // the source that this one duplicates
	KeptAs             string    // the source's id if its label is another
	Origin             string    // whether it is independent, in words
	Archived           template.URL
	Warnings           []string
}

type groupView struct {
	Title    string
	Findings []findingView
}

func stamp(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.RFC3339)
}

func findingOf(c *citer, i int) findingView {
	s := c.Sentences[i]
	var b strings.Builder
	b.WriteString(`<span class="s ` + drawing.VerdictOf(s.Status).Class + `">`)
	writeText(&b, sanitize.Line(s.Text))
	b.WriteString("</span> ")
	c.tail(&b, i)
	return findingView{N: i + 1, HTML: template.HTML(b.String())} //nolint:gosec // writeText escapes
}

// bestOf returns the sentences of the summary with their citations. The findings have their verdicts.
func bestOf(f facts, c *citer) []template.HTML {
	var out []template.HTML
	for _, i := range f.best() {
		var b strings.Builder
		writeText(&b, sanitize.Line(f.Sentences[i].Text))
		b.WriteByte(' ')
		c.sources(&b, i)
		out = append(out, template.HTML(b.String())) //nolint:gosec // writeText escapes
	}
	clear(c.linked) // the findings have them again
	return out
}

// groupsOf returns the findings among some sentences.
func groupsOf(f facts, c *citer, which map[int]bool) []groupView {
	var out []groupView
	for _, g := range f.groups() {
		v := groupView{Title: counted(g.Title, len(g.Sentences))}
		for _, i := range g.Sentences {
			if which[i] {
				v.Findings = append(v.Findings, findingOf(c, i))
			}
		}
		if len(v.Findings) > 0 {
			out = append(out, v)
		}
	}
	return out
}

func proofOf(f facts, i int, inText bool) proofView {
	s := f.Sentences[i]
	v := proofView{N: i + 1, Back: "s", Said: escaped(sanitize.Short(plainSentence(s.Text), saidChars)), Verdict: s.Verdict(),
		Because: plainStop(s.Because), Origins: s.IndependentOrigins}
	if !inText {
		v.Back = "f"
	}
	v.Remarks, v.Flags = s.remarks(), s.flags()
	for j, r := range s.Receipts {
		v.Receipts = append(v.Receipts, receiptOf(f, r, j, s.Reading))
	}
	return v
}

func receiptOf(f facts, r Receipt, j int, reading *loopstate.Reading) receiptView {
	passage, left := head(r.Passage)
	before, marked, after := r.numbered(passage, reading)
	v := receiptView{
		J: j + 1, Source: refOf(f, r.SourceID, r.URL), Before: before, Passage: marked, Left: left, After: after, Heading: sanitize.Short(r.Heading, titleChars),
		File:      f.fileOf(r, cmp.Or(r.Cited, r.Lines)),
		CutBefore: r.Start > len([]rune(r.Before)), Read: minute(r.FetchedAt), Stamp: stamp(r.FetchedAt), SHA256: sanitize.Line(r.SHA256),
		Lines: r.lineWords(f.words), Start: r.Start, End: r.End, Pages: r.pages(f.words), Quote: escaped(sanitize.Line(r.Quote)), Grade: sanitize.Line(r.Grade),
	}
	v.Lang = v.Source.Lang
	source, _, known := f.source(r.SourceID)
	if known {
		v.Source.Label = f.reference(source, "", r.Lines)
	}
	v.CutAfter = !known || source.Chars == 0 || r.End+len([]rune(r.After)) < source.Chars
	if v.Lang == "" {
		v.Lang = languageByScript(r.Passage)
	}
	r.Passage = r.Words(reading)                 // the shortest stretch that a browser can find
	v.Living = template.URL(f.liveLink(r))       //nolint:gosec // sanitize.Link lets http and https through
	v.Archived = template.URL(f.archivedLink(r)) //nolint:gosec // as above
	return v
}

// refOf returns a link to a source by its id; fallback is shown if the list does not have it.
func refOf(f facts, id, fallback string) sourceRef {
	s, at, ok := f.source(id)
	if !ok {
		name := sanitize.Line(fallback)
		if name == "" {
			name = f.words.T("a source that is not in the list")
		}
		return sourceRef{Label: "?", Title: escaped(name), Link: template.URL(sanitize.Link(fallback))} //nolint:gosec // as above
	}
	return refTo(f.words, s, at)
}

// refTo returns a link to an entry of the list.
func refTo(m messages.Table, s Source, at int) sourceRef {
	ref := sourceRef{Label: s.label(), Anchor: at + 1, Title: escaped(s.titleIn(m)), Lang: languageOf(s.Language)}
	if ref.Link = template.URL(sanitize.Link(s.FinalURL)); ref.Link == "" { //nolint:gosec // sanitize.Link checks
		ref.Link = template.URL(sanitize.Link(s.URL)) //nolint:gosec // sanitize.Link checks
	}
	return ref
}

func sourceViewOf(f facts, i int) sourceView {
	s := f.Sources[i]
	v := sourceView{
		Source: s, sourceRef: refTo(f.words, s, i), Shown: escaped(sanitize.Short(cmp.Or(s.file(), s.address()), 2*titleChars)), Authors: escaped(authorList(f.words, s.Authors)),
		Publisher: escaped(sanitize.Short(s.Publisher, titleChars)), Published: sanitize.Line(s.PublishedAt), Type: f.words.T(typeWords(s.SourceType)),
		Read: minute(s.FetchedAt), Stamp: stamp(s.FetchedAt), Claims: s.citedBy(f.words, f.cited[s.ID]), Origin: f.originWords(i), Warnings: s.warnings(f.words),
	}
	if !s.Pasted {
		v.Archived = template.URL(snapshot(s.address(), s.FetchedAt)) //nolint:gosec // sanitize.Link lets http and https through
	}
	if id := sanitize.Line(s.ID); id != s.label() && f.Parts == nil {
		v.KeptAs = id
	}
	if s.DuplicateOf != "" {
		v.Original = refOf(f, s.DuplicateOf, s.DuplicateOf)
	}
	v.SHA256, v.ContentType = sanitize.Line(s.SHA256), sanitize.Line(s.ContentType)
	if doi := docid.NormalizeDOI(s.DOI); doi != "" {
		v.DOIText, v.DOI = doi, sanitize.Link("https://doi.org/"+doi)
	}
	return v
}

// maxAuthors bounds the authors before "and others".
const maxAuthors = 8

func authorList(m messages.Table, authors []string) string {
	var names []string
	for _, a := range authors {
		if a = sanitize.Line(a); a != "" {
			names = append(names, sanitize.Short(a, titleChars))
		}
	}
	if len(names) > maxAuthors {
		return m.T("%s and others", strings.Join(names[:maxAuthors], ", "))
	}
	return strings.Join(names, ", ")
}

// typeWords returns the words for a type of source.
func typeWords(sourceType string) string {
	switch sourceType {
	case "peer":
		return "peer-reviewed"
	case "primary":
		return "primary or official"
	}
	return sanitize.Line(sourceType)
}
