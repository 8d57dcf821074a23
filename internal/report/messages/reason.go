package messages

import (
	"cmp"
	_ "embed"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/citeloop/citeloop/internal/translations"
)

//go:embed reasons.txt
var reasonFile string

// Reasons, the explanations of flags and decisions are stored as English text: logs, tools and JSON have them so. Reason
// finds the format behind such a text, which is a key of reasons.txt, and writes it in another language.

// maxReasonBytes bounds the text that is compared with the formats; a decision has up to 1,500 bytes.
const maxReasonBytes = 4_000

// reasonFormat is a key of the table as an expression whose groups are the arguments.
type reasonFormat struct {
	key           string
	exact, prefix *regexp.Regexp
}

var (
	reasonTables = sync.OnceValue(func() map[string]Table { return translations.Parse(reasonFile) })
	// verb is a verb of package fmt, with the number of its argument.
	verb = regexp.MustCompile(`%(\[\d+\])?(?:\.\d)?[dsqf]`)
	// reasonFormats are the keys, those with the most words first.
	reasonFormats = sync.OnceValue(func() []reasonFormat {
		var out []reasonFormat
		for _, key := range reasonTables()["de"].Keys() {
			pattern, at := "", 0
			for _, v := range verb.FindAllStringIndex(key, -1) {
				group := `(.+?)`
				switch key[v[1]-1] {
				case 'd':
					group = `(\d+)`
				case 'f':
					group = `(\d+\.\d\d)`
				case 'q':
					group = `("(?:[^"\\]|\\.)*")`
				}
				pattern += regexp.QuoteMeta(strings.ReplaceAll(key[at:v[0]], "%%", "%")) + group
				at = v[1]
			}
			pattern += regexp.QuoteMeta(strings.ReplaceAll(key[at:], "%%", "%"))
			out = append(out, reasonFormat{key, regexp.MustCompile(`^(?s:` + pattern + `)$`), regexp.MustCompile(`^(?s:` + pattern + `)(?:$|[ :])`)})
		}
		slices.SortStableFunc(out, func(a, b reasonFormat) int { return cmp.Compare(words(b.key), words(a.key)) })
		return out
	})
)

// words returns the length of a format without its verbs.
func words(key string) int { return len(verb.ReplaceAllString(key, "")) }

// Reason translates a text that citeloop formatted: one format, or several sentences. Arguments, such as words of sources,
// stay as they are. A text with a part of unknown format is returned unchanged.
func Reason(m Table, text string) string {
	table, ok := reasonTables()[m.Lang()]
	if !ok || len(text) > maxReasonBytes {
		return text
	}
	if out, ok := translated(table, text); ok {
		return out
	}
	if whole, ok := strings.CutSuffix(text, "."); ok { // a sentence of words that begin in lower case
		if out, ok := translated(table, recased(whole, unicode.ToLower)); ok {
			return recased(out, unicode.ToUpper) + m.T(".")
		}
	}
	var parts []string
	for rest := text; rest != ""; {
		part, left, ok := first(table, rest)
		if !ok {
			return text
		}
		parts, rest = append(parts, part), left
	}
	space := " "
	if m.Lang() == "zh" || m.Lang() == "ja" {
		space = ""
	}
	return strings.Join(parts, space)
}

// translated translates a text that has one format.
func translated(table Table, text string) (string, bool) {
	for _, f := range reasonFormats() {
		if m := f.exact.FindStringSubmatch(text); m != nil {
			return fill(table, f.key, m[1:]), true
		}
	}
	return "", false
}

// first translates the first sentence of a text.
func first(table Table, text string) (part, rest string, ok bool) {
	for _, f := range reasonFormats() {
		m := f.prefix.FindStringSubmatchIndex(text)
		if m == nil {
			continue
		}
		args := make([]string, 0, len(m)/2)
		for i := 2; i < len(m); i += 2 {
			args = append(args, text[m[i]:m[i+1]])
		}
		part = fill(table, f.key, args)
		end := m[1]
		if end < len(text) || strings.HasSuffix(text[:end], ":") {
			end = m[1] - 1
		}
		if strings.HasSuffix(strings.TrimRight(text[:end], " "), ".") {
			return part, strings.TrimLeft(text[end:], " "), true
		}
	}
	return "", "", false
}

// sameQuantity is the format whose arguments are words of sources.
const sameQuantity = "%s says %s and %s says %s of the same; resolve it, or record it as a contradiction with the reason why it stays open"

// fill writes a format with arguments. An argument that is a count with its noun is translated too.
func fill(table Table, key string, args []string) string {
	var values []any
	for i, v := range verb.FindAllString(key, -1) {
		arg := args[i]
		if v == "%s" && key != sameQuantity && len(arg) < 60 {
			if out, ok := countedList(table, arg); ok {
				arg = out
			} else if strings.HasPrefix(key, "searched ") {
				arg = outcomes(table, arg)
			}
		}
		values = append(values, arg)
	}
	return fmt.Sprintf(verb.ReplaceAllString(table.T(key), "%${1}s"), values...)
}

// outcome matches a count of searches with one result: "2 rate_limited".
var outcome = regexp.MustCompile(`(\d+) ([a-z_]+)`)

// outcomes translates the results of searches.
func outcomes(table Table, arg string) string {
	return outcome.ReplaceAllStringFunc(arg, func(one string) string {
		n, status, _ := strings.Cut(one, " ")
		return n + " " + For(table.Lang()).T(strings.ReplaceAll(status, "_", " "))
	})
}

// countFormat matches the keys that are counts.
var countFormat = regexp.MustCompile(`^(?:(?:made |found )?(?:1|%d) [a-z ]+)$`)

// countedList translates counts that commas separate.
func countedList(table Table, arg string) (string, bool) {
	counts := strings.Split(arg, ", ")
	for i := range counts {
		out, ok := counted(table, counts[i])
		if !ok {
			return "", false
		}
		counts[i] = out
	}
	return strings.Join(counts, For(table.Lang()).T(", ")), true
}

func counted(table Table, arg string) (string, bool) {
	for _, f := range reasonFormats() {
		if !countFormat.MatchString(f.key) {
			continue
		}
		if m := f.exact.FindStringSubmatch(arg); m != nil {
			return fill(table, f.key, m[1:]), true
		}
	}
	return "", false
}

// recased changes the case of the first letter.
func recased(s string, to func(rune) rune) string {
	r, n := utf8.DecodeRuneInString(s)
	return string(to(r)) + s[n:]
}
