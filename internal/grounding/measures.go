package grounding

import (
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/citeloop/citeloop/internal/grounding/wordlist"
)

// measure is a unit that can be converted: an amount in it, times factor, is one in the base unit.
type measure struct {
	base   string
	factor float64
}

// namedMeasure is a unit that is not one ASCII word.
type namedMeasure struct {
	name string
	measure
}

// measures are the units as texts write them, in lower case, where the language is not known: "5 km" is 5,000 metres however
// it is spelt. longMeasures are those that are not one ASCII word; the longest that fits counts.
var measures, longMeasures = sync.OnceValue(func() map[string]measure {
	short := make(map[string]measure)
	for _, m := range listedMeasures() {
		if asciiWord(m.name) == m.name {
			short[m.name] = m.measure
		}
	}
	return short
}), sync.OnceValue(func() []namedMeasure {
	return slices.DeleteFunc(listedMeasures(), func(m namedMeasure) bool { return asciiWord(m.name) == m.name })
})

func listedMeasures() []namedMeasure {
	var out []namedMeasure
	for _, line := range wordlist.Lines("measures") {
		base := line.Section
		if base == "count" {
			base = ""
		}
		factor, _ := strconv.ParseFloat(line.Value, 64) // a test reads every line
		for _, name := range line.Words {
			out = append(out, namedMeasure{name, measure{base, factor}})
		}
	}
	return out
}

// measureAt reads a unit that is at byte from of s; end is where it ends. A number in words counts hours
// and metres, but no abbreviations.
func measureAt(s string, from int, word bool) (u measure, end int, ok bool) {
	for _, long := range longMeasures() {
		if from == len(s) || s[from] != long.name[0] || from+len(long.name) <= end {
			continue
		}
		if strings.HasPrefix(s[from:], long.name) {
			u, end, ok = long.measure, from+len(long.name), true
		}
	}
	if ok {
		return u, end, true
	}
	name := asciiWord(s[from:])
	if name == "" || len(name) > 14 || word && len(name) < 3 {
		return measure{}, 0, false
	}
	end = from + len(name)
	if c, _ := utf8.DecodeRuneInString(s[end:]); end < len(s) && (letterOrDigit(s[end]) || c == '²' || c == '³' || c == '/') {
		return measure{}, 0, false
	}
	low := strings.ToLower(name)
	u, ok = measures()[low]
	if !ok {
		u, ok = measures()[strings.TrimSuffix(low, "s")]
	}
	return u, end, ok
}
