package channels

import (
	"fmt"
	"strings"

	"github.com/citeloop/citeloop/channels/normal"
)

// overfetch multiplies the limit if results will be filtered afterwards (chosen).
const overfetch = 3

// widened returns the query for a channel: with a larger limit if the source lacks a filter.
func widened(q Query, honours Filters) Query {
	if (q.Since+q.Until != "" && !honours.Dates) || (q.Language != "" && !honours.Language) {
		q.Limit = min(q.Limit*overfetch, MaxLimit)
	}
	return q
}

// filtered applies the filters that the source lacks to results that have the data, cuts the list to the limit, and
// returns a remark. Dates are always checked: Crossref's filter also accepts works whose other dates match.
func filtered(q Query, results []Result, honours Filters) (kept []Result, remark string) {
	var remarks []string
	if q.Since+q.Until != "" {
		var late, undated int
		results, late, undated = keep(results, func(e Result) (known, fits bool) {
			return e.PublishedAt != "", normal.Within(e.PublishedAt, q.Since, q.Until)
		})
		if !honours.Dates || late > 0 {
			remarks = append(remarks, fmt.Sprintf("dates applied afterwards: %d outside dropped, %d without a date kept", late, undated))
		}
	}
	if q.Language != "" && !honours.Language {
		want := normal.PrimaryLanguage(q.Language)
		var other, unnamed int
		results, other, unnamed = keep(results, func(e Result) (known, fits bool) {
			return e.Language != "", normal.PrimaryLanguage(e.Language) == want
		})
		remarks = append(remarks, fmt.Sprintf("language applied afterwards: %d of another language dropped, %d without a language kept",
			other, unnamed))
	}
	return results[:min(len(results), q.Limit)], strings.Join(remarks, "; ")
}

// keep drops the results that are known not to fit, and counts them and those that it kept unknown.
func keep(results []Result, judge func(Result) (known, fits bool)) (kept []Result, dropped, unsure int) {
	for _, e := range results {
		known, fits := judge(e)
		if known && !fits {
			dropped++
			continue
		}
		if !known {
			unsure++
		}
		kept = append(kept, e)
	}
	return kept, dropped, unsure
}
