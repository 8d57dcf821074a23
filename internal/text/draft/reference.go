package draft

import (
	"strings"

	"github.com/citeloop/citeloop/internal/lazyregexp"
)

var (
	// listLine matches a line or heading that announces the list of references.
	listLine = lazyregexp.New(`^(?:(?:further|key|selected|main|additional|full|list of|works|literature|notes and|links and) )?` +
		`(?:references?|sources|bibliography|citations|cited|footnotes|endnotes|links|reading)(?: (?:list|cited|used|(?:and|&) (?:references|sources|notes|links|further reading)))*$|` +
		`^(?:literaturverzeichnis|quellen|références|referencias|fuentes|bibliografía|bibliographie|参照|参考|出典)$|` +
		`^(?:主要|相关|部分|本文|本报告|全部)?(?:参考文献|參考文獻|参考资料|參考資料|参考来源|资料来源|資料來源|信息来源|数据来源|文献来源|引用来源|引用文献|` +
		`引文|引用|来源|參考|参考链接|参考网站|参考书目|注释|脚注)(?:列表|目录|清单|汇总)?(?:[与和及、](?:来源|说明|注释|数据来源|资料来源|延伸阅读|链接))?$`)

	// The labels of entries: [1], [S1], [^note]:, 【1】, (1), 1., S1:, ¹ — perhaps bold or escaped, or the first cell of a row.
	bracketLabel = lazyregexp.New(`^[\[［【](\^?)([\pL\pN][\pL\pN .&_-]{0,40})[\]］】]([:：.]?)`)
	numberLabel  = lazyregexp.New(`^(?:(\d{1,4})(?:[.)、:：．]\s*|\s+[-–—|]\s+)|[(（](\d{1,4})[)）][.:：]?\s*|([Ss]\d{1,4})\s*[.:：)–—|-]\s*|([⁰¹²³⁴⁵⁶⁷⁸⁹]{1,3})\s*)`)
	// authorEntry is the entry of a list of such: "Smith, J., & Ames, K. (2021). Title".
	authorEntry = lazyregexp.New(`^(\p{Lu}[\p{L}\p{M}'’-]+)[ ,.].*?\b((?:1[5-9]|20)\d\d[a-z]?)\b`)
	tableRule   = lazyregexp.New(`^\|[|: \t-]*-[|: \t-]*$`) // below the heads of a table
	bullet      = lazyregexp.New(`^[-*+•–·▪|]\s+`)
	labelSigns  = lazyregexp.New(`(?i)\*\*|^__|__$|\\|</?(?:a|b|i|em|strong|li|ol|ul|p|span|sup|div)\b[^<>]*>`)
	inlineLink  = lazyregexp.New(`\[((?:[^\[\]]|\[[^\[\]]*\])*)\]\(<?((?:(?:https?|file)://|www\.)[^\s<>]+?|[^\s:#<>()]+\.[A-Za-z][A-Za-z0-9]{0,7}(?:#[^\s<>()]*)?)>?(?:\s+"[^"]{0,200}")?\)`)
	// entryID is the id of a source, with lines, that an entry opens with.
	entryID = lazyregexp.New(`^[\[(]?(S\d{1,4})(?::(` + linesPattern + `(?:\s?,\s?` + linesPattern + `)*))?[\])]?(?:[.,;:\s]|$)`)
	// nameless is the text of a link that does not name what it leads to.
	nameless = lazyregexp.New(`(?i)^(?:http.*|.|[↗→🔗↩^*†‡]+|\[?(?:source|link|ref|here)\]?|来源|链接|\d{1,3}[↗→]|\d{1,3}(?:\s*[-–,;、，]\s*\d{1,3})*)?$`)
)

func announcesList(line string) bool {
	const longest = 200 // bytes
	return len(line) <= longest && listLine.MatchString(headingWords(line))
}

// referenceOf reads an entry of the list. Outside the list only what cannot be prose is one: the definition of a footnote or of
// a link, or a label with an address after it.
func referenceOf(line string, inList bool) (e Reference, ok bool) {
	const label, most = 60, 4000 // characters of a label with its signs, and of an entry
	head := firstChars(line, label)
	if !inList && !strings.ContainsAny(head, "[［【") {
		return e, false
	}
	line = labelSigns.ReplaceAllString(head, "") + firstChars(line[len(head):], most)
	item := line[len(bullet.FindString(line)):]
	rest := item
	if m := bracketLabel.FindStringSubmatch(item); m != nil && strings.Trim(item[len(m[0]):], " ") != "" {
		rest = item[len(m[0]):]
		number, definition := strings.TrimSpace(m[2]), m[3] != "" && m[3] != "."
		known := sourcesIn(number) != nil
		address, _, opens, ends := addressIn(strings.TrimSpace(rest))
		switch {
		case rest[0] == '(', rest[0] == '[' && !(inList && known): // [text](https://…), [1][2]
			rest = item
		case definition && m[1] != "", inList && known, (known || definition) && address != "" && (opens || ends):
			e.Number = number
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
	e.read(rest)
	return e, e.Number != "" || item != line && line[0] != '|' || e.URL != "" || e.ID != ""
}

// plainDigits turns raised digits into plain ones.
var plainDigits = strings.NewReplacer("⁰", "0", "¹", "1", "²", "2", "³", "3", "⁴", "4", "⁵", "5", "⁶", "6", "⁷", "7", "⁸", "8", "⁹", "9",
	"⁻", "-", "˒", ",", "⸴", ",", "'", ",", "’", ",", "﹐", ",").Replace

// read takes an entry apart.
func (e *Reference) read(s string) {
	s = strings.TrimSpace(s)
	e.author = authorLabel(authorEntry.FindStringSubmatch(s))
	address, title, _, _ := addressIn(s)
	e.URL, e.Lines, e.Quote = pointsTo(address)
	e.Title = strings.TrimPrefix(strings.Trim(emptyPairs.Replace(strings.Join(strings.Fields(title), " ")), " -–—:：,，;；.。|*_<>\"“”«»"), e.Number+"]")
	if m := entryID.FindStringSubmatch(s); m != nil {
		e.ID = m[1]
		if m[2] != "" {
			e.Lines = plainLines(m[2])
		}
	}
}

// addressIn parts an address from the title around it, and reports whether it opens or ends the text. A DOI without an address
// gets the resolver's.
func addressIn(s string) (address, title string, opens, ends bool) {
	from, to, kind, address := findAddress(s)
	name := ""
	if m := inlineLink.FindStringSubmatchIndex(s); m != nil {
		from, to, address, name = m[0], m[1], s[m[4]:m[5]], s[m[2]:m[3]]
	} else if file := strings.Trim(s, "<>`"); kind == "" && filePath.MatchString(file) {
		return file, "", true, true
	}
	address, _ = linkTarget(address)
	title = s[:from] + " " + s[to:]
	opens, ends = strings.Trim(s[:from], "< ") == "", strings.Trim(s[to:], " )>.*_\"'") == ""
	if !nameless.MatchString(strings.Trim(name, "[] ")) {
		title = name
	}
	return address, title, opens, ends
}

var emptyPairs = strings.NewReplacer("**", "", "[]", "", "()", "", "<>", "", "（）", "")

// authorLabel is the label of a work by its first author and year; "" without them.
func authorLabel(m []string) string {
	if m == nil {
		return ""
	}
	return foldLabel(m[1] + " " + m[2])
}
