package channels

import (
	"fmt"
	"strings"
)

// overfetch multiplies the limit if results will be filtered afterwards (chosen).
const overfetch = 3

// asked returns the query for a channel: with a larger limit if the source lacks a filter.
func (q Query) asked(honours Filters) Query {
	if (q.Since+q.Until != "" && !honours.Dates) || (q.Language != "" && !honours.Language) {
		q.Limit = min(q.Limit*overfetch, MaxLimit)
	}
	return q
}

// filtered applies the filters that the source lacks to results that have the data, cuts the list to the limit, and
// returns a remark. Dates are always checked: Crossref's filter also accepts works whose other dates match.
func (q Query) filtered(results []Result, honours Filters) (kept []Result, remark string) {
	var remarks []string
	if q.Since+q.Until != "" {
		var late, undated int
		results, late, undated = keep(results, func(e Result) fit {
			switch {
			case e.PublishedAt == "":
				return unknown
			case within(e.PublishedAt, q.Since, q.Until):
				return fits
			}
			return misfits
		})
		if !honours.Dates || late > 0 {
			remarks = append(remarks, fmt.Sprintf("dates applied afterwards: %d outside dropped, %d without a date kept", late, undated))
		}
	}
	if q.Language != "" && !honours.Language {
		want := primaryLanguage(q.Language)
		var other, unnamed int
		results, other, unnamed = keep(results, func(e Result) fit {
			switch {
			case e.Language == "":
				return unknown
			case primaryLanguage(e.Language) == want:
				return fits
			}
			return misfits
		})
		remarks = append(remarks, fmt.Sprintf("language applied afterwards: %d of another language dropped, %d without a language kept", other, unnamed))
	}
	if len(results) > q.Limit {
		results = results[:q.Limit]
	}
	return results, strings.Join(remarks, "; ")
}

type fit int

const (
	fits fit = iota
	misfits
	unknown
)

func keep(results []Result, judge func(Result) fit) (kept []Result, dropped, unsure int) {
	for _, e := range results {
		switch judge(e) {
		case misfits:
			dropped++
			continue
		case unknown:
			unsure++
		}
		kept = append(kept, e)
	}
	return kept, dropped, unsure
}
