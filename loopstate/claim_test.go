package loopstate

import (
	"testing"
)

// A verdict of a claim must not count for a claim with another meaning, but it stays when only the form changes.
func TestClaimKeys(t *testing.T) {
	tests := []struct {
		a, b string
		same bool
	}{
		{"Growth was –5 % in 2020.", "Growth was 5 % in 2020.", false},
		{"Growth was –5 % in 2020.", "Growth was −5 % in 2020.", false}, // only the minus has a key of its own
		{"The sample had 10⁵ cells.", "The sample had 105 cells.", false},
		{"The sample had 10^5 cells.", "The sample had 10 5 cells.", false},
		{"It rose if x ≥ 5.", "It rose if x ≤ 5.", false},
		{"It ends if a != b.", "It ends if a = b.", false},
		{"It took ½ hour.", "It took 1 2 hour.", false},
		{"It took 1/2 hour.", "It took 1 2 hour.", false},
		{"The share is 5 ‰.", "The share is 5.", false},
		{"x is 2*3", "x is 2 3", false},
		{"It runs if !ready.", "It runs if ready.", false},
		{"p was < .05", "p was < 05", false},
		{"It rose by 5 % (Smith 2020).", "it rose by 5 %, Smith 2020", false},
		{"“Open” is the default!", "open is the default", false},
		{"From 1990–2000 – a decade – it rose.", "From 1990-2000, a decade, it rose", false},
		{"From 1990 – 2000 it rose.", "From 1990, 2000 it rose", false},
		{"The law — amended in 1990 — holds.", "The law, amended in 1990, holds.", false},
		{"Users and/or groups", "users and or groups", false},
		{"It is *new*.", "It is new.", true},
		{"It  is\nnew.", "it is new", true},
		{"The tank holds 1.500 litres.", "The tank holds 1,500 litres.", false},
		{"It gave 5 MW.", "It gave 5 mW.", false},
		{"Gb are meant.", "gb are meant.", false},
		{"The US lost.", "The us lost.", false},
		{"It is “not” new.", "It is not new.", false},
		{"It took 2.5 days.", "It took 2–5 days.", false},
		{"It was 6′ long.", "It was 6″ long.", false},
	}
	for _, tt := range tests {
		if got := ReviewKey(tt.a, nil, nil) == ReviewKey(tt.b, nil, nil); got != tt.same {
			t.Errorf("%q and %q have the same review key: %t, want %t", tt.a, tt.b, got, tt.same)
		}
		if got := claimKey(tt.a, nil) == claimKey(tt.b, nil); got != tt.same {
			t.Errorf("%q and %q are the same claim: %t, want %t", tt.a, tt.b, got, tt.same)
		}
	}
	// Readings are stored by key, so the keys of ordinary claims stay.
	if got := ReviewKey("The river rose by 1.5 metres (-3 % at most) in 1990–2000.", []string{"a"},
		[]string{"q"}); got != "e156948f1f49d45b3e7f4241" {
		t.Errorf("the key of an ordinary claim is %s", got)
	}
}
