package browser

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"time"
)

const (
	// A page needs one or two processes of some 100 MB each.
	defaultMaxPages = 2
	// For one page, even if the caller has more time. Chosen: half of the 25 s that a call may take.
	defaultTimeout = 12 * time.Second
	// The reader's own limit for a page after decompression.
	defaultMaxBytes = 20 << 20
	// Then the process is ended; starting it again takes a second.
	defaultIdle = 2 * time.Minute
)

// Config configures a [Browser].
type Config struct {
	Path      string        // of the program, as returned by Find
	Gate      Gate          // access to the network
	UserAgent string        // names the program and a contact; it is appended to Chromium's own
	NoSandbox bool          // Chromium runs without its sandbox; needed only for root
	Env       []string      // NAME=value of Variables; Chromium gets no others
	MaxPages  int           // concurrent pages; 0 = 2
	MaxBytes  int           // of a rendered document; 0 = 20 MiB
	Timeout   time.Duration // for one page, including the wait for its turn; 0 = 12 s
	Idle      time.Duration // after which a process without pages is ended; 0 = 2 minutes
	Logger    *slog.Logger

	flags  map[string]string // of Chromium, in tests
	limits limits            // others in tests
}

// Gate is the guarded access to the network: a *[fetch.Gate].
type Gate interface {
	http.RoundTripper
	Connect(ctx context.Context, hostport string) (net.Conn, error)
}

// limits of one page. The largest web applications load some 10 MB of scripts and data with some 300 requests; chosen
// well above.
type limits struct {
	bytes     int64 // through its proxy, both directions together
	exchanges int64 // requests and tunnels through its proxy
	requests  int   // including blocked ones
	documents int   // including redirects and navigation by scripts
}

var pageLimits = limits{bytes: 64 << 20, exchanges: 1_000, requests: 2_000, documents: 10}

// ErrRoot means that Chromium's sandbox cannot work because the program runs as root.
var ErrRoot = errors.New("the sandbox of Chromium does not work as root")
