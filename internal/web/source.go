package web

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/citeloop/citeloop/internal/report"
	"github.com/citeloop/citeloop/internal/sanitize"
	"github.com/citeloop/citeloop/internal/text/quote"
	"github.com/citeloop/citeloop/loopstate"
)

// partChars is how much of a text is shown at a time, in code points: about 50 printed pages.
const partChars = 100_000

type sourceView struct {
	frame
	Source        loopstate.Source
	Site          string
	Cited         []judged
	Sentence      *judged // whose evidence is lit
	Lines         []line
	Turning       int // characters that would change the text direction
	Before, After string
}

// line is a line of a stored text.
type line struct {
	Number int
	First  bool // the first lit one
	Lit    bool
	Also   bool // lit, but the words that decided are in other lines
	Pieces []piece
}

// piece is a part of a line; Class is that of the words that decided, or that differ.
type piece struct{ Text, Class string }

// mark is a lit part of a text, in code points of the whole.
type mark struct {
	start, end int
	class      string // "": lit lines; also: lit ones that did not decide
}

// inside reports whether a mark is of words in a line.
func (m mark) inside() bool { return m.class != "" && m.class != "also" }

// source shows a stored text: the lines behind a sentence (s), or characters (from, to), are lit.
func (p *Page) source(w http.ResponseWriter, r *http.Request, v *session) {
	d, f, ok := p.openLoop(w, r, v, "")
	if !ok {
		return
	}
	ctx, cancel := context.WithTimeout(r.Context(), callTimeout)
	defer cancel()
	q, id := r.URL.Query(), r.PathValue("source")
	number := func(name string) int { n, _ := strconv.Atoi(q.Get(name)); return max(0, n) }
	view, at := sourceView{}, number("at")
	var marks []mark
	if from, to := number("from"), number("to"); to > from {
		marks = append(marks, mark{from, to, ""})
	}
	a, err := p.answerOf(ctx, d)
	if err != nil {
		p.Logger.ErrorContext(ctx, "the sentences of a source are not shown", "loop", d.Loop, "error", err)
	}
	if a != nil {
		view.Cited = a.citing(f.Base, id)
		if i := number("s") - 1; i >= 0 && i < len(a.doc.Sentences) {
			view.Sentence = &judged{a.states[i].Verdict(), plain(a.doc.Sentences[i].Text), "", fmt.Sprintf("%s#e%d", f.Base, i+1)}
			marks = append(marks, evidence(a.doc.Sentences[i], id)...)
		}
	}
	if q.Get("at") == "" {
		for _, m := range slices.Backward(marks) {
			if m.class == "" {
				at = m.start
			}
		}
	}
	at -= at % partChars
	span, err := p.Loops.ReadSpan(ctx, d.Loop, id, at, at+partChars)
	if err != nil {
		p.failed(w, r, v, err)
		return
	}
	f.Title = sanitize.Short(span.Title, 80)
	view.frame, view.Source, view.Site = f, span.Source, siteOf(span.Source)
	part := func(at int) string { return f.Base + "/sources/" + id + "?at=" + strconv.Itoa(at) }
	if span.Start > 0 {
		view.Before = part(span.Start - partChars)
	}
	if span.Cut() {
		view.After = part(span.End)
	}
	view.Lines, view.Turning = linesOf(span.Text, span.Start, span.Line, marks)
	p.render(w, r, http.StatusOK, "source", view)
}

// citing returns the sentences that cite a source.
func (a *answer) citing(base, id string) (out []judged) {
	for i, s := range a.doc.Sentences {
		if at := slices.IndexFunc(s.Receipts, func(r report.Receipt) bool { return r.SourceID == id }); at >= 0 {
			out = append(out, judged{a.states[i].Verdict(), plain(s.Text), s.Receipts[at].Lines, passageAddress(base, id, i)})
		}
	}
	return out[:min(len(out), maxCiting)]
}

// maxCiting bounds the sentences that are listed beside a source.
const maxCiting = 200

// spanAddress leads to characters of a source, passageAddress to the lines behind a sentence.
func spanAddress(base, source string, start, end int) string {
	return fmt.Sprintf("%s/sources/%s?from=%d&to=%d#here", base, url.PathEscape(source), start, end)
}

func passageAddress(base, source string, sentence int) string {
	return fmt.Sprintf("%s/sources/%s?s=%d#here", base, url.PathEscape(source), sentence+1)
}

// evidence marks what decides about a sentence in one source: the blocks that it was compared with, the words that the reader
// quoted, and the words that the remarks are about.
func evidence(s report.Sentence, id string) (marks []mark) {
	decided := -1 // index of the block that has the reader's words
	for _, r := range s.Receipts {
		if r.SourceID != id {
			continue
		}
		marks = append(marks, mark{r.Start, r.End, ""})
		if s.Reading != nil && s.Reading.Quote != "" {
			if grade, at := quote.Find(s.Reading.Quote, r.Passage); grade == quote.Exact || grade == quote.Normalised {
				decided = len(marks) - 1
				marks = append(marks, mark{r.Start + at.Start, r.Start + at.End, "quoted"})
			}
		}
	}
	for i := range marks {
		if decided >= 0 && i != decided && marks[i].class == "" {
			marks[i].class = "also"
		}
	}
	for _, r := range s.Remarks {
		if r.SourceID == id && r.End > r.Start {
			marks = append(marks, mark{r.Start, r.End, "differs"})
		}
	}
	return marks
}

// linesOf returns the lines of a text that begins at a code point and in a line of the whole. Characters that would change the
// text direction are replaced by �, so that offsets stay valid; turning counts them.
func linesOf(text string, at, number int, marks []mark) (out []line, turning int) {
	var edges []int
	for _, m := range marks {
		if m.inside() {
			edges = append(edges, m.start, m.end)
		}
	}
	slices.Sort(edges)
	lit := false
	for raw := range strings.Lines(text) {
		rest := []rune(strings.TrimRight(raw, "\r\n"))
		l, end := line{Number: number}, at+len([]rune(raw))
		for _, m := range marks {
			here := m.start < end && at < m.end && len(rest) > 0
			l.Lit, l.Also = l.Lit || here && m.class == "", l.Also || here && m.class == "also"
		}
		l.First, lit = l.Lit && !lit, lit || l.Lit
		for i, r := range rest {
			if sanitize.ChangesDirection(r) {
				rest[i], turning = '\uFFFD', turning+1
			}
		}
		for len(rest) > 0 {
			n := len(rest)
			if next, _ := slices.BinarySearch(edges, at+1); next < len(edges) {
				n = min(n, edges[next]-at)
			}
			class := ""
			for _, m := range marks {
				if m.inside() && at >= m.start && at < m.end {
					class = m.class
				}
			}
			l.Pieces = append(l.Pieces, piece{string(rest[:n]), class})
			rest, at = rest[n:], at+n
		}
		out = append(out, l)
		at, number = end, number+1
	}
	return out, turning
}
