package loops

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"time"

	"github.com/google/uuid"

	"github.com/citeloop/citeloop/loopstate"
)

// A call that changes a loop is known for a repeat by its operation id, which stands in the loop's log. The call that
// begins a loop has no log to look into yet, so the id of the loop itself follows from the operation: a repeat, on
// whatever replica, finds the loop there, and of two at once the store lets only one begin it.

const (
	// onceStep is how exactly such a loop's id tells when it began, where the operation does not tell: ids are UUIDs
	// of version 7, by which loops are listed in the order of their beginning.
	onceStep = 10 * time.Minute
	// onceSteps back a repeat is looked for: an hour at least. A host repeats a lost call within minutes.
	onceSteps = 6
)

// onceIDs are the ids under which the loop of an operation may stand, that of one which begins now first.
func onceIDs(owner, operation string, now time.Time) []string {
	if op, err := uuid.Parse(operation); err == nil && op.Version() == 7 {
		if at := time.UnixMilli(int64(binary.BigEndian.Uint64(op[:8]) >> 16)); !at.After(now.Add(onceStep)) {
			return []string{onceID(owner, operation, at)} // the operation knows its time
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

// begunBefore finds the loop that an operation has begun already.
func (s *Service) begunBefore(ctx context.Context, operation string, ids []string) (out Started, found bool, err error) {
	for _, id := range ids {
		err := s.view(ctx, id, func(st *loopstate.State) error {
			if found = st.Ops[operation] == 1; found {
				out = startedAs(st)
			}
			return nil
		})
		if found || err != nil && !loopstate.Has(err, loopstate.CodeUnknownLoop) {
			return out, found, err
		}
	}
	return out, false, nil
}
