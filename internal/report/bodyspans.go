package report

import (
	"fmt"
	"strconv"

	"github.com/yuin/goldmark/ast"

	"github.com/citeloop/citeloop/internal/report/drawing"
)

// text writes a piece, split where sentences begin and end.
func (w *bodyWriter) text(p piece) {
	for at := p.start; at < p.stop; {
		k, until := w.spanAt(at)
		stop := max(at+1, min(p.stop, until))
		w.enter(k)
		w.run(string(w.source[at:stop]), p.kind)
		at = stop
		if k >= 0 {
			w.reached(k, at)
		}
	}
}

// run writes text with its citations.
func (w *bodyWriter) run(s string, kind pieceKind) {
	plain := func(s string) {
		if kind == prose {
			s = plainProse(s)
		}
		writeText(&w.b, s)
	}
	for {
		m := placeholder.FindStringSubmatchIndex(s)
		if m == nil {
			plain(s)
			return
		}
		plain(s[:m[0]])
		n, err := strconv.Atoi(s[m[4]:m[5]])
		switch {
		case err != nil || n >= len(w.citations):
		case kind != prose: // in code, what looks like a citation is code
			writeText(&w.b, w.citations[n].written)
		default:
			for _, c := range w.citations[n].sources {
				w.cite.cite(&w.b, w.citations[n].sentence, c, w.inLink)
			}
		}
		s = s[m[1]:]
	}
}

// enter makes k the open span; -1 closes it.
func (w *bodyWriter) enter(k int) {
	if w.open == k {
		return
	}
	w.shutSpan()
	if k >= 0 {
		w.openSpan(k)
	}
}

func (w *bodyWriter) openSpan(k int) {
	s := w.spans[k].sentence
	id := ""
	if !w.named[k] {
		w.named[k] = true
		id = fmt.Sprintf(` id="s%d"`, s+1)
	}
	fmt.Fprintf(&w.b, `<span class="s %s"%s>`, drawing.VerdictOf(w.cite.Sentences[s].Status).Class, id)
	w.open, w.openDepth = k, w.depth
}

func (w *bodyWriter) shutSpan() {
	if w.open >= 0 {
		w.b.WriteString("</span>")
		w.open = -1
	}
}

// reached records that a span was written up to a byte. At its last byte the sentence ends, once the elements inside it are
// closed.
func (w *bodyWriter) reached(k, at int) {
	if at < w.spans[k].last {
		return
	}
	if w.open == k && w.openDepth < w.depth {
		w.ending = k
		return
	}
	w.finish(k)
}

// passed records that a node was skipped.
func (w *bodyWriter) passed(n ast.Node) {
	for _, p := range ownPieces(n, w.source) {
		for k := w.from(p.start); k < len(w.spans) && w.spans[k].start < p.stop; k++ {
			if w.named[k] && w.ending != k { // a span without other text is listed beside the text
				w.reached(k, min(w.spans[k].end, p.stop))
			}
		}
	}
}

func (w *bodyWriter) finish(k int) {
	w.ending = -1
	w.shutSpan()
	if w.done[k] { // tables may show their text out of order
		return
	}
	w.done[k] = true
	s := w.spans[k].sentence
	if w.inLink {
		w.waiting = append(w.waiting, s)
		return
	}
	w.cite.tail(&w.b, s)
}
