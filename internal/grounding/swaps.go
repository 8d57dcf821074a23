package grounding

import (
	"cmp"
	"slices"
)

// swaps finds two names or two numbers that changed places.
func (x *account) swaps(add func(DifferenceKind, span, span)) {
	if len(x.missing) > 0 || len(x.order) == 0 {
		return
	}
	c, p := x.claim.tokens, x.passage.tokens
	var order []int // matched tokens of content
	for i := range c {
		if x.at[i] >= 0 && !c[i].function && !c[i].speech && c[i].operator == 0 {
			order = append(order, i)
		}
	}
	for m, i := range order {
		for _, j := range order[m+1:] {
			numbers := c[i].number > 0 && c[j].number > 0
			names := c[i].upper && c[j].upper && p[x.at[i]].upper && p[x.at[j]].upper && x.k.claims.language != "de"
			if !numbers && !names || x.at[j] > x.at[i] || p[x.at[i]].sentence != p[x.at[j]].sentence {
				continue
			}
			x.at[i], x.at[j] = x.at[j], x.at[i]
			sorted := slices.IsSortedFunc(order, func(a, b int) int { return cmp.Compare(x.at[a], x.at[b]) })
			x.at[i], x.at[j] = x.at[j], x.at[i]
			if sorted {
				kind := DifferentRole
				if numbers {
					kind = DifferentBinding
				}
				add(kind, span{i, i}, span{x.at[j], x.at[j]})
				add(kind, span{j, j}, span{x.at[i], x.at[i]})
				return
			}
		}
	}
}
