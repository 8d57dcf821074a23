package draft

import (
	"strings"

	"github.com/citeloop/citeloop/internal/lazyregexp"
)

var (
	// authorYear is one citation by its first author and year: "Smith et al., 2021", "Holt & Ames 2020a".
	authorYear = lazyregexp.New(`^(?:(?:see|cf\.)(?: also)? |e\.g\.,? )?(\p{Lu}[\p{L}\p{M}'’-]+)(?:(?:,| and| &| et| und| y)? (?:\p{Lu}[\p{L}\p{M}'’-]+|al\.?))*,? (\d{4}[a-z]?)(?:, pp?\..*)?$`)
	// authorEntry is the entry of a list of such: "Smith, J., & Ames, K. (2021). Title".
	authorEntry = lazyregexp.New(`^(\p{Lu}[\p{L}\p{M}'’-]+)[ ,.].*?\b((?:1[5-9]|20)\d\d[a-z]?)\b`)
)

// authorLabel is the label of a work by its first author and year; "" without them.
func authorLabel(m []string) string {
	if m == nil {
		return ""
	}
	return foldLabel(m[1] + " " + m[2])
}

// authorYears reads (Smith et al., 2021; Holt, 1902) in a text whose list has entries by author and year. What no entry of
// such a list has leads nowhere.
func (r *reader) authorYears(start, end int, inside string) []Marker {
	if !r.entries.byAuthor {
		return nil
	}
	var out []Marker
	for work := range strings.SplitSeq(inside, ";") {
		label := authorLabel(authorYear.FindStringSubmatch(strings.TrimSpace(work)))
		if label == "" {
			return nil
		}
		out = append(out, r.marker(start, end, MarkerAuthor, label))
	}
	r.stamp(start, end)
	return out
}
