package report

import (
	"regexp"
	"slices"
	"sort"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/yuin/goldmark/ast"

	"github.com/citeloop/citeloop/internal/report/markup"
)

// body is the parsed text of the host: the blocks of its Markdown, with the places of sentences and citations. Offsets may
// be wrong, because a text may be edited after its verification: unplaced has the sentences that do not fit.
type body struct {
	source    []byte   // the text, with a placeholder for each citation
	root      ast.Node // of source
	citations []citation
	spans     []span // sorted, not overlapping
	unplaced  []int  // sentences without visible text, by index
}

// citation is a place in the text that cites one or more sources.
type citation struct {
	written  string  // as the host wrote it
	sources  []cited // id "": unknown
	sentence int     // index in Document.Sentences
}

// cited is a source, with its lines and its label where the author names them, in brackets as written.
type cited struct {
	id, lines, label string
	open, shut       string
}

// span is the place of a sentence in the source.
type span struct {
	sentence   int
	start, end int // bytes, half open
	last       int // end of its last visible piece; 0 if none is visible
}

// A citation is replaced by a placeholder before the Markdown is parsed, so that "[S1]" is not parsed as a link. Its
// outer characters are punctuation like brackets, so that emphasis next to them is parsed as before. The inner ones are
// private-use characters, which are removed from the text.
const (
	holdOpen, holdClose = "⟦\uE000", "\uE001⟧"
	signOpen            = "⟦\uE002" // a verdict's sign, in the Markdown report
)

var placeholder = regexp.MustCompile("⟦([\uE000\uE002])([0-9]{1,9})\uE001⟧")

func hold(open string, n int) string { return open + strconv.Itoa(n) + holdClose }

// Limits: an address in brackets, and a book.
const (
	maxCitationChars = 2200
)

// bodyOf parses the text of a document.
func bodyOf(d Document) body {
	b, at := holdCitations(d)
	b.root = markup.Parse(b.source)
	b.place(d, at)
	return b
}

// holdCitations returns the source with placeholders; at maps code points of the text, and its end, to bytes of the
// source.
func holdCitations(d Document) (body, []int) {
	text := []rune(d.Text)
	groups := merged(groupMarkers(d, text), inferenceMarks(string(text)))
	var b body
	var out strings.Builder
	at := make([]int, len(text)+1)
	for i := 0; i < len(text); {
		if len(groups) > 0 && groups[0].start == i {
			g := groups[0]
			groups = groups[1:]
			written := text[g.start:g.end]
			var shown []rune
			if g.sentence >= 0 {
				shown = linkText(written, d.Sentences[g.sentence].Text)
			}
			for j := i; j < g.end; j++ {
				at[j] = out.Len()
				if j > i && j <= i+len(shown) {
					out.WriteRune(text[j])
				}
				if j == i+len(shown) {
					out.WriteString(hold(holdOpen, len(b.citations)))
				}
			}
			c := citation{written: strings.Join(strings.Fields(string(written[len(shown):])), " "), sources: g.sources, sentence: g.sentence}
			if g.sentence < 0 {
				c.written = string(written)
			}
			b.citations = append(b.citations, c)
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

// linkText returns the text of a citation written as a link, [text](address), if it is part of the sentence.
func linkText(written []rune, sentence string) []rune {
	s := string(written)
	end := strings.LastIndex(s, "](")
	if end < 2 || s[0] != '[' || strings.ContainsAny(s, "\r\x00\uE000\uE001\uE002") || !strings.Contains(sentence, strings.Trim(s[1:end], "*_ ")) {
		return nil
	}
	return []rune(s[1:end])
}

// inferenceMark matches the mark of an author's own statement, with its emphasis and the space before it. In prose the
// report has a sign at the end of each such sentence instead.
var inferenceMark = regexp.MustCompile(`(?i)[ \t]?(?:\*\*[\[［]inference[\]］]\*\*|[\[［]inference[\]］])`)

// inferenceMarks returns the marks of a text as citations of nothing.
func inferenceMarks(text string) []markers {
	var out []markers
	for _, m := range inferenceMark.FindAllStringIndex(text, -1) {
		if m[1] < len(text) && (text[m[1]] == '(' || text[m[1]] == '[') && !strings.HasPrefix(text[m[1]:], "[S") { // a link
			continue
		}
		start := utf8.RuneCountInString(text[:m[0]])
		out = append(out, markers{start: start, end: start + utf8.RuneCountInString(text[m[0]:m[1]]), sentence: -1})
	}
	return out
}

// merged returns two lists of groups in the order of the text, without those of the second that overlap one of the first.
func merged(groups, marks []markers) []markers {
	out := slices.Clone(groups)
	for _, m := range marks {
		if !slices.ContainsFunc(groups, func(g markers) bool { return g.start < m.end && m.start < g.end }) {
			out = append(out, m)
		}
	}
	slices.SortStableFunc(out, func(a, b markers) int { return a.start - b.start })
	return out
}

// markers is a group of markers that is shown as one citation.
type markers struct {
	start, end int // code points
	sources    []cited
	sentence   int
}

// groupMarkers sorts the markers, drops invalid ones, and groups those that share brackets: "[S1, S2]".
func groupMarkers(d Document, text []rune) []markers {
	var all []markers
	for i, s := range d.Sentences {
		for _, m := range s.Markers {
			if m.Start < 0 || m.End <= m.Start || m.End > len(text) || m.End-m.Start > maxCitationChars || !citable(text[m.Start:m.End]) {
				continue
			}
			to := cited{id: m.SourceID, lines: m.Lines, label: m.Label, open: "[", shut: "]"}
			switch written := text[m.Start:m.End]; {
			case m.Label == "":
			case written[0] == '(' && written[len(written)-1] == ')':
				to.open, to.shut = "(", ")"
			case written[0] == '（' && written[len(written)-1] == '）':
				to.open, to.shut = "（", "）"
			}
			all = append(all, markers{m.Start, m.End, []cited{to}, i})
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
		// Markers without their brackets: take all in the same pair.
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

// citable reports whether a part of the text may be a citation: it is within a paragraph and has no code.
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

// place computes the visible bytes of each sentence.
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
	for _, p := range markup.Pieces(b.root, b.source) {
		for k := b.from(p.Start); k < len(b.spans) && b.spans[k].start < p.Stop; k++ {
			b.spans[k].last = min(b.spans[k].end, p.Stop)
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

// after matches what may follow the last word of a sentence: a full stop and closing characters.
var after = regexp.MustCompile(`^(?:[.!?…。！？]+["'”’»」』)）*_]*|[)"'”’»」』）]+[.!?…。！？]+)`)
var held = regexp.MustCompile("^ ?" + holdOpen + "([0-9]{1,9})" + holdClose)

// takeTrailing extends each sentence by its full stop and the citations after it.
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

// from returns the first span that ends after a byte.
func (b *body) from(at int) int {
	return sort.Search(len(b.spans), func(k int) bool { return b.spans[k].end > at })
}

// spanAt returns the span at a byte, or -1, and the byte up to which this holds.
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

// written replaces the placeholders by what the host wrote.
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

// hasLimitsSection reports whether the text has its own section on limits, so that the section of the server gets another
// title. first is the first block of the text after its title.
func hasLimitsSection(first ast.Node, source []byte) bool {
	for n := first; n != nil; n = n.NextSibling() {
		h, ok := n.(*ast.Heading)
		if !ok {
			continue
		}
		var b strings.Builder
		for _, p := range markup.Pieces(h, source) {
			b.WriteString(markup.Resolved(string(source[p.Start:p.Stop])))
			b.WriteByte(' ')
		}
		if isLimitsHeading(placeholder.ReplaceAllString(b.String(), " ")) {
			return true
		}
	}
	return false
}

// isLimitsHeading recognises the headings that the prompts ask for (prompts.Language) and their usual variants,
// with or without a number before them.
func isLimitsHeading(heading string) bool {
	words := strings.Fields(strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsMark(r) {
			return unicode.ToLower(r)
		}
		return ' '
	}, heading))
	if len(words) > 1 && strings.Trim(words[0], "ivx第一二三四五六七八九十章节節部分") == "" {
		words = words[1:]
	}
	switch strings.Join(words, " ") {
	case "limitations and uncertainties", "limitations uncertainties", "uncertainties and limitations", "limitations",
		"局限与不确定性", "局限性与不确定性", "局限和不确定性", "局限性和不确定性", "局限性", "局限與不確定性", "局限性與不確定性",
		"限界と不確実性", "限界および不確実性", "한계와 불확실성", "한계 및 불확실성":
		return true
	}
	return false
}
