package loopstate

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"iter"
	"strings"
	"time"
	"unicode/utf8"
)

// Event is a change of a loop: immutable, numbered from 1 without gaps within its loop. Data is the JSON of the payload
// type that Kind names; Version is the payload's format, so that old events stay readable.
type Event struct {
	Loop    string          `json:"loop"`
	Seq     int64           `json:"seq"`
	At      time.Time       `json:"at"` // UTC
	Kind    string          `json:"kind"`
	Version int             `json:"version"`
	Op      string          `json:"op,omitempty"` // the operation that appended it; a retry has the same
	Data    json.RawMessage `json:"data"`
}

// Head is a loop's summary as of its last event. It is written in the same transaction as the events, so that listing
// loops does not fold them.
type Head struct {
	Loop      string    `json:"state_id"`
	Owner     string    `json:"owner"`
	Seq       int64     `json:"seq"`
	Query     string    `json:"query"`
	Round     int       `json:"round"`
	Status    string    `json:"status"`
	UpdatedAt time.Time `json:"updated_at"`
	// Stored is the size of the loop in bytes: its events and the texts that they name, before compression.
	Stored int64 `json:"stored_bytes"`
	// Readings is the number of accepted readings of claims, for [Store.Reviewed].
	Readings int `json:"-"`
}

// Snapshot is a folded state at one point of the log, stored to load faster. Fold is the version of the fold that made it;
// readers with another version ignore it.
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

// String returns the hash in lower-case hexadecimal.
func (h Hash) String() string { return hex.EncodeToString(h[:]) }

// ParseHash parses the output of String.
func ParseHash(s string) (Hash, error) {
	var h Hash
	b, err := hex.DecodeString(s)
	if err != nil || len(b) != len(h) {
		return h, errors.New("loopstate: invalid hash; want 64 hexadecimal digits")
	}
	copy(h[:], b)
	return h, nil
}

// Keepable reports whether every store can store s in a text column: s is UTF-8 without NUL.
func Keepable(s string) bool { return utf8.ValidString(s) && !strings.ContainsRune(s, 0) }

// Errors that every store returns, wrapped or not; test with errors.Is.
var (
	// ErrConflict means that the loop's last event is not the one that the caller expected, newer or older. Nothing was
	// written. Load the new events and repeat the step.
	ErrConflict = errors.New("loopstate: the loop has changed")
	// ErrOperationDone means that the log has events with this operation id. Nothing was written.
	ErrOperationDone = errors.New("loopstate: this operation was already done")
	// ErrNotFound means that the loop, snapshot or text does not exist.
	ErrNotFound = errors.New("loopstate: not found")
)

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
	// Delete removes a loop atomically: its events, head and snapshot, and the texts that no other loop's events name. It
	// reads the logs of all loops once, without blocking other calls. The error for an unknown loop is ErrNotFound.
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
