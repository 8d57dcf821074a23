package loopstate

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"time"
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
