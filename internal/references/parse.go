package references

import (
	"cmp"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"

	"github.com/citeloop/citeloop/internal/lazyregexp"
)

// Formats of a list.
const (
	BibTeX  = "bibtex"
	RIS     = "ris"
	CSLJSON = "csl-json"
	Text    = "text" // plain or Markdown
)

// Parse reads a list. Damaged entries are problems; the others are read all the same. The error is about the file as a whole:
// an [*EmptyError] if it has no entry.
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
		err = &EmptyError{problems}
	}
	return entries, problems, err
}

// EmptyError reports a file without an entry of a reference list, and what is wrong with damaged ones.
type EmptyError struct{ Problems []Problem }

func (e *EmptyError) Error() string {
	if len(e.Problems) == 0 {
		return "no reference list found"
	}
	return fmt.Sprintf("no complete reference found: %s", e.Problems[0])
}

// FormatOf returns the format of a file by its name: .bib, .ris, .json, and otherwise text.
func FormatOf(name string) string {
	at := strings.LastIndexByte(name, '.')
	switch strings.ToLower(name[at+1:]) {
	case "bib", "bibtex":
		return BibTeX
	case "ris":
		return RIS
	case "json", "csl":
		return CSLJSON
	}
	return Text
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
