package grounding

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/citeloop/citeloop/internal/lazyregexp"
)

// belongsBefore reports whether a "sentence" is only the citation of the one before it: marks alone, a word
// such as "Source:" with them, or, in the same paragraph, links with short names.
func (p *draftReader) belongsBefore(s DraftSentence, sameParagraph bool) bool {
	if !hasWord(s.Text) {
		return len(s.Markers) > 0 || sameParagraph
	}
	if len(s.Markers) == 0 {
		return false
	}
	bare := p.unlinked(s.Start, s.End)
	if sourceNote.MatchString(bare) {
		return true
	}
	return sameParagraph && !hasWord(bare) && shortName(s)
}

// shortName reports whether the words of a sentence, all in links, are few enough to be names of sources.
func shortName(s DraftSentence) bool {
	const wordsEach = 6
	return len(strings.Fields(s.Text)) <= wordsEach*len(s.Markers)
}

// sourceNote is what is before citations that are not part of a sentence: "Source:", "来源：".
var sourceNote = lazyregexp.New(`(?i)^[(\[（*_\s]*(?:(?:data |main |primary )?sources?|via|see(?: also)?|read more(?: at| here)?|references?|refs?\.?|citations?|more(?: at| on)?|links?|quelle|fuente|` +
	`来源|资料来源|数据来源|信息来源|參考|参考|参考资料|参考来源|参见|详见|见|出处|引自|原文(?:链接)?|链接)\s*[*_]{0,2}[:：][\s.,;，、；。&*_)\]）]*(?:and|和)?[\s.。)）]*$`)

func hasWord(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }) >= 0
}

func question(text string) bool {
	text = strings.TrimRight(text, `"'”’)）」』» `)
	return strings.HasSuffix(text, "?") || strings.HasSuffix(text, "？") || japaneseQuestion.MatchString(text)
}

var japaneseQuestion = lazyregexp.New(`(?:です|ます|でしょう|ました)か。?$`)

// isClaim reports whether a sentence states something that needs a source.
func (p *draftReader) isClaim(s DraftSentence, b draftBlock, quoted bool) bool {
	cited := len(s.Markers) > 0
	switch {
	case question(s.Text):
		return false
	case cited && !hasWord(p.unlinked(s.Start, s.End)) && shortName(s): // an item of a list of links
		return false
	case cited:
		return quoted || !opensWithSearch(s.Text)
	case b.row, b.emphasised, b.contents, strings.HasSuffix(s.Text, ":"), strings.HasSuffix(s.Text, "："):
		return false
	}
	prose := p.withoutCode(s.Start, s.End)
	if !quoted && (talksOfSearch(s.Text) || talksOfText(s.Text) || statesNothing(prose)) || prose != s.Text && onlyCode.MatchString(prose) {
		return false
	}
	const leastWords, leastLetters = 4, 8 // shorter ones are labels (chosen); letters of a script without spaces
	letters := 0
	for _, r := range prose {
		if cjkLetter(r) {
			letters++
		}
	}
	return len(strings.Fields(prose)) >= leastWords || letters >= leastLetters
}

// codeWord stands for a stretch of code in a sentence: a word that a verb can have as its object.
const codeWord = "it"

// onlyCode matches a command with a remark in brackets.
var onlyCode = lazyregexp.New(`^it \([^()]*\)[.;]?$`)

// withoutCode is what a reader sees between two places, with one word for each stretch of code: a command needs no source.
func (p *draftReader) withoutCode(start, end int) string {
	var b strings.Builder
	from := start
	for i := start; i < end; i++ {
		if p.role[i] != roleCode {
			continue
		}
		b.WriteString(p.visible(from, i))
		b.WriteString(" " + codeWord + " ")
		for i < end && p.role[i] == roleCode {
			i++
		}
		from = i
	}
	if from == start {
		return p.visible(start, end)
	}
	b.WriteString(p.visible(from, end))
	return strings.Join(strings.Fields(b.String()), " ")
}

// closeParagraph says of the sentences from first on what only the whole paragraph tells. In a paragraph without
// any mark that talks of the search, "This is an important topic" belongs to that talk.
func (p *draftReader) closeParagraph(first int) {
	sentences := p.out.Sentences[min(first, len(p.out.Sentences)):]
	search := slices.ContainsFunc(sentences, func(s DraftSentence) bool { return !s.IsClaim && talksOfSearch(s.Text) })
	if slices.ContainsFunc(sentences, func(s DraftSentence) bool { return len(s.Markers) > 0 }) {
		search = false
	}
	if len(sentences) > 1 && len(sentences[1].Markers) > 0 && len(sentences[0].Markers) == 0 && sentences[0].labels() {
		sentences[0].IsClaim = false
	}
	var covering []Marker
	for i := len(sentences) - 1; i >= 0; i-- {
		s := &sentences[i]
		if len(s.Markers) > 0 {
			covering = p.behindStop(s.Markers)
			continue
		}
		s.Covering = covering
		if search && pointsBack.MatchString(s.Text) && !strings.ContainsFunc(s.Text, unicode.IsDigit) {
			s.IsClaim = false
		}
	}
}

// labels reports whether a sentence only judges in a few words, without a figure or a name, what the cited one behind it says:
// "Not shrinking is normal."
func (s *DraftSentence) labels() bool {
	const mostWords = 5
	return len(strings.Fields(s.Text)) <= mostWords && judges.MatchString(s.Text) && !s.StatesFacts()
}

var judges = lazyregexp.New(`^[^,;:]+ (?:is|are|ist|sind|est|sont|es|son) (?:not |nicht )?\p{Ll}+[.!]$`)

var pointsBack = lazyregexp.New(`^(?:This|That|These|Those|It|They)\b|^(?:这|它|其|该)`)

// behindStop returns the marks if they all are after the end of their sentence, parted from it.
func (p *draftReader) behindStop(markers []Marker) []Marker {
	i := markers[0].Start
	if i == 0 || !unicode.IsSpace(p.src[i-1]) {
		return nil
	}
	for i > 0 && unicode.IsSpace(p.src[i-1]) {
		i--
	}
	if i > 0 && strings.ContainsRune(`.!?。！？…"”’」』)）*`, p.src[i-1]) {
		return markers
	}
	return nil
}

type quoteSpan struct{ start, end int } // code points, without the quotation marks

// closingQuotes is what ends a quotation that begins with the key.
var closingQuotes = map[rune]string{'“': "”", '"': `"`, '„': "“”", '«': "»", '»': "«", '「': "」", '『': "』", '‹': "›", '‘': "’", '｢': "｣", '〝': "〞"}

// quoteSpans finds the quotations of a block in one pass; they may run over several sentences.
func (p *draftReader) quoteSpans(start, end int) []quoteSpan {
	const most = 1000 // code points; a mark without a partner by then is a sign for inches, or a mistake
	var out []quoteSpan
	unclosed := map[rune]int{} // no partner for this mark before this place
	for i := start; i < end; i++ {
		opening := p.mask[i]
		ends, ok := closingQuotes[opening]
		if !ok || p.role[i] > roleLink || !p.opensQuote(i, start) {
			continue
		}
		j := max(i+1, unclosed[opening])
		for j < end && j-i <= most && !(strings.ContainsRune(ends, p.mask[j]) && p.role[j] <= roleLink && !p.apostrophe(j, end)) {
			j++
		}
		if j == end || j-i > most {
			unclosed[opening] = j
			continue
		}
		out = append(out, quoteSpan{i + 1, j})
		i = j
	}
	return out
}

// opensQuote tells a quotation mark that looks the same on both sides from one that closes, and from the sign
// for inches.
func (p *draftReader) opensQuote(i, start int) bool {
	switch p.mask[i] {
	case '"', '»', '‘':
		return i == start || !unicode.IsLetter(p.src[i-1]) && !unicode.IsDigit(p.src[i-1]) || wideRune(p.src[i-1])
	}
	return true
}

func (p *draftReader) apostrophe(i, end int) bool {
	return p.mask[i] == '’' && i+1 < end && unicode.IsLetter(p.src[i+1])
}

// quotesIn returns what of the quotations is in a sentence, if it is long enough to be somebody's words.
func (p *draftReader) quotesIn(start, end int, spans []quoteSpan) []string {
	const leastWords, leastHan = 3, 6
	var out []string
	for _, s := range spans {
		if s.start >= end {
			break
		}
		q := strings.TrimSpace(p.visible(max(s.start, start), min(s.end, end)))
		if len(strings.Fields(q)) >= leastWords || utf8.RuneCountInString(q) >= leastHan && strings.ContainsFunc(q, cjkLetter) {
			out = append(out, q)
		}
	}
	return out
}

func cjkLetter(r rune) bool {
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul)
}
