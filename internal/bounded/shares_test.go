package bounded

import (
	"context"
	"testing"
)

func TestShares(t *testing.T) {
	s := NewShares(40, 80, 10)
	ended, cancel := context.WithCancel(t.Context())
	cancel() // nothing waits
	give := map[string]func(){}
	for _, step := range []struct {
		owner string
		n     int
		taken bool
	}{{"anna", 40, true}, {"anna", 3, false}, {"ben", 40, true}, {"eve", 1, false}} {
		done, err := s.Take(ended, step.owner, step.n)
		if taken := err == nil; taken != step.taken {
			t.Errorf("%s takes %d: %v", step.owner, step.n, err)
		} else if taken {
			give[step.owner] = done
		}
	}
	give["anna"]()
	give["ben"]()
	for _, owner := range []string{"anna", "eve"} {
		if _, err := s.Take(ended, owner, 40); err != nil {
			t.Errorf("%s, after all were given back: %v", owner, err)
		}
	}
}
