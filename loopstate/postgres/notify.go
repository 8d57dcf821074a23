package postgres

import (
	"context"
	"strings"
	"sync"
	"time"
)

const (
	// hintInterval is the minimum time between two notifications of a process. Measured: at 50 ms they do not slow down
	// appends.
	hintInterval = 50 * time.Millisecond
	// maxHints bounds the loops of one interval; watchers of further loops see changes at the next poll.
	maxHints = 1000
	// maxPayloadBytes is PostgreSQL's limit.
	maxPayloadBytes = 7999
)

// hints holds the changed loops that other processes were not yet notified of.
type hints struct {
	added chan struct{} // capacity one

	mu    sync.Mutex
	loops map[string]struct{} // protected by mu
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

// take returns the hints as payloads with their sender, which ignores them, and clears the hints.
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

// parseHint parses a payload of another process.
func parseHint(payload, sender string) (loop string, ok bool) {
	from, loop, ok := strings.Cut(payload, " ")
	return loop, ok && from != sender
}

// notify sends notifications of changed loops to other processes until ctx ends.
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

// sendHints tries once, because the next poll replaces a lost hint. It need not reach the disk either.
func (s *Store) sendHints(ctx context.Context, payloads []string) {
	ctx, cancel := context.WithTimeout(ctx, s.options.Timeout)
	defer cancel()
	_, err := s.pool.Exec(ctx, `SELECT set_config('synchronous_commit', 'off', true), pg_notify($1, payload)
		FROM unnest($2::text[]) AS payload`, s.channel, payloads)
	if err != nil && ctx.Err() == nil {
		s.options.Logger.Debug("notifying other processes failed", "store", s.place, "error", err)
	}
}
