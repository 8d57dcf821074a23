package draft

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/citeloop/citeloop/internal/lazyregexp"
)

// markers finds the citations of a block, in order, with their places and entries, and blanks in the mask what is not prose.
func (r *reader) markers(b block) []Marker {
	var out []Marker
	r.blockStart = b.start
	for i := b.start; i < b.end; {
		found, next := r.markAt(i, b.end)
		out = append(out, found...)
		i = max(next, i+1)
	}
	line := b.line + 1
	for i := range out {
		m := &out[i]
		line, m.Column = r.place(m.Start, line)
		if m.Line = line; m.entry == 0 {
			m.entry = r.entries.find(m.Kind, m.Target, m.Line)
		}
	}
	return out
}

// markAt reads what begins at i and returns where to go on; 0 for the next character.
func (r *reader) markAt(i, end int) ([]Marker, int) {
	switch r.src[i] {
	case '\\':
		return r.escaped(i, end)
	case '`':
		return nil, r.codeSpan(i, end)
	case '!':
		if _, after, _, ok := r.link(min(i+1, end-1), end); ok { // an image
			r.hide(i, after, roleMark)
			return nil, after
		}
	case '[':
		textEnd, after, address, linked := r.link(i, end)
		if !linked || r.src[textEnd+1] == '[' { // [1][2] are two citations
			if m, after := r.bracket(i, end); m != nil {
				return m, after
			}
		}
		if linked {
			return r.linkMark(i, textEnd, after, address), after
		}
	case '［', '〔', '【', '（':
		return r.bracket(i, end)
	case '(':
		if _, after, address, _ := r.link(min(i+1, end-1), end); address != "" && after < end && r.src[after] == ')' {
			r.stamp(i, after+1) // ([Otters](https://…)), which some write behind the full stop
			return r.addressed(i+1, after, MarkerLink, address), after + 1
		}
		return r.bracket(i, end)
	case '<':
		if m, after := r.superscript(i, end); m != nil {
			return m, after
		}
		return r.html(i, end)
	case '^', '¹', '²', '³', '⁰', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹':
		return r.superscript(i, end)
	case 'h', 'H', 'w', 'W', 'f', 'd', 'D', '1', 'a', 'A':
		return r.address(i, end)
	}
	return nil, 0
}

// escaped reads what follows a backslash: \[1\], or a sign that is not Markdown's.
func (r *reader) escaped(i, end int) ([]Marker, int) {
	if i+1 == end || r.src[i+1] >= 0x80 || alphabetic(r.src[i+1]) { // \frac is not for us
		return nil, i + 2
	}
	r.hide(i, i+1, roleSyntax)
	if shut := r.find(']', i+2, end, maxMarkRunes); r.src[i+1] == '[' && shut > i+2 && r.src[shut-1] == '\\' {
		return r.marks(i, shut+1, narrow(r.src[i+2:shut-1])), i + 2
	}
	return nil, i + 2
}

// codeSpan blanks `code` for the search of citations; the reader of the text still sees it.
func (r *reader) codeSpan(i, end int) int {
	const most = 1000 // code points
	text := string(r.src[i:min(end, i+most)])
	inside := strings.TrimLeft(text, "`")
	ticks := len(text) - len(inside)
	stop := strings.Index(inside, text[:ticks])
	if stop < 0 {
		return i + ticks
	}
	code := i + ticks + utf8.RuneCountInString(inside[:stop])
	r.hide(i, code+ticks, roleSyntax)
	for x := i + ticks; x < code; x++ {
		r.mask[x], r.role[x] = 'x', roleCode // a word to package words, whatever is there
	}
	return code + ticks
}

var (
	brackets = map[rune]rune{'[': ']', '［': '］', '〔': '〕', '【': '】', '(': ')', '（': '）'}
	// authorYear is one citation by its first author and year: "Smith et al., 2021", "Holt & Ames 2020a".
	authorYear = lazyregexp.New(`^(?:(?:see|cf\.)(?: also)? |e\.g\.,? )?(\p{Lu}[\p{L}\p{M}'’-]+)(?:(?:,| and| &| et| und| y)? (?:\p{Lu}[\p{L}\p{M}'’-]+|al\.?))*,? (\d{4}[a-z]?)(?:, pp?\..*)?$`)
	footnoteID = lazyregexp.New(`^\^[\pL][\w-]{0,30}$`)
	ownMark    = lazyregexp.New(`(?i)^(?:(?:own|author['’]s|my|our) )?inference$`)
	sourceWord = lazyregexp.New(`(?i)^(?:(?:see(?: also)?|cf\.?|e\.g\.,?|via|#|参见|见)\s*)?(?:(?:sources?|refs?\.?|references?|citations?|cite|web|footnotes?|notes?|no\.|` +
		`来源|資料|资料|参考|參考|参考文献|參考文獻|文献|引用)\s*[:_#]?\s*)?`)
)

// bracket reads [1], [1, 2], [S3:120-128], [^4], [^note], [Source 3], [inference], 【2†L10-L12】,
// and in round brackets (Source 13), (S1:120, S2), （来源：3）.
func (r *reader) bracket(i, end int) ([]Marker, int) {
	closes := brackets[r.src[i]]
	shut := r.find(closes, i+1, end, maxMarkRunes)
	if shut < 0 {
		return nil, 0
	}
	after, inside := shut+1, narrow(r.src[i+1:shut])
	if from, to, kind, address := findAddress(inside); kind == MarkerLink && from == 0 && to == len(inside) { // (notes.md#L4)
		r.stamp(i, after)
		return r.addressed(i, after, kind, address), after
	}
	list, behind, dagger := strings.Cut(inside, "†")
	list = strings.TrimSpace(sourceWord.ReplaceAllString(list, ""))
	if dagger {
		list = list[strings.Index(list, ":")+1:] // 【4:2†source】 is message 4, source 2
	}
	round := closes == ')' || closes == '）'
	if sources := sourcesIn(list); sources != nil && (!round || list != inside || sources[0].kind == MarkerID) {
		out := r.marks(i, after, list)
		if behind = strings.TrimSpace(behind); len(out) > 0 && strings.HasPrefix(behind, "L") && moreOf.MatchString(behind) {
			out[len(out)-1].Lines = plainLines(behind)
		}
		if out != nil {
			return out, after
		}
	}
	if round {
		if m := r.authorYears(i, after, inside); m != nil {
			return m, after
		}
	}
	kind, target := markerInference, ""
	if !round && footnoteID.MatchString(inside) {
		kind, target = MarkerFootnote, inside[1:]
	} else if round || !ownMark.MatchString(inside) {
		return nil, 0
	}
	r.stamp(i, after)
	return []Marker{r.marker(i, after, kind, target)}, after
}

// raisedList matches ¹⁻³, Pandoc's ^1^, and <sup>[1]</sup> with or without a link in it.
var raisedList = lazyregexp.New(`^(?:([⁰¹²³⁴⁵⁶⁷⁸⁹]+(?:[⁻–,˒⸴'’﹐-][⁰¹²³⁴⁵⁶⁷⁸⁹]+)*)|\^(\[?[\d,;\s–-]+\]?)\^|` +
	`<sup>(?:<a [^<>]*>)?(\[?[\d,;\s–-]+\]?)(?:</a>)?</sup>)`)

// superscript reads the raised numbers at i and returns where they end, or 0. They are a citation behind a stop, or where they
// are listed and not behind a digit or a short word, which make them exponents, charges or units.
func (r *reader) superscript(i, end int) ([]Marker, int) {
	const longestUnit = 2 // letters
	m := raisedList.FindStringSubmatch(string(r.src[i:min(end, i+maxTagRunes)]))
	if m == nil || i == r.blockStart {
		return nil, 0
	}
	after, list := i+utf8.RuneCountInString(m[0]), strings.Trim(plainDigits(m[1])+m[2]+m[3], "[] ")
	word := i
	for word > r.blockStart && i-word <= longestUnit && unicode.IsLetter(r.src[word-1]) && alphabetic(r.src[word-1]) {
		word--
	}
	sources := sourcesIn(list)
	listed := sources != nil && r.entries.find(sources[0].kind, sources[0].target, 0) != 0 && !unicode.IsNumber(r.src[i-1])
	stop := strings.ContainsRune(stops+"”\"’", r.src[i-1]) && !unicode.IsDigit(r.src[max(i-2, r.blockStart)])
	if stop || listed && (word == i || i-word > longestUnit) || strings.Contains(m[0], "[") {
		return r.marks(i, after, list), after
	}
	return nil, after
}

// authorYears reads (Smith et al., 2021; Holt, 1902) in a text whose list has entries by author and year. What no entry of
// such a list has leads nowhere.
func (r *reader) authorYears(start, end int, inside string) []Marker {
	if !r.entries.byAuthor {
		return nil
	}
	var out []Marker
	for work := range strings.SplitSeq(inside, ";") {
		label := authorLabel(authorYear.FindStringSubmatch(strings.TrimSpace(work)))
		if label == "" {
			return nil
		}
		out = append(out, r.marker(start, end, MarkerAuthor, label))
	}
	r.stamp(start, end)
	return out
}
