// Package translations reads files of translated texts.
package translations

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Table translates English texts into one language. The zero Table is English.
type Table struct {
	lang  string
	texts map[string]string // by the English text
}

// Parse returns the tables of a file by language. The file has blocks of lines, separated by empty lines: the English text,
// and its translations, each after its language and a tab. Lines that start with "#" are comments.
func Parse(file string) map[string]Table {
	tables := map[string]Table{}
	key := ""
	for line := range strings.SplitSeq(file, "\n") {
		switch lang, text, _ := strings.Cut(line, "\t"); {
		case strings.HasPrefix(line, "#"):
		case line == "":
			key = ""
		case key == "":
			key = line
		default:
			if _, ok := tables[lang]; !ok {
				tables[lang] = Table{lang, map[string]string{}}
			}
			tables[lang].texts[key] = text
		}
	}
	return tables
}

// Lang returns the language of the table.
func (t Table) Lang() string {
	if t.lang == "" {
		return "en"
	}
	return t.lang
}

// Has reports whether the table translates a text.
func (t Table) Has(key string) bool { _, ok := t.texts[key]; return ok }

// Keys returns the texts that the table translates, sorted.
func (t Table) Keys() []string { return slices.Sorted(maps.Keys(t.texts)) }

// T translates a text and formats it with its arguments. A text without a translation stays English.
func (t Table) T(key string, args ...any) string {
	text, ok := t.texts[key]
	if !ok {
		text = key
	}
	if len(args) == 0 {
		return text
	}
	return fmt.Sprintf(text, args...)
}

// Count translates one for the count 1, and otherwise many, whose %s is the formatted count.
func (t Table) Count(n int, number, one, many string) string {
	if n == 1 {
		return t.T(one)
	}
	return t.T(many, number)
}
