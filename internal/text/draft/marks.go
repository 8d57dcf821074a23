package draft

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/citeloop/citeloop/internal/lazyregexp"
	"github.com/citeloop/citeloop/internal/text/words"
)

// Bounds of what is read as one citation, in bytes: beyond them it is something else, and looking costs time (chosen).
const (
	maxMark    = 300  // "[1, 2, 3, 4]", "(Sources 1, 2 and 3)", "[a.md:3; b.md:5]"
	maxLead    = 48   // what leads to it
	maxAddress = 2000 // an address
)

// mark is a citation while a block is read, with its place in the prose.
type mark struct {
	Marker
	from, to   int
	start, end int  // bytes of the source
	shown      bool // its words stay in the sentence: the text of a link
}

// marks finds the citations of a block, in order, with their entries. A note that names several sources cites all of them.
func (r *reader) marks(p *prose) (out []mark) {
	m := marker{reader: r, prose: p, trails: trailing.MatchString(p.behind(len(p.text)))}
	for i, c := range p.text {
		if i >= m.next {
			m.next = m.read(i, c)
		}
	}
	if p.row && !p.header {
		m.sourceCells(r.heads)
	}
	slices.SortStableFunc(m.found, func(a, b mark) int { return a.from - b.from })
	out = make([]mark, 0, len(m.found))
	for _, x := range m.found {
		if x.entry == 0 {
			x.entry = r.find(x.Kind, x.Target, x.Line)
		}
		if x.Kind == MarkerFootnote && x.entry > 0 && r.References[x.entry-1].remarks() {
			continue
		}
		out = append(out, x)
		for i := x.entry; x.Kind == MarkerFootnote && i > 0 && i < len(r.References) && r.References[i].more; i++ {
			x.entry = i + 1
			out = append(out, x)
		}
	}
	return out
}

var (
	sourceHead = lazyregexp.New(`(?i)^(?:sources?|refs?\.?|references?|citations?|cited|evidence|files?|quellen?|fuentes?|` +
		`来源|出处|引用)$`)
	linesHead = lazyregexp.New(`(?i)^(?:lines?|zeilen?|lignes?|líneas?|行)$`)
)

// sourceCells cites what a cell of a column of sources has alone: files, ids or listed numbers. A column of lines says where.
func (m *marker) sourceCells(heads []string) {
	at, start, cells := "", 0, m.cellTexts()
	for n, text := range cells {
		if n < len(heads) && linesHead.MatchString(heads[n]) && moreOf.MatchString(text) {
			at = plainLines(text)
			m.mark(start, m.cells[n], inCite)
		}
		start = m.cells[n]
	}
	start = 0
	for n, text := range cells {
		from := m.past(start, " |", false)
		if start = m.cells[n]; n >= len(heads) || !sourceHead.MatchString(heads[n]) || text == "" || from >= start {
			continue
		}
		found := pathsIn(text, true)
		if ids := sourcesIn(text); found == nil && len(ids) > 0 && m.find(ids[0].Kind, ids[0].Target, 0) != 0 {
			found = ids
		}
		if len(found) == 1 && found[0].Lines == "" {
			found[0].Lines = at
		}
		m.cite(from, start, false, found...)
	}
}

// marker reads the citations of one block.
type marker struct {
	*reader
	*prose
	found  []mark
	next   int  // what is before it was read
	link   int  // the next of its links
	trails bool // it ends with a number in round brackets behind a full stop
}

// cite records citations that take [from, to), and reports whether there are any. The words of shown ones stay in the sentence.
func (m *marker) cite(from, to int, shown bool, found ...Marker) bool {
	for _, x := range found {
		m.put(mark{Marker: x, from: from, to: to, shown: shown}, m.start(from), m.end(to))
	}
	return len(found) > 0
}

// put records a citation that takes the bytes [start, end) of the source.
func (m *marker) put(x mark, start, end int) {
	x.start, x.end = start, end
	x.Raw, x.Start, x.End = cmp.Or(x.Raw, string(m.Source[start:end])), int(m.runes[start]), int(m.runes[end])
	x.Line, x.Column = m.place(start)
	if m.found = append(m.found, x); !x.shown {
		m.mark(x.from, x.to, inCite)
	}
}

// read reads what begins with a character and returns where to go on.
func (m *marker) read(i int, c rune) int {
	for m.link < len(m.links) && m.links[m.link].from < i {
		m.link++
	}
	as, before := m.roles[i], runeBefore(m.text, i)
	switch {
	case m.link < len(m.links) && m.links[m.link].from == i:
		if end := m.linkMark(m.links[m.link]); end > i {
			return end
		}
	case as&inSyntax != 0:
		return 0
	case as&inCode != 0: // a code span that is only a file with lines cites it
		end := m.run(i, inCode)
		if raised := texRaised.FindStringSubmatch(m.text[i:min(end, i+maxMark)]); raised != nil {
			m.raised(i, end, raised[1])
		} else if end-i <= maxMark {
			m.inText(i, end, pathsIn(m.text[i:end], false))
			end = max(end, m.lined(i, end))
		}
		return end
	}
	switch {
	case brackets[c] != 0 && (c != '(' || as&inRaised == 0):
		return m.bracket(i)
	case as&inRaised != 0, strings.ContainsRune("^⁽¹²³⁰⁴⁵⁶⁷⁸⁹", c),
		c >= '①' && c <= '⑳' && closesWord.MatchString(m.text[i:]):
		return m.superscript(i)
	case c >= '1' && c <= '9' && strings.ContainsRune(stops+"”\"", before):
		return m.lowered(i)
	case pathChar(before) || !pathChar(c):
		return 0
	}
	return cmp.Or(m.address(i), m.narrative(i), m.key(i))
}

var inlineKey = lazyregexp.New(`^@([\pL\pN](?:[\w:.-]*\w)?)(?: \[(?:pp?\.)[^\[\]]{0,40}\])?`)

// key reads "@smith2021 [p. 3] writes", where the list has that key.
func (m *marker) key(i int) int {
	k := inlineKey.FindStringSubmatch(m.ahead(i))
	if k == nil || m.find(MarkerKey, k[1], 0) == 0 {
		return 0
	}
	to := i + len(k[0])
	m.inText(i, to, []Marker{{Kind: MarkerKey, Target: k[1]}})
	return to
}

// pathChar reports whether c may be in a word, a path or an id.
func pathChar(c rune) bool { return words.Spaced(c) || strings.ContainsRune(`./\_@~`, c) }

// needing matches words that need the name of a file behind them: "in notes.md:3".
var needing = lazyregexp.New(`(?i)(?:^|\s)(?:in|at|of|by|from|to|the|see|and|or|into|with|says?|shows?|file|per|than|on)\s*$`)

// inText records files with lines. They stay in the sentence where it would not be whole without them.
func (m *marker) inText(from, to int, found []Marker) {
	shown := needing.MatchString(m.behind(from))
	if rest := m.past(to, " ", false); rest < len(m.text) {
		shown = shown || unicode.IsLower(runeAt(m.text, rest)) || from == 0
	}
	m.cite(from, to, shown, found...)
}

// linkMark reads a link. Its text stays in the sentence, unless it is only a number, an id or the name of a form ("source").
func (m *marker) linkMark(l link) int {
	m.link++
	text := strings.TrimSpace(m.text[l.from:l.to])
	sources, named, n := sourcesIn(strings.Trim(text, "[]【】 ")), pathsIn(text, true), len(m.found)
	x := mark{Marker: leadsTo(l.address), from: l.from, to: l.to}
	switch {
	case (x.Raw == "" || l.label != "" && !(l.full && sourcesIn(l.label) == nil)) && m.list(l.from, l.to, sources):
		if l.full {
			m.list(l.from, l.to, sourcesIn(l.label))
		}
		m.widen(n, mark{from: l.from, to: l.to}, l.start, max(l.end, l.start))
		return l.to
	case x.Raw == "":
		return 0
	}
	if x.Kind = MarkerLink; text == l.address {
		x.Kind = MarkerURL
	}
	if len(named) == 1 {
		x.Lines = cmp.Or(x.Lines, named[0].Lines)
	}
	if behind := linesBehind.FindStringSubmatch(m.ahead(l.to)); behind != nil && x.Lines == "" {
		x.Lines = plainLines(behind[2] + behind[3])
		m.mark(l.to, l.to+len(behind[1]), inCite)
	}
	before := runeBefore(m.text, l.from)
	glued := before < 'ก' && words.Spaced(before) // "in rivers[log](log.md)"
	x.shown = !nameless.MatchString(text) && sources == nil && named == nil && !glued
	m.put(x, l.start, max(l.end, l.start))
	return l.to
}

var (
	// linesBehind matches lines behind a link or a file: "[notes](notes.md), lines 3-5", "notes.md (line 3)".
	linesBehind = lazyregexp.New(`^(,? (?:at )?(?:lines?|ll?\.) (` + linesPattern + `)\b| \((?:lines?|ll?\.) (` + linesPattern + `)\))`)
	linesBefore = lazyregexp.New(`(?i)\blines? (` + linesPattern + `) (?:of|in) (?:the file )?$`)
)

// lined reads a file whose lines are said in words, and returns where to go on, or 0: "weir.md, lines 3-5", "line 3 of weir.md".
func (m *marker) lined(from, to int) int {
	named := pathsIn(m.text[from:to], true)
	if len(named) != 1 || named[0].Lines != "" {
		return 0
	}
	if behind := linesBehind.FindStringSubmatch(m.ahead(to)); behind != nil {
		named[0].Lines = plainLines(behind[2] + behind[3])
		m.cite(from, to, true, named...)
		m.mark(to, to+len(behind[1]), inCite)
		return to + len(behind[1])
	}
	before := linesBefore.FindStringSubmatch(m.behind(from))
	if before == nil {
		return 0
	}
	named[0].Lines = plainLines(before[1])
	m.cite(from, to, true, named...)
	return to
}

// widen gives the citations from n on another place, the one of x and the bytes [start, end).
func (m *marker) widen(n int, x mark, start, end int) {
	found := m.found[n:]
	m.found = m.found[:n:n]
	for _, f := range found {
		if x.Marker = f.Marker; x.Kind != MarkerLink && x.Kind != MarkerURL {
			x.Raw = ""
		}
		m.put(x, start, end)
	}
}

var measure = lazyregexp.New(`(?i)(?:\b(?:shapes?|sizes?|intervals?|ranges?|vectors?|tuples?|arrays?|tensors?|matri(?:x|ces)|` +
	`dimensions?|between|index|indices|CIs?)|[=∈×]|\pL\()\s*$`)

// list cites the sources of one bracket, unless the list of references lacks some of the numbers in it, and they rather are a year, put
// into a quotation, or a shape or an interval: one comes twice, or behind a greater one, or behind a word for such things.
func (m *marker) list(from, to int, sources []Marker) bool {
	listed, rising, before := true, true, 0
	for _, s := range sources {
		n, _ := strconv.Atoi(s.Target)
		listed = listed && s.Kind == MarkerNumber && m.find(s.Kind, s.Target, 0) != 0
		rising = rising && (s.Kind != MarkerNumber || n > before)
		before = n
	}
	if sources == nil {
		return false
	}
	if !listed && sources[0].Kind == MarkerNumber && (len(sources) == 1 && before >= 1000 ||
		len(sources) > 1 && (len(m.References) > 0 && !rising || measure.MatchString(m.behind(from)))) {
		return false
	}
	if !listed && (noteMark.MatchString(m.text[from:to]) || len(sources) == 1 && m.index(from, to)) {
		return false
	}
	m.cite(from, to, m.text[from] == '[' && m.noun(from, to), sources...)
	return true
}

// index reports whether a number that no list has is an index rather than a citation: v[4] = 7.
func (m *marker) index(from, to int) bool {
	return words.Spaced(runeBefore(m.text, from)) && indexed.MatchString(m.text[to:])
}

var (
	indexed  = lazyregexp.New(`^\s?[=<>+*]`)
	noteMark = lazyregexp.New(`^.(?:(?i:foot)?(?i:notes?) |注)`) // [note 1]
	trailing = lazyregexp.New(`[.!?。！？]["”]?\s?\(\d{1,3}\)\s*$`)
	// governing are words that a citation is the noun of: "as [1] shows".
	governing = lazyregexp.New(`(?i)(?:^|\s)(?:in|by|of|from|to|as|per|with|like|unlike|than|sources?|references?|refs?\.|laut|nach|` +
		`von|gemäß|según|selon|d['’]après)\s*$|(?:根据|依据|按照)$`)
)

// noun reports whether the sentence would not be whole without the next citation: "as [1] and [2] show", or "[1] shows" at its beginning.
// At its end words such as "with" may belong to its verb.
func (m *marker) noun(from, to int) bool {
	n, rest, before := len(m.found), m.past(to, " \n", false), m.back(from, " \n", false)
	opens := (before == 0 || from-before > 1) && unicode.IsLower(runeAt(m.text, rest))
	second := n > 0 && m.found[n-1].shown && from-m.found[n-1].to < 7 && between.MatchString(m.text[m.found[n-1].to:from])
	ends := rest == len(m.text) || strings.ContainsRune(".;:!?)", runeAt(m.text, rest))
	return opens || second || !ends && governing.MatchString(m.behind(from))
}

var (
	brackets   = map[rune]rune{'[': ']', '［': ']', '〔': '〕', '【': '】', '(': ')', '（': '）'}
	footnoteID = lazyregexp.New(`^\^[\pL][\w-]{0,60}$`)
	citeKey    = lazyregexp.New(`^(?:[^@;]{0,40}\s)?-?@\{?([\pL\pN][\pL\pN_:.#$%&+?<>~/-]*[\pL\pN])\}?(?:,[^;]*)?$`)
	ownMark    = lazyregexp.New(`(?i)^(?:(?:own|author['’]s|my|our) )?inference$`)
	sourceWord = lazyregexp.New(`(?i)^(?:(?:see(?: also)?|cf\.?|e\.g\.,?|via|#|参见|见)\s*)?` +
		`(?:(?:sources?|quellen?|fuentes?|siehe|vgl\.?|voir|véase|см\.|files?|` +
		`refs?\.?|references?|citations?|cite|web|footnotes?|notes?|` +
		`来源|出典|出处|注|資料|资料|参考|參考|参考文献|參考文獻|文献|引用)\s*[:_#]?\s*)?`)
)

// bracket reads [1], [1, 2], [S3:120-128], [^4], [^note], [Source 3], [inference], [@key], [notes.md:3], 【2†L10-L12】,
// and in round brackets (Source 13), (S1:120, S2), (notes.md:3), (Smith 2020), （来源：3）.
func (m *marker) bracket(i int) int {
	open := runeAt(m.text, i)
	closes, inner := brackets[open], i+utf8.RuneLen(open)
	shut, after, depth := 0, 0, 0
	for at, c := range m.ahead(inner) {
		if c == open {
			depth++
		} else if c == closes || closes == ']' && c == '］' {
			if depth--; depth < 0 {
				shut, after = inner+at, inner+at+utf8.RuneLen(c)
				break
			}
		}
	}
	if shut <= inner {
		return 0
	}
	if m.link < len(m.links) && m.links[m.link].from < shut { // what is in a link is for linkMark
		end, n := inner, len(m.found)
		for l := m.link; l < len(m.links) && m.links[l].to <= shut && between.MatchString(m.text[end:max(end, m.links[l].from)]); l++ {
			end = max(end, m.links[l].to)
		}
		if end < shut {
			return 0
		}
		for m.link < len(m.links) && m.links[m.link].from < shut { // links fill the bracket: ([Otters](https://…), [Mills](mills.md))
			end = m.linkMark(m.links[m.link])
		}
		if len(m.found) == n {
			return end
		}
		m.widen(n, mark{from: i, to: after}, m.start(i), m.end(after))
		return after
	}
	inside, round := narrow(m.text[inner:shut]), closes == ')' || closes == '）'
	if inside == "cite_start" { // of Gemini
		m.mark(i, after, inCite)
		return after
	}
	if m.roles[inner]&inCode != 0 {
		if !m.cite(i, after, false, pathsIn(inside, false)...) {
			return 0
		}
		return after
	}
	for _, d := range daggers {
		inside = d.form.ReplaceAllString(inside, d.plain)
	}
	list := strings.TrimSpace(sourceWord.ReplaceAllString(inside, ""))
	found := m.spanned(i, m.formIn(list, round))
	if len(found) == 0 || found[0].Kind == MarkerAuthor { // a list in several forms
		found = m.citedIn(inside, round)
	}
	bare := round && list == inside && len(found) > 0 && found[0].Kind == MarkerNumber
	switch {
	case (!bare || m.closing(i, after, found)) && m.list(i, after, found):
	case round && (m.cite(i, after, false, m.dated(i, inside)...) || m.tail(inner, shut)):
	default:
		return 0
	}
	return after
}

// daggers are the forms of ChatGPT: 【4:1†weir.md】, 【4:2†source】 for source 2 of message 4, 【1†L5】 for a line.
var daggers = []struct {
	form  *lazyregexp.Regexp
	plain string
}{
	{lazyregexp.New(`^\d{1,4}(?::\d{1,4})?†([^\s†]+\.[A-Za-z]\w{0,7})$`), "$1"},
	{lazyregexp.New(`^(?:\d+:)?(\d{1,4})†(` + linesPattern + `)$`), "$1" + byWord + "$2"},
	{lazyregexp.New(`^(?:\d+:)?(\d{1,4})†.*$`), "$1"},
}

// between matches what parts links in one bracket.
var between = lazyregexp.New(`^(?:[\s,;&]|\band\b|\bsee\b|\blines? [\d-]+)*$`)

// spanned adds what is between [1] and [3] to the latter in "[1]–[3]".
func (m *marker) spanned(i int, sources []Marker) []Marker {
	n := len(m.found) - 1
	if n < 0 || len(sources) != 1 || sources[0].Kind != MarkerNumber || m.found[n].Kind != MarkerNumber || i-m.found[n].to > 3 ||
		!strings.Contains("-–—~", strings.TrimSpace(m.text[m.found[n].to:i])) || i == m.found[n].to {
		return sources
	}
	all := sourcesIn(m.found[n].Target + "-" + sources[0].Target)
	if len(all) < 2 {
		return sources
	}
	m.mark(m.found[n].to, i, inCite)
	return all[1:]
}

// closing reports whether numbers in round brackets are citations. All must be in the list. They end a clause that does not count
// something, or stand after a full stop in a paragraph that ends with such a number.
func (m *marker) closing(from, to int, sources []Marker) bool {
	before, rest := m.behind(from), m.past(to, "”\"", false)
	return (m.trails && stop.MatchString(before) ||
		(rest == len(m.text) || strings.IndexByte(".,;\n", m.text[rest]) >= 0) &&
			(!counting.MatchString(before) || yearBefore.MatchString(before))) &&
		!slices.ContainsFunc(sources, func(s Marker) bool { return m.find(s.Kind, s.Target, 0) == 0 })
}

var counting = lazyregexp.New(`(?i)(?:\b(?:equations?|eqs?|tables?|fig(?:ure)?s?|steps?|cases?|conditions?|points?|items?|types?|groups?|` +
	`phases?|rules?|articles?|sections?|paragraphs?|clauses?|in|of|by|and|or|to|from|is|are|the|one|two|three|four|five|six|seven|` +
	`eight|nine|ten)\.?|[\d.;:,])\s*$|^\s*$`)

// noteIn reads the label of a footnote, [^note] or [^1_1], and the mark of the author's own conclusions.
func (r *reader) noteIn(text string) []Marker {
	note, ok := strings.CutPrefix(text, "^")
	switch {
	case ok && (r.find(MarkerFootnote, note, 0) != 0 || footnoteID.MatchString(text)):
		return []Marker{{Kind: MarkerFootnote, Target: note}}
	case ownMark.MatchString(text):
		return []Marker{{Kind: markerInference}}
	}
	return nil
}

// labelsIn reads labels of the list that are no numbers, "Hol19, RS18, p. 3"; nil if the text holds anything else.
func (r *reader) labelsIn(list string) (out []Marker) {
	for _, item := range markSplit.Split(locator.ReplaceAllString(list, ""), -1) {
		if r.labels[foldLabel(item)] == nil {
			return nil
		}
		out = append(out, Marker{Kind: MarkerKey, Target: item})
	}
	return out
}

// keyIn reads "see @smith2021, p. 3"; nil if the text is anything else.
func keyIn(text string) []Marker {
	if k := citeKey.FindStringSubmatch(text); k != nil {
		return []Marker{{Kind: MarkerKey, Target: k[1]}}
	}
	return nil
}

// address reads what begins at a place without a link around it: https://…, www.…, doi:10.1000/x, PMID: 1, notes.md:3.
func (m *marker) address(i int) int {
	if strings.IndexByte("hHwWfFdD1aApP", m.text[i]) >= 0 && addressStart.MatchString(m.text[i:]) {
		from, x := findAddress(m.text[i:min(len(m.text), i+maxAddress)])
		if x.Kind == "" || from > 0 {
			return 0
		}
		m.cite(i, i+len(x.Raw), false, x)
		return i + len(x.Raw)
	}
	word := m.ahead(i)
	if end := strings.IndexFunc(word, unicode.IsSpace); end >= 0 {
		word = word[:end]
	}
	for end := range word {
		if (m.roles[i+end]^m.roles[i])&inRaised != 0 {
			word = word[:end]
			break
		}
	}
	if !strings.Contains(word, ".") {
		return 0
	}
	word = strings.TrimRight(word, ".,;:!?)]}*_\"'”’。，；")
	end := i + len(word)
	if !strings.ContainsAny(word, ":#") {
		return m.lined(i, end)
	}
	found := pathsIn(word, false)
	if len(found) == 0 || !fileTypes[strings.ToLower(found[0].Target[strings.LastIndex(found[0].Target, ".")+1:])] {
		return 0
	}
	m.inText(i, end, found)
	return end
}
