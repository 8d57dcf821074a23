package postgres_test

import (
	"testing"
	"time"

	"github.com/citeloop/citeloop/loopstate/postgres"
	"github.com/citeloop/citeloop/loopstate/storetest"
)

// Polling finds the events of another process.
func TestPolling(t *testing.T) {
	where := storetest.PostgreSQL(t)
	watching := open(t, where, postgres.Options{PollInterval: 5 * time.Millisecond})
	writing := open(t, where, postgres.Options{})
	appendNext(t, writing, 0)
	hints := watching.Watch(t.Context(), "L")
	if got := <-hints; got != 1 {
		t.Fatalf("hint %d, want 1", got)
	}
	admin := connect(t, where)
	execute(t, admin, `UPDATE citeloop_heads SET seq = 2`)
	if got := <-hints; got != 2 {
		t.Errorf("hint %d, want 2", got)
	}
}
