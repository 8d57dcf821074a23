package archive

import (
	"fmt"
	"maps"
	"strconv"
	"strings"

	xhtml "golang.org/x/net/html"

	"github.com/citeloop/citeloop/fetch/extract/document"
	"github.com/citeloop/citeloop/fetch/extract/xmltree"
)

const maxLevels = 9 // of a list in Word

// docxLevel is one level of a list.
type docxLevel struct {
	start     int
	format    string // of the number: decimal, lowerLetter, …
	text      string // of the label, with %1 for the number of the first level
	legal     bool   // all numbers are decimal
	continues bool   // it does not start again below another item of a higher level
	style     string // whose paragraphs have this level
}

// docxNumbers counts the paragraphs of lists as Word does (ECMA-376, part 1, 17.9). Lists with the same definition count on from
// each other unless one says where it starts.
type docxNumbers struct {
	lists  map[string]docxList
	counts map[string]*[maxLevels]int // by definition; 0 = not begun
	begun  map[string]bool            // lists that started as they say
}

type docxList struct {
	definition string
	levels     map[int]docxLevel
	starts     map[int]int // of this list only
}

func readNumbers(root *xhtml.Node) *docxNumbers {
	n := &docxNumbers{map[string]docxList{}, map[string]*[maxLevels]int{}, map[string]bool{}}
	root = xmltree.Child(root, "numbering")
	defined, byStyle := map[string]map[int]docxLevel{}, map[string]string{}
	linked := map[string]string{} // definitions that stand for that of a style
	for d := range xmltree.Children(root, "abstractNum") {
		id := xmltree.Attr(d, "abstractNumId")
		defined[id] = map[int]docxLevel{}
		readLevels(d, defined[id])
		if style := val(xmltree.Child(d, "styleLink")); style != "" {
			byStyle[style] = id
		}
		linked[id] = val(xmltree.Child(d, "numStyleLink"))
	}
	for num := range xmltree.Children(root, "num") {
		id := val(xmltree.Child(num, "abstractNumId"))
		if to := byStyle[linked[id]]; to != "" {
			id = to
		}
		list := docxList{definition: id, levels: maps.Clone(defined[id]), starts: map[int]int{}}
		for o := range xmltree.Children(num, "lvlOverride") {
			if level := levelAttr(o); level >= 0 && list.levels != nil {
				if start, err := strconv.Atoi(val(xmltree.Child(o, "startOverride"))); err == nil {
					list.starts[level] = start
				}
				readLevels(o, list.levels)
			}
		}
		n.lists[xmltree.Attr(num, "numId")] = list
	}
	return n
}

func levelAttr(n *xhtml.Node) int {
	if level, err := strconv.Atoi(xmltree.Attr(n, "ilvl")); err == nil && level >= 0 && level < maxLevels {
		return level
	}
	return -1
}

func readLevels(n *xhtml.Node, into map[int]docxLevel) {
	for l := range xmltree.Children(n, "lvl") {
		level := levelAttr(l)
		if level < 0 {
			continue
		}
		d := docxLevel{start: 1, format: "decimal", text: val(xmltree.Child(l, "lvlText")), legal: isOn(xmltree.Child(l, "isLgl")),
			continues: val(xmltree.Child(l, "lvlRestart")) == "0", style: val(xmltree.Child(l, "pStyle"))}
		if start, err := strconv.Atoi(val(xmltree.Child(l, "start"))); err == nil {
			d.start = start
		}
		if format := xmltree.Child(l, "numFmt"); format != nil {
			d.format = val(format)
		}
		if xmltree.Child(l, "lvlText") == nil || len(d.text) > 200 {
			d.text = fmt.Sprintf("%%%d.", level+1)
		}
		into[level] = d
	}
}

// levelOfStyle returns the level, from 1, that a list has for the paragraphs of a style; 0 = none.
func (n *docxNumbers) levelOfStyle(list, style string) int {
	for level, d := range n.lists[list].levels {
		if style != "" && d.style == style {
			return level + 1
		}
	}
	return 0
}

// next counts an item and returns its label, "" for a bullet.
func (n *docxNumbers) next(id string, level int) string {
	list, ok := n.lists[id]
	if !ok {
		return ""
	}
	counts := n.counts[list.definition]
	if counts == nil {
		counts = new([maxLevels]int)
		n.counts[list.definition] = counts
	}
	if !n.begun[id] {
		n.begun[id] = true
		for l := range list.starts {
			counts[l] = 0
		}
	}
	start := func(l int) int {
		if s, ok := list.starts[l]; ok {
			return s + 1
		}
		return list.levels[l].start + 1
	}
	if counts[level] == 0 { // counts are one more than the number, because a list may start at 0
		counts[level] = start(level)
	} else {
		counts[level]++
	}
	for l := level + 1; l < maxLevels; l++ {
		if !list.levels[l].continues {
			counts[l] = 0
		}
	}
	d := list.levels[level]
	if d.format == "bullet" {
		return ""
	}
	label := d.text
	for l := range level + 1 {
		if counts[l] == 0 {
			counts[l] = start(l)
		}
		format := list.levels[l].format
		if d.legal && format != "decimalZero" {
			format = "decimal"
		}
		label = strings.ReplaceAll(label, fmt.Sprintf("%%%d", l+1), formatNumber(counts[l]-1, format))
	}
	return strings.Join(strings.Fields(label), " ")
}

// docxSigns are the formats that write a number by the signs of a list.
var docxSigns = map[string]string{
	"lowerLetter": "abcdefghijklmnopqrstuvwxyz", "upperLetter": "ABCDEFGHIJKLMNOPQRSTUVWXYZ",
	"russianLower":         "абвгдежзиклмнопрстуфхцчшщыэюя",
	"russianUpper":         "АБВГДЕЖЗИКЛМНОПРСТУФХЦЧШЩЫЭЮЯ",
	"ganada":               "가나다라마바사아자차카타파하",
	"chosung":              "ㄱㄴㄷㄹㅁㅂㅅㅇㅈㅊㅋㅌㅍㅎ",
	"hebrew1":              "אבגדהוזחטי",
	"hebrew2":              "אבגדהוזחטיכלמנסעפצקרשת",
	"arabicAlpha":          "أبتثجحخدذرزسشصضطظعغفقكلمنهوي",
	"arabicAbjad":          "أبجدهوزحطيكلمنسعفصقرشتثخذضظغ",
	"ideographTraditional": "甲乙丙丁戊己庚辛壬癸", "ideographZodiac": "子丑寅卯辰巳午未申酉戌亥",
	"decimalEnclosedCircle": "①②③④⑤⑥⑦⑧⑨⑩⑪⑫⑬⑭⑮⑯⑰⑱⑲⑳",
}

// docxDigits are the formats with other digits, from 0.
var docxDigits = map[string]string{
	"decimalFullWidth":           "０１２３４５６７８９",
	"decimalFullWidth2":          "０１２３４５６７８９",
	"thaiNumbers":                "๐๑๒๓๔๕๖๗๘๙",
	"hindiNumbers":               "०१२३४५६७८९",
	"ideographDigital":           "〇一二三四五六七八九",
	"japaneseDigitalTenThousand": "〇一二三四五六七八九",
	"taiwaneseDigital":           "〇一二三四五六七八九",
	"koreanDigital2":             "〇一二三四五六七八九", "koreanDigital": "영일이삼사오육칠팔구",
}

// docxCounts are the formats that write a number in words of digits, from 0, and of ten, hundred and thousand.
var docxCounts = map[string][2]string{
	"chineseCounting":           {"零一二三四五六七八九", "十百千"},
	"chineseCountingThousand":   {"零一二三四五六七八九", "十百千"},
	"japaneseCounting":          {"零一二三四五六七八九", "十百千"},
	"taiwaneseCounting":         {"零一二三四五六七八九", "十百千"},
	"taiwaneseCountingThousand": {"零一二三四五六七八九", "十百千"},
	"chineseLegalSimplified":    {"零壹贰叁肆伍陆柒捌玖", "拾佰仟"},
	"koreanCounting":            {" 일이삼사오육칠팔구", "십백천"},
}

// docxFrames are the formats with marks around the number, and docxWords those in words.
var (
	docxFrames = map[string]string{"decimalEnclosedParen": "(%d)", "numberInDash": "- %d -", "decimalZero": "%02d"}
	docxWords  = map[string]string{"cardinalText": "One Two Three Four Five Six Seven Eight Nine Ten Eleven Twelve",
		"ordinalText": "First Second Third Fourth Fifth Sixth Seventh Eighth Ninth Tenth Eleventh Twelfth"}
)

// formatNumber writes a number in a format of Word (ECMA-376, part 1, 17.18.59); one that is not known is decimal.
func formatNumber(n int, format string) string {
	signs, digits, words := []rune(docxSigns[format]), []rune(docxDigits[format]), strings.Fields(docxWords[format])
	repeats := strings.HasSuffix(format, "Letter") || strings.HasPrefix(format, "russian") // a, b, …, z, aa, bb
	switch {
	case format == "none":
		return ""
	case format == "lowerRoman":
		return strings.ToLower(document.Roman(n))
	case format == "upperRoman":
		return document.Roman(n)
	case format == "ordinal":
		return strconv.Itoa(n) + ordinalEnd(n)
	case docxFrames[format] != "":
		return fmt.Sprintf(docxFrames[format], n)
	case n > 0 && (n <= len(signs) || repeats && n <= 20*len(signs)):
		return strings.Repeat(string(signs[(n-1)%len(signs)]), (n-1)/len(signs)+1)
	case n > 0 && n <= len(words):
		return words[n-1]
	case n >= 0 && len(digits) > 0:
		return strings.Map(func(r rune) rune { return digits[r-'0'] }, strconv.Itoa(n))
	case n > 0 && n < 10_000 && docxCounts[format][0] != "":
		return counted(n, []rune(docxCounts[format][0]), []rune(docxCounts[format][1]))
	}
	return strconv.Itoa(n)
}

func ordinalEnd(n int) string {
	if end := n % 10; end >= 1 && end <= 3 && n/10%10 != 1 {
		return [...]string{"st", "nd", "rd"}[end-1]
	}
	return "th"
}

// counted writes a number up to 9999 in words: 36 is 三十六, 105 is 一百零五, 12 is 十二.
func counted(n int, d, u []rune) string {
	var b strings.Builder
	zero := false
	for place, divisor := 3, 1000; place >= 0; place, divisor = place-1, divisor/10 {
		digit := n / divisor % 10
		if digit == 0 {
			zero = b.Len() > 0
			continue
		}
		if zero {
			b.WriteRune(d[0])
			zero = false
		}
		if place != 1 || digit != 1 || b.Len() > 0 {
			b.WriteRune(d[digit])
		}
		if place > 0 {
			b.WriteRune(u[place-1])
		}
	}
	return strings.ReplaceAll(b.String(), " ", "")
}
