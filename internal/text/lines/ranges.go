package lines

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Range is the lines First to Last, both included, from 1.
type Range struct{ First, Last int }

// Ranges are ranges in ascending order that do not touch each other. Nil means no particular line.
type Ranges []Range

// maxRanges bounds the ranges of one reference (chosen): a sentence rests on a few places.
const maxRanges = 32

// ParseRanges reads a reference such as "120", "120-128", "120-128,140" or "L12-L20". ok is false for anything else.
func ParseRanges(ref string) (ranges Ranges, ok bool) {
	for part := range strings.SplitSeq(ref, ",") {
		first, last, found := strings.Cut(strings.NewReplacer("–", "-", "—", "-", "−", "-").Replace(part), "-")
		a, okA := number(first)
		b, okB := a, true
		if found {
			b, okB = number(last)
		}
		if !okA || !okB || b < a || len(ranges) == maxRanges {
			return nil, false
		}
		ranges = append(ranges, Range{a, b})
	}
	return ranges.joined(), true
}

// number reads the number of a line, with or without the L of GitHub's fragments.
func number(s string) (int, bool) {
	s = strings.TrimLeft(strings.TrimSpace(s), "Ll")
	n, err := strconv.Atoi(s)
	return n, err == nil && n > 0 && s[0] != '+'
}

// joined sorts ranges and joins those that overlap or touch.
func (r Ranges) joined() Ranges {
	slices.SortFunc(r, func(a, b Range) int { return cmp.Or(cmp.Compare(a.First, b.First), cmp.Compare(a.Last, b.Last)) })
	var out Ranges
	for _, x := range r {
		if n := len(out); n > 0 && x.First <= out[n-1].Last+1 {
			out[n-1].Last = max(out[n-1].Last, x.Last)
			continue
		}
		out = append(out, x)
	}
	return out
}

// And returns the lines of both.
func (r Ranges) And(other Ranges) Ranges { return slices.Concat(r, other).joined() }

// Overlap reports whether one of the lines is one of x. Ranges that mean no particular line overlap with every line.
func (r Ranges) Overlap(x Range) bool {
	return len(r) == 0 || slices.ContainsFunc(r, func(y Range) bool { return y.First <= x.Last && x.First <= y.Last })
}

// String writes ranges as references do: "120-128,140".
func (r Ranges) String() string {
	parts := make([]string, len(r))
	for i, x := range r {
		if parts[i] = strconv.Itoa(x.First); x.Last > x.First {
			parts[i] += "-" + strconv.Itoa(x.Last)
		}
	}
	return strings.Join(parts, ",")
}

// MarshalText writes ranges as references do.
func (r Ranges) MarshalText() ([]byte, error) { return []byte(r.String()), nil }

// UnmarshalText reads what MarshalText wrote.
func (r *Ranges) UnmarshalText(text []byte) error {
	*r = nil
	if len(text) == 0 {
		return nil
	}
	for part := range strings.SplitSeq(string(text), ",") {
		one, ok := ParseRanges(part)
		if !ok {
			return fmt.Errorf("invalid lines %q", part)
		}
		*r = append(*r, one...)
	}
	return nil
}

// Count returns the number of lines.
func (r Ranges) Count() (n int) {
	for _, x := range r {
		n += x.Last - x.First + 1
	}
	return n
}

// Mask returns a text in which spaces stand for all characters of these lines: lines and offsets in code points stay as they are.
func (r Ranges) Mask(text string) string {
	if len(r) == 0 {
		return text
	}
	all := strings.Split(text, "\n")
	for _, x := range r {
		for i := x.First - 1; i < min(x.Last, len(all)); i++ {
			all[i] = strings.Repeat(" ", utf8.RuneCountInString(all[i]))
		}
	}
	return strings.Join(all, "\n")
}
