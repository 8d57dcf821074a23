package quote

import "github.com/citeloop/citeloop/internal/text/words"

// maxAligned bounds the words on either side of an alignment.
const maxAligned = 500

// Changed returns the words of a quote that the stretch of text found for it has not, and the words that it has instead.
func Changed(quote, found string) (inQuote, inText []string) {
	a, b := New(quote), New(found)
	q, t := a.words[:min(len(a.words), maxAligned)], b.words[:min(len(b.words), maxAligned)]
	i, j := 0, 0
	for _, p := range append(common(q, t), [2]int{len(q), len(t)}) {
		for ; i < p[0]; i++ {
			inQuote = append(inQuote, a.span(q[i].start, q[i].end).Text)
		}
		for ; j < p[1]; j++ {
			inText = append(inText, b.span(t[j].start, t[j].end).Text)
		}
		i, j = p[0]+1, p[1]+1
	}
	return inQuote, inText
}

// Nearest returns the stretch of a text, of at most size bytes, with most of the words of a quote in their order. It is for telling a
// reader what a text says in place of a quote that is not there. ok is false when less than half of the words are.
func Nearest(quote, text string, size int) (at words.Span, ok bool) {
	q := New(quote).words
	at, found := New(text).nearest(q, min(size, len(quote)*3/2+20)) // words that are further apart are others
	if found == 0 || found*2 < len(q) {
		return words.Span{}, false
	}
	return at, true
}

// nearest returns the stretch of at most size bytes that has most words of a quote, and how many it has in their order.
func (t *Text) nearest(q []word, size int) (at words.Span, found int) {
	stretch := t.window(q, size)
	pairs := common(q[:min(len(q), maxAligned)], stretch[:min(len(stretch), maxAligned)])
	if len(pairs) == 0 {
		return at, 0
	}
	return t.span(stretch[pairs[0][1]].start, stretch[pairs[len(pairs)-1][1]].end), len(pairs)
}

// window returns the stretch of at most size bytes with most of the words of a quote in any order.
func (t *Text) window(q []word, size int) (stretch []word) {
	missing := map[string]int{}
	for _, w := range q {
		missing[w.s]++
	}
	most, n, from := 0, 0, 0
	for to, w := range t.words {
		if missing[w.s] > 0 {
			n++
		}
		missing[w.s]--
		for ; from <= to && t.byteAt(w.end-1)-t.byteAt(t.words[from].start) >= size; from++ {
			first := t.words[from].s
			if missing[first]++; missing[first] > 0 {
				n--
			}
		}
		if n > most {
			most, stretch = n, t.words[from:to+1]
		}
	}
	return stretch
}

// common returns the pairs of words that both have in the same order.
func common(q, t []word) [][2]int {
	return words.Common(len(q), len(t), func(i, j int) bool { return q[i].s == t[j].s })
}
