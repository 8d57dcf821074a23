package draft

import (
	"slices"
	"strings"

	"github.com/citeloop/citeloop/internal/lazyregexp"
	"github.com/citeloop/citeloop/internal/text/words"
)

var (
	reason = lazyregexp.New(`(?i)\b(?:because|since|as|weil|denn|car)\b.*$`)
	// asked matches a statement with a question around it: "Did you know that …?", "…, right?".
	asked = lazyregexp.New(`(?i)^[^\p{L}]*(?:did|do) you know\b|,\s*(?:right|correct|no|did you know|(?:is|are|was|were|do|does|` +
		`did|has|have|wo|ca)n['’]t (?:it|they|he|she|we|you)|nicht wahr|oder|n['’]est-ce pas)[?？]`)
	caption = lazyregexp.New(`(?i)^(?:fig(?:ure|\.)?|table|chart|photo|image|abb(?:ildung|\.)|tabelle|tableau|图|` +
		`表)\s*[\d.]*\s*[:.：]`)
	// metadata is a line of a report's head, and the definition of an abbreviation.
	metadata = lazyregexp.New(`(?i)^(?:date|datum|fecha|(?:last |zuletzt )?(?:updated|aktualisiert)|published|as of|stand|version|` +
		`authors?|autor(?:in|en)?|auteurs?|(?:prepared|written|reviewed|commissioned) (?:by|for)|from|to|cc|subject|re|betreff|objet|` +
		`asunto|keywords?|tags|topics?|reading time|word count|confidence|classification|status)\s*:[^:;]{1,80}[^.!?。:;]$|` +
		`^(?-i:(?:By|Von|Par|Por)(?: (?:and |& |und |et |y )?\p{Lu}[\pL.’-]*,?){1,8}` +
		`(?: (?:\d{1,2}\.? )?(?:\pL+ )?\d{4}| \d[\d./-]+)?)$|` +
		`^\*?\[[^\[\]]{1,20}\]: `)
	note         = lazyregexp.New(`^\([^()]*\)?\.?\)?$`) // all in brackets
	codeSentence = lazyregexp.New(`^(?:[$\\([\s]*(?:text|mbox|math)[a-z]*\{)?[\p{Lu}\p{Han}\p{Hiragana}\p{Katakana}]`)
	question     = lazyregexp.New(`(?:[?？؟]|(?:です|ます|でしょう|ました)か。?)["'”’)）」』» ]*$`)
	// sourceNote is what is before citations that are not part of a sentence: "Source:", "来源：".
	sourceNote = lazyregexp.New(`(?i)^[(\[（*_\s]*(?:(?:data |main |primary )?sources?|via|see(?: also)?|read more(?: at| here)?|` +
		`references?|refs?\.?|citations?|more(?: at| on)?|links?|quelle|fuente|` +
		`来源|资料来源|数据来源|信息来源|參考|参考|参考资料|参考来源|参见|详见|见|出处|引自|` +
		`原文(?:链接)?|链接)\s*[*_]{0,2}[:：][\s.,;，、；。&*_)\]）]*(?:and|和)?[\s.。)）]*$`)
	// pointer is a sentence that only leads to a source: "See [1].", "For details see the log.", "Refer to notes.md:3 for more."
	pointer = lazyregexp.New(`(?i)^[(*_]*(?:for (?:more |further |the )?(?:details?|information|more|context),? )?(?:please )?` +
		`(?:(?:see|siehe|voir)(?: also| auch| aussi)?|cf\.?|vgl\.?|véase|refer to|read)\b[\s,:;&]*(?:and\b|und\b|the\b|\S+)?[\s,;&]*` +
		`(?:for (?:more |further |the )?(?:details?|information|more|context))?[\s.)*_]*$`)
	// searchTalk is the writer's talk about the search: "Let me look for …". Somebody speaks in the first person and means to search;
	// so "we need to cut emissions" is none.
	searchTalk = lazyregexp.New(`^(?i:(?:(?:now|next|first|then|finally|also|so|okay|ok|great|good|perfect|however)[,:]? |` +
		`(?:to|based on) [^,.]{1,200}, )*(?:let me|let(?:'s|’s| us)|(?:i|we)(?:['’]ll|['’]d like to|['’]m going to| will|` +
		` need to| should| must| have to| want to| am going to)) (?:[\w-]+ ){0,4}?(?:search|look|research|find|gather|get|explore|` +
		`investigate|check|examine|query|continue|begin|start|conduct|do one more|write|provide)\b)|^(?:[^，。]{0,40}，)?` +
		`(?:现在|接下来|首先|最后|然后|另外|此外|同时|下面|好的|目前|再|先|，)*` +
		`(?:让我们?|[請请][讓让]我|容我|(?:我|我们)(?:将|会|需要|还需要?|想|要|先|来|再)|继续|还?需要)` +
		`[^。，]{0,16}(?:搜索|查找|检索|查询|寻找|收集|搜集|调研|调查|获取|了解)`)
)

// onlyCites reports whether a "sentence" is only the citation of the one before it: marks alone, a word such as "Source:" with
// them, or, in the same paragraph, links with short names; or a part of the line that says whose a quotation is.
func (r *reader) onlyCites(s statement, marks []mark, sameParagraph bool) bool {
	if !hasWord(s.Text) {
		return len(marks) > 0 || sameParagraph
	}
	const mostNames = 12 // words that say whose a quotation is
	said := s.block.visible(s.from, s.to, inLink)
	dash := s.block.text
	if s.block.quotes > 0 && attribution.MatchString(dash) && len(strings.Fields(said)) <= mostNames {
		return true
	}
	return len(marks) > 0 && (sourceNote.MatchString(said) || sameParagraph && (pointer.MatchString(said) ||
		(r.onlyLinks(s, len(marks)) || note.MatchString(s.Text)) && !statesFact(s.Text)))
}

// onlyLinks reports whether the words of a sentence are all in links, and few enough to be names of sources.
func (r *reader) onlyLinks(s statement, marks int) bool {
	const wordsEach = 6
	return len(strings.Fields(s.Text)) <= wordsEach*marks && !hasWord(s.block.visible(s.from, s.to, inLink))
}

// noClaim returns why a sentence states nothing that needs a source; "" if it does.
func (r *reader) noClaim(s statement) string {
	const leastWords, leastLetters = 4, 8 // shorter ones are labels (chosen); letters of a script without spaces
	const mostInBold = 8                  // words in bold that name what follows
	b, count, fact := s.block, len(strings.Fields(s.Text)), func() bool { return statesFact(s.Text) }
	switch cited := len(s.Markers) > 0; {
	case b.heading && !fact():
		return "heading"
	case question.MatchString(lastChars(s.Text, 30)) && !asked.MatchString(s.Text):
		return "question"
	case searchTalk.MatchString(words.First(s.Text, 200)) && !measured.MatchString(s.Text) && !statesFact(reason.FindString(s.Text)):
		return "search"
	case s.leads:
		return "introduction"
	case cited && r.onlyLinks(s, len(s.Markers)) && !fact():
		return "label"
	case cited, b.row && rowStatesFact(b.cellTexts()):
		return ""
	case b.row:
		return "row"
	case introduces(s.Text), aboutText.MatchString(s.Text) && !measured.MatchString(s.Text):
		return "introduction"
	case (count <= mostInBold && b.bold(s.from, s.to) || caption.MatchString(b.text) ||
		s.Text == strings.ToUpper(s.Text) && s.Text != strings.ToLower(s.Text) || metadata.MatchString(s.Text)) && !fact():
		return "label"
	}
	prose := b.visible(s.from, s.to, inCode)
	if hasWord(prose) && count >= leastWords || wideLetters(prose) >= leastLetters || measured.MatchString(prose) ||
		strings.HasSuffix(prose, "。") && strings.ContainsAny(prose, "0123456789") ||
		codeSentence.MatchString(s.Text) && fact() {
		return ""
	}
	return "label"
}

// aboutText matches what says only what the text is about: "This report explores how …", "本报告探讨…".
var aboutText = lazyregexp.New(`(?i)^(?:this|the present|our) (?:report|paper|article|document|guide|overview|review|essay|chapter|` +
	`section) (?:(?:will|also|aims to|seeks to|attempts to) )*(?:explores?|examines?|provides?|presents?|discuss(?:es)?|describes?|` +
	`outlines?|reviews?|summari[sz]es?|synthesi[sz]es?|covers?|analy[sz]es?|investigates?|focus(?:es)?|offers?|compares?|surveys?|` +
	`explains?|looks? at)\b|` +
	`^本(?:报告|文|研究|章|节)(?:将|旨在|主要)*(?:探讨|分析|介绍|综述|梳理|总结|讨论|考察|概述)`)

var (
	// finite matches a finite verb that is no noun of a title, and in Chinese what makes a sentence of one.
	finite = lazyregexp.New(`(?i)\b(?:is|are|was|were|has|have|had|will|did|does|cannot|never|always|became|becomes|began|rose|rises|` +
		`fell|falls|grew|grows|won|wins|lost|loses|took|takes|gave|gives|came|comes|went|goes|ran|wrote|knew|ate|eats|died|killed|kills|` +
		`says|makes|gets|keeps|requires|contains|consists|allows|exceeds|equals|weighs|lasts|prevents|reduces|improves|fails|doubled|` +
		`tripled|halved|(?:is|are|was|were|do|does|did|has|wo|ca)n['’]t|ist|sind|waren|wurden?|hatten?|kann|est|sont|était|étaient|` +
		`fut|ont|fue|fueron|tiene|tienen)\b|\b\p{L}{2,}ed\s+(?:in|on|at|by|to|from|with|about|over|for)\b.*\d|` +
		`\p{Han}(?:是|了|被|已|将会?|不能|没有)\p{Han}|[于在至达为]\p{Han}{0,10}\d`)
	asking = lazyregexp.New(`(?i)^[^\p{L}]*(?:what|how|why|when|where|who|which|whether|if|warum|wie|wo|wer|comment|pourquoi|qué|cómo|` +
		`is|are|was|were|do|does|did|can|could|should|would|will)\b|什么|如何|怎么|怎样|是否|为何|[?？]\s*$`)
	// measured matches an amount: no year, number of a section or of a version.
	measured = lazyregexp.New(`(?:^|[^\p{L}\d.,-])(?:[$€£¥] ?\d[\d.,]*|\d[\d.,]* ?(?:%|‰|°|percent\b|per cent\b|Prozent\b|` +
		`(?:[kMGT]i?)?B\b|(?:[kcm]?m|[mk]?g|[mµn]s)\b|(?:million|billion|thousand)\b)|\d{1,3}(?:[,. ]\d{3})+\b|(?:\d{3}|\d{5,}) \p{L})`)
	// acting matches a verb of the past with its object: "the senate banned every otter".
	acting = lazyregexp.New(`(?i)\p{L} (?:\p{L}{2,}(?:ed|te|ten)|found|made|built|left|led|met|paid|sold|sent|set|spent|held|kept|hit|` +
		`cut|saw|got|broke|chose|drew|drove|beat|bought|taught) (?:the|an?|every|all|each|no|any|its|their|his|her|our|this|these|those|` +
		`more|fewer|less|most|only|almost|nearly|up|it|them|him|us|de[nmrs]|die|das|eine?[nmr]?|keine?[nmr]?)\b`)
)

// statesFact reports whether a heading, a caption, a cell or an entry is a sentence with a fact.
func statesFact(text string) bool {
	const leastWords, leastLetters, most = 4, 8, 400
	text = words.First(text, most)
	if len(strings.Fields(text)) < leastWords && wideLetters(text) < leastLetters || strings.HasSuffix(text, "?") ||
		strings.HasSuffix(text, "？") {
		return false
	}
	return measured.MatchString(text) || !asking.MatchString(text) && (finite.MatchString(text) || acting.MatchString(text))
}

// rowStatesFact reports whether a cell of a row is a sentence with a fact, or all cells one after another are.
func rowStatesFact(cells []string) bool {
	return slices.ContainsFunc(cells, statesFact) || statesFact(strings.Join(cells, " "))
}

var (
	// unfinished matches the end of a sentence that only what follows completes.
	unfinished = lazyregexp.New(`(?i)\b(?:following|follows?|below|these|this|here|includ\p{L}+|consists?|compris\p{L}+|contains?|namely|` +
		`such|as|are|is|were|was|be|has|have|had|by|with|to|of|for|in|on|from|that|and|or|runs?|use|uses|used|using|try|see|says?|said|` +
		`writes?|wrote|states?|stated|reads?|asks?|adds?|folgen|sind|ist|sont|son)[^\p{L}\p{N}]*$|` +
		`(?:以下|如下|包括|包含|分为|例如|为|是|有|即|说|表示|指出)[^\p{L}]*$`)
	// announcing matches what names only the kind of what follows.
	announcing = lazyregexp.New(`(?i)\b(?:examples?|instance|notes?|warning|tip|important|lists?|steps?|ways?|reasons?|causes?|factors?|` +
		`points?|rules?|things?|findings?|results?|questions?|options?|types?|kinds?|categories|parts?|topics?|summar\p{L}*|overview|` +
		`details?)[^\p{L}\p{N}]*$|\b(?:following|below|as follows|folgende\p{L}*|suivant\p{L}*|siguientes?)\b|^(?:here|these|das|dies|` +
		`hier|voici)\b|以下|如下|下面|[几两三四五六多](?:种|个|类|项|点|条)|(?:方面|步骤|特点)[^\p{L}]*$`)
	condition = lazyregexp.New(`(?i)^(?:if|when|to|in order|for|once|after|before|wenn|um|pour|para)\b`)
)

// introduces reports whether a sentence ends with a colon and only introduces what follows: what it says before its last clause is no
// fact, and it ends unfinished or names only the kind of what follows.
func introduces(text string) bool {
	const shortest = 3 // words
	text, colon := strings.CutSuffix(strings.Replace(text, "：", ":", -1), ":")
	if !colon || measured.MatchString(text) {
		return false
	}
	if at := strings.LastIndexAny(text, ",;，；—–"); at > 0 && !condition.MatchString(text) && statesFact(text[:at]) {
		return false
	}
	return len(strings.Fields(text)) <= shortest && wideLetters(text) < 8 || unfinished.MatchString(lastChars(text, 60)) ||
		announcing.MatchString(text) && !acting.MatchString(text) || !statesFact(text)
}

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
	openHeading = lazyregexp.New(`^(?:(?:open|unanswered|remaining) questions|offene fragen|questions ouvertes|preguntas abiertas|` +
		`未解决的问题|未解決の問題)$`)
	absenceHeading = lazyregexp.New(`^(?:limitations|limits|gaps) (?:of|in) (?:this|the|our|these) (?:report|text|answer|research|search|` +
		`sources)$|^what (?:is missing|could not be found|(?:i|we|the (?:sources|documents)) (?:could not|couldn['’]t|did not|` +
		`didn['’]t|do not|don['’]t) (?:find|say|tell|tell you))$|^was (?:ich|wir|die quellen) nicht |` +
		`^(?:本报告的局限性|未找到的信息|資料の限界|見つからなかった情報)$`)
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
