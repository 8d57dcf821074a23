package sqlite_test

import (
	"bytes"
	"fmt"
	"path/filepath"
	"testing"

	"github.com/citeloop/citeloop/loopstate"
	"github.com/citeloop/citeloop/loopstate/sqlite"
	"github.com/citeloop/citeloop/loopstate/storetest"
)

func TestKilledWhileWriting(t *testing.T) {
	// All processes use one file, so that each also recovers from the previous kill. They are killed after prime numbers of
	// acknowledgements: at different pages, sometimes near a checkpoint (every 1,000 pages).
	path := filepath.Join(t.TempDir(), "loops.db")
	acknowledged := int64(0)
	total := 0
	for run, kill := range []int{1, 2, 3, 5, 11, 23, 47, 71, 97, 113, 131, 151} {
		p := start(t, path, fmt.Sprint("run", run), 1_000_000)
		for range kill {
			seq, ok := p.next(t)
			if !ok {
				t.Fatalf("run %d: the child exited: %v", run, p.cmd.Wait())
			}
			acknowledged = seq
		}
		if err := p.cmd.Process.Kill(); err != nil { // SIGKILL
			t.Fatal(err)
		}
		for { // count acknowledgements before the signal
			seq, ok := p.next(t)
			if !ok {
				break
			}
			acknowledged = seq
			total++
		}
		if err := p.cmd.Wait(); err == nil {
			t.Fatalf("run %d: the child was not killed", run)
		}
		total += kill

		store, err := sqlite.Open(t.Context(), path, sqlite.Options{})
		if err != nil {
			t.Fatalf("run %d: Open after the kill: %v", run, err)
		}
		events := check(t, store)
		// Each run may have stored one event without acknowledging it.
		if got := int64(len(events)); got < acknowledged || got > acknowledged+1 {
			t.Errorf("run %d: %d events, and %d were acknowledged", run, got, acknowledged)
		}
		if err := store.Close(); err != nil {
			t.Errorf("run %d: Close: %v", run, err)
		}
	}
	t.Logf("12 kills, %d acknowledged events, all there", total)
}

func TestTwoProcesses(t *testing.T) {
	path := filepath.Join(t.TempDir(), "loops.db")
	const n = 60
	// Both create the file.
	processes := []*process{start(t, path, "one", n), start(t, path, "two", n)}
	acknowledged := map[int64]int{}
	for i, p := range processes {
		for {
			seq, ok := p.next(t)
			if !ok {
				break
			}
			if other, twice := acknowledged[seq]; twice {
				t.Errorf("event %d was acknowledged to processes %d and %d", seq, other, i)
			}
			acknowledged[seq] = i
		}
		if err := p.cmd.Wait(); err != nil {
			t.Errorf("process %d: %v", i, err)
		}
	}
	events := check(t, open(t, path, sqlite.Options{}))
	if len(events) != 2*n || len(acknowledged) != 2*n {
		t.Errorf("%d events, %d acknowledged, want %d of both", len(events), len(acknowledged), 2*n)
	}
}

// check checks the log, the texts and the head.
func check(t *testing.T, store *sqlite.Store) []loopstate.Event {
	t.Helper()
	var events []loopstate.Event
	for e, err := range store.Load(t.Context(), "L", 0) {
		if err != nil {
			t.Fatalf("Load: %v", err)
		}
		events = append(events, e)
		text, err := store.Blob(t.Context(), loopstate.HashText(textOf(e.Op)))
		if err != nil || !bytes.Equal(text, textOf(e.Op)) {
			t.Errorf("the text of event %d: %d bytes, %v", e.Seq, len(text), err)
		}
	}
	if err := storetest.CheckLog(events); err != nil {
		t.Error(err)
	}
	heads, err := store.Loops(t.Context(), "ada")
	if err != nil || len(heads) != 1 || heads[0].Seq != int64(len(events)) {
		t.Errorf("heads %+v, %v; the log has %d events", heads, err, len(events))
	}
	return events
}
