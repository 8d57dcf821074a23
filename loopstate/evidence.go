package loopstate

import (
	"cmp"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/citeloop/citeloop/internal/docid"
	"github.com/citeloop/citeloop/internal/text/query"
)

// Evidence is a hit of a search. It was found but not read; only a [Source] can be cited.
type Evidence struct {
	ID          string   `json:"evidence_id,omitempty"`  // E1, E2, …
	Title       string   `json:"title"`                  // never empty
	URL         string   `json:"url"`                    // never empty
	Snippet     string   `json:"snippet"`                // plain text, no markup
	Source      string   `json:"source"`                 // the channel's name
	SourceType  string   `json:"source_type,omitempty"`  // one of [docid.SourceTypes], or empty when unknown
	PublishedAt string   `json:"published_at,omitempty"` // YYYY, YYYY-MM or YYYY-MM-DD
	Authors     []string `json:"authors,omitempty"`
	DOI         string   `json:"doi,omitempty"`     // lower case, without https://doi.org/
	IDs         []string `json:"ids,omitempty"`     // other typed ids: "pmid:123", "arxiv:1706.03762"
	Related     []string `json:"related,omitempty"` // typed ids of other versions, such as the preprint
	Score       float64  `json:"score,omitempty"`
	Language    string   `json:"language,omitempty"` // BCP 47
	Round       int      `json:"round,omitempty"`    // in which it was found, from 1
	Angle       string   `json:"angle,omitempty"`    // of the search that found it
	SameAs      string   `json:"-"`                  // the key of the hit that this one repeats, see [State.FindRepeats]
}

// Key returns the canonical key of the evidence.
func (e Evidence) Key() string { return docid.CanonicalKey(e.URL, e.DOI) }

// evidenceKeys returns all keys of a hit: with its DOI, of its address alone, its typed ids, and the key of the hit that it
// repeats.
func evidenceKeys(e Evidence) []string {
	keys := append([]string{e.Key(), docid.CanonicalKey(e.URL, "")}, e.IDs...)
	if e.SameAs != "" {
		keys = append(keys, e.SameAs)
	}
	return keys
}

// SearchOutcome is the result of one channel. Status is its typed outcome: "empty" means that it searched and found
// nothing, "blocked" and "unavailable" that it could not search.
type SearchOutcome struct {
	Channel string `json:"channel"`
	Status  string `json:"status"`
	Count   int    `json:"count"`
	TookMS  int64  `json:"took_ms"`
	Message string `json:"message,omitempty"`
}

// looked reports whether the channel could search.
func (o SearchOutcome) looked() bool {
	return slices.Contains([]string{"ok", "empty", "degraded", "reported"}, o.Status)
}

// Search is one entry of the search log.
type Search struct {
	Round    int             `json:"round,omitempty"`
	At       time.Time       `json:"at,omitzero"`
	Query    string          `json:"query"`          // the host's
	Sent     string          `json:"sent,omitempty"` // the query with the date added, if it was
	Angle    string          `json:"angle,omitempty"`
	Gap      string          `json:"gap_id,omitempty"` // the gap that it was for
	Since    string          `json:"since,omitempty"`  // YYYY, YYYY-MM or YYYY-MM-DD
	Until    string          `json:"until,omitempty"`
	Language string          `json:"language,omitempty"`
	Channels []SearchOutcome `json:"channels"`
	New      int             `json:"new"`
	Rejected int             `json:"rejected,omitempty"` // number of rejected hits
	TookMS   int64           `json:"took_ms"`
}

// Looked reports whether any channel could search.
func (s Search) Looked() bool { return slices.ContainsFunc(s.Channels, SearchOutcome.looked) }

// Limits on the short fields of a hit, above all real values; longer ones are cut.
const (
	maxChannelChars  = 100
	maxLanguageChars = 35 // the longest tag of RFC 5646, section 4.4.1
)

// fault returns why a hit cannot be stored, or "".
func (e Evidence) fault() string {
	switch {
	case strings.TrimSpace(e.Title) == "":
		return "it has no title"
	case e.URL == "":
		return "it has no url"
	case query.NoInformation(e.Title, e.Snippet):
		return "it only states that nothing was found or readable"
	case !readableURL(e.URL):
		return "its url is not an http, https or file address, a doi: or an arxiv: id"
	case utf8.RuneCountInString(e.URL) > MaxURLChars:
		return fmt.Sprintf("its url is longer than %d characters", MaxURLChars)
	case !docid.ValidSourceType(e.SourceType):
		return fmt.Sprintf("unknown type of source %q: use one of %s", Shorten(e.SourceType, 40), strings.Join(docid.SourceTypes(), ", "))
	}
	return ""
}

// PublicationDate returns the year, month or day at the start of s ("2024-03-01T09:00:00Z" is 2024-03-01), or "". A hit
// with a date in another format is kept without it.
func PublicationDate(s string) string {
	s = strings.TrimSpace(s)
	for _, layout := range []string{time.DateOnly, "2006-01", "2006"} {
		date, rest := s[:min(len(layout), len(s))], s[min(len(layout), len(s)):]
		if t, err := time.Parse(layout, date); err == nil && t.Year() > 0 && (rest == "" || rest[0] < '0' || rest[0] > '9') {
			return date
		}
	}
	return ""
}

// readableURL reports whether fetch knows what to do with an address.
func readableURL(s string) bool {
	u, err := url.Parse(s)
	if err != nil {
		return false
	}
	needs := map[string]string{"doi": s, "arxiv": s, "http": u.Host, "https": u.Host, "file": u.Path} // the scheme is in lower case
	return needs[u.Scheme] != ""
}

// recentMonths is the period in which newer sources may contradict older ones.
const recentMonths = 18

// RecentSince returns the first day of the last 18 months before asOf (YYYY-MM-DD), or "" if asOf is not a date.
func RecentSince(asOf string) string {
	day, err := time.Parse(time.DateOnly, asOf)
	if err != nil {
		return ""
	}
	return day.AddDate(0, -recentMonths, 0).Format(time.DateOnly)
}

// onOrAfter compares dates that may lack day or month: a year counts as recent if any of its days does.
func onOrAfter(date, day string) bool {
	n := min(len(date), len(day))
	return n >= 4 && date[:n] >= day[:n]
}

// Angle is one way to approach a question. A searcher takes one angle and does not see the results of the others, so that
// the results differ.
type Angle struct {
	Angle string `json:"angle"`
	Brief string `json:"brief"`
	words string // its name in plain words
}

// AngleInWords names an angle in plain words, "counter-evidence" for one. A host's own angle stays as it is.
func AngleInWords(angle string) string {
	known, _ := first(Angles(), func(a Angle) bool { return a.Angle == angle })
	return cmp.Or(known.words, angle)
}

// AngleNamed returns the angle with a name, which may be in plain words. A host's own angle stays as it is.
func AngleNamed(named string) string {
	named = strings.TrimSpace(named)
	known, _ := first(Angles(), func(a Angle) bool { return strings.EqualFold(named, a.Angle) || strings.EqualFold(named, a.words) })
	return cmp.Or(known.Angle, named)
}

// Angles lists all angles, in the order of mechanism 2 in docs/mechanisms.md.
func Angles() []Angle {
	return []Angle{
		{"byEntity", "Search for each key entity by name (people, organisations, studies, products, places): what it published " +
			"itself, not what others say about it.", "entities"},
		{"byTimeWindow", "Walk the timeline: where the matter began, where it stands today, and what of the last 18 months overturns " +
			"an older answer.", "timeline"},
		{"bySourceType", "Vary the kind of source: peer-reviewed before official or primary before reputable press before " +
			"practitioners. Second-hand support alone is weak.", "kinds of source"},
		{"byCounterArg", "Look for the strongest case against the answer that is forming: criticism, limitations, failed " +
			"replications, dissenting experts, contrary data.", "counter-evidence"},
	}
}
