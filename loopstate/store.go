package loopstate

import (
	"context"
	"iter"
)

// Snapshot is a folded state at one point of the log, stored to load faster. Fold is the version of the fold that made it;
// readers with another version ignore it.
type Snapshot struct {
	Loop  string
	Seq   int64
	Fold  int
	State []byte // JSON
}

// Store stores event logs, their heads, snapshots and content-addressed texts. It is safe for concurrent use by goroutines
// and, if the implementation says so, by processes. Data of a call that returned without an error is on disk.
type Store interface {
	// Append writes events after sequence number at together with the head and the texts that the events name, all or none.
	// The head makes listing loops one indexed read. The events have Loop, Seq at+1, at+2, … and one common Op, which is not
	// empty. At 0 creates the loop. The error is ErrConflict unless the loop's last event is exactly at, and
	// ErrOperationDone if the loop already has events with this Op. A head that does not match the events is an error.
	// Texts are stored as by PutBlob.
	Append(ctx context.Context, head Head, at int64, events []Event, texts ...[]byte) error
	// Create writes the whole log of a new loop and its head in one transaction: after a crash it is there or not. log yields
	// the events from 1, may be called again, and each event has its own Op. An error of log is returned and nothing written.
	// The error is ErrConflict if the loop exists.
	Create(ctx context.Context, head Head, log iter.Seq2[Event, error]) error
	// Load yields the events with Seq > after, in order. An error is the last pair, so that a partial log is not taken for
	// a complete one. An unknown loop yields nothing.
	Load(ctx context.Context, loop string, after int64) iter.Seq2[Event, error]
	// Loops lists the heads of an owner's loops, last changed first, ties by loop id.
	Loops(ctx context.Context, owner string) ([]Head, error)
	// Reviewed lists, at most limit, the heads of an owner's loops with Head.Readings, in the order of Loops.
	Reviewed(ctx context.Context, owner string, limit int) ([]Head, error)
	// Stored sums Head.Stored of an owner's loops, without reading logs.
	Stored(ctx context.Context, owner string) (int64, error)
	// Snapshot returns the newest snapshot of a loop, or ErrNotFound.
	Snapshot(ctx context.Context, loop string) (Snapshot, error)
	// PutSnapshot replaces the stored snapshot. It ignores a snapshot that is older (by Seq) than the stored one of the same
	// Fold.
	PutSnapshot(ctx context.Context, s Snapshot) error
	// PutBlob stores a text under its sha256, before a Create that names it. Storing the same text again is cheap and changes
	// nothing.
	PutBlob(ctx context.Context, text []byte) (Hash, error)
	// Blob returns a text, or ErrNotFound. It verifies the hash.
	Blob(ctx context.Context, h Hash) ([]byte, error)
	// Delete removes a loop atomically: its events, head and snapshot, and the texts that no other loop's events name. The
	// error for an unknown loop is ErrNotFound.
	//
	// Afterwards an Append to the deleted log is ErrConflict, an Append at 0 creates a new loop, and snapshots of deleted
	// events are ignored. A Load in progress ends with ErrNotFound. Watchers of the loop get 0. Delete may remove a text
	// between PutBlob and Create, so an import puts its texts again afterwards. Texts of an Append are safe.
	Delete(ctx context.Context, loop string) error
	// Watch sends the sequence number of the loop's last event when it may have changed, until ctx ends, and then closes the
	// channel. It is a hint: numbers may be skipped or repeated.
	Watch(ctx context.Context, loop string) <-chan int64
	// Probe writes and removes a little data. It fails if the store accepts no writes, for example on a full disk.
	Probe(ctx context.Context) error
	// Close waits for calls in progress and releases the store.
	Close() error
}
