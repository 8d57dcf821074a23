package loops

import (
	"cmp"
	"context"
	"log/slog"
	"sync"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"
	"golang.org/x/sync/semaphore"

	"github.com/citeloop/citeloop/channels"
	"github.com/citeloop/citeloop/fetch"
	"github.com/citeloop/citeloop/internal/bounded"
	"github.com/citeloop/citeloop/internal/folder"
	"github.com/citeloop/citeloop/internal/llm/reader"
	"github.com/citeloop/citeloop/internal/verify"
	"github.com/citeloop/citeloop/loopstate"
)

// Searcher searches channels; *channels.Registry implements it.
type Searcher interface {
	Search(ctx context.Context, names []string, q channels.Query, done func(channels.Outcome)) (channels.Answer, error)
	List() []channels.Info
}

// Reader fetches pages; *fetch.Reader implements it.
type Reader interface {
	ReadAll(ctx context.Context, urls []string, each func(i int, p fetch.Page)) []fetch.Page
}

// Config configures a Service. Store, Searcher, Reader, Now, NewID and Generator are required.
type Config struct {
	Store     loopstate.Store
	Searcher  Searcher
	Reader    Reader
	Now       func() time.Time
	NewID     func() string // UUID v7, for loops and operations
	Generator string        // "citeloop 0.1.0", for reports
	Logger    *slog.Logger

	ClaimReader ClaimReader // reads claims beside their passages; may be nil

	// Owner is the default owner of calls. Programs of one person, such as the command line, set it. A server does not,
	// and calls without an owner fail.
	Owner string

	Patience time.Duration // how long each part of a call may take; 0: together they end within the 25 s of a tool call
	MaxCited int           // maximum number of cited addresses that a check reads; default [MaxURLs]

	Corpus  []string        // the user's folders, in which a relative link of a draft is looked for
	Folders *folder.Folders // shows the loops of the local owner as folders; nil: loops have none
	LookUp  bool            // asks services what was published about the sources later, such as a retraction

	ReadOnly bool // a report changes no loop
}

// Service implements the use cases on one store. It is safe for concurrent use.
type Service struct {
	Config
	turns    turns
	states   *bounded.Cache[string, *cached]      // by loop
	texts    *bounded.Cache[string, *verify.Text] // by hash
	indexes  *bounded.Cache[string, *loopIndex]   // by loop
	shingled *lru.Cache[string, []uint64]         // by hash
	searches *lru.Cache[string, Found]
	long     *semaphore.Weighted // bytes of drafts that are checked at the same time
	changed  sync.Map            // loops whose folders are to be written
	noFolder sync.Once           // the first folder that could not be written, which is logged
}

// New returns a Service.
func New(cfg Config) *Service {
	if cfg.Logger == nil {
		cfg.Logger = slog.New(slog.DiscardHandler)
	}
	cfg.MaxCited = cmp.Or(max(cfg.MaxCited, 0), MaxURLs)
	return &Service{
		Config:   cfg,
		turns:    newTurns(),
		states:   bounded.New[string, *cached](maxStateBytes),
		texts:    bounded.New[string, *verify.Text](maxPreparedBytes),
		indexes:  bounded.New[string, *loopIndex](maxIndexBytes),
		shingled: newLRU[string, []uint64](maxShingled),
		searches: newLRU[string, Found](maxSearches),
		long:     semaphore.NewWeighted(MaxDraftChars),
	}
}

func newLRU[K comparable, V any](size int) *lru.Cache[K, V] {
	c, _ := lru.New[K, V](max(size, 1)) // its only error is a size below one
	return c
}

type ownerKey struct{}

// LocalOwner is the owner of loops of the user who runs citeloop locally.
const LocalOwner = "local"

// WithOwner sets the owner of the calls under ctx.
func WithOwner(ctx context.Context, owner string) context.Context {
	return context.WithValue(ctx, ownerKey{}, owner)
}

// OwnerOf returns the owner that WithOwner set, or "".
func OwnerOf(ctx context.Context) string {
	owner, _ := ctx.Value(ownerKey{}).(string)
	return owner
}

// owner returns the owner of a call, or an error if it has none.
func (s *Service) owner(ctx context.Context) (string, error) {
	if owner := cmp.Or(OwnerOf(ctx), s.Owner); owner != "" {
		return owner, nil
	}
	return "", &loopstate.Error{Code: loopstate.CodeNoOwner, Subject: "owner"}
}

func tooLong(subject string, n, limit int) error {
	return &loopstate.Error{Code: loopstate.CodeTooLong, Subject: subject, Got: int64(n), Limit: int64(limit)}
}

// ClaimReader lets a model compare claims with passages; *reader.Reader implements it.
type ClaimReader interface {
	Model() string
	Read(ctx context.Context, items []verify.ReviewItem) (reader.Reading, error)
}
