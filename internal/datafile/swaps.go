package datafile

import (
	"cmp"
	"slices"
	"strings"
)

// Swap replaces words by others. In a list there are no others.
type Swap struct{ From, To string }

// Same is the section of words that say the same.
const Same = "same"

// Swaps reads sections of "a / b -> c / d" lines, "a / b <-> c / d" lines for both directions, and lines of a list. Words
// between which a "/" stands say the same: they are swaps of the section "same", too. The longest phrases of a section come first.
func Swaps(data string) map[string][]Swap {
	out := map[string][]Swap{}
	add := func(section string, from, to []string) {
		for _, a := range from {
			for _, b := range to {
				if a != b && !slices.Contains(out[section], Swap{a, b}) {
					out[section] = append(out[section], Swap{a, b})
				}
			}
		}
	}
	for section, line := range Sections(data) {
		left, right, one := strings.Cut(line, " -> ")
		a, b, both := strings.Cut(line, " <-> ")
		if both {
			left, right = a, b
		}
		from, to := strings.Split(left, " / "), strings.Split(right, " / ")
		add(Same, from, from)
		if one || section != Same {
			add(section, from, to)
		}
		if both {
			add(section, to, from)
		}
		if section != Same { // there, each on the right replaces the left, but not another on the right
			add(Same, to, to)
		}
	}
	for _, swaps := range out {
		slices.SortStableFunc(swaps, func(a, b Swap) int { return cmp.Or(len(b.From)-len(a.From), strings.Compare(a.From, b.From)) })
	}
	return out
}
