package game

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// Claim is a sentence as a host submits it, with the line of the text that it cites, from 1.
type Claim struct {
	Text string
	Line int
}

// Claims makes n claims from a text with a block on each line: a shortened sentence, in other words where that is easy, every
// second one false by one change. The changes are not citeloop's.
func Claims(lines []string, n int, r *rand.Rand) (out []Claim) {
	type place struct {
		line int
		text string
	}
	var all []place
	for i, l := range lines {
		for _, s := range Sentences(l) {
			if len(s) >= 60 && len(s) <= 300 && strings.HasSuffix(s, ".") && !strings.ContainsAny(s, "|<>{}[]`\"") {
				all = append(all, place{i + 1, s})
			}
		}
	}
	r.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	for i, p := range all[:min(n, len(all))] {
		s := p.text
		if a, b := strings.Index(s, "("), strings.Index(s, ")"); a > 0 && b > a && b+1 < len(s) {
			s = strings.TrimSpace(s[:a]) + s[b+1:]
		}
		if at := strings.LastIndex(s, ", "); at > 40 && r.IntN(2) == 0 {
			s = s[:at] + "."
		}
		for _, pair := range [][2]string{{" shows ", " makes plain "}, {" very ", " quite "}, {" must ", " ought to "}, {" many ", " a lot of "}, {" using ", " with "}, {" will ", " is going to "}, {" also ", " "}, {" then ", " "}, {" the ", " that "}} {
			if r.IntN(3) > 0 {
				s = strings.Replace(s, pair[0], pair[1], 1)
			}
		}
		if i%2 == 1 {
			fields := strings.Fields(s)
			k := 1 + r.IntN(len(fields)-1)
			s = strings.Join(append(append([]string{}, fields[:k]...), fields[k:]...), " ")
			s = strings.Replace(s, " is ", " was once ", 1) // the host lies; how does not matter to a program that stamps its own claims
			s = strings.TrimSuffix(s, ".") + fmt.Sprintf(" in %d of %d cases.", 2+r.IntN(5), 8+r.IntN(9))
		}
		out = append(out, Claim{s, p.line})
	}
	return out
}
