package references

import (
	"slices"
	"strings"
	"unicode"

	"github.com/citeloop/citeloop/internal/lazyregexp"
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
var series = []string{"lecture notes in", "communications in computer and", "ifip advances in", "advances in intelligent systems", "springer proceedings in", "leibniz international proceedings"}

func isSeries(venue string) bool {
	return slices.ContainsFunc(series, func(name string) bool { return strings.HasPrefix(folded(venue), name) })
}

// venue returns the venue, of an entry of a text what follows its title.
func (e Entry) venue() string {
	if e.Text == "" || e.Title == "" {
		return e.Venue
	}
	_, rest, _ := strings.Cut(e.Text, e.Title)
	if at := identifierBegins.FindStringIndex(rest); at != nil {
		rest = rest[:at[0]]
	}
	if _, telling := venueWords(rest); !slices.ContainsFunc(telling, func(w string) bool { return !publishing[w] }) {
		return ""
	}
	return strings.Trim(rest, " .,;:”\"»?!")
}

// publishing has words of a publisher's line, which names no venue.
var publishing = map[string]bool{
	"pp": true, "vol": true, "no": true, "ed": true, "eds": true, "press": true, "university": true, "springer": true, "verlag": true, "elsevier": true, "wiley": true,
	"berlin": true, "heidelberg": true, "new": true, "york": true, "ny": true, "usa": true, "cambridge": true, "london": true, "amsterdam": true,
}

var identifierBegins = lazyregexp.New(`(?i)https?:|\bdoi\b|\b10\.\d{4}`)

// sameVenue reports whether venues can be one: by their words, an abbreviation or an acronym. A preprint's venue contradicts
// none. Of the words behind a title in a text, one has to be of the venue.
func sameVenue(e Entry, r Record) bool {
	venue := e.venue()
	switch {
	case isPreprint(venue) || isPreprint(r.Venue) || isSeries(venue) || isSeries(r.Venue):
		return true
	case e.Text != "":
		return venueAmong(venue, r.Venue)
	}
	return venueFits(venue, r.Venue) || venueFits(r.Venue, venue)
}

// venueAmong reports whether one of the words of a text is of a venue, or an acronym of it, or the venue is one of them.
func venueAmong(text, venue string) bool {
	all, telling := venueWords(text)
	longAll, longTelling := venueWords(venue)
	if len(longTelling) <= 2 && slices.ContainsFunc(longTelling, func(w string) bool { return acronymWithin(w, all) }) {
		return true
	}
	return len(longTelling) == 0 || slices.ContainsFunc(telling, func(w string) bool {
		return acronymWithin(w, longAll) || slices.ContainsFunc(longTelling, func(t string) bool {
			return strings.HasPrefix(w, t) || len(t) > 2 && strings.HasSuffix(w, t) || len(w) > 2 && strings.HasPrefix(t, w) || contracted(w, t)
		})
	})
}

// acronymWithin reports whether letters are an acronym of some of the words in a row.
func acronymWithin(letters string, words []string) bool {
	for i := range words {
		if len(letters) > 1 && acronym(letters, words[i:]) {
			return true
		}
	}
	return false
}

// noVenueWords are words that say nothing about which venue it is.
var noVenueWords = map[string]bool{
	"the": true, "of": true, "on": true, "in": true, "and": true, "for": true, "proceedings": true, "proc": true, "conference": true, "conf": true,
	"international": true, "int": true, "intl": true, "annual": true, "meeting": true, "symposium": true, "symp": true, "workshop": true,
	"journal": true, "j": true, "transactions": true, "trans": true, "ieee": true, "acm": true, "advances": true, "th": true, "st": true, "nd": true, "rd": true,
}

func venueWords(venue string) (all, telling []string) {
	for _, w := range strings.Fields(folded(venue)) {
		if strings.ContainsFunc(w, unicode.IsDigit) {
			continue // years, volumes, ordinals
		}
		all = append(all, w)
		if !noVenueWords[w] {
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
		if len(telling) <= 2 && len(w) >= 2 && (acronym(w, longAll) || acronym(w, longTelling)) {
			return true
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
	return noVenueWords[of[0]] && acronym(letters, of[1:])
}
