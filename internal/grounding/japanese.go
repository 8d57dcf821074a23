package grounding

import (
	"slices"
	"strings"
)

// endsContinuative reports whether token i is the ending of a Japanese verb that the passage has in the form that goes on with
// another clause: "料金を上げ、…にする" says "料金を上げる". The end of the sentence says when.
func (x *account) endsContinuative(i int) bool {
	const endings, past, between = "るすうくぐつぬぶむただ", "ただ", "しきぎちにびみりい"
	t, p := x.claim.tokens, x.passage.tokens
	if x.k.claims.language != "ja" || i != len(t)-1 || i == 0 || x.at[i-1] < 0 || !strings.Contains(endings, t[i].fold) {
		return false
	}
	next := x.at[i-1] + 1
	if next < len(p) && p[next].segment == p[next-1].segment && strings.Contains(between, p[next].fold) {
		next++
	}
	if next >= len(p) || p[next].segment == p[next-1].segment || p[next].sentence != p[next-1].sentence {
		return false
	}
	end := slices.IndexFunc(p[next:], func(n token) bool { return n.sentence != p[next].sentence })
	if end < 0 {
		end = len(p) - next
	}
	return strings.Contains(past, t[i].fold) == strings.Contains(past, p[next+end-1].fold)
}
