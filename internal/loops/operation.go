package loops

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"time"

	"github.com/google/uuid"

	"github.com/citeloop/citeloop/loopstate"
)

// maxOperationBytes bounds an operation id. The longest ids of clients are UUIDs with a prefix.
const maxOperationBytes = 200

// checkOperation returns an error for an operation id that cannot be kept.
func checkOperation(operation string) error {
	if n := len(operation); n > maxOperationBytes {
		return &loopstate.Error{Code: loopstate.CodeTooLong, Subject: "operation", Got: int64(n), Limit: maxOperationBytes, Unit: "bytes"}
	}
	if !loopstate.Keepable(operation) {
		return &loopstate.Error{Code: loopstate.CodeNotText, Subject: "operation"}
	}
	return nil
}

// The operation id in a loop's log identifies a repeated call. A call that starts a loop has no log yet, so the id of the
// loop is derived from the operation: a repeat on any replica finds the loop, and of two concurrent calls the store
// accepts only one.

const (
	// onceStep is the precision of the start time in such an id, a UUID of version 7, if the operation id has no time.
	onceStep = 10 * time.Minute
	// onceSteps is how many steps back a repeat looks: at least an hour. A host repeats a lost call within minutes.
	onceSteps = 6
)

// loopIDs returns the possible ids of an operation's loop, that of a loop that starts now first.
func loopIDs(owner, operation string, now time.Time) []string {
	if op, err := uuid.Parse(operation); err == nil && op.Version() == 7 {
		if at := time.UnixMilli(int64(binary.BigEndian.Uint64(op[:8]) >> 16)); !at.After(now.Add(onceStep)) {
			return []string{onceID(owner, operation, at)}
		}
	}
	var ids []string
	for n := range onceSteps + 1 {
		ids = append(ids, onceID(owner, operation, now.Truncate(onceStep).Add(-time.Duration(n)*onceStep)))
	}
	return ids
}

func onceID(owner, operation string, at time.Time) string {
	hash := sha256.Sum256(fmt.Appendf(nil, "citeloop loop %d:%s%s", len(owner), owner, operation))
	var id uuid.UUID
	copy(id[:], hash[:])
	var ms [8]byte
	binary.BigEndian.PutUint64(ms[:], uint64(at.UnixMilli())<<16)
	copy(id[:6], ms[:6])
	id[6], id[8] = id[6]&0x0f|0x70, id[8]&0x3f|0x80
	return id.String()
}
