// Package loops holds the use cases: start a loop, search, read and keep, reflect, verify, report. Each is
// one method that loads a loop, takes one pure step of loopstate, appends the event and answers from the
// new state. The tools, the command line and the web page call the same methods.
package loops

import (
	"cmp"
	"context"
	"log/slog"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"

	"github.com/citeloop/citeloop/channels"
	"github.com/citeloop/citeloop/fetch"
	"github.com/citeloop/citeloop/loopstate"
)

// Searcher asks search channels; *channels.Registry is one.
type Searcher interface {
	Search(ctx context.Context, names []string, q channels.Query, done func(channels.Outcome)) (channels.Answer, error)
	List() []channels.Info
}

// Reader reads addresses; *fetch.Reader is one.
type Reader interface {
	ReadAll(ctx context.Context, urls []string, each func(i int, p fetch.Page)) []fetch.Page
}

// Config is what the use cases need. All fields but ClaimReader and Logger are required.
type Config struct {
	Store     loopstate.Store
	Searcher  Searcher
	Reader    Reader
	Now       func() time.Time
	NewID     func() string // loop and operation ids: UUID v7
	Generator string        // "citeloop 0.1.0", for reports
	Logger    *slog.Logger

	ClaimReader ClaimReader // reviews claims that wording does not decide; nil: none is configured

	// Owner is on whose behalf calls are made whose context names nobody. It is for programs of one person, such as
	// the command line; a server leaves it empty, and such calls are refused.
	Owner string

	NearDuplicate float64       // share of common shingles above which two texts are one; 0 for 0.85
	ReadTime      time.Duration // how long one Read waits for pages; 0 for [DefaultReadTime]
	ReportWords   int           // the shortest text that the prompts ask for; 0 for 1,800
	MaxLoops      int           // that one owner may have, beside the local one; 0 for any number
	ReportDir     string        // where SaveReport puts each loop's folder; "" for nowhere
	MaxStored     int64         // bytes that the loops of one owner may keep, beside the local one; 0 for any number
}

// Service is the use cases over one store. It is safe for concurrent use.
type Service struct {
	Config
	cache     *lru.Cache[string, *cachedLoop]
	checkers  *lru.Cache[string, keptChecker]
	near      *nearCache
	meter     meter
	late      *lru.Cache[string, struct{}] // addresses
	questions *questions
}

// New makes the use cases.
func New(cfg Config) *Service {
	if cfg.Logger == nil {
		cfg.Logger = slog.New(slog.DiscardHandler)
	}
	if cfg.ReadTime <= 0 {
		cfg.ReadTime = DefaultReadTime
	}
	return &Service{Config: cfg, cache: newLRU[string, *cachedLoop](maxCachedLoops), checkers: newLRU[string, keptChecker](maxCheckers), near: newNearCache(cfg.NearDuplicate),
		late: newLRU[string, struct{}](maxLate), questions: &questions{asked: newLRU[question, struct{}](maxQuestions)}}
}

type ownerKey struct{}

// LocalOwner owns the loops of whoever runs citeloop on their own machine.
const LocalOwner = "local"

// WithOwner says on whose behalf the calls under ctx are made.
func WithOwner(ctx context.Context, owner string) context.Context {
	return context.WithValue(ctx, ownerKey{}, owner)
}

// OwnerOf is the owner that WithOwner set, or "".
func OwnerOf(ctx context.Context) string {
	owner, _ := ctx.Value(ownerKey{}).(string)
	return owner
}

// owner is on whose behalf a call is made. A call that does not say is refused.
func (s *Service) owner(ctx context.Context) (string, error) {
	if owner := cmp.Or(OwnerOf(ctx), s.Owner); owner != "" {
		return owner, nil
	}
	return "", &loopstate.Error{Code: loopstate.CodeNoOwner, Subject: "owner"}
}

func tooLong(subject string, n, limit int) error {
	return &loopstate.Error{Code: loopstate.CodeTooLong, Subject: subject, Got: int64(n), Limit: int64(limit)}
}

// unknownLoop is the one answer to an id that is malformed, that does not exist and that is somebody
// else's: it names no other loop.
func unknownLoop() error {
	return &loopstate.Error{Code: loopstate.CodeUnknownLoop, Subject: "loop"}
}
