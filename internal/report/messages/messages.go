// Package messages translates the interface of the report and the page. Keys are the English texts.
package messages

import (
	_ "embed"
	"slices"
	"sync"

	textwords "github.com/citeloop/citeloop/internal/text/words"
	"github.com/citeloop/citeloop/internal/translations"
)

var (
	//go:embed messages.txt
	shared string
	//go:embed page.txt
	page string
)

// Languages returns the languages of the interface, the default first.
func Languages() []string { return []string{"en", "de", "fr", "es", "zh", "ja"} }

// Table translates into one language. The zero Table is English.
type Table = translations.Table

var tables = sync.OnceValue(func() map[string]Table { return translations.Parse(shared + "\n" + page) })

// For returns the table of a language, or the English one.
func For(lang string) Table { return tables()[lang] }

// LanguageOf returns the language of a text if the interface has it, or "".
func LanguageOf(text string) string {
	lang := textwords.Script(text)
	if lang == "" {
		lang = textwords.Language(text)
	}
	if slices.Contains(Languages(), lang) {
		return lang
	}
	return ""
}
