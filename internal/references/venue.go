package references

import (
	"slices"
	"strings"
	"unicode"
)

// preprintVenues name no journal: an entry that has one cites the preprint, whatever became of it.
var preprintVenues = []string{"arxiv", "corr", "preprint", "biorxiv", "medrxiv", "ssrn", "openreview", "techrxiv", "chemrxiv", "psyarxiv"}

func isPreprint(venue string) bool {
	folded := " " + folded(venue) + " "
	for _, name := range preprintVenues {
		if strings.Contains(folded, " "+name+" ") || strings.HasPrefix(strings.TrimSpace(folded), name) {
			return true
		}
	}
	return false
}

// series are beginnings of the names of book series, which services give instead of the proceedings in them.
var series = []string{"lecture notes in", "communications in computer and", "ifip advances in", "advances in intelligent systems",
	"springer proceedings in", "leibniz international proceedings"}

func isSeries(venue string) bool {
	return slices.ContainsFunc(series, func(name string) bool { return strings.HasPrefix(folded(venue), name) })
}

// sameVenue reports whether venues can be one: by their words, an abbreviation or an acronym. A preprint's venue contradicts none.
func sameVenue(e Entry, r Record) bool {
	return isPreprint(e.Venue) || isPreprint(r.Venue) || isSeries(e.Venue) || isSeries(r.Venue) || venueFits(e.Venue, r.Venue) ||
		venueFits(r.Venue, e.Venue)
}

// noVenueWords are words that say nothing about which venue it is.
var noVenueWords = strings.Fields(`the of on in and for proceedings proc conference conf international int intl annual meeting symposium
	symp workshop journal j transactions trans ieee acm advances th st nd rd`)

func venueWords(venue string) (all, telling []string) {
	for _, w := range strings.Fields(folded(venue)) {
		if strings.ContainsFunc(w, unicode.IsDigit) {
			continue // years, volumes, ordinals
		}
		all = append(all, w)
		if !slices.Contains(noVenueWords, w) {
			telling = append(telling, w)
		}
	}
	return all, telling
}

// venueFits reports whether a short form can be one of a long form: its words begin those of the long form in their order
// (Proc. Natl. Acad. Sci.), or one of its words is an acronym of it (NeurIPS, CVPR).
func venueFits(short, long string) bool {
	all, telling := venueWords(short)
	longAll, longTelling := venueWords(long)
	if len(telling) == 0 || len(longTelling) == 0 {
		return strings.Join(all, " ") == strings.Join(longAll, " ")
	}
	at := 0
	for _, w := range telling {
		for at < len(longAll) && !strings.HasPrefix(longAll[at], w) && !contracted(w, longAll[at]) {
			at++
		}
		if at == len(longAll) {
			at = -1
			break
		}
		at++
	}
	if at >= 0 && (len(telling) > 1 || len(longTelling) == 1 || telling[0] == longTelling[0]) {
		return true
	}
	for _, w := range telling {
		for from := range longAll {
			if len(telling) <= 2 && len(w) >= 2 && acronym(w, longAll[from:]) {
				return true
			}
		}
	}
	return false
}

// contracted reports abbreviations such as natl for national.
func contracted(short, long string) bool {
	if len(short) < 3 || short[0] != long[0] || !strings.HasSuffix(long, short[len(short)-1:]) {
		return false
	}
	at := 0
	for i := 0; i < len(long) && at < len(short); i++ {
		if long[i] == short[at] {
			at++
		}
	}
	return at == len(short)
}

// acronym reports whether letters are beginnings of the words, in their order: neurips of neural information processing
// systems.
func acronym(letters string, of []string) bool {
	if letters == "" {
		return true
	}
	if len(of) == 0 {
		return false
	}
	for n := min(len(letters), len(of[0])); n > 0; n-- {
		if strings.HasPrefix(of[0], letters[:n]) && acronym(letters[n:], of[1:]) {
			return true
		}
	}
	return slices.Contains(noVenueWords, of[0]) && acronym(letters, of[1:])
}
