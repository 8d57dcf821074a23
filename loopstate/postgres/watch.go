package postgres

import (
	"context"
	"slices"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/citeloop/citeloop/loopstate"
)

// Watch sends the loop's last sequence number at once if it has events, and then on every change: changes by this store at
// once, changes by other processes within Options.PollInterval. A slow receiver gets the newest number only. Close also closes the channel.
func (s *Store) Watch(ctx context.Context, loop string) <-chan int64 {
	return s.base.Watches.Add(ctx, loop)
}

// poll reads the last sequence numbers of loops. Watches ignores its errors; a Load reports them.
func (s *Store) poll(ctx context.Context, loops []string) (map[string]int64, error) {
	loops = slices.DeleteFunc(slices.Clone(loops), func(loop string) bool { return !loopstate.Keepable(loop) })
	var seqs map[string]int64
	err := s.call(ctx, "watch", func(ctx context.Context, conn *pgxpool.Conn) error {
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
