package postgres

import (
	"context"
	"math/rand/v2"
	"time"

	"github.com/jackc/pgx/v5"
)

// The listening connection is made again after a wait that doubles from the first to the last. Chosen:
// polling goes on meanwhile.
const (
	firstRelisten = 100 * time.Millisecond
	lastRelisten  = 30 * time.Second
)

// relisten is the wait after so many failures in a row.
func relisten(failures int) time.Duration {
	return min(firstRelisten<<min(failures, 20), lastRelisten)
}

// listen keeps one connection that hears of other processes' events, from the first Watch until ctx ends.
func (s *Store) listen(ctx context.Context) {
	select {
	case <-ctx.Done():
		return
	case <-s.watches.Began():
	}
	for failures := 0; ; failures++ {
		err := s.hear(ctx, func() { failures = 0 })
		if ctx.Err() != nil {
			return
		}
		wait := relisten(failures)
		s.options.Logger.Warn("the connection that hears of other processes' events broke; polling goes on",
			"store", s.place, "again_in", wait, "error", err)
		select {
		case <-ctx.Done():
			return
		case <-time.After(wait/2 + rand.N(wait/2)): // not all processes at once
		}
	}
}

// hear listens on a connection of its own until it breaks.
func (s *Store) hear(ctx context.Context, connected func()) error {
	config := s.pool.Config().ConnConfig
	conn, err := pgx.ConnectConfig(ctx, config)
	if err != nil {
		return err
	}
	defer func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
		defer cancel()
		_ = conn.Close(ctx) // a polite word to the server; the connection ends in any case
	}()
	if _, err := conn.Exec(ctx, "LISTEN "+pgx.Identifier{s.channel}.Sanitize()); err != nil {
		return err
	}
	connected()
	s.watches.Wake() // what was said before nobody heard
	for {
		n, err := conn.WaitForNotification(ctx)
		if err != nil {
			return err
		}
		// Anyone who may use the database can notify. So a hint's word is not taken: the poll asks.
		if loop, ok := told(n.Payload, s.sender); ok && s.watches.Watched(loop) {
			s.watches.Wake()
		}
	}
}
