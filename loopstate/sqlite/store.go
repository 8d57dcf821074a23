package sqlite

import (
	"cmp"
	"database/sql"
	"time"

	"github.com/citeloop/citeloop/loopstate/storage"
)

// Options configure a store. The zero value is meant for production.
type Options struct {
	// BusyTimeout is how long a call waits for another process that writes. Default is 10 s: less than half of the 25 s
	// limit of a tool call, and thousands of times a commit.
	BusyTimeout time.Duration
	// PollInterval is how often Watch looks for events of other processes. Default is 250 ms.
	PollInterval time.Duration
	// Unsynced commits without waiting for the disk, for tests: a power failure may lose commits that returned.
	Unsynced bool
}

func (o Options) withDefaults() Options {
	o.BusyTimeout = cmp.Or(max(o.BusyTimeout, 0), 10*time.Second)
	o.PollInterval = cmp.Or(max(o.PollInterval, 0), 250*time.Millisecond)
	return o
}

// Store is a [loopstate.Store] in one file. Many processes may have the file open.
type Store struct {
	storage.Tables

	path    string
	options Options
	writer  *sql.DB     // one connection, which waits for other processes inside SQLite
	readers *sql.DB     // connections that cannot write
	queries *statements // of readers
	base    *storage.Base
}
