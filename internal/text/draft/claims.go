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
func (r *reader) onlyCites(s statement, marks []mark, sameParagraph bool) bool {
	if !hasWord(s.Text) {
		return len(marks) > 0 || sameParagraph
	}
	said := s.block.visible(s.from, s.to, inLink)
	return len(marks) > 0 && (sourceNote.MatchString(said) || attribution.MatchString(s.Text) && s.block.quotes > 0 && !hasWord(said) ||
		sameParagraph && r.onlyLinks(s, len(marks)))
}

// onlyLinks reports whether the words of a sentence are all in links, and few enough to be names of sources.
func (r *reader) onlyLinks(s statement, marks int) bool {
	const wordsEach = 6
	return len(strings.Fields(s.Text)) <= wordsEach*marks && !hasWord(s.block.visible(s.from, s.to, inLink))
}

// noClaim returns why a sentence states nothing that needs a source; "" if it does.
func (r *reader) noClaim(s statement) string {
	const leastWords, leastLetters = 4, 8 // shorter ones are labels (chosen); letters of a script without spaces
	b := s.block
	switch cited := len(s.Markers) > 0; {
	case b.heading && !statesFact(s.Text):
		return "heading"
	case question.MatchString(s.Text[max(0, len(s.Text)-30):]):
		return "question"
	case searchTalk.MatchString(firstChars(s.Text, 200)):
		return "search"
	case cited && r.onlyLinks(s, len(s.Markers)):
		return "label"
	case cited:
		return ""
	case b.row:
		if slices.ContainsFunc(b.cellTexts(), statesFact) {
			return ""
		}
		return "row"
	case introduces(s.Text):
		return "introduction"
	case r.leadIn(s) && !statesFact(s.Text):
		return "label"
	}
	prose := b.visible(s.from, s.to, inCode)
	if hasWord(prose) && len(strings.Fields(s.Text)) >= leastWords || wideLetters(prose) >= leastLetters {
		return ""
	}
	return "label"
}

// leadIn reports whether a sentence is a few words in bold that name what follows.
func (r *reader) leadIn(s statement) bool {
	return s.block.bold(s.from, s.to) && len(strings.Fields(s.Text)) <= 8 // words; chosen
}

var (
	// saying matches what makes a heading, a caption or a cell a sentence: a finite verb that is none of a title.
	saying = lazyregexp.New(`\b(?:is|are|was|were|has|have|had|will|cannot|does|did|became|becomes|began|rose|fell|grew|won|lost|took|gave|` +
		`ist|sind|waren|wurde|wurden|hat|hatte|haben|est|sont|était|étaient|fut|ont|fue|fueron|tiene)\b|` +
		`\b\p{Ll}{2,}(?:ed|ied)\s+(?:in|on|at|by|to|from|with|about|over|for|more|less|only|the|an?|its|their|\d)\b.*\d|[了于在至达是为]\p{Han}{0,10}\d`)
	asking = lazyregexp.New(`(?i)^(?:\d[\d.]*\s+)?(?:what|how|why|when|where|who|which|whether|if|warum|wie|wo|wer|comment|pourquoi|qué|cómo)\b|[?？]\s*$`)
	// introducing matches the end of a sentence that only introduces what follows.
	introducing = lazyregexp.New(`(?i)(?:\b(?:following|follows?|below|these|this|here|includ\p{L}+|consists?|compris\p{L}+|contains?|namely|such|examples?|instance|notes?|warning|tip|important|` +
		`as|are|is|were|was|be|has|have|had|by|with|to|of|for|in|on|from|that|and|or|run|runs|use|uses|used|using|try|see|says?|said|writes?|wrote|states?|stated|reads?|asks?|adds?|` +
		`list\p{L}*|steps?|ways?|reasons?|factors?|points?|rules?|things?|findings?|results?|questions?|options?|types?|kinds?|categories|parts?|summar\p{L}*|overview|details?|` +
		`folgende\p{L}*|sind|ist|suivant\p{L}*|sont|siguientes?|son)[^\p{L}\p{N}]*$|(?:以下|如下|包括|包含|分为|例如|为|是|有|即|方面|步骤|特点|说|表示|指出)[^\p{L}]*[:：]$)`)
)

// statesFact reports whether a heading, a caption, a cell or an entry is a sentence with a fact.
func statesFact(text string) bool {
	const leastWords, leastLetters, most = 4, 8, 400
	text = firstChars(text, most)
	return (len(strings.Fields(text)) >= leastWords || wideLetters(text) >= leastLetters) && !asking.MatchString(text) && saying.MatchString(text)
}

// introduces reports whether a sentence ends with a colon and only introduces what follows. One with a figure, or that ends with other
// words, states something.
func introduces(text string) bool {
	if !strings.HasSuffix(text, ":") && !strings.HasSuffix(text, "：") {
		return false
	}
	const shortest = 3 // words
	fields := len(strings.Fields(text))
	figures := figure.MatchString(text)
	return fields <= shortest && wideLetters(text) < 8 || !figures && introducing.MatchString(lastChars(text, 60)) || !figures && introWord.MatchString(text) || !saying.MatchString(text) && !figures
}

var (
	figure    = lazyregexp.New(`\d{3,}|\d[.,]\d|\d\s*%`)
	introWord = lazyregexp.New(`(?i)\b(?:following|below|as follows|folgende\p{L}*|suivant\p{L}*|siguientes?)\b|以下|如下`)
)

// lastChars is the end of a text, at most n bytes.
func lastChars(s string, n int) string { return strings.ToValidUTF8(s[max(0, len(s)-n):], "") }

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
