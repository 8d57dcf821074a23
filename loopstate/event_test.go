package loopstate

import (
	"errors"
	"strings"
	"testing"
	"time"
)

// An event that would be too large is refused before it is encoded.
func TestEventsAreBoundedBeforeTheyAreEncoded(t *testing.T) {
	long := strings.Repeat("x", 1<<20)
	p := Verified{}
	for range 1_000 { // 1 GB as JSON, 1 MB in memory
		p.Hallucinated = append(p.Hallucinated, Hallucinated{Claim: long})
	}
	allocated := testing.AllocsPerRun(1, func() {
		_, err := NewEvent("loop", 1, time.Time{}, "op", p)
		var e *Error
		if !errors.As(err, &e) || e.Code != CodeTooLong || e.Subject != "request" {
			t.Errorf("error %v", err)
		}
	})
	if allocated > 100 {
		t.Errorf("%v allocations", allocated)
	}
	p.Hallucinated = p.Hallucinated[:3]
	if _, err := NewEvent("loop", 1, time.Time{}, "op", p); err != nil {
		t.Errorf("a smaller one: %v", err)
	}
}
