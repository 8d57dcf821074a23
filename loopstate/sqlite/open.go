package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"

	_ "modernc.org/sqlite" // the driver "sqlite"

	"github.com/citeloop/citeloop/loopstate"
	"github.com/citeloop/citeloop/loopstate/rowformat"
	"github.com/citeloop/citeloop/loopstate/watching"
)

// Options are what a store can be told. The zero value is meant for production.
type Options struct {
	// BusyTimeout is how long a call waits for another process that writes. Default is 10 s: less than half
	// of the 25 s in which a tool call ends, and thousands of times a commit.
	BusyTimeout time.Duration
	// PollInterval is how often Watch looks for events of other processes. Default is 250 ms.
	PollInterval time.Duration
}

func (o Options) withDefaults() Options {
	if o.BusyTimeout <= 0 {
		o.BusyTimeout = 10 * time.Second
	}
	if o.PollInterval <= 0 {
		o.PollInterval = 250 * time.Millisecond
	}
	return o
}

// readers is how many reads run at a time. Chosen: a read takes well under a millisecond, so that more
// would only hold memory (each connection has a page cache of 2 MB).
const readers = 4

// Store is a [loopstate.Store] in one file. Many processes may have the file open.
type Store struct {
	path    string
	options Options
	writer  *sql.DB     // one connection, which waits for other processes inside SQLite
	readers *sql.DB     // connections that cannot write
	queries *statements // of readers
	codec   *rowformat.Codec
	watches *watching.Watches

	mu        sync.Mutex
	closed    bool           // mu protects it
	calls     sync.WaitGroup // calls under way; Add only under mu while not closed
	closing   sync.Once      // a second Close waits for the first
	closeErr  error
	stopPolls context.CancelFunc
	polls     sync.WaitGroup
}

var _ loopstate.Store = (*Store)(nil)

// Open opens the store in the file at path, and makes file (mode 0600), folder (mode 0700) and tables where
// they are missing. ctx bounds the opening only.
//
// It fails with [ErrForeign] if the file is something else, with [ErrDamaged] if it cannot be read, with
// [ErrTooNew] if a newer version of citeloop wrote it, and with [ErrBusy] if another process kept it locked
// for longer than Options.BusyTimeout. No event is lost by any of them. Damage deep in the file is found by
// the call that reads it, which then fails with ErrDamaged: checking the whole file here would make every
// start as slow as the store is large.
func Open(ctx context.Context, path string, options Options) (*Store, error) {
	if path == "" {
		return nil, errors.New("sqlite: the path of the store is empty: name a file")
	}
	path, err := filepath.Abs(path)
	if err != nil {
		return nil, fmt.Errorf("sqlite: %w", err)
	}
	if err := createPrivate(path); err != nil {
		return nil, err
	}
	codec, err := rowformat.NewCodec()
	if err != nil {
		return nil, err
	}
	s := &Store{path: path, options: options.withDefaults(), codec: codec, watches: watching.New()}
	if err := s.connect(); err != nil {
		return nil, err
	}
	if err := s.prepare(ctx); err != nil {
		return nil, errors.Join(s.explain(ctx, "open", err), s.disconnect())
	}
	s.startPolling()
	return s, nil
}

func (s *Store) connect() (err error) {
	if s.writer, err = sql.Open("sqlite", s.dsn("_txlock=immediate")); err != nil {
		return fmt.Errorf("sqlite: %w", err)
	}
	s.writer.SetMaxOpenConns(1)
	if s.readers, err = sql.Open("sqlite", s.dsn("_query_only=1")); err != nil {
		return errors.Join(fmt.Errorf("sqlite: %w", err), s.writer.Close())
	}
	s.readers.SetMaxOpenConns(readers)
	s.readers.SetMaxIdleConns(readers)
	s.queries = keepStatements(s.readers)
	return nil
}

func (s *Store) disconnect() error {
	s.codec.Close()
	// The writer last: the last connection to a file tidies its WAL away.
	return errors.Join(s.readers.Close(), s.writer.Close())
}

// dsn names the file and what every new connection to it starts with. busy_timeout comes first, so that
// the other settings already wait for a lock. The two fullfsync settings make a commit reach the disk on
// macOS, where fsync alone does not, and mean nothing elsewhere. secure_delete overwrites what is deleted.
func (s *Store) dsn(more string) string {
	p := filepath.ToSlash(s.path)
	if !strings.HasPrefix(p, "/") { // C:/…
		p = "/" + p
	}
	file := url.URL{Scheme: "file", Path: p}
	return file.String() +
		"?_pragma=busy_timeout(" + strconv.FormatInt(s.options.BusyTimeout.Milliseconds(), 10) + ")" +
		"&_pragma=synchronous(FULL)&_pragma=fullfsync(1)&_pragma=checkpoint_fullfsync(1)&_pragma=secure_delete(1)&" + more
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

// Close waits for the calls under way, ends every Watch and closes the file. Closing twice is no error.
// Calls that come later fail with [ErrClosed], and so does a Load that is not finished.
func (s *Store) Close() error {
	s.mu.Lock()
	s.closed = true
	s.mu.Unlock()
	s.closing.Do(func() {
		s.stopPolls()
		s.polls.Wait()
		s.watches.Close()
		s.calls.Wait()
		if err := s.disconnect(); err != nil {
			s.closeErr = fmt.Errorf("sqlite: close: %w", err)
		}
	})
	return s.closeErr
}
