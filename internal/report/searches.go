package report

import (
	"fmt"
	"sort"
	"strings"

	"github.com/citeloop/citeloop/internal/report/drawing"
	"github.com/citeloop/citeloop/internal/sanitize"
)

// looked is what a channel's searches came to.
type looked struct {
	Channel  string
	Searches int
	Found    int
	Nothing  int // it looked, and there was nothing
	Partly   int // it looked, but not everywhere
	Blind    int // it could not look
	Why      string
}

// lookedOf tells "nothing was found" from "could not look" (DESIGN, the statuses of run_channel). A host that
// searched elsewhere reports what it found, so "reported" has looked. An outcome that is none of these counts
// as not looked.
func lookedOf(c SearchCount) looked {
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
			why = append(why, fmt.Sprintf("%s ×%d", strings.ReplaceAll(sanitize.Line(outcome), "_", " "), n))
		}
	}
	sort.Strings(why)
	l.Why = strings.Join(why, ", ")
	return l
}

func (f facts) looked() []looked {
	out := make([]looked, 0, len(f.Searches))
	for _, c := range f.Searches {
		out = append(out, lookedOf(c))
	}
	return out
}

// blind are the channels with searches that could not look, or not everywhere.
func (f facts) blind() []looked {
	var out []looked
	for _, l := range f.looked() {
		if l.Blind > 0 || l.Partly > 0 {
			out = append(out, l)
		}
	}
	return out
}

// emptyHanded says how many searches did look and found nothing, so that nobody takes them for the others;
// "" when there are none.
func (f facts) emptyHanded() string {
	n := 0
	for _, l := range f.looked() {
		n += l.Nothing
	}
	if n == 0 {
		return ""
	}
	return drawing.Count(n, "other search worked and found nothing.", "other searches worked and found nothing.")
}

// missed describes what the searches of a channel could not see.
func (l looked) missed() string {
	total := l.Found + l.Nothing + l.Partly + l.Blind
	var parts []string
	switch {
	case l.Blind > 0 && l.Blind == total && total == 1:
		parts = append(parts, fmt.Sprintf("its only search failed (%s)", l.Why))
	case l.Blind > 0 && l.Blind == total:
		parts = append(parts, fmt.Sprintf("all of its %d searches failed (%s)", total, l.Why))
	case l.Blind > 0:
		parts = append(parts, fmt.Sprintf("%d of %d searches failed (%s)", l.Blind, total, l.Why))
	}
	if l.Partly > 0 {
		parts = append(parts, fmt.Sprintf("%d of %s were incomplete", l.Partly, drawing.Count(total, "search", "searches")))
	}
	return strings.Join(parts, "; ") + ". Results there may have been missed."
}
