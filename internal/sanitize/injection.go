package sanitize

import (
	"cmp"
	_ "embed"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"
)

// InjectionKind is the purpose of a phrase that addresses a model.
type InjectionKind string

// The kinds of injections.
const (
	Override InjectionKind = "override" // overrides the model's instructions, or asks for them
	Persona  InjectionKind = "persona"  // gives the model a role, or duties of a role
	Secrecy  InjectionKind = "secrecy"  // asks to hide something from the user
	Action   InjectionKind = "action"   // asks to call a tool, to send data out, or for a judgement
	Markup   InjectionKind = "markup"   // tags and role headers of a chat
)

// InjectionFlag is the flag of a source or claim with an injection in its text.
const InjectionFlag = "addresses_the_model"

// Injection is a phrase that addresses a model. Start and End count Unicode code points of the text, half open.
type Injection struct {
	Kind       InjectionKind
	Start, End int
}

const (
	// maxInjections bounds the list for one text.
	maxInjections = 100
	// reach is how far a phrase may extend from its word, in bytes: the longest pattern has 200 characters.
	reach = 300
	// maxLooked bounds how much of a text is compared with one pattern, in bytes. So a text full of these words takes a
	// second, not minutes.
	maxLooked = 1 << 20
)

// FindInjections lists the phrases of a text that address a model, in order. Of two that overlap, it keeps the first,
// then the longer one.
func FindInjections(text string) []Injection {
	lower := lowered(text)
	var found []Injection
	for _, p := range phrases() {
		for _, r := range p.regions(lower) {
			for _, m := range p.pattern().FindAllStringIndex(text[r[0]:r[1]], maxInjections) {
				found = append(found, Injection{p.kind, r[0] + m[0], r[0] + m[1]})
			}
		}
	}
	slices.SortFunc(found, func(a, b Injection) int {
		return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(b.End, a.End), strings.Compare(string(a.Kind), string(b.Kind)))
	})
	kept := found[:0]
	for _, p := range found {
		if n := len(kept); n == 0 || p.Start >= kept[n-1].End {
			kept = append(kept, p)
		}
	}
	kept = kept[:min(len(kept), maxInjections)]
	inCodePoints(text, kept)
	return kept
}

// lowered returns text with A to Z in lower case and the same byte length.
func lowered(text string) string {
	b := []byte(text)
	for i, c := range b {
		if 'A' <= c && c <= 'Z' {
			b[i] = c + 'a' - 'A'
		}
	}
	return string(b)
}

// inCodePoints converts ascending byte offsets to code points.
func inCodePoints(text string, places []Injection) {
	at, chars := 0, 0
	to := func(b int) int {
		chars += utf8.RuneCountInString(text[at:b])
		at = b
		return chars
	}
	for i := range places {
		places[i].Start, places[i].End = to(places[i].Start), to(places[i].End)
	}
}

// regions returns the merged byte ranges around the words of a phrase.
func (p phrase) regions(lower string) [][2]int {
	var at []int
	for _, word := range p.words {
		for from := 0; ; {
			i := strings.Index(lower[from:], word)
			if i < 0 {
				break
			}
			at = append(at, from+i)
			from += i + len(word)
		}
	}
	slices.Sort(at)
	var merged [][2]int
	looked := 0
	for _, i := range at {
		start, end := max(0, i-reach), min(len(lower), i+reach)
		for start > 0 && !utf8.RuneStart(lower[start]) {
			start--
		}
		for end < len(lower) && !utf8.RuneStart(lower[end]) {
			end++
		}
		if n := len(merged); n > 0 && start <= merged[n-1][1] {
			start = merged[n-1][1]
			merged[n-1][1] = max(merged[n-1][1], end)
		} else {
			merged = append(merged, [2]int{start, end})
		}
		if looked += max(0, end-start); looked > maxLooked {
			break
		}
	}
	return merged
}

// InjectionFlags returns flags such as "addresses_the_model: override 120-161" for a source. It names at most n
// injections and does not repeat their untrusted words.
func InjectionFlags(places []Injection, n int) []string {
	var flags []string
	for i, p := range places {
		if i == n {
			return append(flags, fmt.Sprintf("%s: %d more places", InjectionFlag, len(places)-n))
		}
		flags = append(flags, fmt.Sprintf("%s: %s %d-%d", InjectionFlag, p.Kind, p.Start, p.End))
	}
	return flags
}

// touch is the largest gap between neighbours, in code points: the break between two paragraphs.
const touch = 3

// InjectionsAt lists the injections that text[start:end], in code points, contains or touches.
func InjectionsAt(text string, start, end int) []Injection {
	if start < 0 || end <= start {
		return nil
	}
	first := max(0, start-reach)
	from := bytesOf(text, first)
	to := from + bytesOf(text[from:], end-first+reach)
	var out []Injection
	for _, p := range FindInjections(text[from:to]) {
		p.Start, p.End = p.Start+first, p.End+first
		if p.Start < end+touch && start < p.End+touch {
			out = append(out, p)
		}
	}
	return out
}

// bytesOf returns the length in bytes of the first chars code points of text.
func bytesOf(text string, chars int) int {
	for i := range text {
		if chars == 0 {
			return i
		}
		chars--
	}
	return len(text)
}

//go:embed phrases.txt
var phraseData string

// phrase is one way to address a model. A text is searched for its words first, which are cheap to find.
type phrase struct {
	kind    InjectionKind
	words   []string // with Latin letters in lower case
	pattern func() *regexp.Regexp
}

var phrases = sync.OnceValue(func() []phrase { return parsePhrases(phraseData) })

// parsePhrases reads phrases.txt, which describes its format.
func parsePhrases(data string) []phrase {
	var out []phrase
	names := strings.NewReplacer()
	var lists []string
	for line := range strings.Lines(data) {
		line = strings.TrimRight(line, "\n")
		pattern, indented := strings.CutPrefix(line, "\t")
		kind, words, found := strings.Cut(line, ": ")
		switch name, list, isList := strings.Cut(line, " = "); {
		case line == "" || strings.HasPrefix(line, "#"):
		case indented:
			out[len(out)-1].pattern = compilePhrase(names.Replace(pattern))
		case isList:
			lists = append(lists, "{"+name+"}", list)
			names = strings.NewReplacer(lists...)
		case found:
			out = append(out, phrase{kind: InjectionKind(kind), words: strings.Split(words, ";")})
		}
	}
	return out
}

// compilePhrase compiles on the first call: few texts have the words of any phrase.
func compilePhrase(pattern string) func() *regexp.Regexp {
	pattern = strings.ReplaceAll(pattern, " ?", `\s*`)
	pattern = strings.ReplaceAll(pattern, " ", `\s+`)
	pattern = strings.ReplaceAll(pattern, "…", `[^.!?。！？\n]{0,40}?`)
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?im)` + pattern) })
}
