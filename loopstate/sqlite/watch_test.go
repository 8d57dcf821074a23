package sqlite_test

import (
	"path/filepath"
	"testing"
	"time"

	"github.com/citeloop/citeloop/loopstate/sqlite"
)

// Without polls, hints come from Append, and the first one from the poll of a new Watch.
func TestWatchWithoutPolls(t *testing.T) {
	path := filepath.Join(t.TempDir(), "loops.db")
	store := open(t, path, sqlite.Options{PollInterval: time.Hour})
	hints := store.Watch(t.Context(), "L")
	for want := range int64(5) {
		head, event := next("L", want)
		noError(t, store.Append(t.Context(), head, want, event))
		if got := <-hints; got != want+1 {
			t.Fatalf("hint %d, want %d", got, want+1)
		}
	}
	if got := <-store.Watch(t.Context(), "L"); got != 5 {
		t.Errorf("the first hint of a later watch is %d, want 5", got)
	}
	if got := <-open(t, path, sqlite.Options{PollInterval: time.Hour}).Watch(t.Context(), "L"); got != 5 {
		t.Errorf("the first hint of another handle's watch is %d, want 5", got)
	}
	noError(t, store.Delete(t.Context(), "L"))
	if got := <-hints; got != 0 {
		t.Errorf("the hint of a Delete is %d, want 0", got)
	}
}
