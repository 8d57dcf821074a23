// Package auto chooses the channels for a query.
package auto

import (
	"cmp"
	_ "embed"
	"fmt"
	"slices"
	"strings"
	"sync"
	"unicode"

	"github.com/citeloop/citeloop/channels"
	"github.com/citeloop/citeloop/channels/normal"
	"github.com/citeloop/citeloop/internal/datafile"
	"github.com/citeloop/citeloop/internal/lazyregexp"
)

// Choice is the decision of Choose with its reason.
type Choice struct {
	Channels []string
	Kinds    []channels.Kind // kinds of the query, most certain first
	Reason   string          // a sentence for people and models
}

// maxAuto bounds the channels of one search (chosen: the list stays readable).
const maxAuto = 5

// typeKinds lists the kinds of channels that find a source type.
var typeKinds = map[string][]channels.Kind{
	"peer": {channels.KindScholarly}, "primary": {channels.KindLaw, channels.KindFinance, channels.KindData},
	"press": {channels.KindNews}, "practitioner": {channels.KindPractice, channels.KindCode},
}

// Choose chooses the channels for a query among the usable ones, by the words of the query and by the source types that a
// gap asks for. It skips channels whose circuit is open. A question about the user's own documents is asked there only. Choose
// is a pure function: the same query, types and list give the same choice.
func Choose(text string, wanted []string, list []channels.Info) Choice {
	open := slices.DeleteFunc(slices.Clone(list), func(info channels.Info) bool { return !info.Configured || !info.OpenUntil.IsZero() })
	kinds, why := kindsOf(text)
	own := len(kinds) > 0 && kinds[0] == channels.KindPrivate
	for _, t := range wanted {
		for _, k := range typeKinds[t] {
			finds := func(info channels.Info) bool { return serving(k)(info) && slices.Contains(info.SourceTypes, t) }
			if !own && !slices.Contains(kinds, k) && slices.ContainsFunc(open, finds) {
				kinds, why = append(kinds, k), normal.Join(why, "source type wanted: "+t)
			}
		}
	}
	if len(kinds) == 0 {
		kinds, why = []channels.Kind{channels.KindBackground, channels.KindScholarly}, "no sign of a special kind"
	}
	var names []string
	add := func(wanted func(channels.Info) bool) {
		for _, info := range open {
			if len(names) < maxAuto && !slices.Contains(names, info.Name) && wanted(info) {
				names = append(names, info.Name)
			}
		}
	}
	add(serving(channels.KindPrivate)) // the user's folders suit every question
	if !own || len(names) == 0 {
		add(func(info channels.Info) bool { return len(names) < 2 && serving(channels.KindWeb)(info) })
		for place := range 3 { // those that name a kind first before the others, so that two kinds share the list
			for _, k := range kinds {
				add(func(info channels.Info) bool { return place < len(info.For) && info.For[place] == k })
			}
		}
		add(func(info channels.Info) bool { return len(names) < 3 && serving(channels.KindBackground)(info) }) // suits any question
	}
	asked := cmp.Or(strings.Join(names, ", "), "none, because no channel is available")
	return Choice{names, kinds, fmt.Sprintf("looks %s (%s); asked: %s", channels.JoinKinds(kinds, " and "), why, asked)}
}

func serving(k channels.Kind) func(channels.Info) bool {
	return func(info channels.Info) bool { return slices.Contains(info.For, k) }
}

// fileName matches a file or a filter of the local channel in a query.
var fileName = lazyregexp.New(`(?i)(?:^|\s)(?:path:\S|[\w./-]+\.(?:md|txt|rst|pdf|docx|epub|html?)(?:$|[\s?,]))`)

var kana = lazyregexp.New(`[\p{Hiragana}\p{Katakana}]`)

// kindsOf returns at most three kinds of a query, most certain first, and what indicates them.
func kindsOf(text string) ([]channels.Kind, string) {
	switch {
	case normal.DoisInText.MatchString(text):
		return []channels.Kind{channels.KindOpenCopy, channels.KindScholarly}, "it names a DOI"
	case normal.ArxivID.MatchString(strings.TrimSpace(text)):
		return []channels.Kind{channels.KindComputing, channels.KindScholarly}, "it is an arXiv id"
	case fileName.MatchString(text) && !strings.Contains(text, "://"):
		return []channels.Kind{channels.KindPrivate}, "it names a file"
	}
	weight := map[channels.Kind]int{}
	var kinds []channels.Kind
	var said []string
	words := padded(text)
	for _, s := range signs() {
		if s.language == "Chinese, unspaced" && kana.MatchString(text) {
			continue // Japanese, which has the same characters
		}
		for _, sign := range s.words {
			word := fmt.Sprintf("%q", strings.TrimSpace(sign))
			if !strings.Contains(words, sign) || slices.Contains(said, word) {
				continue // a word of several languages counts once
			}
			if said = append(said, word); weight[s.kind] == 0 {
				kinds = append(kinds, s.kind)
			}
			weight[s.kind] += s.weight
		}
	}
	if name := normal.ProperName(text); strings.Contains(name, " ") && len(kinds) == 0 {
		return []channels.Kind{channels.KindEntity, channels.KindBackground}, fmt.Sprintf("it names %q", normal.Clip(name, 60))
	}
	slices.SortStableFunc(kinds, func(a, b channels.Kind) int { return weight[b] - weight[a] })
	return kinds[:min(len(kinds), 3)], "it says " + strings.Join(said[:min(len(said), 4)], ", ")
}

//go:embed signs.txt
var signsText string

// sign is words of a query that indicate a kind of question, of a line of signs.txt, as [padded] writes them.
type sign struct {
	language string // the heading
	kind     channels.Kind
	weight   int
	words    []string
}

var signs = sync.OnceValue(func() (all []sign) {
	for language, line := range datafile.Sections(signsText) {
		fields := strings.SplitN(line, " ", 3)
		s := sign{language, channels.Kind(fields[0]), normal.Atoi(fields[1]), strings.Split(fields[2], "|")}
		for i, word := range s.words {
			stem := strings.TrimSuffix(word, "*")
			switch s.words[i] = padded(stem); {
			case strings.HasSuffix(language, ", unspaced"):
				s.words[i] = strings.TrimSpace(s.words[i])
			case stem != word:
				s.words[i] = strings.TrimRight(s.words[i], " ")
			}
		}
		all = append(all, s)
	}
	return all
})

// withoutStops removes the full stops at the ends of words, except that of "v.", between the parties of a case.
var withoutStops = strings.NewReplacer(". ", " ", "v. ", "v. ")

// padded returns a query in lower case, without accents, which people omit, with a space before and after each word.
func padded(text string) string {
	words := strings.FieldsFunc(normal.Unaccented(strings.ToLower(text)), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsNumber(r) && !unicode.IsMark(r) && !strings.ContainsRune("-+#.", r)
	})
	return withoutStops.Replace(" " + strings.Join(words, " ") + " ")
}
