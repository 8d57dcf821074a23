// Package audit looks up the entries of reference lists at bibliographic services, and compares them with their records. It
// sends identifiers and titles of entries, and nothing else.
package audit

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/citeloop/citeloop/channels"
	"github.com/citeloop/citeloop/internal/outcome"
	"github.com/citeloop/citeloop/internal/references"
)

// Status is what is known of an entry.
type Status string

// The statuses.
const (
	Retracted     Status = "retracted"       // the work was retracted or withdrawn; its fields may differ as well
	Mismatch      Status = "mismatch"        // the work exists, and a field differs from all of its records
	NotFound      Status = "not_found"       // the services that were asked answered that they do not have it
	CouldNotLook  Status = "could_not_look"  // nothing found, and a service did not answer
	NotIdentified Status = "not_a_reference" // neither title nor identifier to look up
	Verified      Status = "verified"        // a service has the work, and no field differs
)

// statuses lists the statuses, worst first.
var statuses = [...]Status{Retracted, Mismatch, NotFound, CouldNotLook, NotIdentified, Verified}

// Search asks channels; *channels.Registry is one.
type Search interface {
	Search(ctx context.Context, names []string, q channels.Query, done func(channels.Outcome)) (channels.Answer, error)
}

// Asked is one request to a service and how it ended.
type Asked struct {
	Channel string          `json:"channel"`
	For     string          `json:"for"` // identifier or title
	Status  channels.Status `json:"status"`
	Message string          `json:"message,omitempty"`

	wait time.Duration // until the service may be asked again
}

// Entry is an entry of a list with the result.
type Entry struct {
	File        string                  `json:"file"`
	Line        int                     `json:"line"`
	Key         string                  `json:"key"`
	Title       string                  `json:"title"` // as listed; of a text the whole entry
	Status      Status                  `json:"status"`
	Because     string                  `json:"because"`
	Differences []references.Difference `json:"differences"`
	Records     []references.Record     `json:"records"` // of the work, best first
	Asked       []Asked                 `json:"asked"`

	listed references.Entry
}

// List is a file with references.
type List struct {
	Name     string
	Entries  []references.Entry
	Problems []references.Problem
}

// Config says how lists are audited. Search and Now are required.
type Config struct {
	Search    Search
	Channels  []string      // the services to ask
	Time      time.Duration // after it, what is not looked up is left; 0 = no limit
	Now       func() time.Time
	Generator string
	// Progress is called after every entry, by one goroutine at a time; may be nil.
	Progress func(done, of int, e Entry)
}

// parallel is the number of entries at a time. Crossref answers one request a second.
const parallel = 4

// Usable returns the services that are set up, in the order of their coverage.
func Usable(all []channels.Info) (names []string) {
	for _, name := range []string{"crossref", "openalex", "dblp", "datacite", "arxiv", "semantic-scholar", "pubmed", books} {
		if slices.ContainsFunc(all, func(c channels.Info) bool { return c.Name == name && c.Configured }) {
			names = append(names, name)
		}
	}
	return names
}

// Result is the result of an audit. Lists are never nil.
type Result struct {
	Verdict     string         `json:"verdict"` // pass, fail or undecided
	Counts      map[Status]int `json:"counts"`
	Entries     []Entry        `json:"entries"`
	Left        []Entry        `json:"left,omitempty"` // without a status, for lack of time
	Problems    []string       `json:"problems"`       // parts of the files that could not be read
	GeneratedAt time.Time      `json:"generated_at"`
	Generator   string         `json:"generator"`
}

// verdict fails for what is certainly wrong. What was not found may exist all the same: it is for a person to decide.
func (r *Result) verdict() string {
	switch {
	case r.Counts[Mismatch]+r.Counts[Retracted] > 0:
		return outcome.Fail
	case len(r.Entries) == 0 || len(r.Left) > 0 || r.Counts[Verified] < len(r.Entries) || len(r.Problems) > 0:
		return outcome.Undecided
	}
	return outcome.Pass
}

// ExitCode returns 0 for pass, 1 for fail and 3 for undecided.
func (r *Result) ExitCode() int { return outcome.ExitCode(r.Verdict) }

// Run looks up the entries of lists, all of them if cfg sets no time. The error is that of ctx, or of a channel that does not
// exist.
func Run(ctx context.Context, cfg Config, lists []List) (*Result, error) {
	r := &Result{Counts: map[Status]int{}, Entries: []Entry{}, Problems: []string{}, GeneratedAt: cfg.Now().UTC(), Generator: cfg.Generator}
	for _, l := range lists {
		for _, p := range l.Problems {
			r.Problems = append(r.Problems, fmt.Sprintf("%s: %s", l.Name, p))
		}
		for _, e := range l.Entries {
			r.Entries = append(r.Entries, Entry{File: l.Name, Line: e.Line, Key: e.Key, Title: cmp.Or(e.Text, e.Title), listed: e})
		}
	}
	if err := lookUpAll(ctx, cfg, r); err != nil {
		return nil, err
	}
	r.Left = slices.DeleteFunc(slices.Clone(r.Entries), func(e Entry) bool { return e.Status != "" })
	r.Entries = slices.DeleteFunc(r.Entries, func(e Entry) bool { return e.Status == "" })
	for _, e := range r.Entries {
		r.Counts[e.Status]++
	}
	r.Verdict = r.verdict()
	return r, nil
}

// lookUpAll looks up the entries of a result, several at a time. Those for which the time does not suffice keep no status.
func lookUpAll(ctx context.Context, cfg Config, r *Result) error {
	limited, cancel := ctx, context.CancelFunc(func() {})
	if cfg.Time > 0 {
		limited, cancel = context.WithTimeout(ctx, cfg.Time)
	}
	defer cancel()
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(parallel)
	var mu sync.Mutex
	done := 0
	for i := range r.Entries {
		group.Go(func() error {
			e := &r.Entries[i]
			if limited.Err() == nil {
				if err := lookUp(limited, cfg, e); err != nil && limited.Err() == nil {
					return err
				}
			}
			if limited.Err() != nil && e.Status != Verified && e.Status != Retracted || e.waits(cfg.Time) { // more services might have it
				e.Status = ""
				return ctx.Err()
			}
			mu.Lock()
			defer mu.Unlock()
			if done++; cfg.Progress != nil {
				cfg.Progress(done, len(r.Entries), *e)
			}
			return nil
		})
	}
	return group.Wait()
}

// waits reports an entry that was not found, at a service whose turn would have come too late, but comes in time for the next run.
func (e *Entry) waits(limit time.Duration) bool {
	return e.Status == CouldNotLook && slices.ContainsFunc(e.Asked, func(a Asked) bool { return a.wait > 0 && a.wait <= limit })
}
