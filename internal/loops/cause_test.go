package loops

import (
	"slices"
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

// What readers found supported in part is to be edited only where the text cannot pass without.
func TestEdits(t *testing.T) {
	draft := func(grounded, weak, pending int) Verification {
		v := Verification{Verdict: VerdictFail, Threshold: 0.8, draft: true}
		for i := range grounded + weak + pending {
			var c VerifiedClaim
			switch {
			case i < grounded:
				c.Status = grounding.Grounded
			case i < grounded+weak:
				c.Status = grounding.Unsupported
			default:
				c.Status, c.key = grounding.Inferred, "waits"
			}
			v.Claims = append(v.Claims, c)
		}
		return v
	}
	for _, tt := range []struct {
		grounded, weak, pending int
		want                    []string
	}{
		{8, 2, 0, nil},
		{5, 2, 3, nil},
		{4, 3, 3, []string{"what is supported in part or not found"}},
		{7, 3, 0, []string{"what is supported in part or not found"}},
	} {
		if got := draft(tt.grounded, tt.weak, tt.pending).Edits(); !slices.Equal(got, tt.want) {
			t.Errorf("%d grounded, %d weak, %d waiting: %q, want %q", tt.grounded, tt.weak, tt.pending, got, tt.want)
		}
	}
}
