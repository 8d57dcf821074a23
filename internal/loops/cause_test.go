package loops

import (
	"testing"

	"github.com/citeloop/citeloop/internal/grounding"
)

func TestCause(t *testing.T) {
	checked := func(statuses ...grounding.Status) Verification {
		v := Verification{Verdict: "fail", Threshold: 0.8}
		for _, s := range statuses {
			var c VerifiedClaim
			c.Status = s
			v.Claims = append(v.Claims, c)
		}
		return v
	}
	for want, v := range map[string]Verification{
		"fail: 1 claim is supported in part or not found; 2 of 2 claims are checked, 1 grounded (80 % needed)":   checked(grounding.Grounded, grounding.Unsupported),
		"fail: 2 claims are supported in part or not found; 2 of 2 claims are checked, 0 grounded (80 % needed)": checked(grounding.Unsupported, grounding.Unsupported),
	} {
		if got := v.Cause(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
