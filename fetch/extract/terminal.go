package extract

import (
	"strings"

	"github.com/citeloop/citeloop/internal/lazyregexp"
)

var (
	// colours are the codes by which programs colour what they write to a terminal.
	colours = lazyregexp.New(`\x1b\[[\d;]*m`)
	// struckOver are letters that others are printed over, as pages of manuals have bold and underlined words: N, a backspace, N.
	struckOver = lazyregexp.New(`(?:[^\n\x08]\x08)+[^\n\x08]`)
	// separators are the signs between files, groups, records and units.
	separators = strings.NewReplacer("\x1c", " ", "\x1d", " ", "\x1e", " ", "\x1f", " ")
)

// asShown is a text as a terminal or a printer shows it.
func asShown(text string) string {
	text = separators.Replace(colours.ReplaceAllString(text, ""))
	return struckOver.ReplaceAllStringFunc(text, func(printed string) string {
		letters := strings.Split(printed, "\b")
		for last := len(letters) - 1; last > 0; last-- {
			if letters[last] != "_" {
				return letters[last]
			}
		}
		return letters[0]
	})
}
