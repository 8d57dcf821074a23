package textcheck

import (
	"context"
	"fmt"
	"time"

	"github.com/citeloop/citeloop/fetch"
)

// Reader reads addresses; *fetch.Reader is one.
type Reader interface {
	ReadAll(ctx context.Context, urls []string, each func(i int, p fetch.Page)) []fetch.Page
}

// Config says how drafts are checked. Reader, Now and Generator are required.
type Config struct {
	Reader    Reader
	Loop      *Loop            // its stored texts are used first; may be nil
	Corpus    *Corpus          // then the files of folders; may be nil
	Offline   bool             // read file: addresses only
	Review    *Review          // who reads the claims beside their texts; nil = nobody
	Locks     map[string]*Lock // earlier readings by the name of a draft, which new ones are added to; may be nil
	Threshold float64          // share of supported sentences, of those that were read, that passes; 0 = any
	FailOn    []Kind           // findings that make a draft fail
	Suppress  []Suppression    // findings that are accepted
	Now       func() time.Time
	Generator string // "citeloop 0.1.0"
	// Progress is called after every address that was read, by one goroutine at a time; may be nil.
	Progress func(done, of int, s Source, took time.Duration)
}

// TooManyError reports more cited addresses than one run reads.
type TooManyError struct{ Cited, Most int }

// Limits of one run (chosen).
const (
	// MaxDraftBytes bounds one draft: a long book has about 2 MB.
	MaxDraftBytes = 16 << 20
	// maxAddresses bounds the pages that one run reads.
	maxAddresses = 2000
)

func (e *TooManyError) Error() string {
	return fmt.Sprintf("too many cited addresses: %d, at most %d in one run; check fewer files at once", e.Cited, e.Most)
}
