package query

import (
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/citeloop/citeloop/internal/lazyregexp"
)

// "We could not find X" is honest but not an answer. Counted as coverage, it would make a loop stop without results.

// absencePatterns match sentences stating that something was not found or is not known, in English and in Chinese.
var absencePatterns = []*lazyregexp.Regexp{
	lazyregexp.New(`(?i)\b(could(n'?t| not)|can(no|')t|unable to|fail(ed|s)? to|did(n'?t| not)|was not able to) (be )?(find|found|` +
		`locate|located|determine[d]?|verif(y|ied)|retrieve[d]?|access(ed)?|identif(y|ied)|confirm(ed)?|establish(ed)?)\b|` +
		`\bno (\w+ )?(information|data|results?|evidence|sources?|records?|details?|figures?|reports?) (\w+ )?(is|are|was|were|` +
		`were found|available|found|exists?|on|about|for)\b|\b(not|un)known\b|\b(remains?|is|are) (unclear|unknown|unverified|` +
		`undisclosed)\b|\bnot (publicly )?(available|disclosed|documented)\b|\bwe (do not|don'?t) know\b`),
	lazyregexp.New(`(没有|未能|未|无法|無法|沒有|找不到|查不到)(被)?(找到|发现任何|查到|获取|获得|` +
		`检索到|确认|核实|得到|取得|查明|披露|公开|尋找到|取得)|(没有|无|暂无|尚无|沒有)(相关|任何|` +
		`公开|相關|` +
		`可用)?(的)?(信息|数据|资料|结果|证据|记录|資訊|數據|資料)|找不到|尚不清楚|不得而知|未知`),
}

// noInformation are phrases of search results or tools without content.
var noInformation = []string{
	"unfortunately, i cannot access", "unable to retrieve", "network connection error", "i couldn't find", "no information available",
	"no results found",
	"不幸的是，我无法访问", "无法连接到", "网络连接错误", "没有找到相关", "未找到",
}

// maxNoInformationChars is the maximum length of such a result; a longer text has other content as well.
const maxNoInformationChars = 300

// NoInformation reports whether a hit only states that nothing was found: its title is such a phrase, or its snippet starts
// with one, after at most two words ("Sorry, …", "The tool was …"). A page about network errors has content.
func NoInformation(title, snippet string) bool {
	return onlySaysNo(title, maxNoInformationTitle, 0) || onlySaysNo(snippet, maxNoInformationChars, maxBeforePhrase)
}

const (
	// maxNoInformationTitle is the maximum length of such a title; a longer one has its own subject.
	maxNoInformationTitle = 40
	// maxBeforePhrase is how many bytes may precede the phrase in a snippet.
	maxBeforePhrase = 16
)

func onlySaysNo(text string, limit, before int) bool {
	if utf8.RuneCountInString(text) > limit {
		return false
	}
	low := strings.TrimSpace(strings.ToLower(norm.NFKC.String(text)))
	return slices.ContainsFunc(noInformation, func(phrase string) bool {
		i := strings.Index(low, norm.NFKC.String(phrase))
		return i >= 0 && i <= before
	})
}

func admits(sentence string) bool {
	return slices.ContainsFunc(absencePatterns, func(p *lazyregexp.Regexp) bool { return p.MatchString(sentence) })
}

// Absences returns the share of the sentences of a text that admit absence.
func Absences(text string) float64 {
	all, admitted := 0, 0
	for sentence := range strings.FieldsFuncSeq(text, func(r rune) bool { return strings.ContainsRune(".!?。！？\n", r) }) {
		sentence = strings.TrimSpace(sentence)
		if utf8.RuneCountInString(sentence) < 6 { // numbering, abbreviations
			continue
		}
		if all++; admits(sentence) {
			admitted++
		}
	}
	return float64(admitted) / float64(max(1, all))
}
