package access

import (
	"errors"
	"strings"
	"testing"
	"time"
)

func TestMeter(t *testing.T) {
	t.Parallel()
	clock := &hand{at: noon}
	m := NewMeter(6, 2, clock.now)
	begin := func(owner string) (func(), *BusyError) {
		t.Helper()
		end, err := m.Begin(owner)
		var busy *BusyError
		if err != nil && !errors.As(err, &busy) {
			t.Fatal(err)
		}
		return end, busy
	}
	first, _ := begin("anna")
	second, _ := begin("anna")
	if _, busy := begin("anna"); busy == nil || !strings.Contains(busy.Error(), "too many parallel calls: you have 2") {
		t.Errorf("a third at once: %v", busy)
	}
	if end, busy := begin("ben"); busy != nil {
		t.Errorf("another owner: %v", busy)
	} else {
		end()
	}
	first()
	second()
	for range 4 { // with the two, six
		end, busy := begin("anna")
		if busy != nil {
			t.Fatal(busy)
		}
		end()
	}
	if _, busy := begin("anna"); busy == nil || busy.Wait != 10*time.Second || !strings.Contains(busy.Error(), "wait 10 seconds") {
		t.Errorf("the seventh: %v", busy)
	}
	clock.forward(10 * time.Second) // a sixth of a minute is one call, and a refused one cost none
	if end, busy := begin("anna"); busy != nil {
		t.Errorf("ten seconds later: %v", busy)
	} else {
		end()
	}
}
