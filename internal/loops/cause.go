package loops

import (
	"fmt"
	"strings"

	"github.com/citeloop/citeloop/internal/grounding"
)

// tally counts the sentences or claims of a verification.
type tally struct {
	all, checked, grounded, pending, contradicted, uncited, own int
}

func (v Verification) tally() tally {
	n := tally{checked: len(v.Claims), own: len(v.Own)}
	for i := range v.Claims {
		switch c := &v.Claims[i]; {
		case c.Status == grounding.Grounded:
			n.grounded++
		case c.Contradicted():
			n.contradicted++
		case c.Status == grounding.Inferred && c.Pending():
			n.pending++
		}
	}
	if v.draft { // in a list of claims the uncited ones are claims, too
		n.uncited = len(v.Uncited)
	}
	n.all = n.checked + n.uncited + n.own
	return n
}

// Cause says in one line why the verdict is what it is, the reasons first that no review can change, and what the share of
// grounded ones is a share of: "fail: 9 sentences cite nothing; 45 wait for review; 60 of 131 sentences are checked, …".
func (v Verification) Cause() string {
	n := v.tally()
	item := "claim"
	if v.draft {
		item = "sentence"
	}
	var why []string
	add := func(count int, one, many string) {
		switch {
		case count == 1:
			why = append(why, "1 "+one)
		case count > 1:
			why = append(why, fmt.Sprintf("%d %s", count, many))
		}
	}
	uncited := n.uncited
	if !v.draft {
		uncited = len(v.Uncited)
	}
	add(len(v.Hallucinated), "citation leads to nothing that was read", "citations lead to nothing that was read")
	add(n.contradicted, item+" differs from its sources", item+"s differ from their sources")
	add(uncited, item+" cites nothing", item+"s cite nothing")
	add(n.checked-n.grounded-n.contradicted-n.pending, item+" is supported in part or not found", item+"s are supported in part or not found")
	add(n.pending, "waits for review", "wait for review")
	shares := fmt.Sprintf("%d of %d %ss are checked, ", n.checked, n.all, item)
	if n.grounded == n.checked && n.checked > 0 {
		shares += "all grounded"
	} else {
		shares += fmt.Sprintf("%d grounded", n.grounded)
	}
	why = append(why, shares)
	switch {
	case v.Verdict == VerdictPass || float64(n.grounded) >= v.Threshold*float64(n.checked+n.uncited):
	case n.pending > 0 && v.mayPass(n):
		why[len(why)-1] += " before the review"
	default:
		why[len(why)-1] += fmt.Sprintf(" (%.0f %% needed)", 100*v.Threshold)
	}
	add(n.own, "is the author's own", "are the author's own")
	return v.Verdict + ": " + strings.Join(why, "; ")
}

// mayPass reports whether enough claims are grounded once all that wait for the review are.
func (v Verification) mayPass(n tally) bool {
	return float64(n.grounded+n.pending) >= v.Threshold*float64(n.checked+n.uncited)
}

// Tolerated returns how many claims are supported in part or not found although the text may pass with them.
func (v Verification) Tolerated() int {
	if n := v.tally(); v.mayPass(n) {
		return n.weak()
	}
	return 0
}

// weak returns how many claims are supported in part or not found.
func (n tally) weak() int { return n.checked - n.grounded - n.contradicted - n.pending }

// Edits names what must be edited before the text can pass, in the order of Cause. What a reader has yet to read is not among
// it. What is supported in part or not found is, if the text could not pass even with all that waits grounded.
func (v Verification) Edits() []string {
	n := v.tally()
	weak := n.weak()
	if v.mayPass(n) {
		weak = 0
	}
	var out []string
	for _, e := range []struct {
		n    int
		what string
	}{{len(v.Hallucinated), "citations that lead to nothing"}, {n.contradicted, "what differs from its sources"}, {len(v.Uncited), "what cites nothing"}, {weak, "what is supported in part or not found"}} {
		if e.n > 0 {
			out = append(out, e.what)
		}
	}
	return out
}
