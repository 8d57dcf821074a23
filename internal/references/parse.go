package references

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"

	"github.com/citeloop/citeloop/internal/lazyregexp"
)

// Formats of a list, by the endings of files.
const (
	BibTeX  = "bib"
	RIS     = "ris"
	CSLJSON = "json"
	Text    = "" // plain or Markdown
)

// ErrNone reports a text without an entry of a reference list.
var ErrNone = errors.New("no reference list found")

// Parse reads a list. Damaged entries are problems; the others are read all the same. The error is about the file as a whole.
// A format that is not one of the above is read as text.
func Parse(format, text string) ([]Entry, []Problem, error) {
	text = strings.TrimPrefix(text, "\uFEFF")
	if !utf8.ValidString(text) { // reference managers wrote Latin-1
		text, _ = charmap.Windows1252.NewDecoder().String(text)
	}
	var entries []Entry
	var problems []Problem
	var err error
	switch format {
	case BibTeX:
		entries, problems = parseBibTeX(text)
	case RIS:
		entries = parseRIS(text)
	case CSLJSON:
		entries, err = parseCSL(text)
	default:
		entries = parseText(text)
	}
	if len(entries) > maxEntries {
		problems = append(problems, Problem{entries[maxEntries].Line, fmt.Sprintf("the entries after the first %d are left out",
			maxEntries)})
		entries = entries[:maxEntries]
	}
	for i := range entries {
		entries[i].Key = cmp.Or(entries[i].Key, strconv.Itoa(i+1))
	}
	if err == nil && len(entries) == 0 {
		if err = ErrNone; len(problems) > 0 {
			err = fmt.Errorf("no complete reference found: %s", problems[0])
		}
	}
	return entries, problems, err
}

var (
	bibTeXEntry = lazyregexp.New(`(?m)^\s*@\w+\s*[{(]`)
	risEntry    = lazyregexp.New(`(?m)^\s*TY  ?- `)
)

// FormatIn returns the format of a list by its text.
func FormatIn(text string) string {
	text = strings.TrimSpace(strings.TrimPrefix(text, "\uFEFF"))
	switch {
	case (strings.HasPrefix(text, "[") || strings.HasPrefix(text, "{")) && json.Valid([]byte(text)):
		return CSLJSON
	case risEntry.MatchString(text):
		return RIS
	case bibTeXEntry.MatchString(text):
		return BibTeX
	}
	return Text
}
