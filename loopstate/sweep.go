package loopstate

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"time"
)

// Logs is what a [Sweep] sees of a store.
type Logs interface {
	// Ends are the last events of all loops, without their Data.
	Ends(ctx context.Context) ([]Event, error)
	// Load is that of [Store].
	Load(ctx context.Context, loop string, after int64) iter.Seq2[Event, error]
	// Kept are those of the hashes that a text is kept under.
	Kept(ctx context.Context, hashes []Hash) ([]Hash, error)
}

// Sweep finds the texts that go with a loop: those that its events name and no other loop's do. It is the
// part of [Store.Delete] that does not depend on the store.
//
// It looks more than once: first while everybody writes on, which is a pass over the whole log and takes as
// long as the log is large, and at last where nothing can be written, which takes as long as what came
// meanwhile. So nobody waits for the pass. It remembers the last event it saw of each loop and the hashes of
// the loop's texts, some 200 bytes each, and no event's data.
type Sweep struct {
	loop  string
	alone map[Hash]bool   // the loop's texts: whether no event of another loop was seen that names it
	left  int             // how many are alone
	seen  map[string]mark // the last event seen of each loop
}

// mark tells an event from another with its number, which stands there when a loop was deleted and began
// again.
type mark struct {
	seq int64
	op  string
	at  time.Time
}

func (m mark) is(e Event) bool { return m.seq == e.Seq && m.op == e.Op && m.at.Equal(e.At) }

// looksAhead is how often a sweep looks before anybody has to wait: the second look sees what came during
// the first, which can be long, and so leaves next to nothing for the last.
const looksAhead = 2

// BeginSweep looks at the logs while everybody writes on. It is ErrNotFound that the loop is not there.
func BeginSweep(ctx context.Context, logs Logs, loop string) (*Sweep, error) {
	s := &Sweep{loop: loop, alone: map[Hash]bool{}, seen: map[string]mark{}}
	for range looksAhead {
		if err := s.Look(ctx, logs); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// Look sees what it has not seen yet. It is ErrNotFound that the loop is not there any more.
func (s *Sweep) Look(ctx context.Context, logs Logs) error {
	for {
		ends, err := logs.Ends(ctx)
		if err != nil {
			return err
		}
		holds, err := s.look(ctx, logs, ends)
		if holds || err != nil {
			return err
		}
		clear(s.alone)
		clear(s.seen)
		s.left = 0
	}
}

// Texts are what goes with the loop, as the logs were at the last look.
func (s *Sweep) Texts() []Hash {
	texts := make([]Hash, 0, s.left)
	for h, alone := range s.alone {
		if alone {
			texts = append(texts, h)
		}
	}
	slices.SortFunc(texts, func(a, b Hash) int { return bytes.Compare(a[:], b[:]) })
	return texts
}

// look reports whether what was seen before still holds. It does not when another loop was deleted, because
// what that one named may be the loop's alone by now, nor when the loop names one more text, which was not
// looked for in what was seen.
func (s *Sweep) look(ctx context.Context, logs Logs, ends []Event) (holds bool, err error) {
	var own *Event
	gone := len(s.seen)
	for i, end := range ends {
		if _, seen := s.seen[end.Loop]; seen {
			gone--
		}
		if end.Loop == s.loop {
			own = &ends[i]
		}
	}
	if own == nil {
		return false, fmt.Errorf("loop %.100q: %w", s.loop, ErrNotFound)
	}
	before, known := len(s.seen), len(s.alone)
	if gone > 0 {
		return false, nil
	}
	holds, err = s.follow(ctx, logs, *own, s.take)
	if err != nil || !holds || before > 0 && len(s.alone) > known {
		return false, err
	}
	for _, end := range ends {
		if _, seen := s.seen[end.Loop]; end.Loop == s.loop || !seen && s.left == 0 {
			continue // nothing is looked for in what is new
		}
		if holds, err = s.follow(ctx, logs, end, s.leave); err != nil || !holds {
			return false, err
		}
	}
	return true, nil
}

// follow goes through a log from where it was left. It reports whether that is still a place in it.
func (s *Sweep) follow(ctx context.Context, logs Logs, end Event, see func(context.Context, Logs, Event) error) (holds bool, err error) {
	last := s.seen[end.Loop]
	if last.is(end) {
		return true, nil
	}
	found := last.seq == 0
	for e, err := range logs.Load(ctx, end.Loop, last.seq-1) {
		switch {
		case errors.Is(err, ErrNotFound): // it is being deleted; the next look finds it gone
			return true, nil
		case err != nil:
			return false, err
		case found:
			if err := see(ctx, logs, e); err != nil {
				return false, err
			}
			last = mark{e.Seq, e.Op, e.At}
			s.seen[end.Loop] = last
		case last.is(e):
			found = true
		default:
			return false, nil
		}
	}
	return found, nil
}

// take makes the texts that an event of the loop names its own.
func (s *Sweep) take(ctx context.Context, logs Logs, e Event) error {
	var named []Hash
	for h := range HashesIn(e.Data) {
		if _, ok := s.alone[h]; !ok {
			named = append(named, h)
		}
	}
	if len(named) == 0 {
		return nil
	}
	kept, err := logs.Kept(ctx, named)
	for _, h := range kept {
		if _, ok := s.alone[h]; !ok {
			s.alone[h] = true
			s.left++
		}
	}
	return err
}

// leave leaves the texts that an event of another loop names.
func (s *Sweep) leave(_ context.Context, _ Logs, e Event) error {
	for h := range HashesIn(e.Data) {
		if s.alone[h] {
			s.alone[h] = false
			s.left--
		}
	}
	return nil
}

// HashesIn yields the hashes that stand in data as [Hash.String] writes them, or in capitals: each run of
// exactly 64 hexadecimal digits. A store finds by them which texts an event names, because it does not know
// what events mean.
func HashesIn(data []byte) iter.Seq[Hash] {
	return func(yield func(Hash) bool) {
		const digits = 2 * len(Hash{})
		// A run that long has a digit at one of every so many places, so that the others need no look.
		for i := digits - 1; i < len(data); i += digits {
			if !hexDigit(data[i]) {
				continue
			}
			start := i
			for start > 0 && hexDigit(data[start-1]) {
				start--
			}
			for i < len(data) && hexDigit(data[i]) {
				i++
			}
			if i-start == digits {
				if h, err := ParseHash(string(data[start:i])); err == nil && !yield(h) {
					return
				}
			}
		}
	}
}

func hexDigit(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c && c <= 'f' || 'A' <= c && c <= 'F'
}
