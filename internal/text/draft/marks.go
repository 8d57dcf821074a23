package draft

import (
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

// marks finds the citations of a block, in order, with their entries.
func (r *reader) marks(p *prose) []mark {
	m := marker{reader: r, prose: p}
	for i := 0; i < len(p.glyphs); {
		i = max(m.read(i), i+1)
	}
	slices.SortStableFunc(m.found, func(a, b mark) int { return a.from - b.from })
	for i := range m.found {
		x := &m.found[i]
		if x.entry == 0 {
			x.entry = r.entries.find(x.Kind, x.Target, x.Line)
		}
	}
	return m.expanded()
}

// marker reads the citations of one block.
type marker struct {
	*reader
	*prose
	found []mark
	link  int // the next of its links
}

// cite records a citation that takes the glyphs [from, to).
func (m *marker) cite(from, to int, kind, target, lines string) *mark {
	x := mark{Marker: Marker{Kind: kind, Target: target, Lines: lines}, from: from, to: to}
	m.at(&x, int(m.glyphs[from].start), int(m.glyphs[to-1].end))
	m.found = append(m.found, x)
	m.hide(from, to)
	return &m.found[len(m.found)-1]
}

func (m *marker) at(x *mark, start, end int) {
	x.start, x.end = start, end
	x.Raw, x.Start, x.End = string(m.src[start:end]), int(m.runes[start]), int(m.runes[end])
	x.Line, x.Column = m.place(start)
}

func (p *prose) hide(from, to int) { p.mark(from, to, inCite) }

func (p *prose) mark(from, to int, as role) {
	for i := from; i < to; i++ {
		p.glyphs[i].role |= as
	}
}

// expanded adds the other sources of the notes that are cited.
func (m *marker) expanded() []mark {
	var out []mark
	for _, x := range m.found {
		out = append(out, x)
		for i := x.entry; x.Kind == MarkerFootnote && i > 0 && i < len(m.references) && m.references[i].more; i++ {
			x.entry = i + 1
			out = append(out, x)
		}
	}
	return out
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
	case g.role&inCode != 0:
		return m.code(i)
	}
	switch g.c {
	case '[', '［', '〔', '【', '(', '（':
		return m.bracket(i)
	case '^', '¹', '²', '³', '⁰', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹':
		return m.superscript(i)
	}
	if g.role&inRaised != 0 {
		return m.superscript(i)
	}
	if i > 0 && pathChar(m.glyphs[i-1].c) || !pathChar(g.c) {
		return 0
	}
	if end := m.address(i); end > 0 {
		return end
	}
	return m.narrative(i)
}

// pathChar reports whether c may be in a word, a path or an id.
func pathChar(c rune) bool { return alphabetic(c) || strings.ContainsRune("./_@~", c) }

// ahead returns the plain text from a glyph to white space, at most n glyphs.
func (p *prose) ahead(i, n int) string {
	end := i
	for end < len(p.glyphs) && end-i < n && !unicode.IsSpace(p.glyphs[end].c) {
		end++
	}
	return p.plain(i, end)
}

// code reads a code span: one that is only a file with lines cites it.
func (m *marker) code(i int) int {
	end := i
	for end < len(m.glyphs) && m.glyphs[end].role&inCode != 0 {
		end++
	}
	if end-i <= maxMarkRunes {
		m.paths(i, end, pathsIn(m.plain(i, end), false))
	}
	return end
}

// paths records files with lines. They stay in the sentence where a word before them needs them: "in notes.md:3".
func (m *marker) paths(from, to int, found []aPath) bool {
	for _, path := range found {
		m.cite(from, to, MarkerLink, path.target, path.lines)
	}
	if len(found) > 0 && m.needed(from, to) {
		for i := from; i < to; i++ {
			m.glyphs[i].role &^= inCite
		}
		for i := len(m.found) - len(found); i < len(m.found); i++ {
			m.found[i].shown = true
		}
	}
	return len(found) > 0
}

var needing = lazyregexp.New(`(?i)(?:^|\s)(?:in|at|of|by|from|to|the|see|and|or|into|with|says?|shows?|file|per|than|on)\s*$`)

// needed reports whether a sentence would not be whole without [from, to).
func (m *marker) needed(from, to int) bool {
	if needing.MatchString(m.plain(max(0, from-12), from)) {
		return true
	}
	rest := strings.TrimLeft(m.plain(to, min(len(m.glyphs), to+3)), " ")
	return rest != "" && (unicode.IsLetter([]rune(rest)[0]) && unicode.IsLower([]rune(rest)[0]) || from == 0)
}

// linkMark reads a link. Its text stays in the sentence, unless it is only a number, an id or the name of a form ("source").
func (m *marker) linkMark(l link) int {
	m.link++
	text := strings.TrimSpace(m.plain(l.from, l.to))
	list := strings.Trim(text, "[] ")
	sources := sourcesIn(list)
	address, _ := linkTarget(l.address)
	numbered := sources != nil && (address == "" || l.label != "")
	switch {
	case l.image: // its description is left out, unless it states a fact
		if !statesFact(text) {
			m.mark(l.from, l.to, inSyntax)
		}
		return l.to
	case numbered && m.list(l.from, l.to, list):
		if label := sourcesIn(l.label); l.full && label != nil {
			m.list(l.from, l.to, l.label)
		}
		m.span(l, len(m.found))
		return l.to
	case address == "" || l.from == l.to:
		return 0
	}
	x := mark{Marker: Marker{Kind: MarkerLink}, from: l.from, to: l.to}
	m.at(&x, l.start, max(l.end, l.start))
	if x.Raw = address; text == l.address {
		x.Kind = MarkerURL
	}
	x.Target, x.Lines, x.Quote = pointsTo(address)
	if named := pathsIn(text, true); len(named) == 1 && x.Lines == "" {
		x.Lines = named[0].lines
	}
	if x.shown = !nameless.MatchString(text) && sources == nil && pathsIn(text, true) == nil; !x.shown {
		m.hide(l.from, l.to)
	}
	m.found = append(m.found, x)
	return l.to
}

// span gives the citations of a link, which were recorded last, its place.
func (m *marker) span(l link, n int) {
	for i := n - 1; i >= 0 && m.found[i].from == l.from && l.end > l.start; i-- {
		m.at(&m.found[i], l.start, l.end)
	}
}

// list makes the citations of one bracket from its list of sources, or none if it holds anything else.
func (m *marker) list(from, to int, list string) bool {
	sources := sourcesIn(list)
	if len(sources) == 1 && len(sources[0].target) == 4 && sources[0].kind == MarkerNumber &&
		m.entries.find(MarkerNumber, sources[0].target, 0) == 0 {
		return false // [2020] is rather a year, put into a quotation
	}
	if m.dimensions(from, sources) {
		return false
	}
	for _, s := range sources {
		m.cite(from, to, s.kind, s.target, s.lines)
	}
	return sources != nil
}

var measure = lazyregexp.New(`(?i)(?:\b(?:shapes?|sizes?|intervals?|ranges?|vectors?|tuples?|arrays?|tensors?|matri(?:x|ces)|` +
	`dimensions?|between|index|indices)|[=∈×])\s*$`)

// dimensions reports whether numbers in brackets are rather a shape or an interval: the list lacks some of them, and one comes twice, or
// behind a greater one, or behind a word for such things.
func (m *marker) dimensions(from int, sources []source) bool {
	if len(sources) < 2 || len(m.references) == 0 {
		return false
	}
	listed, rising, before := true, true, 0
	for _, s := range sources {
		n, _ := strconv.Atoi(s.target)
		listed = listed && s.kind == MarkerNumber && m.entries.find(s.kind, s.target, 0) != 0
		rising = rising && (s.kind != MarkerNumber || n > before)
		before = n
	}
	return !listed && sources[0].kind == MarkerNumber && (!rising || measure.MatchString(m.plain(max(0, from-16), from)))
}

var (
	brackets   = map[rune]rune{'[': ']', '［': ']', '〔': '〕', '【': '】', '(': ')', '（': '）'}
	footnoteID = lazyregexp.New(`^\^[\pL][\w-]{0,60}$`)
	citeKey    = lazyregexp.New(`^(?:[^@;]{0,40}\s)?-?@\{?([\pL\pN][\pL\pN_:.#$%&+?<>~/-]*[\pL\pN])\}?(?:,.*)?$`)
	ownMark    = lazyregexp.New(`(?i)^(?:(?:own|author['’]s|my|our) )?inference$`)
	sourceWord = lazyregexp.New(`(?i)^(?:(?:see(?: ` +
		`also)?|cf\.?|e\.g\.,?|via|#|参见|见)\s*)?(?:(?:sources?|refs?\.?|references?|citations?|` +
		`cite|web|footnotes?|notes?|no\.|来源|資料|资料|参考|參考|参考文献|參考文獻|文献|引用)\s*[:_#]?\s*)?`)
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
	if m.link < len(m.links) && m.links[m.link].from < shut { // what is in a link is for linkMark
		if m.links[m.link].from == i+1 && m.links[m.link].to == shut {
			return m.aroundLink(i, shut)
		}
		return 0
	}
	after, inside, round := shut+1, narrow(m.plain(i+1, shut)), closes == ')' || closes == '）'
	code := m.glyphs[i+1].role&inCode != 0
	if found := pathsIn(strings.TrimSpace(sourceWord.ReplaceAllString(inside, "")), !round && !code); found != nil {
		for _, f := range found {
			m.cite(i, after, MarkerLink, f.target, f.lines)
		}
		return after
	}
	if code {
		return 0
	}
	list, behind, dagger := strings.Cut(inside, "†")
	list = strings.TrimSpace(sourceWord.ReplaceAllString(list, ""))
	if dagger {
		list = list[strings.Index(list, ":")+1:] // 【4:2†source】 is message 4, source 2
	}
	if sources := sourcesIn(list); sources != nil && (!round || list != inside || sources[0].kind == MarkerID) && m.list(i, after, list) {
		if behind = strings.TrimSpace(behind); strings.HasPrefix(behind, "L") && moreOf.MatchString(behind) {
			m.found[len(m.found)-1].Lines = plainLines(behind)
		}
		return after
	}
	switch {
	case !round && strings.Contains(inside, "@") && m.keys(i, after, inside):
		return after
	case m.authors(i, after, inside):
		return after
	case !round && footnoteID.MatchString(inside):
		m.cite(i, after, MarkerFootnote, inside[1:], "")
		return after
	case !round && ownMark.MatchString(inside):
		m.cite(i, after, markerInference, "", "")
		return after
	}
	return 0
}

// aroundLink reads a link that fills a bracket: ([Otters](https://…)), which some write behind the full stop.
func (m *marker) aroundLink(i, shut int) int {
	n := len(m.found)
	end := m.linkMark(m.links[m.link])
	for k := n; k < len(m.found); k++ {
		m.found[k].shown = false
		m.hide(i, shut+1)
		m.found[k].from, m.found[k].to = i, shut+1
		raw := m.found[k].Raw
		m.at(&m.found[k], int(m.glyphs[i].start), int(m.glyphs[shut].end))
		m.found[k].Raw = raw
	}
	if len(m.found) > n {
		return shut + 1
	}
	return end
}

// keys reads [@smith2021; @jones2020, p. 3].
func (m *marker) keys(from, to int, inside string) bool {
	var keys []string
	for part := range strings.SplitSeq(inside, ";") {
		k := citeKey.FindStringSubmatch(strings.TrimSpace(part))
		if k == nil {
			return false
		}
		keys = append(keys, k[1])
	}
	for _, k := range keys {
		m.cite(from, to, MarkerKey, k, "")
	}
	return true
}

// raisedList matches ¹⁻³ and Pandoc's ^1^.
var raisedList = lazyregexp.New(`^(?:([⁰¹²³⁴⁵⁶⁷⁸⁹]+(?:[⁻–,˒⸴'’﹐-][⁰¹²³⁴⁵⁶⁷⁸⁹]+)*)|` +
	`\^(\[?[\d,;\s–-]+\]?)\^)`)

// superscript reads raised numbers and returns where they end. They are a citation behind a stop, or where they are listed and not
// behind a digit or a short word, which make them exponents, charges or units.
func (m *marker) superscript(i int) int {
	const longestUnit = 2 // letters
	after, list := i, ""
	if m.glyphs[i].role&inRaised != 0 {
		for after < len(m.glyphs) && m.glyphs[after].role&inRaised != 0 {
			after++
		}
		list = m.plain(i, after)
	} else if m.glyphs[i].c == '^' && i+1 < len(m.glyphs) && m.glyphs[i+1].c == '[' {
		if after = m.bracket(i + 1); after > 0 { // ^[1]
			m.hide(i, i+1)
		}
		return after
	} else if found := raisedList.FindStringSubmatch(m.plain(i, min(len(m.glyphs), i+40))); found != nil {
		after, list = i+len([]rune(found[0])), plainDigits(found[1])+found[2]
	}
	bare := strings.Trim(narrow(plainDigits(list)), "[] ")
	sources := sourcesIn(bare)
	if sources == nil || i == 0 {
		return after
	}
	word := i
	for word > 0 && i-word <= longestUnit && unicode.IsLetter(m.glyphs[word-1].c) && alphabetic(m.glyphs[word-1].c) {
		word--
	}
	before := m.glyphs[i-1].c
	listed := m.entries.find(sources[0].kind, sources[0].target, 0) != 0 && !unicode.IsNumber(before)
	stop := strings.ContainsRune(stops+"”\"’", before) && !unicode.IsDigit(m.glyphs[max(i-2, 0)].c)
	if stop || listed && (word == i || i-word > longestUnit) || strings.Contains(list, "[") {
		m.list(i, after, bare)
	}
	return after
}

// address reads what begins at a glyph without a link around it: https://…, www.…, doi:10.1000/x, PMID: 1, notes.md:3.
func (m *marker) address(i int) int {
	if strings.ContainsRune("hHwWfFdD1aApP", m.glyphs[i].c) && addressStart.MatchString(m.plain(i, min(len(m.glyphs), i+24))) {
		text := m.plain(i, min(len(m.glyphs), i+maxAddressRunes))
		from, to, kind, address := findAddress(text)
		if kind == "" || from > 0 {
			return 0
		}
		x := m.cite(i, i+len([]rune(text[:to])), kind, "", "")
		x.Raw = text[:to]
		x.Target, x.Lines, x.Quote = pointsTo(address)
		return x.to
	}
	word := m.ahead(i, 120)
	if !strings.ContainsAny(word, ":#") || !strings.Contains(word, ".") {
		return 0
	}
	word = strings.TrimRight(word, ".,;:!?)]}*_\"'”’。，；")
	found := pathsIn(word, false)
	if len(found) == 0 || !fileTypes[strings.ToLower(found[0].target[strings.LastIndex(found[0].target, ".")+1:])] {
		return 0
	}
	end := i + len([]rune(word))
	m.paths(i, end, found)
	return end
}

const (
	aName    = `(?:\p{Lu}[\p{L}\p{M}'’-]+|[A-Z]{2,})`
	aYear    = `(?:(?:1[5-9]|20)\d\d[a-z]?|n\.\s?d\.?|forthcoming|in press)`
	moreName = `(?:(?:,? (?:and|&|und|y|et|e)|,)? (?:al\.?,?|` + aName + `))`
)

var (
	// authorYear is one citation by authors and years: "Smith et al., 2021", "see Holt & Ames 2020a, b", "van der Berg, n.d.".
	authorYear = lazyregexp.New(`^(?:(?:see|cf\.|as cited in|cited in|quoted in|siehe|vgl\.)(?: also)?,? |e\.g\.,? )?((?:` + particle +
		`){0,3}` + aName + `)((?:` + moreName + `)*),? \(?(` +
		aYear + `(?:, ?(?:` + aYear + `|[a-z]\b))*)\)?(?:[,:] ?(?:pp?\.? ?)?[\divxlc][^;]*|, (?:ch|sec|fig|§|para)[^;]*)?$`)
	// namesBefore is what stands before the year of a narrative citation: "Moss and Roer (1975)".
	namesBefore = lazyregexp.New(`^((?:` + particle + `){0,3}` + aName + `)((?:` + moreName + `)*)(?:['’]s?)? \((` + aYear + `(?:, ?(?:` +
		aYear + `|[a-z]\b))*)(?:[,:][^()]{0,30})?\)`)
	yearSplit  = lazyregexp.New(`, ?`)
	commaWorks = lazyregexp.New(`(` + aYear + `), (` + aName + `)`)
)

// authors reads (Smith et al., 2021; Holt, 1902) in a text whose list has entries by author and year. What no entry of such a list has
// leads nowhere.
func (m *marker) authors(from, to int, inside string) bool {
	if len(m.entries.works) == 0 || !strings.ContainsAny(inside, " ") {
		return false
	}
	var cited []work
	for part := range strings.SplitSeq(commaWorks.ReplaceAllString(inside, "$1; $2"), ";") {
		a := authorYear.FindStringSubmatch(strings.TrimSpace(part))
		if a == nil {
			return false
		}
		cited = append(cited, worksOf(a[1], a[2], a[3])...)
	}
	for _, w := range cited {
		m.cite(from, to, MarkerAuthor, w.key(), "").entry = m.entries.work(w)
	}
	return true
}

// worksOf returns the works of a citation with several years: "2011a, b" are two.
func worksOf(first, others, years string) (out []work) {
	for _, year := range yearSplit.Split(years, -1) {
		if len(year) == 1 && len(out) > 0 {
			before := out[len(out)-1].year
			year = strings.TrimRight(before, "abcdefghijklmnopqrstuvwxyz") + year
		}
		out = append(out, work{family: foldName(first), year: foldYear(year), others: words.Terms(others)})
	}
	return out
}

// narrative reads "Moss (1974) writes …": the year is the citation, the name a part of the sentence. Only works of the list are cited so.
func (m *marker) narrative(i int) int {
	if len(m.entries.works) == 0 || !unicode.IsUpper(m.glyphs[i].c) && !strings.ContainsRune("vdltzaebs", m.glyphs[i].c) {
		return 0
	}
	text := m.plain(i, min(len(m.glyphs), i+maxMarkRunes))
	a := namesBefore.FindStringSubmatchIndex(text)
	if a == nil {
		return 0
	}
	end := i + len([]rune(text[:a[1]]))
	open := i + len([]rune(text[:strings.LastIndex(text[:a[1]], "(")]))
	var known []mark
	for _, w := range worksOf(text[a[2]:a[3]], text[max(0, a[4]):max(0, a[5])], text[a[6]:a[7]]) {
		if entry := m.entries.work(w); entry > 0 {
			known = append(known, mark{Marker: Marker{Target: w.key(), entry: entry}})
		}
	}
	for _, k := range known {
		m.cite(open, end, MarkerAuthor, k.Target, "").entry = k.entry
	}
	if known == nil {
		return 0
	}
	return end
}
