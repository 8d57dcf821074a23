package fetch

import (
	"context"
	"log/slog"
	"net"
	"net/url"
	"time"

	"github.com/citeloop/citeloop/internal/resilience"
)

// Limits.
const (
	// The largest of 751 labelled pages has 3.3 MB; papers and standards as HTML reach 15 MB.
	maxBytes = 20 << 20
	// HTML of this size needs some 400 MB during extraction.
	defaultMaxDecoded = 20 << 20
	// Browsers open six connections to a host for a waiting person; a program takes two.
	maxPerHost   = 2
	defaultPause = 100 * time.Millisecond
	// Concurrent pages of a batch. They wait for the network; extraction has its own limit.
	maxParallel = 8
)

// Config configures a [Reader]. Its zero value reads public pages with the limits above.
type Config struct {
	UserAgent    string            // names the program and a contact; its first word is the robots.txt product token
	AllowPrivate []string          // host:port pairs, as a URL names them, that may be private
	Corpus       []string          // folders inside which file: addresses may be read
	Timeout      time.Duration     // for a page with its robots.txt and redirects; 0 = 20 s
	MaxDecoded   int64             // of a page after decompression; 0 = 20 MiB
	Pause        time.Duration     // between the starts of two requests to one host and port; 0 = 100 ms, less than 0 = none
	CacheDir     string            // for compiled code, which saves 2 s at the first PDF; empty = no cache
	Renderer     Renderer          // renders pages that need JavaScript, closed with the reader; nil = they are not read
	Copies       *Copies           // services that find copies of pages that cannot be read; nil = none
	Hosts        *resilience.Hosts // shared with the other requests of the process; nil = its own
	// IgnoreRobots reads the requested addresses and their redirects even if robots.txt forbids it, and marks the page.
	// Copies of a page were not requested and still follow robots.txt.
	IgnoreRobots bool
	Now          func() time.Time
	Logger       *slog.Logger
	Proxy        func(*url.URL) (*url.URL, error) // nil = from the environment
	Resolver     *net.Resolver                    // nil = the system's
}

// Renderer renders pages as a browser does, with their scripts.
type Renderer interface {
	// Render loads an address until the page has settled or its time is nearly over. It calls allow before each document
	// that the page loads, including redirects; its error ends the rendering and is returned. Every connection must follow
	// the address rules.
	Render(ctx context.Context, target *url.URL, allow func(context.Context, *url.URL) error) (Rendered, error)
	// Close ends the processes of the renderer.
	Close() error
}

// Rendered is a page after its scripts ran.
type Rendered struct {
	FinalURL   string // after redirects and changes by scripts
	HTTPStatus int    // of the last document
	HTML       []byte // the document in UTF-8, without scripts and styles, with open shadow roots in place
}

// Copies lists the services that may have a copy of a page that could not be read. Each is an address without a
// trailing slash; empty ones are not used. Their responses and the copies follow the same address rules as every page.
type Copies struct {
	Contact   string // an email address, which Unpaywall requires; without it Unpaywall is not used
	Unpaywall string // GET /v2/DOI?email=
	EuropePMC string // GET /webservices/rest/search?query=, /webservices/rest/PMCID/fullTextXML
	ArXiv     string // GET /pdf/ID
	DOI       string // GET /DOI
	Wayback   string // GET /wayback/available?url=
	Archive   string // GET /web/TIMESTAMPid_/URL
}

// PublicCopies are the public services.
func PublicCopies(contact string) *Copies {
	return &Copies{
		Contact:   contact,
		Unpaywall: "https://api.unpaywall.org",
		EuropePMC: "https://www.ebi.ac.uk/europepmc",
		ArXiv:     "https://export.arxiv.org", // the host that arXiv asks programs to use
		DOI:       "https://doi.org",
		Wayback:   "https://archive.org",
		Archive:   "https://web.archive.org",
	}
}
