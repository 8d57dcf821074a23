package source

import (
	"cmp"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/citeloop/citeloop/channels/normal"
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
	"all-words":     onText(normal.AllWords),
	"at-commas":     splits(","),
	"at-semicolons": splits(";"),
	"doi-url":       onText(normal.RegisteredURL),
	"given-first":   onEach(normal.GivenFirst),
	"keywords":      onText(func(s string) string { return strings.Join(normal.KeywordsOrWords(s), " ") }),
	"list":          onAll(func(all []string) string { return strings.Join(all, ", ") }),
	"lower":         onEach(strings.ToLower),
	"medline":       onAll(normal.MedlineType),
	"month": onText(func(s string) string {
		return normal.Around("", strings.TrimPrefix(fmt.Sprintf("%02d", normal.MonthNumber(s)), "00"), "")
	}),
	"parts":      onAll(func(all []string) string { return normal.Join(all...) }),
	"plain":      onText(normal.Plain),
	"spaced":     onEach(func(s string) string { return strings.ReplaceAll(s, "-", " ") }),
	"pmcid":      onText(func(s string) string { return strings.TrimPrefix(normal.PMCID(s), "pmcid:") }),
	"pmid":       onText(func(s string) string { return strings.TrimPrefix(normal.PMID(s), "pmid:") }),
	"site":       onText(normal.TypeOfSite),
	"unaccented": onText(normal.Unaccented),
	"unix":       onText(func(s string) string { return strconv.FormatInt(normal.UnixOf(s, 0), 10) }),
	"unix-end":   onText(func(s string) string { return strconv.FormatInt(normal.UnixOf(s, 1)-1, 10) }),
	"unix-after": onText(func(s string) string { return strconv.FormatInt(normal.UnixOf(s, 1), 10) }),
	"year":       onText(func(s string) string { return normal.PartialDate(normal.Atoi(s[:min(len(s), 4)]), 0, 0) }),

	"first": func(argument string) (filter, error) {
		most, err := strconv.Atoi(cmp.Or(argument, "1"))
		return func(v value) []string { return v.texts[:min(len(v.texts), most)] }, err
	},
	"in": func(argument string) (filter, error) {
		return func(v value) []string {
			return normal.Distinct(inLanguage(v.record.Get(v.path), normal.Text(v.record, argument)))
		}, nil
	},
	"only": func(string) (filter, error) {
		return func(v value) []string {
			if len(v.texts) != 1 {
				return nil
			}
			return v.texts
		}, nil
	},
	"count": func(string) (filter, error) {
		return func(v value) []string { return []string{strconv.FormatInt(v.record.Get(v.path).Int(), 10)} }, nil
	},
	"inverted": func(string) (filter, error) {
		return func(v value) []string { return normal.Distinct(uninverted(v.record.Get(v.path))) }, nil
	},
	"datacite": func(string) (filter, error) { return dataciteDate, nil },
	"pubmed":   onText(PubMedDate),
	"pairs":    func(string) (filter, error) { return pairs, nil },
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
	"drop": func(argument string) (filter, error) {
		return onTexts(func(s string) string {
			kept := slices.DeleteFunc(strings.Fields(s), func(word string) bool { return slices.Contains(strings.Fields(argument), strings.ToLower(word)) })
			return cmp.Or(strings.Join(kept, " "), s)
		}), nil
	},
	"cut": func(argument string) (filter, error) {
		pattern, err := regexp.Compile(argument)
		if err != nil {
			return nil, fmt.Errorf("invalid regular expression %q after cut", argument)
		}
		return onTexts(func(s string) string { return strings.TrimSpace(pattern.ReplaceAllString(s, "")) }), nil
	},
	"swap": func(argument string) (filter, error) {
		from, to, _ := strings.Cut(argument, " ")
		pattern, err := regexp.Compile(from)
		if err != nil {
			return nil, fmt.Errorf("invalid regular expression %q after swap", from)
		}
		return onTexts(func(s string) string { return pattern.ReplaceAllString(s, to) }), nil
	},
	"match": func(argument string) (filter, error) {
		pattern, err := regexp.Compile(argument)
		if err != nil || pattern.NumSubexp() != 1 {
			return nil, fmt.Errorf("invalid regular expression %q after match: use one with one group", argument)
		}
		return onTexts(func(s string) string { return slices.Concat(pattern.FindStringSubmatch(s), []string{"", ""})[1] }), nil
	},
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
	"lucene": func(argument string) (filter, error) {
		return onTexts(func(s string) string { return luceneOrDOI(s, argument) }), nil
	},
}

func splits(separator string) func(string) (filter, error) {
	return func(string) (filter, error) {
		return func(v value) (all []string) {
			for _, s := range v.texts {
				all = append(all, strings.Split(s, separator)...)
			}
			return onTexts(strings.TrimSpace)(value{texts: all})
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

// pairs writes an object as "name: text; name: text, text".
func pairs(v value) []string {
	var said []string
	at := v.record.Get(v.path)
	for _, name := range slices.Sorted(maps.Keys(at.Map())) {
		said = append(said, name+": "+strings.Join(normal.Texts(at, gjson.Escape(name)), ", "))
	}
	return normal.Distinct(normal.Join(said...))
}

// inLanguage returns the text of Wikibase in a language, else in English, else in the first language.
func inLanguage(texts gjson.Result, lang string) string {
	all := texts.Map()
	for _, l := range append([]string{lang, normal.PrimaryLanguage(lang), "mul", "en"}, slices.Sorted(maps.Keys(all))...) {
		if words := normal.Text(all[l], "value"); words != "" {
			return words
		}
	}
	return ""
}

// maxAbstractWords bounds an abstract; the longest have a few thousand words.
const maxAbstractWords = 5_000

// uninverted assembles an abstract from the positions of its words.
func uninverted(index gjson.Result) string {
	placed := make([]string, 0, 256)
	for word, places := range index.Map() {
		for _, place := range places.Array() {
			at := int(place.Int())
			if at < 0 || at >= maxAbstractWords {
				continue
			}
			for len(placed) <= at {
				placed = append(placed, "")
			}
			// The index may have two words at one position; the order of the map must not decide.
			if placed[at] < word {
				placed[at] = word
			}
		}
	}
	return strings.Join(placed, " ")
}

// dataciteDate returns the first date of the best kind, or a later one that says the same to the day.
func dataciteDate(v value) []string {
	best := ""
	for _, kind := range []string{"Issued", "Available", "Created", "Submitted"} {
		for _, said := range normal.Texts(v.record, v.path+`.#(dateType=="`+kind+`")#.date`) {
			first, _, _ := strings.Cut(said, "/") // of a range
			if date := normal.Date(first); len(date) > len(best) && strings.HasPrefix(date, best) {
				best = date
			}
		}
	}
	return normal.Distinct(best)
}

var pubMedRange = lazyregexp.New(`^(\d{4}(?: [A-Z][a-z]{2})?(?: \d{1,2})?)\s*-.*$`)

// PubMedDate returns the first day of "2019 Nov-Dec" and "2020 Jan 1-7", the year of "1998 Winter", and "2006/12/20
// 00:00" without the time.
func PubMedDate(s string) string {
	s = strings.TrimSpace(s)
	if m := pubMedRange.FindStringSubmatch(s); m != nil {
		s = m[1]
	}
	if day, _, ok := strings.Cut(s, " "); ok && strings.Contains(day, "/") {
		return day
	}
	if normal.Date(s) == "" && len(s) > 4 {
		return s[:4]
	}
	return s
}
