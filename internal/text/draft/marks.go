package draft

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/citeloop/citeloop/internal/lazyregexp"
	"github.com/citeloop/citeloop/internal/text/words"
)

// Bounds of what is read as one citation: beyond them it is something else, and looking costs time (chosen).
const (
	maxMarkRunes    = 160  // "[1, 2, 3, 4]", "(Sources 1, 2 and 3)", "[a.md:3; b.md:5]"
	maxAddressRunes = 2000 // an address
)

// mark is a citation while a block is read, with its place in the prose.
type mark struct {
	Marker
	from, to   int  // glyphs
	start, end int  // bytes of the source
	shown      bool // its words stay in the sentence: the text of a link
}

// marks finds the citations of a block, in order, with their entries. A note that names several sources cites all of them.
func (r *reader) marks(p *prose) (out []mark) {
	m := marker{reader: r, prose: p, trails: trailing.MatchString(p.plain(max(0, len(p.glyphs)-12), len(p.glyphs)))}
	for i := 0; i < len(p.glyphs); {
		i = max(m.read(i), i+1)
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
		from := m.prose.skip(start, 1, " |", false)
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
	link   int  // the next of its links
	trails bool // it ends with a number in round brackets behind a full stop
}

// cite records citations that take the glyphs [from, to), and reports whether there are any. The words of shown ones stay in the sentence.
func (m *marker) cite(from, to int, shown bool, found ...Marker) bool {
	for _, x := range found {
		m.put(mark{Marker: x, from: from, to: to, shown: shown}, int(m.glyphs[from].start), int(m.glyphs[to-1].end))
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

func (p *prose) mark(from, to int, as role) {
	for i := from; i < to; i++ {
		p.glyphs[i].role |= as
	}
}

// read reads what begins at a glyph and returns where to go on.
func (m *marker) read(i int) int {
	for m.link < len(m.links) && m.links[m.link].from < i {
		m.link++
	}
	g := m.glyphs[i]
	switch {
	case m.link < len(m.links) && m.links[m.link].from == i:
		if end := m.linkMark(m.links[m.link]); end > i {
			return end
		}
	case g.role&inSyntax != 0:
		return i + 1
	case g.role&inCode != 0: // a code span that is only a file with lines cites it
		end := i
		for end < len(m.glyphs) && m.glyphs[end].role&inCode != 0 {
			end++
		}
		if raised := texRaised.FindStringSubmatch(m.plain(i, min(end, i+maxMarkRunes))); raised != nil {
			m.raised(i, end, raised[1])
		} else if end-i <= maxMarkRunes {
			m.inText(i, end, pathsIn(m.plain(i, end), false))
			end = max(end, m.lined(i, end))
		}
		return end
	}
	switch {
	case brackets[g.c] != 0 && (g.c != '(' || g.role&inRaised == 0):
		return m.bracket(i)
	case g.role&inRaised != 0, strings.ContainsRune("^⁽¹²³⁰⁴⁵⁶⁷⁸⁹", g.c),
		g.c >= '①' && g.c <= '⑳' && closesWord.MatchString(m.plain(i+1, min(len(m.glyphs), i+2))):
		return m.superscript(i)
	case g.c >= '1' && g.c <= '9' && i > 2 && strings.ContainsRune(stops+"”\"", m.glyphs[i-1].c):
		return m.lowered(i)
	case i > 0 && pathChar(m.glyphs[i-1].c) || !pathChar(g.c):
		return 0
	}
	return cmp.Or(m.address(i), m.narrative(i), m.key(i))
}

var inlineKey = lazyregexp.New(`^@([\pL\pN](?:[\w:.-]*\w)?)(?: \[(?:pp?\.)[^\[\]]{0,40}\])?`)

// key reads "@smith2021 [p. 3] writes", where the list has that key.
func (m *marker) key(i int) int {
	k := inlineKey.FindStringSubmatch(m.plain(i, min(len(m.glyphs), i+maxMarkRunes)))
	if k == nil || m.find(MarkerKey, k[1], 0) == 0 {
		return 0
	}
	to := i + len([]rune(k[0]))
	m.inText(i, to, []Marker{{Kind: MarkerKey, Target: k[1]}})
	return to
}

// pathChar reports whether c may be in a word, a path or an id.
func pathChar(c rune) bool { return words.Spaced(c) || strings.ContainsRune(`./\_@~`, c) }

// needing matches words that need the name of a file behind them: "in notes.md:3".
var needing = lazyregexp.New(`(?i)(?:^|\s)(?:in|at|of|by|from|to|the|see|and|or|into|with|says?|shows?|file|per|than|on)\s*$`)

// inText records files with lines. They stay in the sentence where it would not be whole without them.
func (m *marker) inText(from, to int, found []Marker) {
	shown := needing.MatchString(m.plain(max(0, from-12), from))
	if rest := []rune(strings.TrimLeft(m.plain(to, min(len(m.glyphs), to+3)), " ")); len(rest) > 0 {
		shown = shown || unicode.IsLetter(rest[0]) && unicode.IsLower(rest[0]) || from == 0
	}
	m.cite(from, to, shown, found...)
}

// linkMark reads a link. Its text stays in the sentence, unless it is only a number, an id or the name of a form ("source").
func (m *marker) linkMark(l link) int {
	m.link++
	text := strings.TrimSpace(m.plain(l.from, l.to))
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
	if behind := linesBehind.FindStringSubmatch(m.plain(l.to, min(len(m.glyphs), l.to+30))); behind != nil && x.Lines == "" {
		x.Lines = plainLines(behind[2] + behind[3])
		m.mark(l.to, l.to+len(behind[1]), inCite)
	}
	glued := l.from > 0 && m.glyphs[l.from-1].c < 'ก' && words.Spaced(m.glyphs[l.from-1].c) // "in rivers[log](log.md)"
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
	named := pathsIn(m.plain(from, to), true)
	if len(named) != 1 || named[0].Lines != "" {
		return 0
	}
	if behind := linesBehind.FindStringSubmatch(m.plain(to, min(len(m.glyphs), to+30))); behind != nil {
		named[0].Lines = plainLines(behind[2] + behind[3])
		m.cite(from, to, true, named...)
		m.mark(to, to+len([]rune(behind[1])), inCite)
		return to + len([]rune(behind[1]))
	}
	before := linesBefore.FindStringSubmatch(m.plain(max(0, from-36), from))
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
		len(sources) > 1 && (len(m.References) > 0 && !rising || measure.MatchString(m.plain(max(0, from-16), from)))) {
		return false
	}
	if !listed && (noteMark.MatchString(m.plain(from, min(to, from+9))) || len(sources) == 1 && m.index(from, to)) {
		return false
	}
	m.cite(from, to, m.glyphs[from].c == '[' && m.noun(from, to), sources...)
	return true
}

// index reports whether a number that no list has is an index rather than a citation: v[4] = 7.
func (m *marker) index(from, to int) bool {
	return from > 0 && words.Spaced(m.glyphs[from-1].c) && indexed.MatchString(m.plain(to, min(len(m.glyphs), to+2)))
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
	n := len(m.found)
	rest := strings.TrimSpace(m.plain(to, min(len(m.glyphs), to+2)))
	opens := rest != "" && unicode.IsLower([]rune(rest)[0]) && strings.TrimSpace(m.plain(max(0, from-2), from)) == ""
	second := n > 0 && m.found[n-1].shown && from-m.found[n-1].to < 7 && between.MatchString(m.plain(m.found[n-1].to, from))
	ends := rest == "" || strings.ContainsAny(rest[:1], ".;:!?)")
	return opens || second || !ends && governing.MatchString(m.plain(max(0, from-12), from))
}

var (
	brackets   = map[rune]rune{'[': ']', '［': ']', '〔': '〕', '【': '】', '(': ')', '（': '）'}
	footnoteID = lazyregexp.New(`^\^[\pL][\w-]{0,60}$`)
	citeKey    = lazyregexp.New(`^(?:[^@;]{0,40}\s)?-?@\{?([\pL\pN][\pL\pN_:.#$%&+?<>~/-]*[\pL\pN])\}?(?:,.*)?$`)
	ownMark    = lazyregexp.New(`(?i)^(?:(?:own|author['’]s|my|our) )?inference$`)
	sourceWord = lazyregexp.New(`(?i)^(?:(?:see(?: also)?|cf\.?|e\.g\.,?|via|#|参见|见)\s*)?` +
		`(?:(?:sources?|quellen?|fuentes?|siehe|vgl\.?|voir|véase|см\.|files?|` +
		`refs?\.?|references?|citations?|cite|web|footnotes?|notes?|` +
		`来源|出典|出处|注|資料|资料|参考|參考|参考文献|參考文獻|文献|引用)\s*[:_#]?\s*)?`)
)

// bracket reads [1], [1, 2], [S3:120-128], [^4], [^note], [Source 3], [inference], [@key], [notes.md:3], 【2†L10-L12】,
// and in round brackets (Source 13), (S1:120, S2), (notes.md:3), (Smith 2020), （来源：3）.
func (m *marker) bracket(i int) int {
	closes := brackets[m.glyphs[i].c]
	shut, depth := i+1, 0
	for ; shut < len(m.glyphs) && shut-i <= maxMarkRunes; shut++ {
		if c := m.glyphs[shut].c; c == m.glyphs[i].c {
			depth++
		} else if c == closes || closes == ']' && c == '］' {
			if depth--; depth < 0 {
				break
			}
		}
	}
	if shut == len(m.glyphs) || shut-i > maxMarkRunes || shut == i+1 {
		return 0
	}
	after := shut + 1
	if m.link < len(m.links) && m.links[m.link].from < shut { // what is in a link is for linkMark
		end, n := i+1, len(m.found)
		for l := m.link; l < len(m.links) && m.links[l].to <= shut && between.MatchString(m.plain(end, max(end, m.links[l].from))); l++ {
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
		m.widen(n, mark{from: i, to: after}, int(m.glyphs[i].start), int(m.glyphs[shut].end))
		return after
	}
	inside, round, code := narrow(m.plain(i+1, shut)), closes == ')' || closes == '）', m.glyphs[i+1].role&inCode != 0
	if m.cite(i, after, false, pathsIn(strings.TrimSpace(sourceWord.ReplaceAllString(inside, "")), !round && !code)...) {
		return after
	}
	if code {
		return 0
	}
	list, behind, dagger := strings.Cut(inside, "†")
	list = strings.TrimSpace(sourceWord.ReplaceAllString(list, ""))
	if named := pathsIn(behind, true); dagger && len(named) == 1 { // 【4:1†weir.md】
		return m.after(i, after, named)
	} else if dagger {
		list = list[strings.Index(list, ":")+1:] // 【4:2†source】 is message 4, source 2
	}
	if note := strings.TrimPrefix(inside, "^"); !round && note != inside && m.find(MarkerFootnote, note, 0) != 0 { // [^1_1], [^1-1], [^1^]
		return m.after(i, after, []Marker{{Kind: MarkerFootnote, Target: note}})
	}
	sources := m.spanned(i, sourcesIn(list))
	if sources != nil && (!round || list != inside || sources[0].Kind == MarkerID || m.closing(i, after, sources)) &&
		m.list(i, after, sources) {
		if behind = strings.TrimSpace(behind); strings.HasPrefix(behind, "L") && moreOf.MatchString(behind) {
			m.found[len(m.found)-1].Lines = plainLines(behind)
		}
		return after
	}
	switch {
	case m.cite(i, after, false, m.citedIn(inside, round)...):
	case round && (m.cite(i, after, false, m.dated(i, inside)...) || m.tail(i, shut)):
	case !round && footnoteID.MatchString(inside):
		m.cite(i, after, false, Marker{Kind: MarkerFootnote, Target: inside[1:]})
	case inside == "cite_start": // of Gemini
		m.mark(i, after, inCite)
	case !round && ownMark.MatchString(inside):
		m.cite(i, after, false, Marker{Kind: markerInference})
	default:
		return 0
	}
	return after
}

// after records citations that take the glyphs [from, to), and returns to.
func (m *marker) after(from, to int, found []Marker) int {
	m.cite(from, to, false, found...)
	return to
}

// between matches what parts links in one bracket.
var between = lazyregexp.New(`^(?:[\s,;&]|\band\b|\bsee\b|\blines? [\d-]+)*$`)

// spanned adds what is between [1] and [3] to the latter in "[1]–[3]".
func (m *marker) spanned(i int, sources []Marker) []Marker {
	n := len(m.found) - 1
	if n < 0 || len(sources) != 1 || sources[0].Kind != MarkerNumber || m.found[n].Kind != MarkerNumber || i-m.found[n].to > 3 ||
		!strings.Contains("-–—~", strings.TrimSpace(m.plain(m.found[n].to, i))) || i == m.found[n].to {
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
	before, rest := m.plain(max(0, from-16), from), strings.TrimLeft(m.plain(to, min(len(m.glyphs), to+2)), "”\"")
	return (m.trails && stop.MatchString(before) ||
		(rest == "" || strings.ContainsAny(rest[:1], ".,;\n")) && (!counting.MatchString(before) || yearBefore.MatchString(before))) &&
		!slices.ContainsFunc(sources, func(s Marker) bool { return m.find(s.Kind, s.Target, 0) == 0 })
}

var counting = lazyregexp.New(`(?i)(?:\b(?:equations?|eqs?|tables?|fig(?:ure)?s?|steps?|cases?|conditions?|points?|items?|types?|groups?|` +
	`phases?|rules?|articles?|sections?|paragraphs?|clauses?|in|of|by|and|or|to|from|is|are|the|one|two|three|four|five|six|seven|` +
	`eight|nine|ten)\.?|[\d.;:,])\s*$|^\s*$`)

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

// address reads what begins at a glyph without a link around it: https://…, www.…, doi:10.1000/x, PMID: 1, notes.md:3.
func (m *marker) address(i int) int {
	if strings.ContainsRune("hHwWfFdD1aApP", m.glyphs[i].c) && addressStart.MatchString(m.plain(i, min(len(m.glyphs), i+24))) {
		from, x := findAddress(m.plain(i, min(len(m.glyphs), i+maxAddressRunes)))
		if x.Kind == "" || from > 0 {
			return 0
		}
		end := i + len([]rune(x.Raw))
		m.cite(i, end, false, x)
		return end
	}
	end := i
	for end < len(m.glyphs) && end-i < 120 && !unicode.IsSpace(m.glyphs[end].c) && (m.glyphs[end].role^m.glyphs[i].role)&inRaised == 0 {
		end++
	}
	word := m.plain(i, end)
	if !strings.Contains(word, ".") {
		return 0
	}
	word = strings.TrimRight(word, ".,;:!?)]}*_\"'”’。，；")
	if !strings.ContainsAny(word, ":#") {
		return m.lined(i, i+len([]rune(word)))
	}
	found := pathsIn(word, false)
	if len(found) == 0 || !fileTypes[strings.ToLower(found[0].Target[strings.LastIndex(found[0].Target, ".")+1:])] {
		return 0
	}
	end = i + len([]rune(word))
	m.inText(i, end, found)
	return end
}
