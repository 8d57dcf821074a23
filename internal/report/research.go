package report

import (
	"fmt"
	"sort"
	"strings"
	"time"

	"github.com/citeloop/citeloop/internal/report/style"
	"github.com/citeloop/citeloop/internal/sanitize"
)

// roundRow is a row of the rounds table, in words.
type roundRow struct {
	Round, Sources, NewSources, Claims, OpenGaps int
	Took, Signed                                 string
}

// roundRows returns the rows, and whether any has a duration: a column without values is omitted.
func (f facts) roundRows() (rows []roundRow, timed bool) {
	signs := f.signOffs()
	for i, r := range f.Rounds {
		row := roundRow{Round: r.Round, Sources: r.Sources, NewSources: r.NewSources, Claims: r.Claims, OpenGaps: r.OpenGaps, Took: "–", Signed: signs[i]}
		if r.TookMS > 0 {
			row.Took, timed = style.FormatDuration(time.Duration(r.TookMS)*time.Millisecond), true
		}
		rows = append(rows, row)
	}
	return rows, timed
}

// signOffs returns the sign-off of each round with the number of consecutive ones: "yes ×2".
func (f facts) signOffs() []string {
	out := make([]string, len(f.Rounds))
	n := 0
	for i, r := range f.Rounds {
		if !r.SignOff {
			n, out[i] = 0, f.words.T("no")
			continue
		}
		n++
		out[i] = fmt.Sprintf("%s ×%d", f.words.T("yes"), n)
	}
	return out
}

// looked counts the searches of a channel by result.
type looked struct {
	Channel  string
	Searches int
	Found    int
	Nothing  int // the search worked and found nothing
	Partly   int // the search was incomplete
	Blind    int // the search failed
	Why      string
}

// lookedOf distinguishes "nothing found" from "could not search". "reported" is a result of a search by the host. An
// unknown outcome counts as failed.
func (f facts) lookedOf(c SearchCount) looked {
	l := looked{Channel: sanitize.Line(c.Channel), Searches: c.Searches}
	if l.Channel == "" {
		l.Channel = "unnamed"
	}
	var why []string
	for outcome, n := range c.Outcomes {
		switch outcome {
		case "ok", "reported":
			l.Found += n
		case "empty":
			l.Nothing += n
		case "degraded":
			l.Partly += n
		default:
			l.Blind += n
			why = append(why, fmt.Sprintf("%s ×%d", f.words.T(strings.ReplaceAll(sanitize.Line(outcome), "_", " ")), n))
		}
	}
	sort.Strings(why)
	l.Why = strings.Join(why, ", ")
	return l
}

func (f facts) looked() []looked {
	out := make([]looked, 0, len(f.Searches))
	for _, c := range f.Searches {
		out = append(out, f.lookedOf(c))
	}
	return out
}

// failedSearches returns the channels with failed or incomplete searches.
func (f facts) failedSearches() []looked {
	var out []looked
	for _, l := range f.looked() {
		if l.Blind > 0 || l.Partly > 0 {
			out = append(out, l)
		}
	}
	return out
}

// foundNothing describes how many searches worked and found nothing, or returns "".
func (f facts) foundNothing() string {
	n := 0
	for _, l := range f.looked() {
		n += l.Nothing
	}
	if n == 0 {
		return ""
	}
	return f.count(n, "1 other search worked and found nothing.", "%s other searches worked and found nothing.")
}

// missed describes the failed and incomplete searches of a channel.
func (f facts) missed(l looked) string {
	total := l.Found + l.Nothing + l.Partly + l.Blind
	var parts []string
	switch {
	case l.Blind > 0 && l.Blind == total && total == 1:
		parts = append(parts, f.words.T("its only search failed (%s)", l.Why))
	case l.Blind > 0 && l.Blind == total:
		parts = append(parts, f.words.T("all of its %d searches failed (%s)", total, l.Why))
	case l.Blind > 0:
		parts = append(parts, f.words.T("%d of %d searches failed (%s)", l.Blind, total, l.Why))
	}
	switch {
	case l.Partly > 0 && total == 1:
		parts = append(parts, f.words.T("its only search was incomplete"))
	case l.Partly > 0:
		parts = append(parts, f.words.T("%d of %d searches were incomplete", l.Partly, total))
	}
	return strings.Join(parts, "; ") + f.words.T(".") + " " + f.words.T("Results there may have been missed.")
}
