package postgres

import (
	"cmp"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/citeloop/citeloop/loopstate/storage"
)

// Options configure a store. The zero value is meant for production.
type Options struct {
	// Timeout is the server's time limit for one statement, including waits for locks. Default is 10 s: less than half of
	// the 25 s limit of a tool call, and thousands of times an append.
	Timeout time.Duration
	// PollInterval is how often Watch looks for events of other processes. Default is 250 ms.
	PollInterval time.Duration
}

func (o Options) withDefaults() Options {
	o.Timeout = cmp.Or(max(o.Timeout, 0), 10*time.Second)
	o.PollInterval = cmp.Or(max(o.PollInterval, 0), 250*time.Millisecond)
	return o
}

// Store is a [loopstate.Store] in a PostgreSQL database. Many processes may use the database.
type Store struct {
	storage.Tables

	place   string // the database without secrets, for messages
	options Options
	pool    *pgxpool.Pool
	base    *storage.Base
}

// grace is how much longer than the server's deadline a call waits for the server's error, which confirms that nothing
// was written.
const grace = 2 * time.Second
