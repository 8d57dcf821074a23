package postgres_test

import (
	"fmt"
	"testing"

	"github.com/citeloop/citeloop/loopstate"
	"github.com/citeloop/citeloop/loopstate/postgres"
	"github.com/citeloop/citeloop/loopstate/storetest"
)

// Four processes of sixteen clients each write to one loop and to many: no event is lost or repeated, and no number is
// acknowledged twice. All processes open an empty database.
func TestProcesses(t *testing.T) {
	where := storetest.PostgreSQL(t)
	var waits []func() []string
	for p := range processes {
		waits = append(waits, start(t, where, fmt.Sprint("process-", p)))
	}
	acknowledged := map[string]int{}
	for p, wait := range waits {
		for _, ack := range wait() {
			if other, twice := acknowledged[ack]; twice {
				t.Errorf("%q was acknowledged to processes %d and %d", ack, other, p)
			}
			acknowledged[ack] = p
		}
	}

	want := map[string]int{"one": processes * clients * toOne}
	for l := range many {
		want[fmt.Sprint("many-", l)] = processes * clients * toMany
	}
	total := 0
	store := open(t, where, postgres.Options{})
	for loop, n := range want {
		total += n
		var events []loopstate.Event
		for e, err := range store.Load(t.Context(), loop, 0) {
			if err != nil {
				t.Fatalf("Load(%s): %v", loop, err)
			}
			events = append(events, e)
			if _, ok := acknowledged[fmt.Sprint(loop, " ", e.Seq)]; !ok {
				t.Errorf("event %d of %s was not acknowledged", e.Seq, loop)
			}
		}
		if err := storetest.CheckLog(events); err != nil {
			t.Errorf("%s: %v", loop, err)
		}
		if len(events) != n {
			t.Errorf("%s has %d events, want %d", loop, len(events), n)
		}
	}
	if len(acknowledged) != total {
		t.Errorf("%d events were acknowledged, want %d", len(acknowledged), total)
	}
}
