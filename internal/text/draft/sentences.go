package draft

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/citeloop/citeloop/internal/lazyregexp"
	"github.com/citeloop/citeloop/internal/text/words"
)

const stops = ".!?。！？۔።။។։؟।"

// statement is a sentence while a draft is read, with what decides whether it is a claim.
type statement struct {
	Sentence
	block    *prose
	from, to int
	inferred bool // it has the mark [inference]
	cites    int  // where its first citation begins
	own      string
	leads    bool // it only introduces the quotation below it
}

// citedSpan is the place of a citation in the source, with its sentence.
type citedSpan struct {
	start, end int // bytes
	said       int // index in Draft.Sentences; -1 for none
	markers    []Marker
}

// mask is the prose as package words reads it, byte for byte: code is a word, and a citation is white space, or "[1]" where it is long
// enough, which package words knows as something that belongs to the sentence before it.
func (p *prose) mask(marks []mark) string {
	out := []byte(p.text)
	for i, as := range p.roles {
		switch {
		case as&(inCite|inSyntax) != 0, out[i] == '\n':
			out[i] = ' '
		case as&inCode != 0:
			out[i] = 'x'
		}
	}
	before := 0
	for _, m := range marks {
		if !m.shown && m.to-m.from >= 3 {
			from := m.from
			for from > before && p.roles[from-1]&inCite != 0 {
				from--
			}
			copy(out[from:m.to], "[1]")
			before = m.to
		}
	}
	p.unread(out)
	return string(out)
}

// unread writes a mark over a short bracket directly behind a full stop that is no citation of this text: "[citation needed]", "[a]".
// Otherwise the sentence would go on and take the citation of the next one.
func (p *prose) unread(mask []byte) {
	for i := 1; i < len(mask); i++ {
		if mask[i] != '[' || p.roles[i]&inCite != 0 || !strings.ContainsRune(stops, runeBefore(p.text, p.back(i, "”\"", true))) {
			continue
		}
		n := len(unreadMark.FindString(string(mask[i:min(len(mask), i+maxMark)])))
		if n > 0 && !unicode.IsLetter(runeAt(p.text, i+n)) { // not "[没有]丝毫怀疑"
			copy(mask[i:], "["+strings.Repeat("1", n-2)+"]")
		}
	}
}

// unreadMark matches what may stand there.
var unreadMark = lazyregexp.New(`^\[[^\[\]\n]{1,36}\]`)

// sentences returns the sentences of a block. A sentence ends after a citation with a full stop, whatever comes next:
// "… 2 [S1]. lock_timeout aborts …".
func (p *prose) sentences(mask string, marks []mark) (out []span) {
	if p.row {
		return []span{{0, len(p.text)}}
	}
	for _, l := range p.statedLines() {
		for _, s := range words.Sentences(mask[l.from:l.to]) {
			start, end := l.from+s.Byte, l.from+s.Byte+len(s.Text)
			for len(marks) > 0 && marks[0].to+1 < end {
				at := marks[0].to
				stop := at + utf8.RuneLen(runeAt(mask, at))
				if marks[0].from >= start && at > start && strings.ContainsRune(stops, runeAt(mask, at)) &&
					unicode.IsSpace(runeAt(mask, stop)) {
					out = append(out, span{start, stop})
					start = stop
				}
				marks = marks[1:]
			}
			out = append(out, span{start, end})
		}
	}
	return out
}

// statedLines returns the lines of a paragraph that has a statement on each: all end with a citation, and begin as a sentence does. Any
// other is one line.
func (p *prose) statedLines() []span {
	lines := p.lines()
	for _, l := range lines {
		end, begin := p.back(l.to, spaces+stops+")];,", false), p.past(l.from, spaces+"*_", false)
		if end <= begin || p.roles[end-1]&inCite == 0 || !opensSentence(runeAt(p.text, begin)) {
			return []span{{0, len(p.text)}}
		}
	}
	return lines
}

const spaces = " \t\n\u00a0\u3000"

// closeSentences makes a link that stands behind a full stop, before a new sentence, a line's end or another citation, a citation of the
// sentence before it: "… in October. [PEP 602](pep-0602.rst#L17) After its release …".
func (p *prose) closeSentences(marks []mark) {
	for i := len(marks) - 1; i >= 0; i-- {
		m := &marks[i]
		if !m.shown {
			continue
		}
		before, after := p.back(m.from, spaces+"([,;*", true), p.past(m.to, spaces+")],;.*", false)
		if strings.ContainsRune("”\"’»", runeBefore(p.text, before)) {
			before = p.back(before, "”\"’»", false)
		}
		ends, sign := after == len(p.text), runeBefore(p.text, before)
		if !strings.ContainsRune(stops, sign) &&
			!(ends && before > 0 && apart.MatchString(p.text[max(0, before-utf8.RuneLen(sign)-1):m.from])) {
			continue
		}
		if ends || p.roles[after]&inCite != 0 || opensSentence(runeAt(p.text, after)) && after > m.to {
			m.shown = false
			p.mark(m.from, m.to, inCite)
		}
	}
}

// apart matches what parts a link at the end of an item from its words.
var apart = lazyregexp.New(`[\n;—–|→]|\s-\s`)

func opensSentence(c rune) bool {
	return unicode.IsUpper(c) || unicode.IsDigit(c) || wideRune(c) || strings.ContainsRune("“„«\"'‘([", c)
}

// lead matches words that lead to a citation behind a sign: ", see [1]", "（参见[1]、[2]）".
var lead = lazyregexp.New(`(?i)[,;(，；（]\s*((?:see(?: also)?|cf\.|via|e\.g\.,?|参见|参看|详见|见|vgl\.|siehe|voir|` +
	`véase)\s*[:：]?|(?:sources?|quellen?|fuentes?)\s*:)\s*$`)

// hideLeads takes the words that lead to a citation out of the sentence.
func (p *prose) hideLeads(marks []mark) {
	for _, m := range marks {
		if at := lead.FindStringSubmatchIndex(p.behind(m.from)); !m.shown && at != nil {
			p.mark(m.from-len(p.behind(m.from))+at[2], m.from, inCite)
		}
	}
}

// hideBrackets takes brackets that hold nothing but citations out of the sentence: "([1], [2])".
func (p *prose) hideBrackets() {
	for i := 0; i < len(p.text); i++ {
		if p.roles[i]&inCite == 0 {
			continue
		}
		open, shut := p.back(i, " ,;", false), p.past(i, " ,;，；、", true)
		a, b := runeBefore(p.text, open), runeAt(p.text, shut)
		if i = shut; brackets[a] == b && b != 0 || a == '<' && b == '>' {
			p.mark(open-utf8.RuneLen(a), shut+utf8.RuneLen(b), inCite)
		}
	}
}

// readBlock reads the citations and sentences of one block.
func (r *reader) readBlock(p *prose) {
	marks := r.marks(p)
	p.closeSentences(marks)
	p.hideLeads(marks)
	p.hideBrackets()
	if !p.row || p.header {
		r.heads = nil
	}
	if p.introduced && len(r.said) > 0 {
		defer r.introduce(len(r.said))
	}
	if p.heading {
		r.headings[headingWords(p.all())] = true
	}
	if p.header || p.level > 0 {
		text := p.all()
		facts := statesFact(text)
		if p.header {
			text, r.heads = r.rowText(p), p.cellTexts()
			facts = rowStatesFact(r.heads)
		} else {
			r.openHeading(p.level, text)
			r.section = len(r.said)
		}
		if !facts {
			r.give(marks, -1)
			r.skip("heading", p.start(0), text)
			return
		}
	}
	mask, cites := p.mask(marks), len(marks) > 0
	quotes := p.quotations(mask)
	first, free := len(r.said), 0
	bare := first == 0 || len(r.said[first-1].Markers) == 0
	for _, at := range p.sentences(mask, marks) {
		start, end := trimmed(mask, max(at.from, free), at.to)
		if start >= end {
			continue
		}
		for end < len(p.text) && p.roles[end-1]&p.roles[end]&inCite != 0 {
			end++
		}
		free = end
		sameParagraph := len(r.said) > first
		for len(marks) > 0 && marks[0].from < start && sameParagraph { // ".¹ Next"
			r.cite(marks[:1])
			marks = marks[1:]
		}
		n := 0
		for n < len(marks) && marks[n].from < end {
			n++
		}
		s := statement{block: p, own: r.own, from: start, to: end}
		from, to := r.whole(p, start, end)
		s.Text, s.Start, s.End = p.visible(start, end, 0), int(r.runes[from]), int(r.runes[to])
		s.Line, s.Column = r.place(from)
		if p.row {
			s.Text = r.rowText(p)
		}
		if !r.onlyCites(s, marks[:n], sameParagraph) && hasWord(s.Text) {
			s.Quotes = p.quotesIn(start, end, quotes)
			r.said = append(r.said, s)
		} else if sameParagraph {
			r.said[len(r.said)-1].End = s.End
		}
		r.cite(marks[:n])
		marks = marks[n:]
	}
	r.cite(marks)
	r.citeQuotations(p, quotes)
	if cites && (bare || len(r.said) > first) {
		r.cover(first, p)
	}
}

// finish decides what each sentence is, now that all its citations are known.
func (r *reader) finish() {
	r.Sentences = make([]Sentence, 0, len(r.said))
	for i := range r.said {
		s := &r.said[i]
		why := r.noClaim(*s)
		switch cited := len(s.Markers) > 0; {
		case !cited && !s.block.heading && r.headings[headingWords(s.Text)]: // in the table of contents
			r.skip("label", s.block.start(s.from), s.Text)
		case !cited && s.inferred:
			s.Own = OwnInference
		case why != "":
			r.skip(why, s.block.start(s.from), s.Text)
		case !cited && s.own != "":
			s.Own = s.own
		default:
			s.IsClaim = true
		}
		if s.IsClaim && len(s.Markers) == 0 && len(s.Covering) == 0 {
			s.Covering = r.citedAround(i)
		}
		r.Sentences = append(r.Sentences, s.Sentence)
	}
}

// citedAround returns what a sentence without a citation rests on: the list below its colon, the sentence with a colon above its list,
// the sources of the sentence before "(ibid.)", or the files that it names without lines: "According to notes.md, …", "(notes.md)".
func (r *reader) citedAround(i int) (out []Marker) {
	s, lead := &r.said[i], i-1
	for lead >= 0 && s.block.listed > 0 && r.said[lead].block.listed == s.block.listed {
		lead--
	}
	switch again := ibidem.FindStringSubmatch(s.Text); {
	case endsWithColon(s.Text):
		return r.citedBelow(i)
	case i > 0 && again != nil:
		out = slices.Concat(r.said[i-1].Markers, r.said[i-1].Covering) // one of them is empty
		for k := range out {
			if again[1] != "" { // another place in it
				out[k].Lines, out[k].Quote = "", ""
			}
		}
		return out
	case lead >= 0 && s.block.listed > 0 && endsWithColon(r.said[lead].Text) && len(r.said[lead].Markers) > 0:
		return r.said[lead].Markers
	}
	const most = 20 // files of a sentence
	said := s.block.text[s.from:s.to]
	for word := range strings.FieldsSeq(said) {
		for _, file := range pathsIn(strings.Trim(word, ".,;:!?()[]{}*_\"'“”‘’«»、。，；：（）"), true) {
			if at := strings.Index(said, file.Target); at >= 0 && len(out) < most {
				from, to := s.block.start(s.from+at), s.block.end(s.from+at+len(file.Target))
				file.Raw, file.Start, file.End = string(r.Source[from:to]), int(r.runes[from]), int(r.runes[to])
				file.Line, file.Column = r.place(from)
				out = append(out, file)
			}
		}
	}
	return out
}

// ibidem matches a citation of the source before, with what it says of the place.
var ibidem = lazyregexp.New(`(?i)[(\[](?:(?:ibid(?:em)?|ebd|ebenda|idem)\b|id\.)[.,: ]*([^()\[\]]{0,30})[)\]]`)

func endsWithColon(text string) bool {
	return strings.HasSuffix(text, ":") || strings.HasSuffix(text, "：")
}

// citedBelow returns the citations of the list or paragraph that a sentence with a colon leads to.
func (r *reader) citedBelow(i int) (out []Marker) {
	const most, mostSentences = 20, 100
	for j := i + 1; j < min(len(r.said), i+mostSentences) && len(out) < most; j++ {
		below, next := r.said[j].block, r.said[i+1].block
		if below != next && (below.listed == 0 || below.listed != next.listed) {
			break
		}
		out = append(out, r.said[j].Markers...)
	}
	return out
}

// whole returns the bytes of a sentence in the source, with the signs of Markdown around its first and last words.
func (r *reader) whole(p *prose, start, end int) (from, to int) {
	from, to = p.start(start), p.end(end)
	around := "*_[`"
	if p.row {
		around += "| "
	}
	for from > 0 && strings.IndexByte(around, r.Source[from-1]) >= 0 {
		from--
	}
	at, _ := slices.BinarySearchFunc(p.links, end, func(l link, end int) int { return l.from - end })
	for _, l := range p.links[max(0, at-2):at] { // behind the text of a link is its address
		if l.to >= end && p.roles[end-1]&inLink != 0 {
			to = max(to, l.end)
		}
	}
	for to < len(r.Source) && r.Source[to] != '[' && strings.IndexByte(around, r.Source[to]) >= 0 {
		to++
	}
	return from, to
}

func trimmed(mask string, start, end int) (int, int) {
	end = start + len(strings.TrimRightFunc(mask[start:max(start, end)], unicode.IsSpace))
	return end - len(strings.TrimLeftFunc(mask[start:end], unicode.IsSpace)), end
}

// stop matches a full stop, also one before closing marks.
var stop = lazyregexp.New(`[.!?。！？…۔።။។։]["”’」』)）*_]*\s+$`)

// citeQuotations gives the sentences of a quotation the citations behind it or before it.
func (r *reader) citeQuotations(p *prose, quotes []span) {
	first := len(r.said)
	for i := len(r.said) - 1; i > 0; i-- {
		a, b := &r.said[i-1], &r.said[i]
		attributed := p.quotes > 0 && a.block.quotes == p.quotes && b.block.quotes == p.quotes // the line below says whose it is
		if !attributed && (a.block != p || b.block != p) {
			break
		}
		if first = i; len(a.Markers) == 0 && len(b.Markers) > 0 && (attributed || quoteOf(quotes, a, b) != nil) {
			a.Markers = b.Markers
		}
	}
	for i := first; i < len(r.said); i++ {
		a, b := &r.said[i-1], &r.said[i]
		if q := quoteOf(quotes, a, b); q != nil && len(b.Markers) == 0 && len(a.Markers) > 0 && a.cites < q.from {
			b.Markers, b.cites = a.Markers, a.cites
		}
	}
}

// quoteOf returns the quotation that runs over two sentences, or nil.
func quoteOf(quotes []span, a, b *statement) *span {
	for i, q := range quotes {
		if q.from < a.to && b.from < q.to {
			return &quotes[i]
		}
	}
	return nil
}

// cover gives uncited sentences the citations after the last full stop of their paragraph or of their block quotation, which may stand in
// a line of their own below it: "Source: [1]", also below a list or a table. The sentences of the paragraph begin at first.
func (r *reader) cover(first int, p *prose) {
	said := len(r.said) - 1
	if said < r.section || len(r.said[said].Markers) == 0 {
		return
	}
	last, below := &r.said[said], said < first
	if !below && !stop.MatchString(last.block.behind(last.cites)) && last.cites < last.to {
		return
	}
	one := func(a, b int) bool { return a > 0 && a == b }
	for i := said - 1; i >= r.section && len(r.said[i].Markers) == 0; i-- {
		b := r.said[i].block
		if b != p && !one(b.quoted, last.block.quoted) && !(below && (b == last.block || one(b.listed, last.block.listed))) {
			break
		}
		r.said[i].Covering = last.Markers
	}
}

// introduce gives the sentences of a quotation, from said on, the citations of the sentence that introduces it.
func (r *reader) introduce(said int) {
	r.said[said-1].leads = introduces(r.said[said-1].Text)
	for i := said; i < len(r.said) && len(r.said[i].Markers) == 0; i++ {
		r.said[i].Markers = r.said[i-1].Markers
	}
}

// cite gives citations to the last sentence. Those before all prose, or after a heading, belong to no sentence.
func (r *reader) cite(marks []mark) {
	said := len(r.said) - 1
	if len(r.said) == r.section {
		said = -1
	}
	r.give(marks, said)
}

// give gives citations to a sentence; -1 is none. The mark [inference] is no citation. Several in one place are one node of the tree.
func (r *reader) give(marks []mark, said int) {
	for _, m := range marks {
		c := citedSpan{m.start, m.end, said, []Marker{m.Marker}}
		if m.shown && m.Kind != MarkerNumber && m.Kind != MarkerID { // its words stay
			c.start = m.end
		}
		switch inference := m.Kind == markerInference; {
		case said < 0 && inference:
			continue
		case said < 0:
			r.Strays = append(r.Strays, m.Marker)
		case inference:
			r.said[said].inferred, c.markers = true, nil
		default:
			s := &r.said[said]
			if len(s.Markers) == 0 {
				s.cites = m.from
			}
			s.Markers = append(s.Markers, m.Marker)
		}
		if n := len(r.cited) - 1; n >= 0 && r.cited[n].start == c.start && r.cited[n].end == c.end {
			r.cited[n].markers = append(r.cited[n].markers, c.markers...)
			continue
		}
		r.cited = append(r.cited, c)
	}
}

// cellTexts returns the words of the cells of a row.
func (p *prose) cellTexts() (out []string) {
	start := 0
	for _, end := range p.cells {
		out = append(out, p.visible(start, end, 0))
		start = end
	}
	return out
}

// rowText returns the words of a row with the heads of its columns: "Option: VACUUM; Locks: ACCESS EXCLUSIVE".
func (r *reader) rowText(p *prose) string {
	var texts []string
	for n, text := range p.cellTexts() {
		if n < len(r.heads) && r.heads[n] != "" && text != "" {
			text = r.heads[n] + ": " + text
		}
		if text != "" {
			texts = append(texts, text)
		}
	}
	return strings.Join(texts, "; ")
}
