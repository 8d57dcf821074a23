package sanitize

import (
	_ "embed"
	"regexp"
	"strings"
)

//go:embed phrases.txt
var phraseData string

// phrase is one way to address a model. A text is searched for its words first, which are cheap to find.
type phrase struct {
	kind    InjectionKind
	words   []string // with Latin letters in lower case
	pattern *regexp.Regexp
}

var phrases = parsePhrases(phraseData)

// parsePhrases reads phrases.txt, which describes its format.
func parsePhrases(data string) []phrase {
	var out []phrase
	model := ""
	for line := range strings.Lines(data) {
		line = strings.TrimRight(line, "\n")
		pattern, indented := strings.CutPrefix(line, "\t")
		kind, words, found := strings.Cut(line, ": ")
		switch name, isModel := strings.CutPrefix(line, "model = "); {
		case line == "" || strings.HasPrefix(line, "#"):
		case isModel:
			model = name
		case indented:
			out[len(out)-1].pattern = compilePhrase(strings.ReplaceAll(pattern, "{model}", model))
		case found:
			out = append(out, phrase{kind: InjectionKind(kind), words: strings.Split(words, ";")})
		}
	}
	return out
}

func compilePhrase(pattern string) *regexp.Regexp {
	pattern = strings.ReplaceAll(pattern, " ?", `\s*`)
	pattern = strings.ReplaceAll(pattern, " ", `\s+`)
	pattern = strings.ReplaceAll(pattern, "…", `[^.!?。！？\n]{0,40}?`)
	return regexp.MustCompile(`(?im)` + pattern)
}
