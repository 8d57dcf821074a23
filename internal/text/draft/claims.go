package draft

import (
	"slices"
	"strings"

	"github.com/citeloop/citeloop/internal/lazyregexp"
)

var (
	question = lazyregexp.New(`(?:[?？]|(?:です|ます|でしょう|ました)か。?)["'”’)）」』» ]*$`)
	// sourceNote is what is before citations that are not part of a sentence: "Source:", "来源：".
	sourceNote = lazyregexp.New(`(?i)^[(\[（*_\s]*(?:(?:data |main |primary )?sources?|via|see(?: also)?|read more(?: at| here)?|references?|refs?\.?|citations?|more(?: at| on)?|links?|quelle|fuente|` +
		`来源|资料来源|数据来源|信息来源|參考|参考|参考资料|参考来源|参见|详见|见|出处|引自|原文(?:链接)?|链接)\s*[*_]{0,2}[:：][\s.,;，、；。&*_)\]）]*(?:and|和)?[\s.。)）]*$`)
	// searchTalk is the writer's talk about the search: "Let me look for …". Somebody speaks in the first person and means to search;
	// so "we need to cut emissions" is none.
	searchTalk = lazyregexp.New(`^(?i:(?:(?:now|next|first|then|finally|also|so|okay|ok|great|good|perfect|however)[,:]? |(?:to|based on) [^,.]{1,200}, )*` +
		`(?:let me|let(?:'s|’s| us)|(?:i|we)(?:['’]ll|['’]d like to|['’]m going to| will| need to| should| must| have to| want to| am going to))` +
		` (?:[\w-]+ ){0,4}?(?:search|look|research|find|gather|get|explore|investigate|check|examine|query|continue|begin|start|conduct|do one more|write|provide)\b)|` +
		`^(?:[^，。]{0,40}，)?(?:现在|接下来|首先|最后|然后|另外|此外|同时|下面|好的|目前|再|先|，)*(?:让我们?|請讓我|容我|(?:我|我们)(?:将|会|需要|还需要?|想|要|先|来|再)|继续|还?需要)` +
		`[^。，]{0,16}(?:搜索|查找|检索|查询|寻找|收集|搜集|调研|调查|获取|了解)`)
)

// onlyCites reports whether a "sentence" is only the citation of the one before it: marks alone, a word such as "Source:" with
// them, or, in the same paragraph, links with short names.
func (r *reader) onlyCites(s statement, sameParagraph bool) bool {
	cites := len(s.Markers) > 0 || s.inferred > 0
	if !hasWord(s.Text) {
		return cites || sameParagraph
	}
	return cites && (sourceNote.MatchString(r.visible(s.Start, s.End, roleLink)) || sameParagraph && r.onlyLinks(s))
}

// onlyLinks reports whether the words of a sentence are all in links, and few enough to be names of sources.
func (r *reader) onlyLinks(s statement) bool {
	const wordsEach = 6
	return len(strings.Fields(s.Text)) <= wordsEach*len(s.Markers) && !hasWord(r.visible(s.Start, s.End, roleLink))
}

// isClaim reports whether a sentence states something that needs a source.
func (r *reader) isClaim(s statement) bool {
	const leastWords, leastLetters = 4, 8 // shorter ones are labels (chosen); letters of a script without spaces
	switch b := s.block; {
	case question.MatchString(s.Text[max(0, len(s.Text)-30):]), searchTalk.MatchString(firstChars(s.Text, 200)):
		return false
	case len(s.Markers) > 0:
		return !r.onlyLinks(s)
	case b.row, b.emphasised, r.leadIn(s), strings.HasSuffix(s.Text, ":"), strings.HasSuffix(s.Text, "："):
		return false
	}
	prose := r.visible(s.Start, s.End, roleCode)
	return hasWord(prose) && len(strings.Fields(s.Text)) >= leastWords || wideLetters(prose) >= leastLetters
}

// leadIn reports whether a sentence is a few words in bold that name what follows.
func (r *reader) leadIn(s statement) bool {
	said, bold := strings.CutPrefix(string(r.src[max(s.Start-2, s.block.start):min(s.End+2, s.block.end)]), "**")
	said, after, ends := strings.Cut(said, "**")
	return bold && ends && len([]rune(after)) <= 2 && len(strings.Fields(said)) <= 8 // words; chosen
}

// The kinds of an author's own statement: Sentence.Own. No source is asked about these.
const (
	OwnInference = "inference" // the author concludes it: it has the mark [inference]
	OwnAbsence   = "absence"   // it is below a heading such as "What I could not find" or "Limits of this report"
	OwnOpen      = "open"      // it is below a heading such as "Open questions"
)

// The headings that make what is below them the author's own. "Limitations" alone is none: in reports it is mostly a section on
// those of the subject, with facts (8 of 8 such sentences in 60 reports).
var (
	openHeading    = lazyregexp.New(`^(?:(?:open|unanswered|remaining) questions|offene fragen|questions ouvertes|preguntas abiertas|未解决的问题|未解決の問題)$`)
	absenceHeading = lazyregexp.New(`^(?:limitations|limits|gaps) (?:of|in) (?:this|the|our|these) (?:report|text|answer|research|search|sources)$|` +
		`^what (?:is missing|could not be found|(?:i|we|the (?:sources|documents)) (?:could not|couldn['’]t|did not|didn['’]t|do not|don['’]t) (?:find|say|tell|tell you))$|` +
		`^was (?:ich|wir|die quellen) nicht |^(?:本报告的局限性|未找到的信息|資料の限界|見つからなかった情報)$`)
)

// openHeading makes the section of a heading the author's own, up to the next heading of its level, or ends it.
func (r *reader) openHeading(level int, heading string) {
	if level > r.ownLevel && r.own != "" {
		return
	}
	r.own, r.ownLevel = "", level
	switch heading = headingWords(heading); {
	case openHeading.MatchString(heading):
		r.own = OwnOpen
	case absenceHeading.MatchString(heading):
		r.own = OwnAbsence
	}
}

// splitOwn ends a sentence that has the mark [inference] after its last citation there, and returns the rest, which is the
// author's own. A citation after the mark closes the whole sentence.
func (r *reader) splitOwn(s *statement) (rest Sentence) {
	n := len(s.Markers) - 1
	if n < 0 || s.Markers[n].Start >= s.inferred || s.block.row {
		return rest
	}
	cut := min(s.Markers[n].End, s.End)
	rest = Sentence{Text: strings.TrimLeft(r.visible(cut, s.End, roleMark), " ,;:.)–—、，；。："), Start: cut, End: s.End, Own: OwnInference, Split: true}
	rest.Line, rest.Column = r.place(cut, s.Line)
	if text := r.visible(s.Start, cut, roleMark); hasWord(text) && hasWord(rest.Text) {
		s.Text, s.End, s.Split = text, cut, true
		s.Quotes = slices.DeleteFunc(s.Quotes, func(q string) bool { return !strings.Contains(text, q) })
	}
	return rest
}
