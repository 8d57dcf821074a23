package verdict

import (
	"cmp"
	"fmt"

	"github.com/citeloop/citeloop/internal/sanitize"
	"github.com/citeloop/citeloop/internal/verify"
	"github.com/citeloop/citeloop/loopstate"
)

// findConflicts sets the conflicts of the checked claims, and the recorded contradictions that are not resolved.
func (v *Verification) findConflicts() {
	for _, x := range verify.Conflicts(v.Claims) {
		a, b := v.Claims[x.A], v.Claims[x.B]
		if len(a.Passages) == 0 || len(b.Passages) == 0 {
			continue
		}
		v.Conflicts = append(v.Conflicts, Conflict{Topic: sanitize.Short(a.Text, 120), A: a.Passages[0], B: b.Passages[0], ValueA: x.ValueA, ValueB: x.ValueB, Because: x.Because})
	}
	for _, x := range v.state.disputes {
		if len(x.Passages) < 2 {
			continue
		}
		v.Conflicts = append(v.Conflicts, Conflict{Topic: sanitize.Short(x.Topic, 120), A: passageOfQuoted(x.Passages[0]), B: passageOfQuoted(x.Passages[1]),
			Because: fmt.Sprintf("recorded as %s: %s", x.ID, cmp.Or(x.Why, x.Topic))})
	}
}

func passageOfQuoted(q loopstate.Quoted) verify.Passage {
	return verify.Passage{SourceID: q.SourceID, Start: q.Start, End: q.End, Text: q.Text}
}
