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
	Before, After string
}

// line is a line of a stored text.
type line struct {
	report.Line
	First bool // the first lit one
	Lit   bool
	Also  bool // lit, but the words that decided are in other lines
}

// Classes of marks: whole lines, and words in them.
const (
	lit     = ""
	also    = "also" // lit ones that did not decide
	quoted  = "quoted"
	differs = "differs"
)

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
	var marks []report.Mark
	if from, to := number("from"), number("to"); to > from {
		marks = append(marks, report.Mark{Start: from, End: to})
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
			if m.Class == lit {
				at = m.Start
			}
		}
	}
	src, text, err := p.Loops.SourceText(ctx, d.Loop, id)
	if err != nil {
		p.failed(w, r, v, err)
		return
	}
	at = min(at, max(0, src.Chars-1))
	at -= at % partChars
	end := min(at+partChars, src.Chars)
	f.Title = sanitize.Short(src.Title, 80)
	view.frame, view.Source, view.Site = f, src, siteOf(src)
	part := func(at int) string { return f.Base + "/sources/" + id + "?at=" + strconv.Itoa(at) }
	if at > 0 {
		view.Before = part(at - partChars)
	}
	if end < src.Chars {
		view.After = part(end)
	}
	view.Lines = linesOf(text.Slice(at, end), at, 1+strings.Count(text.Slice(0, at), "\n"), marks)
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

// passageAddress leads to a source, and to the lines of it behind a sentence.
func passageAddress(base, source string, sentence int) string {
	if sentence < 0 {
		return base + "/sources/" + url.PathEscape(source)
	}
	return fmt.Sprintf("%s/sources/%s?s=%d#here", base, url.PathEscape(source), sentence+1)
}

// evidence marks what decides about a sentence in one source: the blocks that it was compared with, the words that the reader
// quoted, and the words that the remarks are about.
func evidence(s report.Sentence, id string) (marks []report.Mark) {
	decided := -1 // index of the block that has the reader's words
	for _, r := range s.Receipts {
		if r.SourceID != id {
			continue
		}
		marks = append(marks, report.Mark{Start: r.Start, End: r.End})
		if at := r.Decides(s.Reading); at.Start < at.End {
			decided = len(marks) - 1
			marks = append(marks, report.Mark{Start: r.Start + at.Start, End: r.Start + at.End, Class: quoted})
		}
	}
	for i := range marks {
		if decided >= 0 && i != decided && marks[i].Class == lit {
			marks[i].Class = also
		}
	}
	for _, r := range s.Remarks {
		if r.SourceID == id && r.End > r.Start {
			marks = append(marks, report.Mark{Start: r.Start, End: r.End, Class: differs})
		}
	}
	return marks
}

// linesOf returns the lines of a text that begins at a code point and in a line of the whole.
func linesOf(text string, at, number int, marks []report.Mark) (out []line) {
	whole := func(m report.Mark) bool { return m.Class == lit || m.Class == also }
	found := false
	for _, l := range report.Lines(text, at, number, slices.DeleteFunc(slices.Clone(marks), whole)) {
		shown := line{Line: l}
		for _, m := range marks {
			here := m.Start < l.End && l.Start < m.End && len(l.Pieces) > 0
			shown.Lit, shown.Also = shown.Lit || here && m.Class == lit, shown.Also || here && m.Class == also
		}
		shown.First, found = shown.Lit && !found, found || shown.Lit
		out = append(out, shown)
	}
	return out
}
