package postgres

import (
	"context"
	"math/rand/v2"
	"time"

	"github.com/jackc/pgx/v5"
)

// A broken listening connection is reopened after a wait that doubles from the first to the last. Polling continues in the
// meantime.
const (
	firstRelisten = 100 * time.Millisecond
	lastRelisten  = 30 * time.Second
)

// relisten returns the wait after a number of consecutive failures.
func relisten(failures int) time.Duration {
	return min(firstRelisten<<min(failures, 20), lastRelisten)
}

// listen keeps a connection that receives notifications of other processes, from the first Watch until ctx ends.
func (s *Store) listen(ctx context.Context) {
	select {
	case <-ctx.Done():
		return
	case <-s.base.Watches.Started():
	}
	for failures := 0; ; failures++ {
		err := s.receive(ctx, func() { failures = 0 })
		if ctx.Err() != nil {
			return
		}
		wait := relisten(failures)
		s.options.Logger.Warn("connection for notifications lost; polling continues",
			"store", s.place, "again_in", wait, "error", err)
		select {
		case <-ctx.Done():
			return
		case <-time.After(wait/2 + rand.N(wait/2)): // spreads the processes
		}
	}
}

// receive listens on a separate connection until it breaks.
func (s *Store) receive(ctx context.Context, connected func()) error {
	config := s.pool.Config().ConnConfig
	conn, err := pgx.ConnectConfig(ctx, config)
	if err != nil {
		return err
	}
	defer func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
		defer cancel()
		_ = conn.Close(ctx) // the connection ends even if this fails
	}()
	if _, err := conn.Exec(ctx, "LISTEN "+pgx.Identifier{s.channel}.Sanitize()); err != nil {
		return err
	}
	connected()
	s.base.Watches.Wake() // earlier notifications were missed
	for {
		n, err := conn.WaitForNotification(ctx)
		if err != nil {
			return err
		}
		// Any user of the database can notify, so a notification only triggers a poll.
		if loop, ok := parseHint(n.Payload, s.sender); ok && s.base.Watches.Watched(loop) {
			s.base.Watches.Wake()
		}
	}
}
