package audit

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/citeloop/citeloop/internal/references"
)

// Run looks up the entries of lists, all of them if cfg sets no time. The error is that of ctx, or of a channel that does not
// exist.
func Run(ctx context.Context, cfg Config, lists []List) (*Result, error) {
	if len(cfg.Channels) == 0 {
		cfg.Channels = DefaultChannels()
	}
	r := &Result{Counts: map[Status]int{}, Entries: []Entry{}, Problems: []string{}, GeneratedAt: cfg.Now().UTC(), Generator: cfg.Generator}
	for _, l := range lists {
		for _, p := range l.Problems {
			r.Problems = append(r.Problems, fmt.Sprintf("%s: %s", l.Name, p))
		}
		for _, e := range l.Entries {
			r.Entries = append(r.Entries, Entry{File: l.Name, Line: e.Line, Key: e.Key, Title: titleOf(e), listed: e})
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
	group.SetLimit(cmp.Or(cfg.Parallel, defaultParallel))
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

// defaultParallel is chosen; Crossref answers one request a second.
const defaultParallel = 4

func titleOf(e references.Entry) string {
	if e.Text != "" {
		return e.Text
	}
	return e.Title
}

// lookUp asks for the entry's identifiers first, and then for its title, until a record is the same in all fields.
func lookUp(ctx context.Context, cfg Config, e *Entry) error {
	s := &searching{cfg: cfg, entry: e.listed}
	for _, round := range s.rounds() {
		if err := s.ask(ctx, round); err != nil {
			return err
		}
		if s.judge(e); e.Status == Verified || e.Status == Retracted {
			break
		}
	}
	if s.judge(e); len(s.asked) == 0 {
		e.Status, e.Because = NotIdentified, "it has neither a title nor an identifier to look up"
	}
	return nil
}
