package draft

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/citeloop/citeloop/internal/lazyregexp"
	"github.com/citeloop/citeloop/internal/text/words"
)

// sentences returns the sentences of a paragraph. A sentence ends after a citation with a full stop, whatever comes next:
// "… 2 [S1]. lock_timeout aborts …".
func (r *reader) sentences(b block, markers []Marker) []lineSpan {
	var out []lineSpan
	for _, s := range words.Sentences(strings.ReplaceAll(string(r.mask[b.start:b.end]), "\n", " ")) {
		start, end := b.start+s.Start, b.start+s.End
		for len(markers) > 0 && markers[0].End+1 < end {
			at := markers[0].End
			if markers[0].Start >= start && strings.ContainsRune(stops, r.src[at]) && unicode.IsSpace(r.src[at+1]) {
				out = append(out, lineSpan{start, at + 1})
				start = at + 1
			}
			markers = markers[1:]
		}
		out = append(out, lineSpan{start, end})
	}
	return out
}

// readBlock reads the citations and sentences of one stretch of prose.
func (r *reader) readBlock(b block) {
	markers := r.markers(b)
	if !b.row {
		r.heads = nil
	}
	if b.stray {
		if b.row {
			r.heads = r.cells(b)
		} else {
			r.openHeading(b.level, r.visible(b.start, b.end, roleMark))
			r.section = len(r.said)
		}
		r.stray(markers)
		return
	}
	spans := []lineSpan{{b.start, b.end}}
	if !b.row {
		spans = r.sentences(b, markers)
	}
	first, quotes := len(r.said), r.quoteSpans(b.start, b.end)
	line, free := b.line+1, b.start
	for _, span := range spans {
		start, end := r.trimmed(max(span.start, free), span.end)
		if start >= end {
			continue
		}
		for end < b.end && r.role[end-1] == roleMark && r.role[end] == roleMark { // a citation is stamped with a shorter one
			end++
		}
		for start > free && r.role[start-1] == roleSyntax { // the bracket of a link
			start--
		}
		free = end
		sameParagraph := len(r.said) > first
		for len(markers) > 0 && markers[0].Start < start && sameParagraph { // ".¹ Next"
			r.cite(markers[:1])
			markers = markers[1:]
		}
		n := 0
		for n < len(markers) && markers[n].Start < end {
			n++
		}
		s := statement{block: b, own: r.own}
		s.Text, s.Start, s.End = r.visible(start, end, roleMark), start, end
		line, s.Column = r.place(start, line)
		s.Line = line
		s.add(markers[:n])
		if b.row {
			s.Text = r.rowText(b)
		}
		switch {
		case r.onlyCites(s, sameParagraph):
			r.cite(markers[:n])
			if sameParagraph {
				r.said[len(r.said)-1].End = end
			}
		case hasWord(s.Text):
			for len(quotes) > 0 && quotes[0].end <= start {
				quotes = quotes[1:]
			}
			s.Quotes = r.quotesIn(start, end, quotes)
			r.said = append(r.said, s)
		}
		markers = markers[n:]
	}
	r.cite(markers)
	r.cover(r.said[first:])
}

var stop = lazyregexp.New(`[.!?。！？…"”’」』)）*]\s+$`)

// cover gives the uncited sentences at the end of a paragraph the citations after its last full stop.
func (r *reader) cover(paragraph []statement) {
	last := len(paragraph) - 1
	if last < 0 || len(paragraph[last].Markers) == 0 {
		return
	}
	marks := paragraph[last].Markers
	if at := marks[0].Start; !stop.MatchString(string(r.src[max(0, at-10):at])) {
		return
	}
	for last--; last >= 0 && len(paragraph[last].Markers) == 0; last-- {
		paragraph[last].Covering = marks
	}
}

// add gives citations to a sentence. The mark [inference] is none.
func (s *statement) add(markers []Marker) {
	for _, m := range markers {
		if m.Kind == markerInference {
			s.inferred = m.Start + 1
		} else {
			s.Markers = append(s.Markers, m)
		}
	}
}

// cite gives citations to the last sentence. Those before all prose, or after a heading, belong to no sentence.
func (r *reader) cite(markers []Marker) {
	if len(r.said) == r.section {
		r.stray(markers)
		return
	}
	r.said[len(r.said)-1].add(markers)
}

// stray records citations that belong to no sentence.
func (r *reader) stray(markers []Marker) {
	r.strays = append(r.strays, slices.DeleteFunc(slices.Clone(markers), func(m Marker) bool { return m.Kind == markerInference })...)
}

// cells returns the words of the cells of a row.
func (r *reader) cells(b block) []string {
	var out []string
	start := b.start
	for i := b.start; i <= b.end; i++ {
		if i < b.end && (r.mask[i] != '|' || r.role[i] != roleProse || i > b.start && r.src[i-1] == '\\') {
			continue
		}
		text := r.visible(start, i, roleMark)
		if text != "" || start > b.start && i < b.end { // not before the first bar and behind the last
			out = append(out, text)
		}
		start = i + 1
	}
	return out
}

// rowText returns the words of a row with the heads of its columns: "Option: VACUUM; Locks: ACCESS EXCLUSIVE".
func (r *reader) rowText(b block) string {
	var texts []string
	for n, text := range r.cells(b) {
		if n < len(r.heads) && r.heads[n] != "" && text != "" {
			text = r.heads[n] + ": " + text
		}
		if text != "" {
			texts = append(texts, text)
		}
	}
	return strings.Join(texts, "; ")
}

// quotation matches the quotation marks of many languages. A straight one behind a letter or a digit closes a quotation, or is a
// sign for inches; ’ before a letter is an apostrophe.
var quotation = lazyregexp.New(`“([^“”]+)”|„([^„“”]+)[“”]|«([^«»]+)»|»([^«»]+)«|「([^「」]+)」|『([^『』]+)』|‹([^‹›]+)›|` +
	`(?:^|[^\p{Latin}\d"])"([^"]+)"|(?:^|[^\pL\d])‘((?:[^‘’]|’\pL)+)’`)

// quoteSpans returns the quotations of a block as code points, without their marks; they may run over several sentences.
func (r *reader) quoteSpans(start, end int) []lineSpan {
	text := string(r.mask[start:end])
	if !strings.ContainsAny(text, "“„«»「『‹\"‘") { // most have none, and looking is slow
		return nil
	}
	var out []lineSpan
	at := 0 // the byte of text that is code point start
	for _, m := range quotation.FindAllStringSubmatchIndex(text, -1) {
		group := 2 + slices.IndexFunc(m[2:], func(at int) bool { return at >= 0 })
		inside := text[m[group]:m[group+1]]
		start, at = start+utf8.RuneCountInString(text[at:m[group]]), m[group]
		out = append(out, lineSpan{start, start + utf8.RuneCountInString(inside)})
	}
	return out
}

// quotesIn returns what of the quotations is in a sentence, if it is long enough to be somebody's words.
func (r *reader) quotesIn(start, end int, spans []lineSpan) []string {
	const leastWords, leastWide = 3, 6
	var out []string
	for _, s := range spans {
		if s.start >= end {
			break
		}
		q := r.visible(max(s.start, start), min(s.end, end), roleMark)
		if len(strings.Fields(q)) >= leastWords || wideLetters(q) >= leastWide {
			out = append(out, q)
		}
	}
	return out
}
