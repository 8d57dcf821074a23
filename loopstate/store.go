package loopstate

import (
	"context"
	"errors"
	"fmt"
	"iter"
)

// Store stores event logs, their heads and content-addressed texts. It is safe for concurrent use by goroutines and, if the
// implementation says so, by processes. Data of a call that returned without an error is on disk. A failure that a person has
// to end, such as a full disk, is a [*StoreError].
type Store interface {
	// Append writes events after sequence number at together with the head and the texts that the events name, all or none.
	// At 0 creates the loop. The bytes of events and texts are added to the head's Stored. The events have the head's Loop, Seq at+1,
	// at+2, … and an Op. The error is [ErrConflict] unless the loop's last event is exactly at. A head that does not match the
	// events is an error. Storing a text again is cheap and changes nothing, unless the stored one is damaged.
	Append(ctx context.Context, head Head, at int64, events []Event, texts ...[]byte) error
	// Load yields the events with Seq > after, in order, as of one moment. An error is the only pair. An unknown loop yields
	// nothing.
	Load(ctx context.Context, loop string, after int64) iter.Seq2[Event, error]
	// Blob returns a text, or [ErrNotFound]. It verifies the hash.
	Blob(ctx context.Context, h Hash) ([]byte, error)
	// List returns the heads of an owner's loops, last changed first, ties by loop id.
	List(ctx context.Context, owner string) ([]Head, error)
	// Delete removes a loop atomically: its events and head, and the texts that no other loop's events name. The error for an
	// unknown loop is [ErrNotFound]. Afterwards, an Append to the deleted log is [ErrConflict].
	Delete(ctx context.Context, loop string) error
	// Version returns a number that is never 0. While it stays the same, no other process has written to the store.
	Version(ctx context.Context) (int64, error)
	// Close waits for calls in progress and releases the store.
	Close() error
}

// Errors that every store returns, wrapped or not; test with errors.Is.
var (
	// ErrConflict means that the loop's last event is not the one that the caller expected, newer or older. Nothing was
	// written. Load the new events and repeat the step.
	ErrConflict = errors.New("loopstate: the loop has changed")
	// ErrNotFound means that the loop or text does not exist.
	ErrNotFound = errors.New("loopstate: not found")
)

// StoreError is a failure of a store that a person can end. Kind and Cause can be tested with errors.Is.
type StoreError struct {
	Kind   error  // what is wrong, such as "disk full"
	Place  string // the file, or the database without user and password
	Remedy string // what to do, as a command
	Cause  error  // may be nil
}

// Error returns a text for people.
func (e *StoreError) Error() string {
	text := fmt.Sprintf("%v: %s; %s", e.Kind, e.Place, e.Remedy)
	if e.Cause != nil {
		text += fmt.Sprintf(" (%v)", e.Cause)
	}
	return text
}

// Unwrap returns the kind and the cause.
func (e *StoreError) Unwrap() []error { return []error{e.Kind, e.Cause} }
