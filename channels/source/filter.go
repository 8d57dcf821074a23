package source

import (
	"cmp"
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

// filter changes the texts of a placeholder.
type filter func(value) []string

// value is what a filter gets: the texts so far, and where they come from.
type value struct {
	texts  []string
	record gjson.Result
	path   string
}

func newFilter(name, argument string) (filter, error) {
	build := filters[name]
	if build == nil {
		return nil, fmt.Errorf("unknown filter %q; use one of %s", name, strings.Join(slices.Sorted(maps.Keys(filters)), ", "))
	}
	return build(argument)
}

// filters are described in docs/channels.md#a-channel-of-your-own.
var filters = map[string]func(argument string) (filter, error){
	"all-words":     onText(func(s string) string { return strings.Join(allTerms(s), " ") }),
	"at-commas":     splits(","),
	"at-semicolons": splits(";"),
	"doi-url":       onText(normal.RegisteredURL),
	"given-first":   onEach(normal.GivenFirst),
	"keywords":      onText(func(s string) string { return strings.Join(normal.KeywordsOrWords(s), " ") }),
	"longest":       onAll(func(all []string) string { return longest(normal.Keywords(strings.Join(all, " "))) }),
	"list":          onAll(func(all []string) string { return strings.Join(all, ", ") }),
	"lower":         onEach(strings.ToLower),
	"upper":         onEach(strings.ToUpper),
	"doi":           onEach(docid.NormalizeDOI),
	"name":          onText(normal.ProperName),
	"path":          onEach(func(s string) string { return (&url.URL{Path: s}).EscapedPath() }),
	"finest":        onAll(finestDate),
	"medline":       onAll(normal.MedlineType),
	"parts":         onAll(func(all []string) string { return normal.Join(all...) }),
	"plain":         onText(normal.Plain),
	"spaced":        onEach(func(s string) string { return strings.ReplaceAll(s, "-", " ") }),
	"pmcid":         onText(func(s string) string { return strings.TrimPrefix(normal.ID("pmcid", s), "pmcid:") }),
	"pmid":          onText(func(s string) string { return strings.TrimPrefix(normal.ID("pmid", s), "pmid:") }),
	"site":          onText(normal.TypeOfSite),
	"unaccented":    onText(normal.Unaccented),
	"year":          onText(func(s string) string { return normal.PartialDate(normal.Atoi(s[:min(len(s), 4)]), 0, 0) }),

	"unix": func(argument string) (filter, error) { // when a day begins, and some seconds later
		return onTexts(func(s string) string { return strconv.FormatInt(normal.UnixOf(s)+int64(normal.Atoi(argument)), 10) }), nil
	},
	"first": func(argument string) (filter, error) {
		most, err := strconv.Atoi(cmp.Or(argument, "1"))
		return func(v value) []string { return v.texts[:min(len(v.texts), most)] }, err
	},
	"in": func(argument string) (filter, error) {
		return func(v value) []string {
			return normal.Distinct(inLanguage(v.record.Get(v.path), normal.Text(v.record, argument)))
		}, nil
	},
	"count": func(string) (filter, error) {
		return func(v value) []string { return []string{strconv.FormatInt(v.record.Get(v.path).Int(), 10)} }, nil
	},
	"inverted": func(string) (filter, error) {
		return func(v value) []string { return normal.Distinct(uninverted(v.record.Get(v.path))) }, nil
	},
	"max": func(argument string) (filter, error) {
		most, err := strconv.Atoi(argument)
		return onTexts(func(s string) string { return strconv.Itoa(min(normal.Atoi(s), most)) }), err
	},
	"or": func(argument string) (filter, error) {
		return func(v value) []string {
			if len(v.texts) > 0 {
				return v.texts
			}
			if literal, ok := strings.CutPrefix(argument, "'"); ok {
				return []string{strings.TrimSuffix(literal, "'")}
			}
			return normal.Texts(v.record, argument)
		}, nil
	},
	"new": func(argument string) (filter, error) {
		return func(v value) []string {
			other, text := normal.Text(v.record, argument), strings.Join(v.texts, " ")
			if strings.Contains(other, text) || strings.Contains(normal.Plain(other), text) {
				return nil
			}
			return v.texts
		}, nil
	},
	"cut": ofPattern(0, func(p *regexp.Regexp, s, _ string) string { return strings.TrimSpace(p.ReplaceAllString(s, "")) }),
	"swap": func(argument string) (filter, error) { // an expression without spaces, and what replaces it
		pattern, by, _ := strings.Cut(argument, " ")
		return ofPattern(0, func(p *regexp.Regexp, s, _ string) string { return p.ReplaceAllString(s, by) })(pattern)
	},
	"match": ofPattern(1, func(_ *regexp.Regexp, _, found string) string { return found }),
	"date": func(argument string) (filter, error) {
		return onTexts(func(s string) string {
			t, err := time.Parse(time.DateOnly, s)
			if err != nil {
				return ""
			}
			return t.Format(argument)
		}), nil
	},
	"table": func(argument string) (filter, error) {
		table := normal.TypeTables[argument]
		return onTexts(func(s string) string { return table[s] }), nil
	},
	"map": func(argument string) (filter, error) {
		table := map[string]string{}
		for pair := range strings.FieldsSeq(argument) {
			from, to, _ := strings.Cut(pair, "=")
			table[from] = to
		}
		return onTexts(func(s string) string { return cmp.Or(table[s], s) }), nil
	},
	"terms": func(argument string) (filter, error) {
		fields := append(strings.Fields(argument), "", "")
		return onTexts(func(s string) string { return queryTerms(s, fields[0], " "+fields[1]+" ", normal.Atoi(fields[2])) }), nil
	},
	"lucene": func(argument string) (filter, error) {
		return onTexts(func(s string) string {
			if doi := normal.WholeQueryDOI(s); doi != "" && argument != "" {
				return argument + `:"` + doi + `"`
			}
			return queryTerms(s, "", " ", 0)
		}), nil
	},
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

// ofPattern builds a filter of a regular expression with so many groups: 0, or 1, which is what it finds.
func ofPattern(groups int, change func(p *regexp.Regexp, s, found string) string) func(string) (filter, error) {
	return func(argument string) (filter, error) {
		pattern, err := regexp.Compile(argument)
		if err != nil || groups > 0 && pattern.NumSubexp() != groups {
			return nil, fmt.Errorf("invalid regular expression %q; match needs one with one group", argument)
		}
		return onTexts(func(s string) string {
			return change(pattern, s, slices.Concat(pattern.FindStringSubmatch(s), []string{"", ""})[groups])
		}), nil
	}
}

func splits(separator string) func(string) (filter, error) {
	return func(string) (filter, error) {
		return func(v value) []string {
			return onTexts(strings.TrimSpace)(value{texts: strings.Split(strings.Join(v.texts, separator), separator)})
		}, nil
	}
}

// onTexts applies a function to each text and drops the empty ones.
func onTexts(change func(string) string) filter {
	return func(v value) (changed []string) {
		for _, s := range v.texts {
			if s = change(s); s != "" {
				changed = append(changed, s)
			}
		}
		return changed
	}
}

func onEach(change func(string) string) func(string) (filter, error) {
	return func(string) (filter, error) { return onTexts(change), nil }
}

func onAll(change func([]string) string) func(string) (filter, error) {
	return func(string) (filter, error) {
		return func(v value) []string {
			if len(v.texts) == 0 {
				return nil
			}
			return normal.Distinct(change(v.texts))
		}, nil
	}
}

func onText(change func(string) string) func(string) (filter, error) {
	return onAll(func(all []string) string { return change(strings.Join(all, " ")) })
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
