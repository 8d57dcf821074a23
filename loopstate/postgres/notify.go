package postgres

import (
	"context"
	"strings"
	"sync"
	"time"
)

const (
	// hintInterval is the least time between two notifications of a process: measured for the design, at
	// 50 ms they cost the appends nothing.
	hintInterval = 50 * time.Millisecond
	// maxHints bounds the loops of one interval; who watches another of them sees it at the next poll.
	maxHints = 1000
	// maxPayloadBytes: PostgreSQL takes less than 8000.
	maxPayloadBytes = 7999
)

// hints are the loops that moved and of which other processes were not told yet.
type hints struct {
	added chan struct{} // holds one

	mu    sync.Mutex
	loops map[string]struct{} // mu protects it
}

func newHints() *hints {
	return &hints{added: make(chan struct{}, 1), loops: map[string]struct{}{}}
}

func (h *hints) add(loop string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if len(h.loops) >= maxHints {
		return
	}
	h.loops[loop] = struct{}{}
	select {
	case h.added <- struct{}{}:
	default:
	}
}

// take empties the hints into payloads that name their sender, which need not be told.
func (h *hints) take(sender string) []string {
	h.mu.Lock()
	defer h.mu.Unlock()
	var payloads []string
	for loop := range h.loops {
		if p := sender + " " + loop; len(p) <= maxPayloadBytes {
			payloads = append(payloads, p)
		}
	}
	clear(h.loops)
	return payloads
}

// told reads a payload of another process.
func told(payload, sender string) (loop string, ok bool) {
	from, loop, ok := strings.Cut(payload, " ")
	return loop, ok && from != sender
}

// notify tells other processes which loops moved, until ctx ends.
func (s *Store) notify(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-s.hints.added:
		}
		if payloads := s.hints.take(s.sender); len(payloads) > 0 {
			s.sendHints(ctx, payloads)
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(hintInterval):
		}
	}
}

// sendHints tries once: a hint that is lost is made good by the next poll. Nor need it reach the disk.
func (s *Store) sendHints(ctx context.Context, payloads []string) {
	ctx, cancel := context.WithTimeout(ctx, s.options.Timeout)
	defer cancel()
	_, err := s.pool.Exec(ctx, `SELECT set_config('synchronous_commit', 'off', true), pg_notify($1, payload)
		FROM unnest($2::text[]) AS payload`, s.channel, payloads)
	if err != nil && ctx.Err() == nil {
		s.options.Logger.Debug("a hint for other processes was lost", "store", s.place, "error", err)
	}
}
