package report

import (
	"fmt"
	"html/template"
	"strings"

	"github.com/citeloop/citeloop/internal/report/markup"
	"github.com/citeloop/citeloop/internal/sanitize"
	"github.com/citeloop/citeloop/internal/text/lines"
	"github.com/citeloop/citeloop/internal/text/quote"
	"github.com/citeloop/citeloop/internal/verify"
	"github.com/citeloop/citeloop/loopstate"
)

// decides returns where the words that decided a reading are in a passage, in code points.
func decides(passage string, reading *loopstate.Reading) (start, end int, ok bool) {
	if reading == nil || strings.TrimSpace(reading.Quote) == "" {
		return 0, 0, false
	}
	grade, at := quote.Find(reading.Quote, passage)
	return at.Start, at.End, (grade == quote.Exact || grade == quote.Normalised) && at.Start < at.End
}

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

// numberedPassage is a passage and what is around it, with the number of each line.
type numberedPassage struct{ Before, Passage, After template.HTML }

// Numbered returns the shown part of a passage. The lines that the author names are marked, and the words that decided for the
// reader.
func (r receiptView) Numbered() numberedPassage {
	first, named := r.ranges()
	w := lineWriter{line: first - strings.Count(r.Before, "\n"), numbers: first > 0, named: named, opens: true}
	passage, _ := head(r.Passage)
	before := w.text(r.Before, 0, 0)
	w.cited = true
	start, end, _ := decides(passage, r.reading)
	marked := w.text(passage, start, end)
	w.cited = false
	return numberedPassage{before, marked, w.text(r.After, 0, 0)}
}

// lineWriter writes consecutive parts of a text with the numbers of its lines.
type lineWriter struct {
	line    int
	numbers bool
	opens   bool // the next character opens a line
	cited   bool // the part is a passage
	named   lines.Ranges
}

// text writes a part, with the code points from start to end as the deciding words.
func (w *lineWriter) text(s string, start, end int) template.HTML {
	var b strings.Builder
	at := 0
	for line := range strings.Lines(s) {
		text := []rune(line)
		w.number(&b, line)
		named := w.cited && holds(w.named, w.line)
		if named {
			b.WriteString(`<span class="named">`)
		}
		from, to := min(max(start-at, 0), len(text)), min(max(end-at, 0), len(text))
		markup.WriteText(&b, string(text[:from]))
		if from < to {
			b.WriteString("<mark>")
			markup.WriteText(&b, string(text[from:to]))
			b.WriteString("</mark>")
		}
		markup.WriteText(&b, string(text[max(from, to):]))
		if named {
			b.WriteString(`</span>`)
		}
		if w.opens = strings.HasSuffix(line, "\n"); w.opens {
			w.line++
		}
		at += len(text)
	}
	return template.HTML(b.String()) //nolint:gosec // writeText escapes
}

// number writes the number of a line at its beginning. It is an empty element: copied text has no numbers.
func (w *lineWriter) number(b *strings.Builder, line string) {
	if !w.numbers || !w.opens || w.line < 1 || strings.TrimSpace(line) == "" {
		return
	}
	class := "n"
	if w.cited {
		class = "n c"
	}
	fmt.Fprintf(b, `<span class="%s" data-n="%d"></span>`, class, w.line)
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
