package draft

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/citeloop/citeloop/internal/lazyregexp"
	"github.com/citeloop/citeloop/internal/text/words"
)

var (
	// listLine matches a line or heading that announces the list of references.
	listLine = lazyregexp.New(`^(?:(?:further|key|selected|main|additional|full|list of|works|literature|notes and|` +
		`links and) )?(?:references?|sources|bibliography|citations|cited|footnotes|endnotes|links|reading)(?: (?:list|cited|used|` +
		`(?:and|&) (?:references|sources|notes|links|further reading)))*$|^(?:literaturverzeichnis|quellen|références|referencias|` +
		`fuentes|bibliografía|bibliographie|参照|参考|出典)$|^(?:主要|相关|部分|本文|本报告|全部)?(?:参考文献|` +
		`參考文獻|参考资料|參考資料|参考来源|资料来源|資料來源|信息来源|数据来源|文献来源|` +
		`引用来源|引用文献|引文|引用|来源|參考|参考链接|参考网站|参考书目|注释|脚注)(?:列表|目录|` +
		`清单|汇总)?(?:[与和及、](?:来源|说明|注释|数据来源|资料来源|延伸阅读|链接))?$`)

	// The labels of entries: [1], [S1], [^note]:, 【1】, (1), 1., S1:, ¹.
	bracketLabel = lazyregexp.New(`^[\[［【](\^?)([\pL\pN@][\pL\pN .&_:-]{0,40})[\]］】]([:：.]?)`)
	numberLabel  = lazyregexp.New(`^(?:(\d{1,4})(?:[.)、:：．]\s*|\s+[-–—|]\s+)|[(（](\d{1,4})[)）][.:：]?\s*|` +
		`([Ss]\d{1,4})\s*[.:：)–—|-]\s*|` +
		`([⁰¹²³⁴⁵⁶⁷⁸⁹]{1,3})\s*)`)
	bullet    = lazyregexp.New(`^[-*+•–·▪|]\s+`)
	tableRule = lazyregexp.New(`^\|[|: \t-]*-[|: \t-]*$`) // below the heads of a table
	// entryID is the id of a source, with lines, that an entry opens with.
	entryID = lazyregexp.New(`^[\[(]?(S\d{1,4})(?::(` + linesPattern + `(?:\s?,\s?` + linesPattern + `)*))?[\])]?(?:[.,;:\s]|$)`)
	// nameless is the text of a link that does not name what it leads to.
	nameless = lazyregexp.New(`(?i)^(?:http.*|.|[↗→🔗↩^*†‡]+|\[?(?:the ` +
		`)?(?:sources?|links?|refs?|here|docs?|log|page|report|article|` +
		`paper|study|pdf|file|notes|web ?site)\]?|来源|链接|\d{1,3}[↗→]|\d{1,3}(?:\s*[-–,;、，]\s*\d{1,3})*)?$`)
)

// announcesList reports whether a line or heading announces the list of references.
func announcesList(line string) bool {
	const longest = 200 // bytes
	return len(line) <= longest && listLine.MatchString(headingWords(line))
}

// headingWords is a heading, or a line that looks like one, without its signs and its number, in small letters.
func headingWords(line string) string {
	s := strings.ToLower(strings.Trim(line, "#*_:： \t\r\n"))
	return strings.TrimSpace(strings.TrimLeft(s, "0123456789.、)） 一二三四五六七八九十"))
}

// entryParts returns the parts of a line that has several entries: "[1] One, https://a.example/1, [2] Two, …"; nil for others.
func (p *prose) entryParts(from, to int) (parts [][2]int) {
	if from >= to || p.glyphs[from].c != '[' {
		return nil
	}
	start, next := from, 0
	for i := from; i < to; i++ {
		if p.glyphs[i].c != '[' || p.glyphs[i].role&inLink != 0 || i > start && !strings.ContainsRune(" ,;.，；", p.glyphs[i-1].c) {
			continue
		}
		m := bracketLabel.FindStringSubmatch(p.plain(i, min(to, i+8)))
		if m == nil {
			continue
		}
		n, err := strconv.Atoi(m[2])
		if err != nil || next > 0 && n != next {
			continue
		}
		if i > start {
			parts, start = append(parts, [2]int{start, i}), i
		}
		next = n + 1
	}
	if parts == nil {
		return nil
	}
	return append(parts, [2]int{start, to})
}

// entryOf reads an entry of the list. Outside the list only what cannot be prose is one: a label with an address after it.
func (r *reader) entryOf(p prose, inList bool) (e Reference, ok bool) {
	const most = 4000 // glyphs of an entry
	if len(p.glyphs) == 0 {
		return e, false
	}
	e.Line, _ = r.place(int(p.glyphs[0].start))
	text := p.plain(0, min(len(p.glyphs), most))
	line := strings.TrimLeft(text, " \t\n")
	if !inList && !strings.HasPrefix(bulletless(line), "[") && !strings.HasPrefix(line, "［") && !strings.HasPrefix(line, "【") {
		return e, false
	}
	item := bulletless(line)
	rest := item
	if m := bracketLabel.FindStringSubmatch(item); m != nil && strings.Trim(item[len(m[0]):], " ") != "" &&
		!p.linked(len([]rune(text))-len([]rune(item))) {
		rest = item[len(m[0]):]
		number, definition := strings.TrimSpace(m[2]), m[3] != "" && m[3] != "."
		known := sourcesIn(number) != nil
		at, found := r.addressOf(p)
		switch {
		case rest[0] == '[' && !(inList && known): // [1][2]
			rest = item
		case definition && m[1] != "", inList && (known || definition), found && (known || definition) && (at.opens || at.ends):
			e.Number = strings.TrimPrefix(number, "@")
		default:
			rest = item
		}
	}
	if e.Number == "" && (!inList || tableRule.MatchString(line)) {
		return e, false
	}
	if m := numberLabel.FindStringSubmatch(item); e.Number == "" && m != nil {
		e.Number, rest = strings.ToUpper(strings.Join(m[1:4], "")+plainDigits(m[4])), item[len(m[0]):]
	}
	r.fill(&e, p, rest)
	return e, e.Number != "" || item != line && line[0] != '|' || e.sourced() || e.author != nil
}

func bulletless(line string) string { return line[len(bullet.FindString(line)):] }

// linked reports whether a link begins at a glyph.
func (p *prose) linked(at int) bool {
	i, found := slices.BinarySearchFunc(p.links, at, func(l link, at int) int { return l.from - at })
	return found && p.links[i].address != ""
}

// plainDigits turns raised digits into plain ones.
var plainDigits = strings.NewReplacer("⁰", "0", "¹", "1", "²", "2", "³", "3", "⁴", "4", "⁵", "5", "⁶", "6", "⁷", "7", "⁸",
	"8", "⁹", "9",
	"⁻", "-", "˒", ",", "⸴", ",", "'", ",", "’", ",", "﹐", ",").Replace

// fill takes an entry apart; rest is its text behind the label.
func (r *reader) fill(e *Reference, p prose, rest string) {
	rest = strings.TrimSpace(rest)
	e.author = authorsOf(rest)
	at, found := r.addressOf(p)
	if found {
		e.URL, e.Lines, e.Quote = at.target, at.lines, at.quote
	}
	line, _, _ := strings.Cut(rest, "\n")
	title := line
	if found && strings.Contains(line, at.raw) {
		if title = at.name; title == "" {
			title = strings.Replace(line, at.raw, " ", 1)
		}
	}
	e.Title = strings.TrimPrefix(strings.Trim(emptyPairs.Replace(strings.Join(strings.Fields(title), " ")),
		" -–—:：,，;；.。|*_<>\"“”«»"),
		e.Number+"]")
	if m := entryID.FindStringSubmatch(rest); m != nil {
		e.ID = m[1]
		if m[2] != "" {
			e.Lines = plainLines(m[2])
		}
	}
}

var emptyPairs = strings.NewReplacer("**", "", "[]", "", "()", "", "<>", "", "（）", "")

// sourceAddress is an address in an entry.
type sourceAddress struct {
	target, lines, quote string
	raw, name            string // as it is in the text, and the text of its link, if that names something
	opens, ends          bool   // the text
}

// addressOf returns the first address of an entry: a link rather than an address in the text.
func (r *reader) addressOf(p prose) (sourceAddress, bool) {
	for _, l := range p.links {
		if a, ok := p.linkAddress(l); ok {
			return a, true
		}
	}
	const most = 4000 // glyphs
	text := p.plain(0, min(len(p.glyphs), most))
	from, to, kind, address := findAddress(text)
	if kind == "" {
		file := strings.Trim(strings.TrimSpace(text), "<>`. ")
		if found := pathsIn(file, true); len(found) == 1 {
			return sourceAddress{target: found[0].target, lines: found[0].lines, raw: file, opens: true, ends: true}, true
		}
		return sourceAddress{}, false
	}
	a := sourceAddress{raw: text[from:to], opens: strings.Trim(text[:from], "<[]0123456789:. \n") == "",
		ends: strings.Trim(text[to:], " )>.*_\"'\n") == ""}
	if target, ok := linkTarget(address); kind == MarkerDOI || ok && target != "" {
		a.target, a.lines, a.quote = pointsTo(cmp.Or(target, "https://doi.org/"+address))
		return a, true
	}
	return sourceAddress{}, false
}

// linkAddress returns the address of a link that leads to a source.
func (p *prose) linkAddress(l link) (sourceAddress, bool) {
	address, ok := linkTarget(l.address)
	if !ok || address == "" || l.image {
		return sourceAddress{}, false
	}
	a := sourceAddress{raw: p.plain(l.from, l.to), opens: strings.Trim(p.plain(0, l.from), "<[]0123456789:. \n-") == "",
		ends: strings.Trim(p.plain(l.to, len(p.glyphs)), " )>.*_\"'\n") == ""}
	a.target, a.lines, a.quote = pointsTo(address)
	if named := pathsIn(a.raw, true); len(named) == 1 && a.lines == "" {
		a.lines = named[0].lines
	}
	if !nameless.MatchString(strings.Trim(a.raw, "[] ")) {
		a.name = a.raw
	}
	return a, true
}

// entriesOf reads a footnote: an entry for each address in it, one entry if it has none.
func (r *reader) entriesOf(p prose) []Reference {
	const most = 20 // sources of one note
	e := Reference{}
	e.Line, _ = r.place(int(p.glyphs[0].start))
	r.fill(&e, p, p.plain(0, min(len(p.glyphs), 4000)))
	out := []Reference{e}
	for _, l := range p.links {
		a, ok := p.linkAddress(l)
		if !ok || len(out) == most || slices.ContainsFunc(out, func(e Reference) bool { return e.URL == a.target && e.Lines == a.lines }) {
			continue
		}
		out = append(out, Reference{URL: a.target, Lines: a.lines, Quote: a.quote, Title: a.name, Line: e.Line, more: true})
	}
	return out
}

// entry adds a line of the list. One that is no entry, or only an address, goes with the entry before it.
func (r *reader) entry(e Reference, ok, first bool) {
	last := &Reference{URL: "-"}
	if n := len(r.references); r.list > 0 && n > 0 {
		last = &r.references[n-1]
	}
	alone := e.Number == "" && e.Title == ""
	if ok && (!alone && (e.Number != "" || last.sourced() || first) || last.sourced()) {
		r.references = append(r.references, e)
		return
	}
	if !last.sourced() {
		last.URL, last.Lines, last.Quote = e.URL, e.Lines, e.Quote
	}
	last.Title = cmp.Or(last.Title, e.Title)
}

var (
	particle = `(?:(?:van|von|de|der|den|del|della|di|da|dos|du|la|le|ten|ter|zu|zum|al|el|bin|ibn|st\.?) |d['’]|[Ll]['’])`
	// authorEntry is the entry of a list of such: "Smith, J., & Ames, K. (2021). Title".
	authorEntry = lazyregexp.New(`^((?:` + particle +
		`){0,3}\p{Lu}[\p{L}\p{M}'’-]+)([ ,.][^\n]{0,300}?)\(?\b((?:1[5-9]|20)\d\d[a-z]?|n\.\s?d|forthcoming|in press)\b`)
)

// work is what a citation by author and year names.
type work struct {
	family string // the first author's, folded
	year   string
	others []string // names of the other authors
}

// authorsOf reads the authors and year that an entry opens with.
func authorsOf(entry string) *work {
	m := authorEntry.FindStringSubmatch(firstChars(entry, 600))
	if m == nil {
		return nil
	}
	return &work{family: foldName(m[1]), year: foldYear(m[3]), others: words.Terms(m[2])}
}

var particles = lazyregexp.New(`^(?:` + particle + `)+`)

// foldName folds a family name: case, accents, apostrophes and particles differ between a citation and the list.
func foldName(s string) string {
	s = strings.ReplaceAll(words.Fold(particles.ReplaceAllString(s, "")), "’", "'")
	return strings.TrimSuffix(strings.TrimSuffix(s, "'s"), "'")
}

func foldYear(s string) string {
	return strings.TrimSuffix(strings.ReplaceAll(strings.ToLower(s), " ", ""), ".")
}
