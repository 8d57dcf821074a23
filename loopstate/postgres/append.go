package postgres

import (
	"context"
	"fmt"
	"slices"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/citeloop/citeloop/loopstate"
	"github.com/citeloop/citeloop/loopstate/storage"
)

// The head guards an append: its sequence number is written with the events. A writer waits for another writer of the row
// and then checks the number again (READ COMMITTED). At a stricter isolation level it is rolled back and retries. So if
// the head matches, nothing was appended since the statement started, and its check of the operation still holds.
const (
	appendFirst = `WITH head AS (
		INSERT INTO citeloop_heads (loop, owner, seq, query, round, status, updated_at, stored, readings)
		VALUES ($1, $4, $5, $6, $7, $8, $9, $10, $11)
		ON CONFLICT (loop) DO NOTHING
		RETURNING loop)` + insertEvents
	appendNext = `WITH head AS (
		UPDATE citeloop_heads SET owner = $4, seq = $5, query = $6, round = $7, status = $8, updated_at = $9, stored = $10, readings = $11
		WHERE loop = $1 AND seq = $2
			AND NOT EXISTS (SELECT FROM citeloop_events WHERE loop = $1 AND op = $3)
		RETURNING loop)` + insertEvents
	insertEvents = `, kept AS (
		INSERT INTO citeloop_blobs AS old (hash, text)
		SELECT new.hash, new.text FROM head, unnest($16::bytea[], $17::bytea[]) AS new (hash, text)
		ON CONFLICT (hash) DO UPDATE SET text = excluded.text WHERE old.text <> excluded.text), named AS (
		INSERT INTO citeloop_named (hash, loop)
		SELECT named.hash, head.loop FROM head, unnest($18::bytea[]) AS named (hash)
		ON CONFLICT DO NOTHING)
		INSERT INTO citeloop_events (loop, seq, at, kind, version, op, data)
		SELECT head.loop, $2::bigint + e.n, e.at, e.kind, e.version, $3::text, e.data
		FROM head, unnest($12::text[], $13::text[], $14::bigint[], $15::bytea[]) WITH ORDINALITY AS e (at, kind, version, data, n)`
)

// Append writes texts, events and the head in one statement. ctx does not cancel an append that has reached the server;
// Options.Timeout does.
func (d database) Append(ctx context.Context, head loopstate.Head, at int64, events []loopstate.Event, texts []storage.PackedText) error {
	hashes, bodies := make([][]byte, len(texts)), make([][]byte, len(texts))
	for i, text := range texts {
		hashes[i], bodies[i] = text.Hash[:], text.Packed
	}
	op := events[0].Op
	query := appendNext
	if at == 0 {
		query = appendFirst
	}
	args := slices.Concat([]any{head.Loop, at, op}, storage.HeadColumns(head)[1:], columns(events), []any{hashes, bodies, keys(storage.Named(events))})
	return d.write(ctx, "append", func(ctx context.Context, conn *pgxpool.Conn) error {
		done, err := conn.Exec(ctx, query, args...)
		switch {
		case code(err) == uniqueViolation: // events without their head
		case err != nil:
			return err
		case done.RowsAffected() == int64(len(events)):
			return nil
		}
		return d.refusal(ctx, conn, head.Loop, at, op)
	})
}

// columns returns the arrays for insertEvents.
func columns(events []loopstate.Event) []any {
	ats, kinds := make([]string, len(events)), make([]string, len(events))
	versions, data := make([]int64, len(events)), make([][]byte, len(events))
	for i, e := range events {
		ats[i], kinds[i], versions[i], data[i] = storage.FormatTime(e.At), e.Kind, int64(e.Version), e.Data
		if e.Data == nil {
			data[i] = []byte{} // nil would be NULL
		}
	}
	return []any{ats, kinds, versions, data}
}

func keys(hashes []loopstate.Hash) [][]byte {
	out := make([][]byte, len(hashes))
	for i, h := range hashes {
		out[i] = h[:]
	}
	return out
}

// refusal returns why nothing was written.
func (d database) refusal(ctx context.Context, db querier, loop string, at int64, op string) error {
	var done bool
	var last, head int64
	err := db.QueryRow(ctx, `SELECT
		EXISTS (SELECT FROM citeloop_events WHERE loop = $1 AND op = $2),
		coalesce((SELECT max(seq) FROM citeloop_events WHERE loop = $1), 0),
		coalesce((SELECT seq FROM citeloop_heads WHERE loop = $1), 0)`, loop, op).Scan(&done, &last, &head)
	switch {
	case err != nil:
		return err
	case done:
		return loopstate.ErrOperationDone
	case last != head:
		return d.Damaged(fmt.Errorf("loop %s ends with event %d, but its head with %d", loop, last, head))
	}
	return fmt.Errorf("%w: the last event is %d, not %d", loopstate.ErrConflict, last, at)
}
