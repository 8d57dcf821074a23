package postgres

import (
	"context"
	"slices"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/citeloop/citeloop/loopstate"
)

// Watch sends the loop's last sequence number at once if it has events, then when it grows: within this
// store as soon as an Append is done, from other processes soon after their NOTIFY, and at the latest within
// Options.PollInterval. A receiver that is slow finds the newest number only. The channel is also closed by
// Close.
func (s *Store) Watch(ctx context.Context, loop string) <-chan int64 {
	return s.watches.Add(ctx, loop)
}

// poll passes on where loops are now. An error is a hint lost: the next poll follows, and whoever loads
// sees the error.
func (s *Store) poll(ctx context.Context, loops []string) {
	loops = slices.DeleteFunc(loops, func(loop string) bool { return !loopstate.Keepable(loop) })
	_ = s.read(ctx, "watch", func(ctx context.Context, conn *pgxpool.Conn) error {
		rows, err := conn.Query(ctx, `SELECT loop, seq FROM citeloop_heads WHERE loop = ANY ($1)`, loops)
		if err != nil {
			return err
		}
		var loop string
		var seq int64
		_, err = pgx.ForEachRow(rows, []any{&loop, &seq}, func() error {
			s.watches.Moved(loop, seq)
			return nil
		})
		return err
	})
}
