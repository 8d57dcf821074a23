package channels

import (
	"fmt"
	"strings"
)

// overfetch is how many times the limit a channel is asked for where results will be dropped afterwards (chosen).
const overfetch = 3

// asked is the query that a channel gets: with a larger limit where it cannot honour a filter.
func (q Query) asked(honours Filters) Query {
	if (q.Since+q.Until != "" && !honours.Dates) || (q.Language != "" && !honours.Language) {
		q.Limit = min(q.Limit*overfetch, MaxLimit)
	}
	return q
}

// filtered applies to the results what their source could not, where a result says enough, cuts the list to the
// limit, and says what was done. Dates are checked again even where the source honours them: Crossref's filter
// lets works through whose other dates fit.
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
		remarks = append(remarks, fmt.Sprintf("language applied afterwards: %d of another language dropped, %d that name none kept", other, unnamed))
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
