package audit

import (
	"context"
	"fmt"

	"golang.org/x/sync/errgroup"

	"github.com/citeloop/citeloop/internal/references"
)

// Run looks up all entries of lists. The error is that of ctx, or of a channel that does not exist.
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
	results := make(chan int)
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(max(cfg.Parallel, 1))
	if cfg.Parallel == 0 {
		group.SetLimit(defaultParallel)
	}
	go func() {
		for i := range r.Entries {
			group.Go(func() error {
				if ctx.Err() != nil {
					return ctx.Err()
				}
				if err := lookUp(ctx, cfg, &r.Entries[i]); err != nil {
					return err
				}
				results <- i
				return nil
			})
		}
		_ = group.Wait() // again below, for its error
		close(results)
	}()
	done := 0
	for i := range results {
		if done++; cfg.Progress != nil {
			cfg.Progress(done, len(r.Entries), r.Entries[i])
		}
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	for _, e := range r.Entries {
		r.Counts[e.Status]++
	}
	r.Verdict = r.verdict()
	return r, nil
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
