package reader

import (
	"cmp"
	"crypto/sha256"
	"slices"
)

// Supported is the answer of a reader that does not fail a claim.
const Supported = "supported"

const (
	// ReadAll is the number of claims up to which all are read.
	ReadAll     = 40
	firstSample = 20
)

// PlanItem is a claim of a text that rests on sources.
type PlanItem struct {
	Key   string // of one that a text states twice, both have it
	Front bool   // with a remark, without a line, or from a flagged source: it is always read
}

// Plan says what to read and what the readings so far tell about the rest.
type Plan struct {
	Next                       []string // keys to read now; none when the plan is carried out
	Sampled, Failed, DrawnFrom int      // claims drawn at random, those not supported of them, and all that they were drawn from
	Unread                     int      // claims that nobody has read
	AtMost                     float64  // of these, the share that is unsupported at most, with 95 % confidence; 1 until the plan is carried out
}

// NewPlan plans the reading of a text. read are the answers so far by key; a claim whose citation a second look corrected is
// supported. Up to [ReadAll] claims, or if all is true, all are read; beyond that all in front and a random sample of the rest, doubled
// whenever one of its last part fails. The seed draws it so that a claim keeps its place when others change.
func NewPlan(seed string, items []PlanItem, read map[string]string, all bool) Plan {
	var p Plan
	items = distinct(items)
	var must, rest []string
	draw := map[string]string{}
	for _, it := range items {
		if _, ok := read[it.Key]; !ok {
			p.Unread++
		}
		if it.Front || all || len(items) <= ReadAll {
			must = append(must, it.Key)
			continue
		}
		sum := sha256.Sum256([]byte(seed + "\x00" + it.Key))
		draw[it.Key] = string(sum[:])
		rest = append(rest, it.Key)
	}
	slices.SortFunc(rest, func(a, b string) int { return cmp.Compare(draw[a], draw[b]) })
	p.DrawnFrom = len(rest)
	var stages []int
	for end, failures := firstSample, 1; failures > 0 && p.Sampled < len(rest); end *= 2 {
		end, failures = min(end, len(rest)), 0
		for _, key := range rest[p.Sampled:end] {
			if answer, ok := read[key]; ok && answer != Supported {
				failures++
			}
		}
		stages = append(stages, end-p.Sampled)
		p.Sampled, p.Failed = end, p.Failed+failures
	}
	for _, key := range slices.Concat(must, rest[:p.Sampled]) {
		if _, ok := read[key]; !ok {
			p.Next = append(p.Next, key)
		}
	}
	if p.AtMost = 1; len(p.Next) == 0 {
		p.AtMost = boundOf(stages, p.Failed, len(rest))
	}
	return p
}

// distinct returns the items with each key once, in front if one of them is.
func distinct(items []PlanItem) []PlanItem {
	out, at := make([]PlanItem, 0, len(items)), make(map[string]int, len(items))
	for _, it := range items {
		if i, known := at[it.Key]; known {
			out[i].Front = out[i].Front || it.Front
			continue
		}
		at[it.Key] = len(out)
		out = append(out, it)
	}
	return out
}
