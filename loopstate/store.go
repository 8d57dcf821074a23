package loopstate

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"iter"
	"time"
)

// Event is one thing that happened to a loop: immutable, numbered from 1 without holes within its loop.
// Data is the JSON of one of the payload types of this package, named by Kind; Version is that payload's
// format, so that old events can be read for ever.
type Event struct {
	Loop    string          `json:"loop"`
	Seq     int64           `json:"seq"`
	At      time.Time       `json:"at"` // UTC
	Kind    string          `json:"kind"`
	Version int             `json:"version"`
	Op      string          `json:"op,omitempty"` // the operation that appended it; a retry carries the same
	Data    json.RawMessage `json:"data"`
}

// Head is a loop's summary as of its last event. It is written in the same transaction as the events, so
// that listing loops does not fold them.
type Head struct {
	Loop      string    `json:"state_id"`
	Owner     string    `json:"owner"`
	Seq       int64     `json:"seq"`
	Query     string    `json:"query"`
	Round     int       `json:"round"`
	Status    string    `json:"status"`
	UpdatedAt time.Time `json:"updated_at"`
	// Stored is what the loop keeps in bytes: its events and the texts that they name, before they are packed. A
	// head of an older version has 0 until the next event or [Store.Stored].
	Stored int64 `json:"stored_bytes"`
}

// Snapshot is a folded state at one point of the log, kept only to load faster. Fold is the version of the
// fold that made it; a reader with another version ignores it.
type Snapshot struct {
	Loop  string
	Seq   int64
	Fold  int
	State []byte // JSON
}

// Hash is the sha256 of a text.
type Hash [sha256.Size]byte

// HashText hashes a text as [Store.PutBlob] does.
func HashText(text []byte) Hash { return sha256.Sum256(text) }

// String is the hash in lower-case hexadecimal.
func (h Hash) String() string { return hex.EncodeToString(h[:]) }

// ParseHash reads what String wrote.
func ParseHash(s string) (Hash, error) {
	var h Hash
	b, err := hex.DecodeString(s)
	if err != nil || len(b) != len(h) {
		return h, errors.New("loopstate: a hash is 64 hexadecimal digits")
	}
	copy(h[:], b)
	return h, nil
}

// Errors that every store returns, wrapped or not; test with errors.Is.
var (
	// ErrConflict: the loop's last event is not the one the caller built on, be it newer or older.
	// Nothing was written. Load the tail and take the step again.
	ErrConflict = errors.New("loopstate: the loop has moved on")
	// ErrOperationDone: events with this operation id are already in the log. Nothing was written again.
	ErrOperationDone = errors.New("loopstate: this operation was already done")
	// ErrNotFound: no such loop, snapshot or text.
	ErrNotFound = errors.New("loopstate: not found")
)

// Store keeps event logs, their heads, snapshots and content-addressed texts. It is safe for concurrent use
// by many goroutines and, where the implementation says so, by many processes. What a call has returned
// without an error is on disk.
//
// The signature of Append differs from the design card's in that it takes the head: the list of loops is
// then one indexed read instead of a fold of every loop.
type Store interface {
	// Append writes events after sequence number at, all or none, together with the head.
	// The events carry Loop and Seq at+1, at+2, … and one common Op (never empty). At 0 creates the loop.
	// ErrConflict unless the loop's last event is exactly at; ErrOperationDone if the loop has events
	// with this Op already, whatever at is. A head that does not fit the events is an error.
	Append(ctx context.Context, head Head, at int64, events []Event) error
	// Load yields the events with Seq > after, in order. A failure is the last pair it yields, so that a
	// log read short is never taken for a whole one. An unknown loop yields nothing.
	Load(ctx context.Context, loop string, after int64) iter.Seq2[Event, error]
	// Loops lists the heads of an owner's loops, last changed first, ties by loop id.
	Loops(ctx context.Context, owner string) ([]Head, error)
	// Stored sums Head.Stored of an owner's loops, without reading logs. Loops whose head was written by a version
	// that did not count are counted from their logs, once.
	Stored(ctx context.Context, owner string) (int64, error)
	// Snapshot returns the newest snapshot of a loop, or ErrNotFound.
	Snapshot(ctx context.Context, loop string) (Snapshot, error)
	// PutSnapshot keeps s in place of an older one; a snapshot older than the kept one (by Seq) of the same
	// Fold is ignored.
	PutSnapshot(ctx context.Context, s Snapshot) error
	// PutBlob keeps a text under its sha256. Putting the same text again is cheap and changes nothing.
	PutBlob(ctx context.Context, text []byte) (Hash, error)
	// Blob returns a text, or ErrNotFound. The bytes are checked against the hash.
	Blob(ctx context.Context, h Hash) ([]byte, error)
	// Delete removes a loop wholly and at once: its events, head and snapshot, and the texts that no other
	// loop's events name. The price is one pass over the log of all loops, while which everybody goes on. An
	// unknown loop is ErrNotFound.
	//
	// An Append built on what is gone is ErrConflict, one at 0 begins the loop anew, and a snapshot of an event
	// that is not in the log is not kept. A Load under way ends with ErrNotFound. Who watches the loop is
	// sent 0. A text that an event names which is appended meanwhile stays if it is put again after the event;
	// so a writer puts a text, appends the event that names it, and puts it again.
	Delete(ctx context.Context, loop string) error
	// Watch sends the sequence number of the loop's last event when it may have grown, until ctx ends, and
	// then closes the channel. It is a hint: numbers may be skipped or repeated; Load is the truth.
	Watch(ctx context.Context, loop string) <-chan int64
	// Close waits for calls under way and releases the store.
	Close() error
}
