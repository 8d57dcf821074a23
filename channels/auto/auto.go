// Package auto chooses the channels for a query.
package auto

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/citeloop/citeloop/channels"
	"github.com/citeloop/citeloop/channels/normal"
)

// Choice is the decision of Auto with its reason.
type Choice struct {
	Channels []string
	Kinds    []channels.Kind // kinds of the query, most certain first
	Reason   string          // a sentence for people and models
}

// maxAuto bounds the channels of one automatic search (chosen: the list stays readable, and hosts with few results are
// not asked).
const maxAuto = 5

// typeKinds lists the kinds of channels that find a source type.
var typeKinds = map[string][]channels.Kind{
	"peer":         {channels.KindScholarly},
	"primary":      {channels.KindLaw, channels.KindFinance, channels.KindData},
	"press":        {channels.KindNews},
	"practitioner": {channels.KindPractice, channels.KindCode},
}

// Choose chooses the channels for a query among the usable ones, by the words of the query and by the source types that a
// gap asks for. It skips channels whose circuit is open. It is a pure function: the same query, types and list give the
// same choice.
func Choose(text string, wanted []string, list []channels.Info) Choice {
	kinds, why := kindsOf(text)
	var types []string
	for _, t := range wanted {
		for _, k := range typeKinds[t] {
			if serves(list, k, t) && !slices.Contains(kinds, k) {
				kinds = append(kinds, k)
				types = append(types, t)
			}
		}
	}
	if len(types) > 0 {
		slices.Sort(types)
		why = normal.Join(why, "source types wanted: "+strings.Join(slices.Compact(types), ", "))
	}
	if len(kinds) == 0 {
		kinds = []channels.Kind{channels.KindBackground, channels.KindScholarly}
		why = "no sign of a special kind" + scriptWords(text)
	}
	var open []channels.Info
	for _, info := range list {
		if info.Configured && info.OpenUntil.IsZero() {
			open = append(open, info)
		}
	}
	var names []string
	add := func(info channels.Info) {
		if len(names) < maxAuto && !slices.Contains(names, info.Name) {
			names = append(names, info.Name)
		}
	}
	// The user's folders and the general web suit every question, if they are configured.
	for _, info := range open {
		if slices.Contains(info.For, channels.KindPrivate) || slices.Contains(info.For, channels.KindWeb) && len(names) < 2 {
			add(info)
		}
	}
	// Take the channels of each kind in turn, those that name it first before the others, so that two kinds share the
	// list.
	for place := range 3 {
		for _, kind := range kinds {
			for _, info := range open {
				if place < len(info.For) && info.For[place] == kind {
					add(info)
				}
			}
		}
	}
	if len(names) < 3 { // background channels suit any question
		for _, info := range open {
			if slices.Contains(info.For, channels.KindBackground) || len(names) == 0 && slices.Contains(info.For, channels.KindScholarly) {
				add(info)
			}
		}
	}
	return Choice{Channels: names, Kinds: kinds, Reason: fmt.Sprintf("looks %s (%s); asked: %s", channels.JoinKinds(kinds, " and "), why, orNone(names))}
}

func orNone(names []string) string {
	if len(names) == 0 {
		return "none, because no channel is available"
	}
	return strings.Join(names, ", ")
}

// serves reports whether a configured channel of the kind can find the source type.
func serves(list []channels.Info, kind channels.Kind, sourceType string) bool {
	return slices.ContainsFunc(list, func(info channels.Info) bool {
		return info.Configured && slices.Contains(info.For, kind) && slices.Contains(info.SourceTypes, sourceType)
	})
}

// kindsOf returns the kinds of a query, most certain first, and the words that indicate them.
func kindsOf(text string) ([]channels.Kind, string) {
	if normal.DoisInText.MatchString(text) {
		return []channels.Kind{channels.KindOpenCopy, channels.KindScholarly}, "it names a DOI"
	}
	if normal.ArxivID.MatchString(strings.TrimSpace(text)) {
		return []channels.Kind{channels.KindComputing, channels.KindScholarly}, "it is an arXiv id"
	}
	found := signsIn(text)
	weight := map[channels.Kind]int{}
	var order []channels.Kind
	var said []string
	languages := map[string]int{}
	for _, f := range found {
		if weight[f.kind] == 0 {
			order = append(order, f.kind)
		}
		weight[f.kind] += f.weight
		if word := fmt.Sprintf("%q", f.words); len(said) < 4 && !slices.Contains(said, word) {
			said = append(said, word)
		}
		for _, language := range f.languages {
			languages[language]++
		}
	}
	if name := normal.ProperName(text); name != "" && strings.Contains(name, " ") && len(order) == 0 {
		return []channels.Kind{channels.KindEntity, channels.KindBackground}, fmt.Sprintf("it names %q", normal.Clip(name, 60))
	}
	slices.SortStableFunc(order, func(a, b channels.Kind) int { return weight[b] - weight[a] })
	if len(order) == 0 {
		return nil, ""
	}
	why := "it says " + strings.Join(said, ", ")
	var likely []string // the languages with the most matches
	for language, n := range languages {
		if n == slices.Max(slices.Collect(maps.Values(languages))) {
			likely = append(likely, language)
		}
	}
	if slices.Sort(likely); len(likely) > 0 {
		why += ", in " + strings.Join(likely, " or ")
	}
	return order[:min(len(order), 3)], why
}
