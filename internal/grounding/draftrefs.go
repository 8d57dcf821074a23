package grounding

import (
	"strings"
	"unicode/utf8"

	"github.com/citeloop/citeloop/internal/lazyregexp"
)

// referenceHeading reports whether a line announces the list of references: a heading made of such words only,
// or a line that is one of the usual labels.
func referenceHeading(line string, heading bool) bool {
	s := strings.ToLower(strings.Trim(line, "#*_:： \t\r"))
	s = strings.TrimLeft(s, "0123456789.、 一二三四五六七八九十")
	if utf8.RuneCountInString(s) > 60 {
		return false
	}
	switch s {
	case "references", "reference", "reference list", "list of references", "sources", "sources cited", "source list", "sources used", "bibliography", "works cited", "works consulted",
		"citations", "footnotes", "endnotes", "links", "references and sources", "sources and references", "literature cited", "literaturverzeichnis", "quellen", "références", "referencias",
		"fuentes", "bibliografía", "bibliographie", "参照", "参考", "出典":
		return true
	}
	if chineseReferences.MatchString(s) {
		return true
	}
	if !heading {
		return false
	}
	strong := false
	for _, word := range strings.FieldsFunc(s, func(r rune) bool { return r == ' ' || r == '&' || r == '/' || r == ',' }) {
		switch word {
		case "references", "sources", "bibliography", "citations", "cited", "footnotes", "endnotes", "reading":
			strong = true
		case "and", "of", "the", "for", "list", "further", "key", "selected", "main", "additional", "notes", "links", "works", "literature", "consulted", "used", "resources", "data", "full", "numbered", "reference":
		default:
			return false
		}
	}
	return strong && s != "data sources" && s != "reading"
}

var chineseReferences = lazyregexp.New(`^(?:主要|相关|部分|本文|本报告|全部)?(?:参考文献|參考文獻|参考资料|參考資料|参考来源|资料来源|資料來源|信息来源|数据来源|文献来源|引用来源|引用文献|引文|引用|来源|參考|参考链接|参考网站|参考书目|注释|脚注)(?:列表|目录|清单|汇总)?(?:[与和及、](?:来源|说明|注释|数据来源|资料来源|延伸阅读|链接))?$`)

var (
	// The labels of entries: [1], [S1], [^note]:, 【1】, (1), 1., S1:, ¹ — perhaps bold or escaped.
	bracketLabel = lazyregexp.New(`^(?:\d{1,4}\.\s+)?[\[［【](\^?)([\pL\pN][\pL\pN .&_-]{0,40}|\d{1,4})[\]］】]([:：.]?)`)
	numberLabel  = lazyregexp.New(`^(?:(\d{1,4})(?:[.)、:：．]\s*|\s+[-–—]\s+)|[(（](\d{1,4})[)）][.:：]?\s*|([Ss]\d{1,4})\s*[.:：)-–—]\s*|([⁰¹²³⁴⁵⁶⁷⁸⁹]{1,3})\s*|(\d{1,3})\s+https?:)`)
	bullet       = lazyregexp.New(`^[-*+•–·▪]\s+`)
	inlineLink   = lazyregexp.New(`\[((?:[^\[\]]|\[[^\[\]]*\])*)\]\(<?((?:https?://|www\.)[^\s<>]+?)>?(?:\s+"[^"]{0,200}")?\)`)
	linkNumber   = lazyregexp.New(`^\[{1,2}(S?\d{1,4})\]{1,2}\(`)
)

// maxReferenceChars bounds one entry.
const maxReferenceChars = 4000

// reference reads an entry of the list. Outside the list only what cannot be prose is one: the definition of a
// footnote or of a link, or a label with an address after it.
func reference(line string, inList bool) (Reference, bool) {
	line = plainLabel(cutChars(line, maxReferenceChars))
	item := line
	if b := bullet.FindString(line); b != "" {
		item = line[len(b):]
	}
	var r Reference
	if m := bracketLabel.FindStringSubmatch(item); m != nil {
		rest := item[len(m[0]):]
		number := strings.TrimSpace(m[2])
		definition, foot := m[3] == ":" || m[3] == "：", m[1] != ""
		linked := strings.HasPrefix(rest, "(") || strings.HasPrefix(rest, "[")
		rest = strings.TrimSpace(rest)
		address := hasAddress(rest)
		known := shortLabel.MatchString(number)
		switch {
		case linked && !inList:
		case linked && strings.HasPrefix(rest, "("), strings.HasPrefix(rest, "[") && !known: // [text](https://…)
		case foot && definition,
			inList && known,
			definition && address && opensWithAddress(rest),
			known && address && (definition || opensWithAddress(rest) || endsWithAddress(rest)):
			r.Number = number
			r.read(rest)
			return r, true
		}
	}
	if !inList {
		return Reference{}, false
	}
	if m := linkNumber.FindStringSubmatch(item); m != nil {
		r.Number = m[1]
		r.read(item)
		r.Title = tidyTitle(strings.TrimPrefix(r.Title, m[1]))
		return r, true
	}
	if strings.HasPrefix(item, "|") {
		return rowReference(item)
	}
	rest := item
	if m := numberLabel.FindStringSubmatch(item); m != nil {
		r.Number = strings.ToUpper(m[1] + m[2] + m[3] + m[5])
		if rest = item[len(m[0]):]; m[5] != "" {
			rest = item[len(m[5]):]
		}
		for _, c := range m[4] {
			r.Number += string("0123456789"[utf8.RuneCountInString(superscriptDigits[:strings.IndexRune(superscriptDigits, c)])])
		}
	}
	r.read(rest)
	if r.Number == "" && item == line && r.URL == "" && r.Year == "" {
		return Reference{}, false
	}
	return r, true
}

// shortLabel is what a label looks like when it is no word of prose: a number, S3, RFC2119, Smith2021.
var shortLabel = lazyregexp.New(`^(?:\d{1,4}|[\pL]{1,20}[ .-]{0,2}\d{1,4}[a-z]?|[A-Z]{2,10}\+?\d{0,4})$`)

var listTag = lazyregexp.New(`(?i)</?(?:a|b|i|em|strong|li|ol|ul|p|span|sup|div)\b[^<>]{0,200}>`)

// plainLabel takes the emphasis and the escapes off what a line opens with.
func plainLabel(line string) string {
	const label = 60
	head := firstBytes(line, label)
	rest := line[len(head):]
	if strings.HasPrefix(head, "**") || strings.HasPrefix(head, "__") || strings.HasPrefix(bullet.ReplaceAllString(head, ""), "**") {
		head = strings.Replace(strings.Replace(strings.Replace(head, "**", "", 2), "__", "", 2), ":** ", ": ", 1)
	}
	head = listTag.ReplaceAllString(head, "")
	return unescaped.Replace(head) + rest
}

var unescaped = strings.NewReplacer(`\[`, "[", `\]`, "]", `\.`, ".", `\-`, "-")

// rowReference reads a row of a list that is written as a table.
func rowReference(row string) (Reference, bool) {
	cells := strings.FieldsFunc(row, func(r rune) bool { return r == '|' })
	if separator(row) || len(cells) < 2 || !hasAddress(row) {
		return Reference{}, false
	}
	var r Reference
	if number := strings.Trim(cells[0], " []*^\\"); shortLabel.MatchString(number) {
		r.Number = number
		cells = cells[1:]
	}
	r.read(strings.Join(cells, " "))
	return r, true
}

func hasAddress(s string) bool {
	return bareURL.MatchString(s) || bareWWW.MatchString(s) || bareDOI.MatchString(s)
}

func opensWithAddress(s string) bool {
	return strings.HasPrefix(s, "http") || strings.HasPrefix(s, "<http") || strings.HasPrefix(s, "[") || strings.HasPrefix(strings.ToLower(s), "doi")
}

func endsWithAddress(s string) bool {
	all := bareURL.FindAllStringIndex(s, -1)
	if len(all) == 0 {
		return false
	}
	return len(strings.Trim(s[all[len(all)-1][1]:], " )>.*_")) == 0
}

// read takes an entry apart.
func (r *Reference) read(s string) {
	r.URL, r.Title = addressAndTitle(s)
	if r.URL == "" || !opensWithAddress(strings.TrimSpace(s)) {
		r.Authors, r.Year = authorsAndYear(r.Title)
	}
}

// addressAndTitle parts an address from the rest. A DOI without an address gets the resolver's.
func addressAndTitle(s string) (address, title string) {
	s = strings.TrimSpace(s)
	if m := inlineLink.FindStringSubmatchIndex(s); m != nil {
		address = s[m[4]:m[5]]
		if strings.HasPrefix(address, "www.") {
			address = "https://" + address
		}
		title = s[m[2]:m[3]]
		around := s[:m[0]] + " " + s[m[1]:]
		if bare := strings.Trim(title, "[] "); strings.HasPrefix(title, "http") || utf8.RuneCountInString(bare) < 2 || arrows.MatchString(bare) || numberList.MatchString(bare) {
			title = around
		}
		return address, tidyTitle(title)
	}
	if m := bareURL.FindStringIndex(s); m != nil {
		address = trimAddress(s[m[0]:m[1]])
		return address, tidyTitle(s[:m[0]] + " " + s[m[0]+len(address):])
	}
	if m := bareWWW.FindStringIndex(s); m != nil {
		address = trimAddress(s[m[0]:m[1]])
		return "https://" + address, tidyTitle(s[:m[0]] + " " + s[m[0]+len(address):])
	}
	if m := bareDOI.FindStringSubmatchIndex(s); m != nil {
		doi := trimAddress(s[m[2]:m[3]])
		return "https://doi.org/" + doi, tidyTitle(s[:m[0]] + " " + s[m[2]+len(doi):])
	}
	return "", tidyTitle(s)
}

func tidyTitle(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	return strings.Trim(emptyPairs.Replace(s), " -–—:：,，;；.。|*_<>\"“”«»")
}

var emptyPairs = strings.NewReplacer("**", "", "[]", "", "()", "", "<>", "", "（）", "")

// continueReference adds a line to the entry before: an address or a title of its own.
func (p *draftReader) continueReference(line string) {
	if len(p.out.References) == 0 {
		return
	}
	last := &p.out.References[len(p.out.References)-1]
	address, title := addressAndTitle(cutChars(line, maxReferenceChars))
	if last.URL == "" {
		last.URL = address
	}
	if last.Title == "" {
		last.Title = title
	}
}

var (
	// "Smith, J., & Jones, K. (2021a). Title" and "WHO. 2020. Title".
	yearInBrackets = lazyregexp.New(`^(.{2,300}?)[\s.,，]*[(（]((?:1[5-9]|20)\d\d[a-z]?|n\.d\.|in press|forthcoming)(?:[,，][^)）]{0,40})?[)）]`)
	yearBetween    = lazyregexp.New(`^([^\d:“"]{2,200}?)[.,，]\s+((?:1[5-9]|20)\d\d[a-z]?)[.,:，]\s`)
	// "Smith J, Jones K. Title. Journal. 2021;12:3" and "张三, 李四. 题名[J]. 刊名, 2020".
	authorsFirst = lazyregexp.New(`^((?:\p{Lu}[\p{L}'’-]+,? (?:[A-Z]{1,3}|(?:[A-Z]\.[ -]?){1,3})(?:,? (?:and |& )?|\.? ?)){1,8}(?:et al)?|\p{Han}{2,4}(?:[,，、]\s*\p{Han}{2,4}){0,8}(?:[,，]?\s*等)?)[.．:：]\s*(.+)$`)
	anyYear      = lazyregexp.New(`\b(?:1[5-9]|20)\d\d[a-z]?\b`)
	lastFirst    = lazyregexp.New(`^\p{Lu}[\p{L}'’-]+, \p{Lu}[\p{L}'’.-]+(?: [A-Z]\.)?(?:,? (?:and|&) [^.“"]{2,60})?[.,]\s`)
)

// authorsAndYear finds the names that an entry opens with, if it is written as bibliographies are.
func authorsAndYear(entry string) (authors, year string) {
	head := cutChars(entry, 400)
	if m := yearInBrackets.FindStringSubmatch(head); m != nil && !strings.ContainsAny(m[1], "“\"《") && len(strings.Fields(m[1])) <= 40 && !strings.Contains(strings.TrimSuffix(strings.TrimSpace(m[1]), "."), "? ") {
		return strings.TrimSpace(m[1]), m[2]
	}
	if m := authorsFirst.FindStringSubmatch(head); m != nil {
		if y := anyYear.FindString(m[2]); y != "" {
			return strings.TrimSpace(m[1]), y
		}
	}
	if m := yearBetween.FindStringSubmatch(head); m != nil && len(strings.Fields(m[1])) <= 20 {
		return strings.TrimSpace(m[1]), m[2]
	}
	if m := lastFirst.FindString(head); m != "" {
		if all := anyYear.FindAllString(head[len(m):], -1); len(all) > 0 {
			return strings.Trim(m, " .,"), all[len(all)-1]
		}
	}
	return "", ""
}
