package storage

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"time"

	"github.com/citeloop/citeloop/loopstate"
)

// Logs is the part of a store that a [Sweep] reads.
type Logs interface {
	// Ends returns the last event of each loop, without Data.
	Ends(ctx context.Context) ([]loopstate.Event, error)
	// Load is [loopstate.Store.Load].
	Load(ctx context.Context, loop string, after int64) iter.Seq2[loopstate.Event, error]
	// Kept returns those of the hashes that have a stored text.
	Kept(ctx context.Context, hashes []loopstate.Hash) ([]loopstate.Hash, error)
}

// Sweep finds the texts to delete with a loop: those that its events name and no events of other loops do. It is the part
// of [loopstate.Store.Delete] that does not depend on the store.
//
// It looks several times: first at the whole log, without blocking writers, and at last, while the caller blocks writers,
// at the events since. So writers wait only for the last look. It remembers the last seen event of each loop and the
// hashes of the loop's texts, about 200 bytes each, but no event data.
type Sweep struct {
	loop  string
	alone map[loopstate.Hash]bool // the loop's texts; false if an event of another loop names the text
	left  int                     // number of true values in alone
	seen  map[string]mark         // the last seen event of each loop
}

// mark identifies an event. The number alone does not: a loop can be deleted and start again.
type mark struct {
	seq int64
	op  string
	at  time.Time
}

func (m mark) is(e loopstate.Event) bool { return m.seq == e.Seq && m.op == e.Op && m.at.Equal(e.At) }

// looksAhead is the number of looks without blocking writers. The second one reads the events written during the first,
// which can take long, so that the last one has little to read.
const looksAhead = 2

// BeginSweep reads the logs without blocking writers. The error for an unknown loop is loopstate.ErrNotFound.
func BeginSweep(ctx context.Context, logs Logs, loop string) (*Sweep, error) {
	s := &Sweep{loop: loop, alone: map[loopstate.Hash]bool{}, seen: map[string]mark{}}
	for range looksAhead {
		if err := s.Look(ctx, logs); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// Look reads the events since the last look. The error is loopstate.ErrNotFound if the loop was deleted.
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

// Texts returns the texts to delete with the loop, as of the last look.
func (s *Sweep) Texts() []loopstate.Hash {
	texts := make([]loopstate.Hash, 0, s.left)
	for h, alone := range s.alone {
		if alone {
			texts = append(texts, h)
		}
	}
	slices.SortFunc(texts, func(a, b loopstate.Hash) int { return bytes.Compare(a[:], b[:]) })
	return texts
}

// look reports whether the earlier looks are still valid. They are not if another loop was deleted, because only this loop
// may name its texts now, or if the loop names a new text, which the earlier looks did not search for.
func (s *Sweep) look(ctx context.Context, logs Logs, ends []loopstate.Event) (holds bool, err error) {
	var own *loopstate.Event
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
		return false, fmt.Errorf("loop %.100q: %w", s.loop, loopstate.ErrNotFound)
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
			continue // no text to search for
		}
		if holds, err = s.follow(ctx, logs, end, s.leave); err != nil || !holds {
			return false, err
		}
	}
	return true, nil
}

// follow reads a log from its last seen event. It reports whether the log still contains that event.
func (s *Sweep) follow(ctx context.Context, logs Logs, end loopstate.Event, see func(context.Context, Logs, loopstate.Event) error) (holds bool, err error) {
	last := s.seen[end.Loop]
	if last.is(end) {
		return true, nil
	}
	found := last.seq == 0
	for e, err := range logs.Load(ctx, end.Loop, last.seq-1) {
		switch {
		case errors.Is(err, loopstate.ErrNotFound): // being deleted; the next look notices
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

// take adds the stored texts that an event of the loop names.
func (s *Sweep) take(ctx context.Context, logs Logs, e loopstate.Event) error {
	var named []loopstate.Hash
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

// leave excludes the texts that an event of another loop names.
func (s *Sweep) leave(_ context.Context, _ Logs, e loopstate.Event) error {
	for h := range HashesIn(e.Data) {
		if s.alone[h] {
			s.alone[h] = false
			s.left--
		}
	}
	return nil
}

// HashesIn yields the hashes in data: each run of exactly 64 hexadecimal digits, in lower or upper case. They tell a store
// which texts an event names, without knowing its payload.
func HashesIn(data []byte) iter.Seq[loopstate.Hash] {
	return func(yield func(loopstate.Hash) bool) {
		const digits = 2 * len(loopstate.Hash{})
		// Every such run covers one position that is checked here, so the others need no check.
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
				if h, err := loopstate.ParseHash(string(data[start:i])); err == nil && !yield(h) {
					return
				}
			}
		}
	}
}

func hexDigit(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c && c <= 'f' || 'A' <= c && c <= 'F'
}
