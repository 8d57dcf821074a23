package grounding

import "slices"

// English states with "used to" what is no longer so: a mill that used to be a brewery is none.

// otherHabit lists the words by which only one side speaks of a former time with "used to".
func (x *account) otherHabit() []int {
	if x.k.claims.language != "en" {
		return nil
	}
	t, p := x.claim.tokens, x.passage.tokens
	var out []int
	for i := range t {
		if x.claim.habit(i) {
			if at := x.at[i]; at >= 0 && p[at].fold == "used" && !x.passage.habit(at) {
				out = append(out, i)
			}
			return out
		}
	}
	for j := range p {
		if x.taken[j] || !x.passage.habit(j) || j+2 >= len(p) {
			continue
		}
		verb := &p[j+2]
		if verb.function {
			present := func(t token) bool { return slices.Contains([]string{"is", "are", "has", "have"}, t.fold) }
			past := func(t token) bool { return slices.Contains([]string{"was", "were", "had", "been"}, t.fold) }
			if i := slices.IndexFunc(t, present); i >= 0 && !slices.ContainsFunc(t, past) {
				out = append(out, i)
			}
			continue
		}
		if i := slices.Index(x.at, j+2); i >= 0 && (t[i].fold == verb.fold || plural(t[i].fold, verb.fold)) {
			out = append(out, i)
		}
	}
	return out
}

// habit reports whether token i is the "used" of "used to" before a verb.
func (w *wording) habit(i int) bool {
	t := w.tokens
	return t[i].fold == "used" && i+1 < len(t) && t[i+1].fold == "to" && t[i+1].tight && (i == 0 || !t[i-1].copula && t[i-1].fold != "get" && t[i-1].fold != "got")
}
