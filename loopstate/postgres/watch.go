package postgres

import (
	"context"
	"slices"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/citeloop/citeloop/loopstate"
)

// Watch sends the loop's last sequence number at once if it has events, then when it grows or is deleted:
// within this store as soon as an Append or a Delete is done, from other processes soon after their NOTIFY,
// and at the latest within Options.PollInterval. A receiver that is slow finds the newest number only. The channel is also closed by
// Close.
func (s *Store) Watch(ctx context.Context, loop string) <-chan int64 {
	return s.watches.Add(ctx, loop)
}

// poll asks where loops are now. Whoever loads sees an error of the store.
func (s *Store) poll(ctx context.Context, loops []string) (map[string]int64, error) {
	loops = slices.DeleteFunc(slices.Clone(loops), func(loop string) bool { return !loopstate.Keepable(loop) })
	var seqs map[string]int64
	err := s.read(ctx, "watch", func(ctx context.Context, conn *pgxpool.Conn) error {
		seqs = make(map[string]int64, len(loops))
		rows, err := conn.Query(ctx, `SELECT loop, seq FROM citeloop_heads WHERE loop = ANY ($1)`, loops)
		if err != nil {
			return err
		}
		var loop string
		var seq int64
		_, err = pgx.ForEachRow(rows, []any{&loop, &seq}, func() error {
			seqs[loop] = seq
			return nil
		})
		return err
	})
	return seqs, err
}
