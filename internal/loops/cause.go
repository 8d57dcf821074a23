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
	one := "claims"
	if v.draft {
		one = "sentences"
	}
	var why []string
	add := func(count int, format string, args ...any) {
		if count > 0 {
			why = append(why, fmt.Sprintf(format, append([]any{count}, args...)...))
		}
	}
	uncited := n.uncited
	if !v.draft {
		uncited = len(v.Uncited)
	}
	add(len(v.Hallucinated), "%d citations lead to nothing that was read")
	add(n.contradicted, "%d %s differ from their sources", one)
	add(uncited, "%d %s cite nothing", one)
	add(n.checked-n.grounded-n.contradicted-n.pending, "%d %s are supported in part or not found", one)
	add(n.pending, "%d wait for review")
	shares := fmt.Sprintf("%d of %d %s are checked, ", n.checked, n.all, one)
	if n.grounded == n.checked && n.checked > 0 {
		shares += "all grounded"
	} else {
		shares += fmt.Sprintf("%d grounded", n.grounded)
	}
	why = append(why, shares)
	if v.Verdict != VerdictPass && float64(n.grounded) < v.Threshold*float64(n.checked+n.uncited) {
		why[len(why)-1] += fmt.Sprintf(" (%.0f %% needed)", 100*v.Threshold)
	}
	add(n.own, "%d are the author's own")
	return v.Verdict + ": " + strings.Join(why, "; ")
}
