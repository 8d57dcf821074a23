package postgres_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/citeloop/citeloop/loopstate"
	"github.com/citeloop/citeloop/loopstate/postgres"
	"github.com/citeloop/citeloop/loopstate/storage"
	"github.com/citeloop/citeloop/loopstate/storetest"
)

func TestDamageIsDetected(t *testing.T) {
	for name, query := range map[string]string{
		"in the middle": `DELETE FROM citeloop_events WHERE seq = 700`,
		"at the start":  `DELETE FROM citeloop_events WHERE seq = 1`,
		"at the end":    `DELETE FROM citeloop_events WHERE seq > 1400`,
		"a whole page":  `DELETE FROM citeloop_events WHERE seq BETWEEN 500 AND 1200`,
		"everything":    `DELETE FROM citeloop_events`,
	} {
		t.Run("a missing event, "+name, func(t *testing.T) {
			where := storetest.PostgreSQL(t)
			store := open(t, where, postgres.Options{})
			var log []loopstate.Event
			var head loopstate.Head
			for at := range int64(1500) {
				var events []loopstate.Event
				head, events = next("L", at)
				events[0].Op = "import"
				log = append(log, events...)
			}
			if err := store.Append(t.Context(), head, 0, log); err != nil {
				t.Fatal(err)
			}
			execute(t, connect(t, where), query)
			var last error
			for _, err := range store.Load(t.Context(), "L", 0) {
				last = err
			}
			if !errors.Is(last, storage.ErrDamaged) || !strings.Contains(last.Error(), "is missing") {
				t.Errorf("Load ends with %v, want ErrDamaged", last)
			}
		})
	}

	t.Run("a missing head", func(t *testing.T) {
		where := storetest.PostgreSQL(t)
		store := open(t, where, postgres.Options{})
		appendNext(t, store, 0)
		execute(t, connect(t, where), `DELETE FROM citeloop_heads`)
		for _, at := range []int64{0, 1} {
			head, events := next("L", at)
			events[0].Op = "another"
			if err := store.Append(t.Context(), head, at, events); !errors.Is(err, storage.ErrDamaged) {
				t.Errorf("Append at %d: %v, want ErrDamaged, because retries are useless", at, err)
			}
		}
	})
}
