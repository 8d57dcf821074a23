package postgres_test

import (
	"strings"
	"testing"
	"time"

	"github.com/citeloop/citeloop/loopstate/postgres"
	"github.com/citeloop/citeloop/loopstate/storetest"
)

const listening = `SELECT coalesce(max(pid), 0) FROM pg_stat_activity
	WHERE application_name = current_schema() AND query LIKE 'LISTEN%' AND pid <> $1`

// Without polls, NOTIFY reports another process's events, also after the listening connection broke.
func TestNotify(t *testing.T) {
	where := storetest.PostgreSQL(t)
	watching := open(t, where, postgres.Options{PollInterval: time.Hour})
	writing := open(t, where, postgres.Options{PollInterval: time.Hour})
	admin := connect(t, storetest.WithParameters(t, where, "application_name", "the administrator"))
	if n := ask[int](t, admin, `SELECT count(*) FROM pg_stat_activity WHERE application_name = current_schema() AND query LIKE 'LISTEN%'`); n != 0 {
		t.Errorf("%d connections listen, and nobody watches", n)
	}
	hints := watching.Watch(t.Context(), "L")
	at, heard := int64(0), int32(0)
	for range 3 {
		heard = eventually[int32](t, admin, listening, heard)
		for i := range 4 {
			if i == 3 { // changes without a listener are found by a poll
				execute(t, admin, `SELECT pg_terminate_backend($1)`, heard)
			}
			appendNext(t, writing, at)
			at++
			for got := int64(0); got < at; {
				got = <-hints
			}
		}
	}
}

// A burst of appends is few notifications, each after its commit.
func TestNotificationsAreCoalesced(t *testing.T) {
	where := storetest.PostgreSQL(t)
	store := open(t, where, postgres.Options{})
	listener := connect(t, where)
	execute(t, listener, `LISTEN "`+store.Channel()+`"`)
	began := time.Now()
	const n = 300
	for at := range int64(n) {
		appendNext(t, store, at)
	}
	most := int(time.Since(began)/(50*time.Millisecond)) + 2
	head, events := next("the last", 0)
	if err := store.Append(t.Context(), head, 0, events); err != nil {
		t.Fatal(err)
	}
	got := 0
	for {
		n, err := listener.WaitForNotification(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if strings.HasSuffix(n.Payload, " the last") {
			break
		}
		got++
	}
	if got == 0 || got > most {
		t.Errorf("%d appends were %d notifications, want 1 to %d", n, got, most)
	}
}

// Without NOTIFY, polling alone is enough.
func TestPolling(t *testing.T) {
	where := storetest.PostgreSQL(t)
	watching := open(t, where, postgres.Options{PollInterval: 5 * time.Millisecond})
	writing := open(t, where, postgres.Options{})
	appendNext(t, writing, 0)
	hints := watching.Watch(t.Context(), "L")
	if got := <-hints; got != 1 {
		t.Fatalf("hint %d, want 1", got)
	}
	// An event that came without a notification.
	admin := connect(t, where)
	execute(t, admin, `UPDATE citeloop_heads SET seq = 2`)
	if got := <-hints; got != 2 {
		t.Errorf("hint %d, want 2", got)
	}
}
