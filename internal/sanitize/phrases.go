package sanitize

import (
	_ "embed"
	"regexp"
	"strings"
	"sync"
)

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
