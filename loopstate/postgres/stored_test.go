package postgres_test

import (
	"testing"

	"github.com/citeloop/citeloop/loopstate"
	"github.com/citeloop/citeloop/loopstate/postgres"
	"github.com/citeloop/citeloop/loopstate/storetest"
)

// Tables of the second format get the column, and their loops are counted once. Another replica may be doing the
// same.
func TestOldHeadsAreCounted(t *testing.T) {
	where := storetest.PostgreSQL(t)
	store := open(t, where, postgres.Options{})
	var want int64
	for _, loop := range []string{"first", "second"} {
		e := loopstate.Event{Loop: loop, Seq: 1, Kind: "old", Op: "op", Data: []byte(`{"text": "` + loop + `"}`)}
		if err := store.Append(t.Context(), loopstate.Head{Loop: loop, Owner: "ada", Seq: 1, Stored: 1000}, 0, []loopstate.Event{e}); err != nil {
			t.Fatal(err)
		}
		want += int64(len(e.Data))
	}
	admin := connect(t, storetest.WithParameters(t, where, "application_name", "the administrator"))
	execute(t, admin, `ALTER TABLE citeloop_heads DROP COLUMN stored, DROP COLUMN readings`)
	execute(t, admin, `UPDATE citeloop_schema SET version = 2`)
	stores := []loopstate.Store{open(t, where, postgres.Options{}), open(t, where, postgres.Options{})}
	heads, err := stores[0].Loops(t.Context(), "ada")
	if err != nil || len(heads) != 2 || heads[0].Stored != 0 {
		t.Errorf("heads without a count: %v, %v", heads, err)
	}
	if heads, err = stores[0].Reviewed(t.Context(), "ada", 10); err != nil || len(heads) != 2 {
		t.Errorf("heads that may have readings: %v, %v", heads, err)
	}
	for range 2 { // the second time from the stored counts
		for _, store := range stores {
			if stored, err := store.Stored(t.Context(), "ada"); stored != want || err != nil {
				t.Errorf("stored: %d, %v, want %d", stored, err, want)
			}
		}
	}
	if n := ask[int](t, admin, `SELECT count(stored) FROM citeloop_heads`); n != 2 {
		t.Errorf("%d of 2 counts are kept", n)
	}
}
