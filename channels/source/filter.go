package source

import (
	"fmt"
	"maps"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/citeloop/citeloop/channels/normal"
	"github.com/citeloop/citeloop/internal/docid"
	"github.com/citeloop/citeloop/internal/lazyregexp"
	"github.com/tidwall/gjson"
)

// filter changes the texts of a placeholder: each of them, or all together.
type filter struct {
	each     func(f filter, text string) string // "" drops the text
	all      func(value) []string
	argument string
	pattern  *regexp.Regexp // of the argument of a filter in ofPatterns
}

// value is what a filter gets: the texts so far, and where they come from.
type value struct {
	filter
	texts  []string
	record gjson.Result
	path   string
}

// apply returns the changed texts.
func (v value) apply() (changed []string) {
	if v.all != nil {
		return v.all(v)
	}
	for _, text := range v.texts {
		if text = v.each(v.filter, text); text != "" {
			changed = append(changed, text)
		}
	}
	return changed
}

// ofPatterns are the filters whose argument is a regular expression, for swap without spaces.
var ofPatterns = []string{"cut", "match", "swap"}

func newFilter(name, argument string) (f filter, err error) {
	f = filter{each: ofEach[name], all: ofAll[name], argument: argument}
	if f.each == nil && f.all == nil {
		known := slices.Sorted(maps.Keys(ofEach))
		return f, fmt.Errorf("unknown filter %q; use one of %s", name, strings.Join(slices.AppendSeq(known, maps.Keys(ofAll)), ", "))
	}
	if slices.Contains(ofPatterns, name) {
		expression := argument
		if name == "swap" {
			expression, f.argument, _ = strings.Cut(argument, " ")
		}
		f.pattern, err = regexp.Compile(expression)
		if err != nil || name == "match" && f.pattern.NumSubexp() != 1 {
			return f, fmt.Errorf("invalid regular expression %q; match needs one with one group", expression)
		}
	}
	return f, nil
}

// ofEach are the filters of one text.
var ofEach = map[string]func(f filter, text string) string{
	"all-words":   func(_ filter, s string) string { return strings.Join(allTerms(s), " ") },
	"cut":         func(f filter, s string) string { return strings.TrimSpace(f.pattern.ReplaceAllString(s, "")) },
	"date":        func(f filter, s string) string { return dateAs(f.argument, s) },
	"doi":         func(_ filter, s string) string { return docid.NormalizeDOI(s) },
	"doi-url":     func(_ filter, s string) string { return normal.RegisteredURL(s) },
	"github":      func(_ filter, s string) string { return gitHubQuery(s) },
	"given-first": func(_ filter, s string) string { return normal.GivenFirst(s) },
	"keywords":    func(_ filter, s string) string { return strings.Join(normal.KeywordsOrWords(s), " ") },
	"longest":     func(_ filter, s string) string { return longest(normal.Keywords(s)) },
	"lower":       func(_ filter, s string) string { return strings.ToLower(s) },
	"lucene":      func(f filter, s string) string { return luceneTerms(f.argument, s) },
	"map":         func(f filter, s string) string { return replacement(f.argument, s) },
	"match":       func(f filter, s string) string { return append(f.pattern.FindStringSubmatch(s), "", "")[1] },
	"max":         func(f filter, s string) string { return strconv.Itoa(min(normal.Atoi(s), normal.Atoi(f.argument))) },
	"name":        func(_ filter, s string) string { return normal.ProperName(s) },
	"path":        func(_ filter, s string) string { return (&url.URL{Path: s}).EscapedPath() },
	"plain":       func(_ filter, s string) string { return normal.Plain(s) },
	"pmcid":       func(_ filter, s string) string { return strings.TrimPrefix(normal.ID("pmcid", s), "pmcid:") },
	"pmid":        func(_ filter, s string) string { return strings.TrimPrefix(normal.ID("pmid", s), "pmid:") },
	"site":        func(_ filter, s string) string { return normal.TypeOfSite(s) },
	"short":       func(_ filter, s string) string { return normal.Clip(s, 80) },
	"spaced":      func(_ filter, s string) string { return strings.ReplaceAll(s, "-", " ") },
	"swap":        func(f filter, s string) string { return f.pattern.ReplaceAllString(s, f.argument) },
	"table":       func(f filter, s string) string { return normal.TypeTables[f.argument][s] },
	"unaccented":  func(_ filter, s string) string { return normal.Unaccented(s) },
	"unix": func(f filter, s string) string {
		return strconv.FormatInt(normal.UnixOf(s)+int64(normal.Atoi(f.argument)), 10)
	},
	"upper": func(_ filter, s string) string { return strings.ToUpper(s) },
	"year":  func(_ filter, s string) string { return normal.PartialDate(normal.Atoi(s[:min(len(s), 4)]), 0, 0) },
	"terms": func(f filter, s string) string { // a prefix, what joins them, and how many there must be
		fields := append(strings.Fields(f.argument), "", "")
		return queryTerms(s, fields[0], " "+fields[1]+" ", normal.Atoi(fields[2]))
	},
}

// ofAll are the filters of all texts, or of what is at the path.
var ofAll = map[string]func(value) []string{
	"at-commas":     func(v value) []string { return v.parted(",") },
	"at-semicolons": func(v value) []string { return v.parted(";") },
	"count":         func(v value) []string { return []string{strconv.FormatInt(v.record.Get(v.path).Int(), 10)} },
	"finest":        func(v value) []string { return normal.Distinct(finestDate(v.texts)) },
	"first":         func(v value) []string { return v.texts[:min(len(v.texts), max(1, normal.Atoi(v.argument)))] },
	"in":            func(v value) []string { return normal.Distinct(inLanguage(v.record.Get(v.path), v.other())) },
	"inverted":      func(v value) []string { return normal.Distinct(uninverted(v.record.Get(v.path))) },
	"list":          func(v value) []string { return normal.Distinct(strings.Join(v.texts, ", ")) },
	"medline":       func(v value) []string { return normal.Distinct(normal.MedlineType(v.texts)) },
	"parts":         func(v value) []string { return normal.Distinct(normal.Join(v.texts...)) },
	"new": func(v value) []string { // what another place does not say
		other, text := v.other(), strings.Join(v.texts, " ")
		if strings.Contains(other, text) || strings.Contains(normal.Plain(other), text) {
			return nil
		}
		return v.texts
	},
	"without": func(v value) []string { // what another place says, at the end
		return normal.Distinct(strings.TrimSuffix(strings.Join(v.texts, " "), " - "+v.other()))
	},
	"or": func(v value) []string { // another place, or a text in single quotes
		if len(v.texts) > 0 {
			return v.texts
		}
		if literal, ok := strings.CutPrefix(v.argument, "'"); ok {
			return []string{strings.TrimSuffix(literal, "'")}
		}
		return normal.Texts(v.record, v.argument)
	},
}

// other returns the text at the place that the argument names.
func (v value) other() string { return normal.Text(v.record, v.argument) }

// parted returns the parts of the texts between separators.
func (v value) parted(separator string) (parts []string) {
	for part := range strings.SplitSeq(strings.Join(v.texts, separator), separator) {
		if part = strings.TrimSpace(part); part != "" {
			parts = append(parts, part)
		}
	}
	return parts
}

// dateAs writes a date (YYYY-MM-DD) in another form, that of package time; "" for another text.
func dateAs(form, day string) string {
	t, err := time.Parse(time.DateOnly, day)
	if err != nil {
		return ""
	}
	return t.Format(form)
}

// replacement returns what a text is replaced by, such as zh-hans by the pairs "zh=zh-hans ja=jp", or the text.
func replacement(pairs, text string) string {
	for pair := range strings.FieldsSeq(pairs) {
		if from, to, _ := strings.Cut(pair, "="); from == text {
			return to
		}
	}
	return text
}

// luceneTerms returns a query without syntax, or, of one that is a DOI, the condition for the field of DOIs if there is one.
func luceneTerms(field, text string) string {
	if doi := normal.WholeQueryDOI(text); doi != "" && field != "" {
		return field + `:"` + doi + `"`
	}
	return queryTerms(text, "", " ", 0)
}

// fieldSyntax finds a field of a query language such as Lucene's (arXiv, Europe PMC, DataCite, Zenodo, DOAJ, CORE); such a query is
// sent unchanged. A title such as "BERT: pre-training" and an address do not match.
var fieldSyntax = lazyregexp.New(`(?:^|[\s(])[A-Za-z_][A-Za-z_.]{1,40}:["(\[\w]`)

// maxTerms bounds a query made of a whole paragraph, which services reject (chosen).
const maxTerms = 16

// queryTerms returns a plain query in which nothing is read as syntax: quoted phrases stay phrases, question words are dropped, and
// each term has the prefix. It returns "" for a query without words, or with fewer terms than least.
func queryTerms(text, prefix, join string, least int) string {
	if fieldSyntax.MatchString(text) {
		return text
	}
	var terms []string
	quoted, about := normal.QueryTerms(text)
	for _, phrase := range quoted {
		terms = append(terms, prefix+`"`+phrase+`"`)
	}
	for _, w := range about {
		if prefix == "" {
			w = strings.Trim(w, "+#")
		}
		if slices.Contains([]string{"AND", "OR", "NOT", "TO"}, w) {
			w = strings.ToLower(w)
		}
		if w != "" {
			terms = append(terms, prefix+w)
		}
	}
	if len(terms) < least {
		return ""
	}
	return strings.Join(terms[:min(len(terms), maxTerms)], join)
}

// allTerms returns the terms of a query for a search that requires every word, and has no other syntax than phrases.
func allTerms(text string) []string {
	quoted, about := normal.QueryTerms(text)
	for i, phrase := range quoted {
		quoted[i] = `"` + phrase + `"`
	}
	return append(quoted, about...)
}

// longest returns the longest of some words, or "".
func longest(words []string) (word string) {
	for _, w := range words {
		if len(w) > len(word) {
			word = w
		}
	}
	return word
}

// finestDate returns the first of several dates, or a later one that says the same to the day.
func finestDate(dates []string) string {
	best := ""
	for _, said := range dates {
		if date := normal.Date(said); len(date) > len(best) && strings.HasPrefix(date, best) {
			best = date
		}
	}
	return best
}
