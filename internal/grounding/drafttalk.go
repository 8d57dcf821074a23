package grounding

import (
	_ "embed"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"
)

// A report written by a model that searches often carries its talk about the work: "Let me search for …",
// 让我搜索…. The patterns were written over the reports of such products; they look for the first person
// together with a verb of searching or of planning, so that "we need to cut emissions" stays a claim.

//go:embed talk.txt
var talkText string

// talkHead is how much of a sentence, in bytes, is looked at.
const talkHead = 400

// talkPattern is tried only where the text has one of the words: that is many times faster than the pattern.
type talkPattern struct {
	words   []string
	pattern *regexp.Regexp
}

func (t talkPattern) match(s string) bool {
	return slices.ContainsFunc(t.words, func(w string) bool { return strings.Contains(s, w) }) && t.pattern.MatchString(s)
}

// talkPatterns are the patterns of talk.txt by kind.
var talkPatterns = sync.OnceValue(func() map[string][]talkPattern {
	out := make(map[string][]talkPattern)
	var parts []string // of strings.NewReplacer: the kinds that other patterns name
	for line := range strings.Lines(talkText) {
		fields := strings.Split(strings.TrimRight(line, "\r\n"), "\t")
		if len(fields) != 3 {
			continue // a comment
		}
		kind, pattern := fields[0], strings.NewReplacer(parts...).Replace(fields[2])
		if strings.HasPrefix(kind, "<") {
			parts = append(parts, kind, pattern)
			continue
		}
		out[kind] = append(out[kind], talkPattern{strings.Split(fields[1], "|"), regexp.MustCompile(pattern)})
	}
	return out
})

// talks reports whether a pattern of a kind matches the beginning of a sentence.
func talks(kind, head string) bool {
	return slices.ContainsFunc(talkPatterns()[kind], func(t talkPattern) bool { return t.match(head) })
}

// talksOfSearch reports whether a sentence is the writer's talk about the work: what was or will be looked for.
func talksOfSearch(text string) bool {
	head := firstBytes(text, talkHead)
	return talks("search", head) || firstPerson(head) || talks("order", head) && !talks("noun", head)
}

// opensWithSearch reports the same of a sentence that cites something: it must open with such talk.
func opensWithSearch(text string) bool { return talks("opens", firstBytes(text, talkHead)) }

// talksOfText reports whether a sentence says what the text itself is about: no source can support that.
func talksOfText(text string) bool {
	head := firstBytes(text, talkHead)
	if talks("text", head) {
		return true
	}
	if strings.ContainsFunc(head, unicode.IsDigit) { // figures are somebody's, whatever the sentence is about
		return false
	}
	return talks("report", head) || talks("chinese report", head) && !talks("found", head)
}

// firstPerson reports whether somebody says I and means to do something, outside quotation marks.
func firstPerson(head string) bool {
	if !talks("plan", head) {
		return false
	}
	at := talkPatterns()["plan"][0].pattern.FindStringSubmatchIndex(head)
	before, behind := head[:at[2]], head[at[2]:]
	if strings.Count(before, "“") > strings.Count(before, "”") || strings.Count(before, "「") > strings.Count(before, "」") {
		return false
	}
	return strings.Count(before, `"`)%2 == 0 && strings.Count(behind, `"`)%2 == 0 && !(strings.Contains(behind, "”") && !strings.Contains(behind, "“"))
}
