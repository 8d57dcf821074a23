package draft

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/yuin/goldmark/ast"
	extast "github.com/yuin/goldmark/extension/ast"

	"github.com/citeloop/citeloop/internal/lazyregexp"
	"github.com/citeloop/citeloop/internal/text/words"
)

var (
	// listLine matches a line or heading that announces the list of references.
	listLine = lazyregexp.New(`^(?:(?:appendix|annex) \w{1,3}[:.]? )?` +
		`(?:(?:further|key|selected|main|additional|full|annotated|web|online|primary|secondary|list of|works|literature|source|` +
		`notes and|links and) )*(?:references?|sources|bibliography|citations|cited|footnotes|endnotes|links|reading)` +
		`(?: (?:list|cited|used|consulted|accessed|index|\((?:apa|mla|chicago|harvard|ieee)\)|` +
		`(?:and|&) (?:references|sources|citations|notes|links|methodology|methods|further reading)))*$|^source list$|` +
		`^(?:(?:verwendete|weitere|ausgewählte) )?(?:literatur(?:verzeichnis|angaben)?|quellen(?:verzeichnis|angaben|nachweise?)?|` +
		`einzelnachweise|verweise)(?: und (?:literatur|quellen|links|anmerkungen))?$|` +
		`^(?:(?:références|referencias|referências)(?: bibliogr(?:aphiques|áficas))?|fuentes|fonti|riferimenti|` +
		`bibliogr(?:afía|aphie|afia)|källor|kilder|referenser|litteratur|bronnen|literatuur|` +
		`источники|(?:список )?литератур[аы]|библиографический список|` +
		`список (?:использованных )?источников|` +
		`참고 ?문헌|참고 ?자료|参照|参考|出典|文献|fontes|(?:použitá )?literatura|źródła|przypisy|bibliografi[ea]?|` +
		`kaynakça|kaynaklar|lähteet|viitteet|referanser|források|irodalom|zdroje|βιβλιογραφία|πηγές|izvori|` +
		`referințe|viited|tài liệu tham khảo|เอกสารอ้างอิง|संदर्भ(?: सूची)?|` +
		`(?:قائمة )?المراجع|` +
		`ביבליוגרפיה|المصادر|منابع|מקורות|参考資料|출처|daftar pustaka|referensi|джерела)$|` +
		`^(?:主要|相关|部分|本文|本报告|全部)?(?:参考文献|參考文獻|参考资料|參考資料|参考来源|` +
		`资料来源|資料來源|信息来源|数据来源|文献来源|引用来源|引用文献|引文|引用|来源|` +
		`參考|文献|文獻|参考链接|参考网站|参考书目|注释|脚注)(?:列表|目录|清单|汇总)?` +
		`(?:[与和及、](?:来源|说明|注释|数据来源|资料来源|延伸阅读|链接))?$`)

	// The labels of entries: [1], [S1], [^note]:, 【1】, (1), 1., S1:, ¹.
	bracketLabel = lazyregexp.New(`^[\[［【](\^?)([\pL\pN@][\pL\pN .&_:†-]{0,40})[\]］】]([:：.]?)`)
	numberLabel  = lazyregexp.New(`^(?:(\d{1,4})(?:[.)、:：．]\s*|\s+[-–—|]\s+)|[(（](\d{1,4})[)）][.:：]?\s*|` +
		`([Ss]\d{1,4})\s*[.:：)–—|-]\s*|([⁰¹²³⁴⁵⁶⁷⁸⁹]{1,3}|[①-⑳])\s*)`)
	alphaLabel = lazyregexp.New(`^(?:\pL[\pL+'’-]{0,20}\d{2,4}[a-z]?|[a-z])$`) // [Hol19], [a]
	bullet     = lazyregexp.New(`^[-*+•–·▪|]\s+`)
	tableRule  = lazyregexp.New(`^\|[|: \t-]*-[|: \t-]*$`) // below the heads of a table
	// entryID is the id of a source, with lines, that an entry opens with.
	entryID = lazyregexp.New(`^[\[(]?(S\d{1,4})(?::(` + linesPattern + `(?:\s?,\s?` + linesPattern + `)*))?[\])]?(?:[.,;:\s]|$)`)
	// nameless is the text of a link that does not name what it leads to.
	nameless = lazyregexp.New(`(?i)^(?:http.*|.|[↗→🔗↩^*†‡]+|[\[(]?(?:the )?(?:sources?|links?|refs?|here|docs?|log|page|` +
		`report|article|paper|study|pdf|file|notes|web ?site)[\])]?|` +
		`来源|链接|\d{1,3}[↗→]|\d{1,3}(?:\s*[-–,;、，]\s*\d{1,3})*)?$`)
)

// announcesList reports whether a line or heading announces the list of references.
func announcesList(line string) bool {
	const longest = 200 // bytes
	return len(line) <= longest && listLine.MatchString(headingWords(line))
}

// onlyEntries reports whether a node is a list that has only entries with addresses, or a table that has them with numbers.
func (r *reader) onlyEntries(n ast.Node) bool {
	entry := func(p prose, numbered bool) bool {
		e, _ := r.entryOf(p, true)
		return e.sourced() && !statesFact(p.all()) && (e.Number != "" || !numbered)
	}
	switch n := n.(type) {
	case *ast.List:
		for item := n.FirstChild(); item != nil; item = item.NextSibling() {
			if !entry(r.proseOf(item, shape{}), false) {
				return false
			}
		}
		return true
	case *extast.Table:
		rows := 0
		for row := n.FirstChild().NextSibling(); row != nil; row = row.NextSibling() {
			if rows++; !entry(r.row(row), true) {
				return false
			}
		}
		return rows > 0
	}
	return false
}

// endsText reports whether a numbered list or table of sources ends a text with [1]: it needs no heading.
func (r *reader) endsText(n ast.Node) bool {
	return n.NextSibling() == nil && n.Parent().Kind() == ast.KindDocument && firstMark.Match(r.Source) && r.onlyEntries(n)
}

// listWord matches a word of a heading of such a list.
var listWord = lazyregexp.New(`(?i)\b(?:references?|sources?|bibliography|citations?|cited|evidence|quellen|verweise|literatur)\b`)

// headingWords is a heading, or a line that looks like one, without its signs and its number, in small letters.
func headingWords(line string) string {
	s := strings.ToLower(headingEnd.ReplaceAllString(strings.TrimSpace(line), ""))
	s = strings.TrimFunc(s, func(c rune) bool {
		return !unicode.IsLetter(c) && !unicode.IsDigit(c) && !unicode.IsMark(c) && c != ')' && c != '）'
	})
	return strings.TrimSpace(strings.TrimLeft(s, "0123456789.、)） 一二三四五六七八九十"))
}

// headingEnd matches what may follow the words of a heading: an id, a count, signs.
var headingEnd = lazyregexp.New(`(?:[#*_:：\s]|\{[^{}]*\}|[(（]\d{1,4}[)）])+$`)

// entryParts returns the parts of a line that has several entries: "[1] One, https://a.example/1, [2] Two, …"; nil for others.
func (p *prose) entryParts(from, to int) (parts []span) {
	next := 0
	for _, m := range numberedPart.FindAllStringSubmatchIndex(p.text[from:to], -1) {
		n, _ := strconv.Atoi(p.text[from+m[4] : from+m[5]])
		at := from + m[2]
		if at > from && next == 0 {
			return nil
		}
		if next > 0 && n != next || p.roles[at]&inLink != 0 {
			continue
		}
		if last := len(parts) - 1; last >= 0 {
			parts[last].to = at
		}
		parts, next = append(parts, span{at, to}), n+1
	}
	if len(parts) < 2 {
		return nil
	}
	return parts
}

// numberedPart matches the label of an entry in such a line.
var numberedPart = lazyregexp.New(`(?:^|[ ,;.，；])(\[(\d{1,4})\])`)

const maxEntry = 4000 // bytes of an entry

// entryOf reads an entry of the list. Outside the list only what cannot be prose is one: a label with an address after it.
func (r *reader) entryOf(p prose, inList bool) (e Reference, ok bool) {
	if p.text == "" {
		return e, false
	}
	e.Line, _ = r.place(p.start(0))
	text := p.text[:min(len(p.text), maxEntry)]
	line := strings.TrimLeft(text, " \t\n")
	sign := bullet.FindString(line)
	begin, item := len(text)-len(line)+len(sign), withDigits(line[len(sign):])
	if rest := strings.TrimLeft(item, "0123456789"); begin < len(text) && p.roles[begin]&inRaised != 0 {
		item = raise(item[:len(item)-len(rest)]) + rest
	}
	raised := strings.ContainsAny(words.First(item, 1), "⁰¹²³⁴⁵⁶⁷⁸⁹")
	if tableRule.MatchString(line) || !inList && !raised && !strings.ContainsAny(words.First(item, 1), "[［【") {
		return e, false
	}
	rest := item
	if m := numberLabel.FindStringSubmatch(item); m != nil && (inList || raised) {
		e.Number, rest = strings.ToUpper(strings.Join(m[1:4], "")+narrow(m[4])), item[len(m[0]):]
	} else if m := bracketLabel.FindStringSubmatch(item); m != nil && !p.linked(begin) {
		number, _, _ := strings.Cut(m[2], "†") // 【4†source】
		after, colon := item[len(m[0]):], m[3] != "" && m[3] != "."
		known := sourcesIn(number) != nil || inList && alphaLabel.MatchString(number)
		alone := strings.HasPrefix(after, "[") && !(inList && known) || strings.TrimSpace(after) == "" // [1][2], [1]
		if !alone && (colon && m[1] != "" || (known || colon) && (inList || p.opensOrEnds(after))) {
			e.Number, rest = strings.TrimPrefix(strings.TrimSpace(number), "@"), after
		}
	}
	if e.Number == "" && !inList {
		return e, false
	}
	r.fill(&e, p, rest)
	if !inList && raised && statesFact(rest) {
		return e, false
	}
	return e, e.Number != "" || sign != "" && line[0] != '|' || e.sourced() || e.author != nil
}

// linked reports whether a link begins there.
func (p *prose) linked(at int) bool {
	i, found := slices.BinarySearchFunc(p.links, at, func(l link, at int) int { return l.from - at })
	return found && p.links[i].address != ""
}

// opensOrEnds reports whether the address of an entry opens or ends its text behind the label.
func (p *prose) opensOrEnds(text string) bool {
	const around = " <>[]():.*_\"'\n-"
	at := p.addresses()
	if len(at) == 0 {
		return false
	}
	text, raw := strings.Trim(text, around), strings.Trim(at[0].Raw, around)
	return strings.HasPrefix(text, raw) || strings.HasSuffix(text, raw)
}

// fill takes an entry apart; rest is its text behind the label. It returns the other addresses.
func (r *reader) fill(e *Reference, p prose, rest string) []entryAddress {
	rest = strings.TrimSpace(rest)
	r.readAuthors(e, rest)
	title, _, _ := strings.Cut(rest, "\n")
	all := p.addresses()
	if len(all) > 0 {
		*e = e.at(all[0].Marker)
		if strings.Contains(title, all[0].Raw) {
			title = cmp.Or(all[0].title, strings.Replace(title, all[0].Raw, " ", 1))
		}
		all = all[1:]
	}
	title = strings.Trim(emptyPairs.Replace(strings.Join(strings.Fields(title), " ")), " -–—:：,，;；.。|*_<>\"“”«»")
	e.Title = strings.TrimPrefix(title, e.Number+"]")
	if m := entryID.FindStringSubmatch(rest); m != nil {
		e.ID, e.Lines = m[1], cmp.Or(plainLines(m[2]), e.Lines)
	}
	return all
}

var emptyPairs = strings.NewReplacer("**", "", "[]", "", "()", "", "<>", "", "（）", "")

// at is the entry with the address, the lines and the quotation of a citation.
func (e Reference) at(x Marker) Reference {
	e.URL, e.Lines, e.Quote = x.Target, x.Lines, x.Quote
	return e
}

// entryAddress is an address in an entry. Its title is the text of its link, if that names something.
type entryAddress struct {
	Marker
	title string
}

// addresses returns the addresses of an entry: its links, or without one the first address in its text.
func (p *prose) addresses() (out []entryAddress) {
	const most = 20
	for _, l := range p.links {
		a := entryAddress{Marker: leadsTo(l.address)}
		same := func(b entryAddress) bool { return a.Target == b.Target && a.Lines == b.Lines }
		if a.Raw == "" || len(out) == most || slices.ContainsFunc(out, same) {
			continue
		}
		a.Raw = p.text[l.from:l.to]
		if named := pathsIn(a.Raw, true); len(named) == 1 {
			a.Lines = cmp.Or(a.Lines, named[0].Lines)
		}
		if !nameless.MatchString(strings.Trim(a.Raw, "[] ")) {
			a.title = a.Raw
		}
		out = append(out, a)
	}
	if out != nil {
		return out
	}
	text := p.text[:min(len(p.text), maxEntry)]
	_, x := findAddress(text)
	if x.Kind == MarkerDOI {
		x.Target = "https://doi.org/" + x.Target
	} else if x.Kind == "" {
		x = fileIn(text[len(numberLabel.FindString(text)):])
	}
	if x.Target == "" || len(x.Target) > maxAddress {
		return nil
	}
	return []entryAddress{{Marker: x}}
}

// fileIn returns the file that an entry is, or that ends a part of it: "Harbour survey, harbour.md, accessed 3 May 2024".
func fileIn(text string) (x Marker) {
	for _, part := range append([]string{text}, strings.Fields(text)...) {
		name := strings.TrimLeft(strings.TrimRight(part, "<>`.,;()[] \n"), "<>`,;()[] \n")
		ends := strings.HasSuffix(text, part) || strings.TrimRight(part, ">`.,;)") != part || strings.HasPrefix(text, part)
		if found := pathsIn(name, true); len(found) == 1 && (part == text || ends && !statesFact(text)) {
			found[0].Raw = name
			return found[0]
		}
	}
	return x
}

// entriesOf reads a footnote: an entry for each address in it, one entry if it has none.
func (r *reader) entriesOf(p prose) []Reference {
	e := Reference{}
	e.Line, _ = r.place(p.start(0))
	others := r.fill(&e, p, p.text[:min(len(p.text), maxEntry)])
	out := []Reference{e}
	for _, a := range others {
		out = append(out, Reference{Line: e.Line, Title: a.title, more: true}.at(a.Marker))
	}
	return out
}

// labelEnd returns where the entries begin in a line such as "Sources: [1] [Weir](weir.md), [2] [Lock](lock.md)"; from for any other line.
func (r *reader) labelEnd(p *prose, from, to int) int {
	label, _, found := strings.Cut(p.text[from:to], ":")
	if !found || !announcesList(label) {
		return from
	}
	begin := p.past(from+len(label)+1, spaces, false)
	if e, ok := r.entryOf(p.part(min(begin, to), to), true); !ok || e.Number == "" || !e.sourced() {
		return from
	}
	return begin
}

// entry adds a line of the list. One that is no entry, or only an address (alone), goes with the entry before it.
func (r *reader) entry(e Reference, ok, alone, first bool) {
	last := &Reference{URL: "-"}
	if n := len(r.References); r.list > 0 && n > 0 {
		last = &r.References[n-1]
	}
	alone = alone && (e.Title == "" || last.Number != "")
	if ok && (!alone && (e.Number != "" || first) || last.sourced()) {
		r.References = append(r.References, e)
		return
	}
	if !last.sourced() {
		last.URL, last.Lines, last.Quote = e.URL, e.Lines, e.Quote
	}
	last.Title = cmp.Or(last.Title, e.Title)
}

// remarks reports whether a footnote is a remark of the author rather than a source: "Measured at low water." names nothing.
func (e Reference) remarks() bool {
	return !e.sourced() && e.author == nil && !e.more && e.Title != "" && !ofWork.MatchString(e.Title)
}

// ofWork matches what tells of a work: a year, names, quotation marks, an address, a page, an entry before it.
var ofWork = lazyregexp.New(`\d{4}|\s\p{Lu}|\p{Han}|["“”„«»*_:/]|\bpp?\.|^(?:\S+ ){0,2}\S+$|(?i)\b(?:ibid|supra|op\. cit|n\.d)\b`)

func (e Reference) sourced() bool { return e.URL != "" || e.ID != "" }

// indexEntries makes the entries ready to be found: by label, of several with one label those with a source, if any has one, and by
// the family name of the first author and the year.
func (r *reader) indexEntries() {
	r.labels, r.works = map[string][]int{}, map[string][]int{}
	const shortest = 8 // words of a note that is an entry; "Moss (2019), p. 3" names one
	for i, e := range r.References {
		if e.author != nil && (e.sourced() || e.Number == "" || len(strings.Fields(e.Title)) >= shortest) {
			r.listWork(i)
		}
		label := foldLabel(e.Number)
		r.numbered = r.numbered || label != ""
		switch have := r.labels[label]; {
		case label == "" || e.more:
		case len(have) == 0 || r.References[have[0]].sourced() == e.sourced():
			r.labels[label] = append(have, i)
		case e.sourced():
			r.labels[label] = []int{i}
		}
	}
	r.shortNotes()
}

// shortNotes lets a note without an address lead to the work that it names: "Moss (2019), p. 3", "Moss, Weir log, p. 5", "Roer, supra
// note 3", "Ibid.".
func (r *reader) shortNotes() {
	for i := range r.References {
		e := &r.References[i]
		if e.sourced() || e.Number == "" || e.more {
			continue
		}
		n := i // the one before it
		if !again.MatchString(e.Title) {
			n = r.named(strings.TrimRight(e.Title, ". "))
		}
		if n > 0 && r.References[n-1].sourced() {
			e.ID, e.URL = r.References[n-1].ID, r.References[n-1].URL
		}
	}
}

var (
	supra    = lazyregexp.New(`(?i)\bsupra note (\d{1,4})\b`)
	noteLead = lazyregexp.New(`^(?i:see(?: also)?|cf\.|vgl\.|siehe) `)
)

// named returns the index plus 1 of the entry that the text of a note names, 0 for none.
func (r *reader) named(note string) int {
	if m := supra.FindStringSubmatch(note); m != nil {
		return r.find(MarkerFootnote, m[1], 0)
	}
	note = noteLead.ReplaceAllString(note, "")
	if found := r.citedIn(note, true); len(found) > 0 && found[0].Kind == MarkerAuthor {
		return found[0].entry
	}
	first, rest, comma := strings.Cut(note, ", ")
	title, _, _ := strings.Cut(rest, ",")
	for _, i := range r.works[foldName(first)] {
		if comma && len(title) > 3 && r.References[i].sourced() && strings.Contains(letters(r.References[i].Title), letters(title)) {
			return i + 1
		}
	}
	return 0
}

func foldLabel(s string) string { return strings.ToLower(strings.Join(strings.Fields(s), " ")) }

// find returns the index plus 1 of the entry that a citation in this line names, 0 for none. Of several with its label, it is
// the next one after the citation.
func (r *reader) find(kind, target string, line int) int {
	list := r.labels[foldLabel(target)]
	switch {
	case kind == MarkerLink, kind == MarkerURL, kind == MarkerDOI:
		return 0
	case len(list) > 0:
	case kind == MarkerNumber: // [3] in a text whose list says S3
		list = r.labels["s"+target]
	case kind == MarkerID:
		list = r.labels[strings.TrimPrefix(target, "S")]
	}
	if len(list) == 0 {
		if n, _ := strconv.Atoi(target); kind == MarkerNumber && !r.numbered && n >= 1 && n <= len(r.References) {
			return n // a list without numbers is counted
		}
		return 0
	}
	at, _ := slices.BinarySearchFunc(list, line, func(i, line int) int { return r.References[i].Line - line })
	return list[min(at, len(list)-1)] + 1
}
