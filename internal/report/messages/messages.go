// Package messages translates the interface of the report and the page. Keys are the English texts.
package messages

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/citeloop/citeloop/internal/grounding/passages"
	"github.com/citeloop/citeloop/loopstate"
)

//go:embed messages.txt
var file string

// Languages returns the languages of the interface, the default first.
func Languages() []string { return []string{"en", "de", "fr", "es", "zh", "ja"} }

// Table translates into one language. The zero Table is English.
type Table struct {
	lang  string
	words map[string]string
}

// tables parses the file: blocks of a key and its translations, each after its language.
var tables = sync.OnceValue(func() map[string]Table {
	out := map[string]Table{}
	for _, lang := range Languages() {
		out[lang] = Table{lang, map[string]string{}}
	}
	key := ""
	for line := range strings.SplitSeq(file, "\n") {
		switch lang, text, _ := strings.Cut(line, "\t"); {
		case strings.HasPrefix(line, "#"):
		case line == "":
			key = ""
		case key == "":
			key = line
		default:
			out[lang].words[key] = text
		}
	}
	return out
})

// For returns the table of a language, or the English one.
func For(lang string) Table {
	if t, ok := tables()[lang]; ok {
		return t
	}
	return tables()["en"]
}

// LanguageOf returns the language of a text if the interface has it, or "".
func LanguageOf(text string) string {
	lang := loopstate.WrittenIn(text)
	if lang == "" {
		lang = passages.LanguageOf(text)
	}
	if slices.Contains(Languages(), lang) {
		return lang
	}
	return ""
}

// Lang returns the language of the table.
func (t Table) Lang() string {
	if t.lang == "" {
		return "en"
	}
	return t.lang
}

// T translates a text and formats it with its arguments. Text without a translation stays English.
func (t Table) T(key string, args ...any) string {
	text, ok := t.words[key]
	if !ok {
		text = key
	}
	if len(args) == 0 {
		return text
	}
	return fmt.Sprintf(text, args...)
}

// Count translates one for the count 1, and otherwise many, whose %s is the count.
func (t Table) Count(n int, number, one, many string) string {
	if n == 1 {
		return t.T(one)
	}
	return t.T(many, number)
}
