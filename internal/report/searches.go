package report

import (
	"fmt"
	"sort"
	"strings"

	"github.com/citeloop/citeloop/internal/sanitize"
)

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
