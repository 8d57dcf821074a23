package channels

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"sync"

	"github.com/citeloop/citeloop/channels/normal"
)

// Answer is the result of a search over several channels.
type Answer struct {
	Evidence []Ranked  // fused, best first; Query.Limit limits each channel, not this list
	Outcomes []Outcome // one for each channel, in the order in which they were named
}

// ErrClosed is the error of a search after Close.
var ErrClosed = errors.New("channels: the registry is closed")

// Search asks the named channels in parallel and fuses their results. It takes as long as the slowest of them; at the
// deadline of ctx it returns the results so far. done, if not nil, is called with each outcome, one at a time.
//
// A failing source is an outcome, not an error. Errors are mistakes of the caller: [*UnknownChannelError],
// [*QueryError] and [ErrClosed].
func (r *Registry) Search(ctx context.Context, names []string, q Query, done func(Outcome)) (Answer, error) {
	names, err := r.chosen(names)
	if err != nil {
		return Answer{}, err
	}
	q, err = checked(q)
	if err == nil && q.List {
		err = listable(q, names)
	}
	if err != nil {
		return Answer{}, err
	}
	r.open.RLock()
	defer r.open.RUnlock()
	if r.closed {
		return Answer{}, ErrClosed
	}

	outcomes := make([]Outcome, len(names))
	found := make([]List, len(names))
	var all sync.WaitGroup
	var telling sync.Mutex
	for i, name := range names {
		all.Go(func() {
			outcomes[i], found[i] = r.ask(ctx, r.Client(name), q)
			if done != nil {
				telling.Lock()
				defer telling.Unlock()
				done(outcomes[i])
			}
		})
	}
	all.Wait()
	if q.List {
		return Answer{Evidence: inOrder(found), Outcomes: outcomes}, nil
	}
	return Answer{Evidence: Fuse(found), Outcomes: outcomes}, nil
}

// search runs one channel's search and makes its outcome.
func (r *Registry) search(ctx context.Context, c *Client, q Query) (Outcome, []Result) {
	start := r.cfg.Now()
	var found []Result
	fail := c.unconfigured()
	if fail == nil {
		found, fail = r.run(ctx, c, widened(q, c.Honours))
	}
	out := Outcome{Name: c.Name, Took: r.cfg.Now().Sub(start)}
	var remarks []string
	if fail != nil {
		out.Status, out.RetryAfter = fail.Status, fail.RetryAfter
		out.Total, out.First = fail.Total, fail.First
		remarks = append(remarks, fail.Message)
		if fail.Cause != nil {
			r.cfg.Logger.LogAttrs(ctx, slog.LevelInfo, "channel failed",
				slog.String("channel", c.Name), slog.String("status", string(fail.Status)), slog.Any("cause", fail.Cause))
		}
	}
	results, dropped := cleaned(found, c.Name, c.Plain)
	if dropped > 0 {
		remarks = append(remarks, fmt.Sprintf("%d without a title or an address dropped", dropped))
	}
	if fail == nil || fail.Status == StatusOK || fail.Status == StatusDegraded {
		var remark string
		given := len(results)
		results, remark = filtered(q, results, c.Honours)
		remarks = append(remarks, remark)
		switch {
		case fail != nil && fail.Status == StatusDegraded:
		case len(results) > 0:
			out.Status = StatusOK
		case given == 0 && dropped > 0:
			out.Status = StatusMalformed
		default:
			out.Status = StatusEmpty
		}
	} else {
		results = nil
	}
	out.Count = len(results)
	out.Message = normal.Join(remarks...)
	c.last.Store(&Last{out, r.cfg.Now()})
	return out, results
}

// run runs the channel's search within its time. A panic becomes a failure: untrusted bytes must not end the process.
func (r *Registry) run(ctx context.Context, c *Client, q Query) (found []Result, fail *Failure) {
	ctx, cancel := context.WithTimeout(ctx, r.cfg.Timeout)
	defer cancel()
	defer func() {
		if p := recover(); p != nil {
			r.cfg.Logger.LogAttrs(ctx, slog.LevelError, "channel panicked",
				slog.String("channel", c.Name), slog.Any("panic", p), slog.String("stack", string(debug.Stack())))
			found, fail = nil, Fail(StatusError, "the channel failed on what the source answered; this is a bug in citeloop")
		}
	}()
	found, err := c.Search(ctx, c, q)
	if err != nil {
		fail = AsFailure(err)
	}
	return found, fail
}

// ask asks one channel for the query, and where it has nothing for other wordings.
func (r *Registry) ask(ctx context.Context, c *Client, q Query) (Outcome, List) {
	out, found := r.search(ctx, c, q)
	others := []string{q.Else}
	if c.Again != nil {
		others = append(others, c.Again(c, q))
	}
	for _, other := range others {
		if out.Status != StatusEmpty || other == "" || other == q.Text {
			continue
		}
		took := out.Took
		q.Text = other
		out, found = r.search(ctx, c, q)
		if out.Took += took; len(found) > 0 {
			out.Message = normal.Join(out.Message, fmt.Sprintf("no results for the whole query; searched for %q",
				normal.Clip(q.Text, MaxWords)))
		}
	}
	return out, List{Channel: c.Name, Results: found}
}
