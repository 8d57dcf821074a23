package grounding

import (
	"slices"
	"strings"
	"unicode"

	"github.com/citeloop/citeloop/internal/lazyregexp"
)

// A report written by a model that searches often carries its talk about the work: "Let me search for …",
// 让我搜索…. The patterns were written over the reports of such products; they look for the first person
// together with a verb of searching or of planning, so that "we need to cut emissions" stays a claim.

// talkHead is how much of a sentence, in bytes, is looked at.
const talkHead = 400

// talkPattern is tried only where the text has one of the words: that is many times faster than the pattern.
type talkPattern struct {
	words   []string
	pattern *lazyregexp.Regexp
}

func (t talkPattern) match(s string) bool {
	return slices.ContainsFunc(t.words, func(w string) bool { return strings.Contains(s, w) }) && t.pattern.MatchString(s)
}

// searchTalk is talk about the search wherever it is in a sentence; firstPerson and chineseOrder need a closer look.
var searchTalk = []talkPattern{
	{[]string{"et me", "et's", "et’s", "et us", "llow me"}, letMe},
	{[]string{"we", "We"}, weSearch},
	{[]string{"earch", "look", "Look", "ind", "ather"}, searchOrder},
	{[]string{"results", "needed", "required"}, poorResults},
	{[]string{"让", "讓", "容我"}, chineseLetMe},
	{[]string{"我"}, chineseFirstPerson},
	{[]string{"我们"}, chineseWe},
	{[]string{"您"}, chineseForYou},
	{[]string{"搜索", "检索", "查询"}, chinesePoorResults},
	{[]string{"，我", "，现在", "，下面", "，以下", "，将", "，为您", "，接下来", ",我"}, chineseBasedOn},
}

// talksOfSearch reports whether a sentence is the writer's talk about the work: what was or will be looked for.
func talksOfSearch(text string) bool {
	head := firstBytes(text, talkHead)
	return slices.ContainsFunc(searchTalk, func(t talkPattern) bool { return t.match(head) }) || firstPerson(head) ||
		strings.ContainsAny(head, "搜检查寻收") && chineseOrder.MatchString(head) && !searchNoun.MatchString(head)
}

// opensWithSearch reports the same of a sentence that cites something: it must open with such talk.
func opensWithSearch(text string) bool {
	return opensTalk.MatchString(firstBytes(text, talkHead))
}

// talksOfText reports whether a sentence says what the text itself is about: no source can support that.
func talksOfText(text string) bool {
	head := firstBytes(text, talkHead)
	if hereIs.MatchString(head) || chineseBelow.MatchString(head) {
		return true
	}
	if strings.ContainsFunc(head, unicode.IsDigit) { // figures are somebody's, whatever the sentence is about
		return false
	}
	return thisReport.MatchString(head) || chineseReport.MatchString(head) && !chineseFound.MatchString(head)
}

const (
	englishWork = `(?:search|look|research|find|gather|get|explor|investigat|check|examin|quer|continu|begin|start|conduct|analy[sz]|review|provid|creat|writ|compil|synthesi|summari|develop|prepar|present|study|collect|locat|verify|dig|read|fetch|obtain|cover|discuss|delve|dive|focus|organi[sz]|refine|try|tak|see|understand|know|learn|work|do|go|move|turn|proceed|put|draft|outlin|structur|break|walk|address|compar|assess|evaluat|identif|confirm|retriev|access|browse|us|consult|need)\w*`
	adverbs     = `(?:(?:now|next|first|then|finally|lastly|also|still|therefore|so|okay|ok|great|good|perfect|alright|sure|however|additionally|furthermore|currently|here|today|just|only|further|quickly|briefly|once|again|yet|and|but)[,:]? )*`
)

var (
	letMe = lazyregexp.New(`(?i)(?:^|[.,;:—–(] ?)` + adverbs + `(?:let me|allow me to|let(?:'s|’s| us) (?:[\w,-]+ ){0,3}?` + englishWork + `)\b|\blet me (?:[\w,-]+ ){0,3}?` + englishWork + `\b`)

	// The word before "I" keeps World War I and Phase I out.
	firstPersonPlan = lazyregexp.New(`(?:^|[^\s\pL]\s?|\b(?:[a-z]+|Now|Next|First|Then|Finally|Here|So|But|And|While|As|If|Since|Before|After|Because|What|That|Unfortunately) )(I)(?:['’](?:ll|ve|d like|m (?:going|now|looking|searching|unable|not able|sorry|trying))|` +
		` (?:` + `(?:also|now|still|first|then|next|just|only|further|quickly|briefly|actually|really|currently) )*(?:will|need|want to|would like|should|shall|must|have to|have (?:now |also )?(?:found|gathered|collected|researched|searched|reviewed|identified|enough|a (?:good|clear|better|comprehensive)|sufficient|the)|am (?:going|now|looking|searching|unable|not able)|can now|could not find|couldn['’]t find|can['’]t|cannot|plan to|intend to|found|searched|looked|gathered|collected|reviewed|did not find|didn['’]t find|don['’]t have|do not have))\b`)

	weSearch = lazyregexp.New(`(?i)(?:^|[.,;:—–(] ?|\b(?:section|report|article|paper|chapter|part|analysis|guide|overview|here)s?,? )` + adverbs + `we(?:['’]ll| will| shall| now| need to| should| must| have to|['’]re going to| are going to| want to)(?: (?:also|now|first|then|next|still|further))* (?:search|look (?:at|for|into|up)|research|gather|explore|investigate|examine|delve|dive|dig|begin|start|conduct|review|discuss|summari[sz]e|outline|present|turn to|cover|focus on)\b`)

	searchOrder = lazyregexp.New(`(?i)^` + adverbs + `(?:(?:continue|keep|start|begin) (?:search|look|gather|research)ing\b|search (?:for|the web|online|more)\b|search(?:ing)? (?:for )?(?:more|additional|further|the web)\b|look(?:ing)? (?:up|for) (?:more|additional|further|recent|information)\b|find(?:ing)? (?:more|additional|further) (?:\w+ )?(?:information|data|details|sources)\b|gather(?:ing)? (?:more|additional|further|the latest)\b)`)

	poorResults = lazyregexp.New(`(?i)\b(?:search|query) results? (?:\w+ ){0,3}?(?:do not|don['’]t|does not|doesn['’]t|did not|didn['’]t|lack|are (?:not|too|limited|insufficient)|were (?:not|too|limited|insufficient))\b|\b(?:more|additional|further) (?:\w+ )?(?:information|data|details|research|searching) (?:is|are) (?:still )?(?:needed|required) (?:to|for|on|about)\b.*\b(?:this|the|my) (?:report|analysis|search|answer)\b`)

	opensTalk = lazyregexp.New(`(?i)^` + adverbs + `(?:let me|let(?:'s|’s| us) (?:search|look|find|research|gather|explore)|i(?:['’]ll| will| need to| should| am going to|['’]m going to|['’]d like to| want to| have to) (?:\w+ ){0,3}?(?:search|look|research|find|gather|explore|investigate))\b|^(?:现在|接下来|首先|最后|然后|下面|[，,])*(?:让我|我(?:们)?(?:还|也|再|先|将|会|需要|想|要|应该|可以|继续|来)+[^。，]{0,20}(?:搜索|查找|检索|查询|搜集|查阅))`)

	hereIs     = lazyregexp.New(`(?i)^` + adverbs + `(?:(?:here|below|following) (?:is|are) (?:the|my|a|an|your)\b.{0,80}\b(?:report|analysis|summary|overview|paper|study|review|guide|notes|answer|findings)\b)`)
	thisReport = lazyregexp.New(`(?i)^(?:(?:by|through|in|with|based on|drawing on) [^,]{1,160}, )?(?:(?:this|the present|our) (?:[\w-]+ ){0,4}?(?:report|paper|article|analysis|study|review|document|overview|section|chapter|guide|essay|survey|summary|brief|notes?|research|investigation)s?(?: paper| report)? ` +
		`(?:also |will |then |further |first |thus |therefore |aims? to |seeks? to |attempts? to |is (?:designed|intended|meant) to |has |have |and )*(?:examin|explor|provid|analy[sz]|aim|seek|attempt|present|synthesi[sz]|investigat|review|discuss|cover|outlin|summari[sz]|address|assess|evaluat|describ|compar|look|offer|identif|conclud|focus|delv|introduc|is (?:structured|organi[sz]ed|divided|based)|is (?:designed|intended|meant)|was (?:compiled|prepared)|draw)\w*\b|the (?:report|paper|article|analysis) (?:concludes with|ends with|closes with|begins with|is (?:structured|organi[sz]ed|divided))\b)`)
)

// firstPerson reports whether somebody says I and means to do something, outside quotation marks.
func firstPerson(head string) bool {
	if !strings.Contains(head, "I ") && !strings.Contains(head, "I'") && !strings.Contains(head, "I’") {
		return false
	}
	at := firstPersonPlan.FindStringSubmatchIndex(head)
	if at == nil {
		return false
	}
	before, behind := head[:at[2]], head[at[2]:]
	if strings.Count(before, "“") > strings.Count(before, "”") || strings.Count(before, "「") > strings.Count(before, "」") {
		return false
	}
	return strings.Count(before, `"`)%2 == 0 && strings.Count(behind, `"`)%2 == 0 && !(strings.Contains(behind, "”") && !strings.Contains(behind, "“"))
}

const (
	chineseSoon   = `(?:现在|接下来|首先|最后|然后|另外|此外|同时|下面|下一步|好的|目前|那么|再|先|请|并|也)*[，,]?`
	chineseSearch = `(?:搜索|查找|检索|查询|搜集|调研|查阅|查看|寻找|收集|获取|搜寻|查一下|找到更多)`
)

var (
	chineseLetMe       = lazyregexp.New(`(?:^|[，,。；;：:！!\s])` + chineseSoon + `(?:让我们?|請讓我|讓我們?|容我)`)
	chineseFirstPerson = lazyregexp.New(`(?:^|[，,。；;：:\s]|现在|最后|首先|接下来|然后|同时|下面|目前|但|但是|因此|所以)我(?:将|會|会|需要|需|想|要|先|来|再|还需|还要|还会|还想|还将|也|得|看到|找到|发现|了解到|注意到|现在|已|已经|继续|尝试|试图|打算|计划|准备|可以(?:为|给|看到|继续|开始)|无法(?:找到|获取|搜索)|没有找到|未能|应该|必须|進行|进行|整理|收集|搜索|查找)`)
	chineseWe          = lazyregexp.New(`(?:^|[，,。；;：:\s])` + chineseSoon + `我们(?:将|会|需要|先|来|再|还需|还要|接下来|首先|现在|可以先|继续)[^。，,]{0,16}(?:` + chineseSearch + `|了解|探讨|分析|介绍|讨论|看看|看一下|梳理|总结|考察|关注以下)`)
	chineseForYou      = lazyregexp.New(`(?:^|[，,。；;：:、]|将|現在|现在|我|来|先|再|并|要|下面|接下来)(?:为|為|给|向)您(?:全面|详细|深入|系统|更好地|进行|更)*(?:提供|制定|撰写|分析|调研|研究|总结|整理|介绍|编写|解答|梳理|搜索|查找|呈现|准备|生成|回答|带来|评估|解读|设计)|(?:回答|针对|关于)您(?:的|提出的?)`)
	chineseOrder       = lazyregexp.New(`^` + chineseSoon + `(?:继续|进一步|深入|还|仍|需要?|再|更|多|尝试|进行|具体|一些|一下|最后一次|更多)*(?:搜索|查找|检索|查询|搜集|寻找|查阅|收集)|(?:需要|还需要?|仍需要?)(?:再|进一步|继续|更|先|多)*(?:搜索|查找|检索|查询|搜集|查阅)`)
	searchNoun         = lazyregexp.New(`^[^，。]{0,12}(?:搜索|检索|查询|搜集|收集|查找)(?:引擎|量|功能|服务|算法|技术|系统|框|页|广告|流量|指数|热度|行为|需求|能力|工具|平台|市场|者)`)
	chinesePoorResults = lazyregexp.New(`(?:搜索|检索|查询)(?:到的|所得)?(?:结果|信息|资料|内容)[^，。]{0,16}(?:没有|未能|未|不够|不足|缺乏|有限|不多|较少)`)
	chineseBasedOn     = lazyregexp.New(`^(?:现在)?(?:基于|根据|通过|综合|结合|经过)[^，。]{0,30}(?:搜索|检索|收集|搜集|查找|获取|调研|整理)[^，。]{0,12}[，,](?:现在|下面|以下|将为|将对|将从|为您|接下来|我)`)

	chineseReport = lazyregexp.New(`^(?:因此|为此|在此基础上|通过[^，。]{1,60}|基于[^，。]{1,60}|[，,])*(?:本(?:研究)?(?:报告|报|文|论文|文章|研究|章|节|部分|综述|分析|调研|调查|指南|方案|篇|项目)|这份(?:报告|调研|研究|分析))[^，。]{0,30}?(?:将|旨在|拟|试图|致力于|从[^。]{1,60}(?:角度|维度|方面|层面|视角)|(?:全面|深入|系统|综合|重点|主要|详细|首先|分别)(?:地|性)?(?:探讨|梳理|介绍|分析|评估|总结|考察|概述|研究|阐述|调研|剖析)|探讨了?|梳理了?|围绕|聚焦|适用于|遵循)`)
	chineseFound  = lazyregexp.New(`显示|表明|发现|认为|指出|揭示|证明|证实`)
	chineseBelow  = lazyregexp.New(`^(?:下面|以下|下文|接下来)(?:将|是|为|我|，|就|从|对|分别)`)
)
