package report

import (
	"regexp"
	"sort"
	"strconv"
	"strings"

	"github.com/yuin/goldmark/ast"
)

// body is the host's text, taken apart: the blocks of its Markdown, and where in them the sentences and
// the citations are. Offsets may be wrong (a text may have been edited after it was verified): whatever
// does not fit is left out of the body and counted in unplaced, never dropped in silence.
type body struct {
	source    []byte   // the text, with a placeholder for each citation
	root      ast.Node // of source
	citations []citation
	spans     []span // in order of place, never overlapping
	unplaced  []int  // sentences, by index, that no visible text belongs to
}

// citation is one place in the text that cites, perhaps several sources at once.
type citation struct {
	written  string   // as the host wrote it
	sources  []string // source ids; "" leads nowhere
	sentence int      // index in Document.Sentences
}

// span is where a sentence stands in the source.
type span struct {
	sentence   int
	start, end int // bytes, half open
	last       int // where its last visible piece ends; 0 when none is visible
}

// A citation is replaced by a placeholder before the Markdown is parsed, so that "[S1]" is never taken for
// a link. The outer characters are punctuation, as the brackets were: emphasis beside them opens and
// closes as it would have. The inner ones are private-use characters, which the text itself may not use.
const (
	holdOpen, holdClose = "⟦\uE000", "\uE001⟧"
	signOpen            = "⟦\uE002" // a verdict's sign, in the Markdown report
)

var placeholder = regexp.MustCompile("⟦([\uE000\uE002])([0-9]{1,9})\uE001⟧")

func hold(open string, n int) string { return open + strconv.Itoa(n) + holdClose }

// Limits (chosen): a citation is no longer than an address in brackets; a text is not longer than a book.
const (
	maxCitationChars = 2200
	maxMarkdownBytes = 4 << 20
)

// bodyOf takes the text of a document apart.
func bodyOf(d Document) body {
	b, at := holdCitations(d)
	b.root = parseMarkdown(b.source)
	b.place(d, at)
	return b
}

// holdCitations writes the source with its placeholders; at maps the code points of the text, and its end,
// to bytes of the source.
func holdCitations(d Document) (body, []int) {
	text := []rune(d.Text)
	groups := groupMarkers(d, text)
	var b body
	var out strings.Builder
	at := make([]int, len(text)+1)
	for i := 0; i < len(text); {
		if len(groups) > 0 && groups[0].start == i {
			g := groups[0]
			groups = groups[1:]
			written := text[g.start:g.end]
			shown := linkText(written, d.Sentences[g.sentence].Text)
			for j := i; j < g.end; j++ {
				at[j] = out.Len()
				if j > i && j <= i+len(shown) {
					out.WriteRune(text[j])
				}
				if j == i+len(shown) {
					out.WriteString(hold(holdOpen, len(b.citations)))
				}
			}
			b.citations = append(b.citations, citation{written: strings.Join(strings.Fields(string(written[len(shown):])), " "), sources: g.sources, sentence: g.sentence})
			i = g.end
			continue
		}
		at[i] = out.Len()
		switch r := text[i]; {
		case r == '\r' && i+1 < len(text) && text[i+1] == '\n':
		case r == '\r':
			out.WriteByte('\n')
		case r == 0 || r >= 0xE000 && r <= 0xE002:
			out.WriteRune('�')
		default:
			out.WriteRune(r)
		}
		i++
	}
	at[len(text)] = out.Len()
	b.source = []byte(out.String())
	return b, at
}

// linkText returns the text of a citation written as a link, [text](address), if the sentence is read with it.
func linkText(written []rune, sentence string) []rune {
	s := string(written)
	end := strings.LastIndex(s, "](")
	if end < 2 || s[0] != '[' || strings.ContainsAny(s, "\r\x00\uE000\uE001\uE002") || !strings.Contains(sentence, strings.Trim(s[1:end], "*_ ")) {
		return nil
	}
	return []rune(s[1:end])
}

// markers is a run of markers that is shown as one citation.
type markers struct {
	start, end int // code points
	sources    []string
	sentence   int
}

// groupMarkers puts the markers in order, drops those that cannot be, and makes one citation of those that
// share brackets: "[S1, S2]".
func groupMarkers(d Document, text []rune) []markers {
	var all []markers
	for i, s := range d.Sentences {
		for _, m := range s.Markers {
			if m.Start < 0 || m.End <= m.Start || m.End > len(text) || m.End-m.Start > maxCitationChars || !citable(text[m.Start:m.End]) {
				continue
			}
			all = append(all, markers{m.Start, m.End, []string{m.SourceID}, i})
		}
	}
	sort.SliceStable(all, func(i, j int) bool { return all[i].start < all[j].start })
	var out []markers
	for i := 0; i < len(all); i++ {
		g := all[i]
		j := i + 1
		for j < len(all) && all[j].start == g.start && all[j].end == g.end && all[j].sentence == g.sentence {
			g.sources = append(g.sources, all[j].sources...)
			j++
		}
		// Markers without their brackets: take all that stand in the same pair.
		if g.start > 0 && text[g.start-1] == '[' {
			sources, end, k := g.sources, g.end, j
			for k < len(all) && all[k].sentence == g.sentence && all[k].start >= end && separates(text[end:all[k].start]) {
				sources, end = append(sources, all[k].sources...), all[k].end
				k++
			}
			if end < len(text) && text[end] == ']' {
				g.sources, g.start, g.end, j = sources, g.start-1, end+1, k
			}
		}
		if n := len(out); n > 0 && g.start < out[n-1].end {
			continue
		}
		out = append(out, g)
		i = j - 1
	}
	return out
}

func separates(text []rune) bool {
	return len(text) < 8 && strings.Trim(string(text), " ,;、，；") == ""
}

// citable reports whether a stretch of text may be one citation: it is in one paragraph and has no code.
func citable(text []rune) bool {
	breaks := 0
	for _, r := range text {
		switch r {
		case '`':
			return false
		case '\n':
			breaks++
		}
	}
	return breaks <= 1
}

// place finds the bytes of each sentence, and which of them the reader will see.
func (b *body) place(d Document, at []int) {
	n := len(at) - 1
	order := make([]int, 0, len(d.Sentences))
	for i, s := range d.Sentences {
		if s.Start < 0 || s.End <= s.Start || s.End > n {
			b.unplaced = append(b.unplaced, i)
			continue
		}
		order = append(order, i)
	}
	sort.SliceStable(order, func(i, j int) bool { return d.Sentences[order[i]].Start < d.Sentences[order[j]].Start })
	for _, i := range order {
		s := span{sentence: i, start: at[d.Sentences[i].Start], end: at[d.Sentences[i].End]}
		if k := len(b.spans); s.end <= s.start || k > 0 && s.start < b.spans[k-1].end {
			b.unplaced = append(b.unplaced, i)
			continue
		}
		b.spans = append(b.spans, s)
	}
	b.takeTrailing()
	for _, p := range pieces(b.root, b.source) {
		for k := b.from(p.start); k < len(b.spans) && b.spans[k].start < p.stop; k++ {
			b.spans[k].last = min(b.spans[k].end, p.stop)
		}
	}
	seen := b.spans[:0]
	for _, s := range b.spans {
		if s.last == 0 {
			b.unplaced = append(b.unplaced, s.sentence)
			continue
		}
		seen = append(seen, s)
	}
	b.spans = seen
	sort.Ints(b.unplaced)
}

// after is what may follow a sentence's last word: its full stop and what closes with it, or citations.
var after = regexp.MustCompile(`^(?:[.!?…。！？]+["'”’»」』)）*_]*|[)"'”’»」』）]+[.!?…。！？]+)`)
var held = regexp.MustCompile("^ ?" + holdOpen + "([0-9]{1,9})" + holdClose)

// takeTrailing lets a sentence end after the full stop and after the citations of its own that follow it.
func (b *body) takeTrailing() {
	for k := range b.spans {
		limit := len(b.source)
		if k+1 < len(b.spans) {
			limit = b.spans[k+1].start
		}
		for stopped := false; ; {
			rest := b.source[b.spans[k].end:limit]
			rest = rest[:min(len(rest), 64)]
			if m := held.FindSubmatch(rest); m != nil {
				if c, err := strconv.Atoi(string(m[1])); err == nil && c < len(b.citations) && b.citations[c].sentence == b.spans[k].sentence {
					b.spans[k].end += len(m[0])
					continue
				}
			}
			m := after.Find(rest)
			if m == nil || stopped {
				break
			}
			stopped = true
			b.spans[k].end += len(m)
		}
	}
}

// from is the first span that ends after the byte at.
func (b *body) from(at int) int {
	return sort.Search(len(b.spans), func(k int) bool { return b.spans[k].end > at })
}

// spanAt is the span at a byte, or -1, and the byte at which that answer changes.
func (b *body) spanAt(at int) (k, until int) {
	k = b.from(at)
	switch {
	case k == len(b.spans):
		return -1, len(b.source)
	case at < b.spans[k].start:
		return -1, b.spans[k].start
	}
	return k, b.spans[k].end
}

// written puts back what the host wrote in place of the placeholders.
func (b *body) written(s string) string {
	return placeholder.ReplaceAllStringFunc(s, func(held string) string {
		m := placeholder.FindStringSubmatch(held)
		c, err := strconv.Atoi(m[2])
		if err != nil || m[1] != "\uE000" || c >= len(b.citations) {
			return ""
		}
		return b.citations[c].written
	})
}
