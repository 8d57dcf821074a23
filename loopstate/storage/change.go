package storage

import (
	"context"
	"fmt"
	"time"

	"github.com/citeloop/citeloop/loopstate"
)

// Change is a write of some statements, all or none. The first one is about the loop's head: it stops other writers of the loop, and
// changes no row if the loop is not as it should be. Then the error is Refused.
type Change struct {
	Op      string // the operation in errors
	First   Statement
	Refused error
	Rest    []Statement
	Done    Statement // a query: whether an earlier try, whose outcome is unknown, has made the change
	Alone   bool      // no change of another loop may run beside it
}

// Statement is a statement of SQL with its arguments. It has the same text in all databases.
type Statement struct {
	Text string
	Args []any
}

// Append writes texts, events, the head and which texts the events name. Times are stored to the nanosecond, in UTC.
func (t Tables) Append(ctx context.Context, head loopstate.Head, at int64, events []loopstate.Event, texts ...[]byte) error {
	err := checkAppend(head, at, events)
	var packed []packedText
	if err == nil {
		packed, err = pack(texts) // before any lock
	}
	if err != nil {
		return fmt.Errorf("%s: append: nothing was written: %w", t.name, err)
	}
	change := Change{Op: "append", First: putHead(head, at, added(events, texts)),
		Refused: fmt.Errorf("%w: the last event of %s is not %d", loopstate.ErrConflict, head.Loop, at)}
	put := func(text string, args ...any) { change.Rest = append(change.Rest, Statement{text, args}) }
	for _, text := range packed { // a damaged text is replaced, so that fetching a source again repairs it
		put(`INSERT INTO citeloop_blobs AS old (hash, text) VALUES ($1, $2)
			ON CONFLICT (hash) DO UPDATE SET text = excluded.text WHERE old.text <> excluded.text`, text.hash[:], text.bytes)
	}
	for _, e := range events {
		put(`INSERT INTO citeloop_events (loop, seq, at, kind, version, op, data) VALUES ($1, $2, $3, $4, $5, $6, $7)`,
			e.Loop, e.Seq, formatTime(e.At), e.Kind, e.Version, e.Op, append([]byte{}, e.Data...)) // nil would be NULL
	}
	for _, hash := range named(events) {
		put(`INSERT INTO citeloop_named (hash, loop) VALUES ($1, $2) ON CONFLICT DO NOTHING`, hash[:], head.Loop)
	}
	last := events[len(events)-1]
	change.Done = Statement{`SELECT EXISTS (SELECT 1 FROM citeloop_events WHERE loop = $1 AND seq = $2 AND op = $3 AND at = $4)`,
		[]any{last.Loop, last.Seq, last.Op, formatTime(last.At)}}
	return t.db.Write(ctx, change)
}

// putHead is the statement that guards an append: it changes the head only if its last event is at.
func putHead(h loopstate.Head, at, added int64) Statement {
	args := []any{h.Loop, h.Owner, h.Seq, h.Query, h.Round, h.Status, formatTime(h.UpdatedAt), added}
	if at == 0 {
		return Statement{`INSERT INTO citeloop_heads (loop, owner, seq, query, round, status, updated_at, stored)
			VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT DO NOTHING`, args}
	}
	return Statement{`UPDATE citeloop_heads SET owner = $2, seq = $3, query = $4, round = $5, status = $6, updated_at = $7,
		stored = stored + $8 WHERE loop = $1 AND seq = $9`, append(args, at)}
}

// added is how many bytes an append stores, before compression.
func added(events []loopstate.Event, texts [][]byte) (n int64) {
	for _, e := range events {
		n += int64(len(e.Data))
	}
	for _, text := range texts {
		n += int64(len(text))
	}
	return n
}

// Delete removes a loop and the texts that no other loop names. After an error, nothing was deleted, unless it is [ErrUnavailable].
func (t Tables) Delete(ctx context.Context, loop string) error {
	if !loopstate.Keepable(loop) {
		return loopstate.ErrNotFound // no such loop can be stored
	}
	of := func(text string) Statement { return Statement{text, []any{loop}} }
	return t.db.Write(ctx, Change{Op: "delete", Alone: true, First: of(`DELETE FROM citeloop_heads WHERE loop = $1`),
		Refused: loopstate.ErrNotFound,
		Rest: []Statement{
			of(`DELETE FROM citeloop_events WHERE loop = $1`),
			of(`DELETE FROM citeloop_blobs WHERE hash IN (SELECT hash FROM citeloop_named AS own WHERE loop = $1
				AND NOT EXISTS (SELECT 1 FROM citeloop_named AS other WHERE other.hash = own.hash AND other.loop <> $1))`),
			of(`DELETE FROM citeloop_named WHERE loop = $1`),
		},
		Done: of(`SELECT NOT EXISTS (SELECT 1 FROM citeloop_heads WHERE loop = $1)`)})
}

// checkAppend returns an error if head and events cannot follow sequence number at, so that all stores reject the same appends.
func checkAppend(head loopstate.Head, at int64, events []loopstate.Event) error {
	ok := at >= 0 && len(events) > 0 && head.Seq == at+int64(len(events)) && head.Loop != "" &&
		storable(head.UpdatedAt, head.Loop, head.Owner, head.Query, head.Status)
	for i, e := range events {
		ok = ok && e.Loop == head.Loop && e.Seq == at+1+int64(i) && e.Op != "" && e.Kind != "" && storable(e.At, e.Op, e.Kind)
	}
	if !ok {
		return fmt.Errorf("the head of loop %q at event %d and %d events after event %d do not match, or cannot be stored", head.Loop,
			head.Seq, len(events), at)
	}
	return nil
}

// storable reports whether every store can store a time, whose year has four digits, and texts.
func storable(t time.Time, texts ...string) bool {
	year := t.UTC().Year()
	ok := 0 <= year && year <= 9999
	for _, text := range texts {
		ok = ok && loopstate.Keepable(text)
	}
	return ok
}

// timeLayout has nanoseconds, UTC and a fixed length, so that times sort like their texts. PostgreSQL's own type has
// microseconds only, and SQLite has no time type.
const timeLayout = "2006-01-02T15:04:05.000000000Z"

// formatTime formats a time of the years 0 to 9999.
func formatTime(t time.Time) string { return t.UTC().Format(timeLayout) }

func parseTime(s string) (time.Time, error) { return time.Parse(time.RFC3339Nano, s) }
