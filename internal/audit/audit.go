package audit

import (
	"context"
	"slices"
	"time"

	"github.com/citeloop/citeloop/channels"
	"github.com/citeloop/citeloop/internal/outcome"
	"github.com/citeloop/citeloop/internal/references"
)

// Status is what is known of an entry.
type Status string

// The statuses, from best to worst.
const (
	Verified      Status = "verified"        // a service has the work, and no field differs
	CouldNotLook  Status = "could_not_look"  // nothing found, and a service did not answer
	NotFound      Status = "not_found"       // the services that were asked answered that they do not have it
	Mismatch      Status = "mismatch"        // the work exists, and a field differs from all of its records
	Retracted     Status = "retracted"       // the work was retracted or withdrawn; its fields may differ as well
	NotIdentified Status = "not_a_reference" // neither title nor identifier to look up
)

// Statuses lists the statuses, worst first.
func Statuses() []Status {
	return []Status{Retracted, Mismatch, NotFound, CouldNotLook, NotIdentified, Verified}
}

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
	Records     []Record                `json:"records"` // of the work, best first
	Asked       []Asked                 `json:"asked"`

	listed references.Entry
}

// Record is what a service has of a work, with what was published about it later.
type Record struct {
	references.Record
	Update string `json:"update,omitempty"` // retracted, withdrawn, removed, expression of concern, corrected
	Notice string `json:"notice,omitempty"` // DOI of the notice
	Date   string `json:"notice_date,omitempty"`
}

// List is a file with references.
type List struct {
	Name     string
	Text     string
	Entries  []references.Entry
	Problems []references.Problem
}

// Config says how lists are audited. Search and Now are required.
type Config struct {
	Search    Search
	Channels  []string      // the services to ask; nil = DefaultChannels
	Parallel  int           // entries at a time; 0 = 4: the services' own rates are slower
	Time      time.Duration // after it, what is not looked up is left; 0 = no limit
	Now       func() time.Time
	Generator string
	// Progress is called after every entry, by one goroutine at a time; may be nil.
	Progress func(done, of int, e Entry)
}

// DefaultChannels are the services that are asked, in the order of their coverage.
func DefaultChannels() []string {
	return []string{"crossref", "openalex", "dblp", "datacite", "arxiv", "semantic-scholar", "pubmed", "open-library"}
}

// Usable returns those of the services that are set up.
func Usable(all []channels.Info) (names []string) {
	for _, name := range DefaultChannels() {
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
