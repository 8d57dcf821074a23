package report

import (
	"cmp"
	"html/template"
	"strings"
	"time"

	"github.com/citeloop/citeloop/internal/report/messages"
	"github.com/citeloop/citeloop/internal/report/stored"
	"github.com/citeloop/citeloop/internal/sanitize"
	"github.com/citeloop/citeloop/internal/text/lines"
	"github.com/citeloop/citeloop/internal/verify"
	"github.com/citeloop/citeloop/loopstate"
)

// Words returns the words of the passage that say it: those that decided for the reader, else the cited lines, else all.
func (r Receipt) Words(reading *loopstate.Reading) string {
	if start, end, ok := decides(r.Passage, reading); ok {
		return string([]rune(r.Passage)[start:end])
	}
	first, named := r.ranges()
	if len(named) == 0 {
		return r.Passage
	}
	var out []string
	for i, line := range strings.Split(r.Passage, "\n") {
		if holds(named, first+i) {
			out = append(out, line)
		}
	}
	if len(out) == 0 {
		return r.Passage
	}
	return strings.Join(out, "\n")
}

// ranges returns the number of the passage's first line, 0 if it is unknown, and the lines that the author names.
func (r Receipt) ranges() (first int, named lines.Ranges) {
	if at, ok := lines.ParseRanges(r.Lines); ok {
		first = at[0].First
	}
	named, _ = lines.ParseRanges(r.Cited)
	return first, named
}

func holds(ranges lines.Ranges, line int) bool {
	for _, r := range ranges {
		if r.First <= line && line <= r.Last {
			return true
		}
	}
	return false
}

// numberedPassage is a passage and what is around it, line by line.
type numberedPassage struct{ Before, Passage, After []passageLine }

type passageLine struct {
	stored.Line
	Cited, Named bool // of the passage; and of the lines that the author names
}

// Numbered returns the shown part of a passage. Its only marks are the words that decided for the reader.
func (r receiptView) Numbered() numberedPassage {
	first, named := r.ranges()
	at := stored.Place{Line: first - strings.Count(r.Before, "\n")}
	part := func(text string, cited bool, marks ...stored.Mark) (out []passageLine) {
		for _, line := range at.Lines(text, marks) {
			out = append(out, passageLine{line, cited, cited && holds(named, line.Number)})
		}
		at = at.After(text)
		return out
	}
	passage, _ := head(r.Passage)
	before := part(r.Before, false)
	start, end, _ := decides(passage, r.reading)
	return numberedPassage{before, part(passage, true, stored.Mark{Class: "decides", Start: at.Char + start, End: at.Char + end}), part(r.After, false)}
}

// Locate sets the lines of a receipt, those of them that a claim cites, and what stands above them in the text.
func (r *Receipt) Locate(text *lines.Text, citations []verify.Citation) {
	at := text.Lines(r.Start, r.End)
	r.Lines = lines.Ranges{at}.String()
	var named lines.Ranges
	for _, c := range citations {
		for _, x := range c.Lines {
			if x.First, x.Last = max(x.First, at.First), min(x.Last, at.Last); c.SourceID == r.SourceID && x.First <= x.Last {
				named = named.And(lines.Ranges{x})
			}
		}
	}
	r.Cited = named.String()
	if blocks := text.Blocks(lines.Ranges{{First: at.First, Last: at.First}}); len(blocks) > 0 {
		headings, lead := text.Context(blocks[0])
		r.Heading = strings.Trim(headings+" › "+sanitize.Line(lead), " ›")
	}
}

type receiptView struct {
	Receipt
	J                   int
	Source              sourceRef
	Lang                string
	Left                string // how much of the passage is not shown
	File                string // of a local source: "notes/otters.md:12"
	CutBefore, CutAfter bool   // the stored text continues
	Read, Stamp         string
	LineWords           string       // "lines 120–128"
	Pages               string       // of a PDF
	Place               string       // pages and lines
	Living              template.URL // the passage on the live page
	Archived            template.URL // the passage in the web archive
	reading             *loopstate.Reading
}

// sourceRef is a link to a source.
type sourceRef struct {
	Label  string
	Anchor int // source-N of the report; 0 if not in the list
	Title  string
	Lang   string
	Link   template.URL
}

func stamp(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.RFC3339)
}

func receiptOf(f facts, r Receipt, j int, reading *loopstate.Reading) receiptView {
	v := receiptView{J: j + 1, Source: refOf(f, r.SourceID, r.URL), File: f.fileOf(r, cmp.Or(r.Cited, r.Lines)), CutBefore: r.Start > len([]rune(r.Before)), Read: minute(r.FetchedAt),
		Stamp: stamp(r.FetchedAt), LineWords: r.lineWords(f.words), Pages: r.pages(f.words), Place: r.place(f.words), reading: reading}
	v.Lang = cmp.Or(v.Source.Lang, languageByScript(r.Passage))
	source, _, known := f.source(r.SourceID)
	if known {
		v.Source.Label = f.reference(source, "", r.Lines)
	}
	v.CutAfter = !known || source.Chars == 0 || r.End+len([]rune(r.After)) < source.Chars
	words := r
	words.Passage = r.Words(reading)                 // the shortest stretch that a browser can find
	v.Living = template.URL(f.liveLink(words))       //nolint:gosec // sanitize.Link lets http and https through
	v.Archived = template.URL(f.archivedLink(words)) //nolint:gosec // as above
	r.Heading, r.SHA256, r.Quote, r.Grade = sanitize.Short(r.Heading, titleChars), sanitize.Line(r.SHA256), sanitize.Line(r.Quote), sanitize.Line(r.Grade)
	v.Receipt = r
	_, v.Left = head(r.Passage)
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
		return sourceRef{Label: "?", Title: name, Link: template.URL(sanitize.Link(fallback))} //nolint:gosec // as above
	}
	return refTo(f.words, s, at)
}

// refTo returns a link to an entry of the list.
func refTo(m messages.Table, s Source, at int) sourceRef {
	ref := sourceRef{Label: s.label(), Anchor: at + 1, Title: s.titleIn(m), Lang: languageOf(s.Language)}
	if ref.Link = template.URL(sanitize.Link(s.FinalURL)); ref.Link == "" { //nolint:gosec // sanitize.Link checks
		ref.Link = template.URL(sanitize.Link(s.URL)) //nolint:gosec // sanitize.Link checks
	}
	return ref
}
