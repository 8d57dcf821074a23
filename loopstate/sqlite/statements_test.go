package sqlite

import (
	"context"
	"errors"
	"path/filepath"
	"sync"
	"testing"
)

// A query is prepared once, even by concurrent calls, and each call uses its own arguments and sees current data, even after
// a call that stopped early.
func TestStatementsAreCached(t *testing.T) {
	store, err := Open(t.Context(), filepath.Join(t.TempDir(), "loops.db"), Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	const text = `SELECT value FROM json_each(?) UNION ALL SELECT count(*) FROM blobs`
	read := func(ctx context.Context, list string) (values []int, err error) {
		err = store.read(ctx, func(scan scanner) (bool, error) {
			var v int
			err := scan(&v)
			values = append(values, v)
			return len(values) < 4, err
		}, text, list)
		return values, err
	}
	check := func(list string, want ...int) {
		t.Helper()
		got, err := read(t.Context(), list)
		if err != nil || len(got) != len(want) {
			t.Errorf("%s: %v, %v, want %v", list, got, err, want)
			return
		}
		for i, v := range got {
			if v != want[i] {
				t.Errorf("%s: %v, want %v", list, got, want)
				return
			}
		}
	}
	var calls sync.WaitGroup
	for range 2 * readers {
		calls.Go(func() { check(`[3]`, 3, 0) })
	}
	calls.Wait()
	if len(store.queries.byText) != 1 {
		t.Errorf("%d statements of one query", len(store.queries.byText))
	}
	check(`[1,2,3,4,5,6]`, 1, 2, 3, 4) // the rest is not read
	ended, end := context.WithCancel(t.Context())
	end()
	if _, err := read(ended, `[5]`); !errors.Is(err, context.Canceled) {
		t.Errorf("a call that had ended: %v", err)
	}
	if _, err := store.PutBlob(t.Context(), []byte("otters")); err != nil {
		t.Fatal(err)
	}
	for range readers {
		check(`[6]`, 6, 1)
	}
}
