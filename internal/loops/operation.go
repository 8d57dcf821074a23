package loops

import (
	"crypto/sha256"
	"fmt"

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

// loopID is the id of the loop that an operation starts, for the n-th time (from 0). The log of a loop identifies repeated calls; a
// call that starts a loop has no log yet, so a repeat finds the loop by its id, and of two concurrent calls the store accepts one.
// Another question is another loop.
func loopID(owner, operation, query string, n int) string {
	hash := sha256.Sum256(fmt.Appendf(nil, "citeloop loop %q %q %q %d", owner, operation, query, n))
	id := uuid.UUID(hash[:16])
	id[6], id[8] = id[6]&0x0f|0x70, id[8]&0x3f|0x80 // the form of all ids of loops
	return id.String()
}
