package postgres

import (
	"context"
	"crypto/rand"
	"log/slog"
	"sync"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/citeloop/citeloop/loopstate"
	"github.com/citeloop/citeloop/loopstate/rowformat"
	"github.com/citeloop/citeloop/loopstate/watching"
)

// Options are what a store can be told. The zero value is meant for production.
type Options struct {
	// Timeout is how long the server may work on one statement, waiting for locks included. Default is
	// 10 s: less than half of the 25 s in which a tool call ends, and thousands of times an append.
	Timeout time.Duration
	// PollInterval is how often Watch looks for events of other processes when no NOTIFY arrives. Default
	// is 1 s.
	PollInterval time.Duration
	// Logger hears of the listening connection's troubles, which no call can return. Default is nobody.
	Logger *slog.Logger
}

func (o Options) withDefaults() Options {
	if o.Timeout <= 0 {
		o.Timeout = 10 * time.Second
	}
	if o.PollInterval <= 0 {
		o.PollInterval = time.Second
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	return o
}

// Store is a [loopstate.Store] in a PostgreSQL database. Many processes may use the database.
type Store struct {
	place   string // the database without its secrets, for messages
	options Options
	pool    *pgxpool.Pool
	codec   *rowformat.Codec
	watches *watching.Watches
	hints   *hints
	channel string // of NOTIFY
	sender  string // who we are in our own notifications

	mu             sync.Mutex
	closed         bool           // mu protects it
	calls          sync.WaitGroup // calls under way; Add only under mu while not closed
	closing        sync.Once      // a second Close waits for the first
	stopBackground context.CancelFunc
	background     sync.WaitGroup
}

var _ loopstate.Store = (*Store)(nil)

// Open opens the store in a database, named by a URL: postgres://user@host:port/database?search_path=…
// What the URL leaves out comes from the usual variables and files (PGHOST, PGPASSWORD, ~/.pgpass), and
// pool_max_conns in its query bounds the connections of this process. No error repeats the URL.
// Tables are made where they are missing. ctx bounds the opening only.
//
// It fails with [ErrUnavailable] if the server does not answer, with [ErrUnsupported] if it is too old or
// cannot keep all text, and with [ErrTooNew] if a newer version of citeloop made the tables.
func Open(ctx context.Context, url string, options Options) (*Store, error) {
	options = options.withDefaults()
	config, err := configure(url, options)
	if err != nil {
		return nil, err
	}
	codec, err := rowformat.NewCodec()
	if err != nil {
		return nil, err
	}
	s := &Store{place: place(config.ConnConfig), options: options, codec: codec, watches: watching.New(), hints: newHints(), sender: rand.Text()}
	if s.pool, err = pgxpool.NewWithConfig(ctx, config); err != nil {
		codec.Close()
		return nil, s.explain(ctx, "open", err)
	}
	if err := s.prepare(ctx); err != nil {
		s.disconnect()
		return nil, err
	}
	ctx, s.stopBackground = context.WithCancel(context.WithoutCancel(ctx))
	s.background.Go(func() { s.watches.Poll(ctx, s.options.PollInterval, s.poll) })
	s.background.Go(func() { s.listen(ctx) })
	s.background.Go(func() { s.notify(ctx) })
	return s, nil
}

func (s *Store) disconnect() {
	s.pool.Close()
	s.codec.Close()
}

// enter begins a call, which leave ends. After Close it fails.
func (s *Store) enter() (leave func(), err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return nil, ErrClosed
	}
	s.calls.Add(1)
	return s.calls.Done, nil
}

// Close waits for the calls under way, ends every Watch and closes the connections. Closing twice is no
// error. Calls that come later fail with [ErrClosed], and so does a Load that is not finished.
func (s *Store) Close() error {
	s.mu.Lock()
	s.closed = true
	s.mu.Unlock()
	s.closing.Do(func() {
		s.stopBackground()
		s.background.Wait()
		s.watches.Close()
		s.calls.Wait()
		s.disconnect()
	})
	return nil
}
