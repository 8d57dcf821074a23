package lines

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/citeloop/citeloop/internal/lazyregexp"
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

// References separates references to lines: "S1:120-128,140", "S3:7" of "[S1:120-128,140; S3:7]", also with a comma between them.
func References(text string) []string {
	var refs []string
	for part := range strings.FieldsFuncSeq(text, func(r rune) bool { return strings.ContainsRune(";,[]", r) }) {
		part = strings.TrimSpace(part)
		switch n := len(refs); {
		case part == "":
		case n > 0 && moreLines.MatchString(part):
			refs[n-1] += "," + part
		default:
			refs = append(refs, part)
		}
	}
	return refs
}

var moreLines = lazyregexp.New(`^\d+(\s*[-–]\s*\d+)?$`)
