package resources

import (
	"cmp"
	"context"
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"github.com/citeloop/citeloop/loopstate"
)

// stream sends notifications to one client. A goroutine runs for each loop that it follows, and one for the list of
// loops. The followers' lock protects its fields except ending.
type stream struct {
	all     *followers
	who     *follower
	session server.ClientSession
	meta    map[string]any // _meta of each notification
	look    chan struct{}  // check the list now; capacity one

	ctx     context.Context
	cancel  context.CancelFunc
	running map[string]context.CancelFunc // by loop; "" is the list
	ending  sync.WaitGroup
}

// newStream makes a stream that follows nothing yet. From 2026-07-28 on, notifications carry the id of their request; the
// library adds it over HTTP only.
func (f *followers) newStream(ctx context.Context, who *follower, session server.ClientSession, listenID any) *stream {
	s := &stream{all: f, who: who, session: session, look: make(chan struct{}, 1), running: map[string]context.CancelFunc{}}
	if listenID != nil {
		s.meta = map[string]any{mcp.MetaKeySubscriptionID: listenID}
	}
	s.ctx, s.cancel = context.WithCancel(ctx)
	return s
}

// end stops the stream's goroutines and waits for them. Do not call follow after it.
func (s *stream) end() {
	if s == nil {
		return
	}
	s.cancel()
	s.ending.Wait()
}

// followAll follows all subscriptions of the client.
func (s *stream) followAll() {
	for a := range s.who.subs {
		s.follow(a)
	}
	if s.who.list {
		s.follow(address{part: partList})
	}
}

// follow starts following the loop or list of an address, once. Resources that never change can still be deleted.
func (s *stream) follow(a address) {
	if s == nil {
		return // newStream's caller follows all
	}
	if _, ok := s.running[a.loop]; ok {
		return
	}
	ctx, cancel := context.WithCancel(s.ctx)
	s.running[a.loop] = cancel
	s.ending.Go(func() {
		defer cancel()
		if a.part == partList {
			s.followList(ctx)
		} else {
			s.followLoop(ctx, a.loop)
		}
	})
}

func (s *stream) unfollow(loop string) {
	if s == nil {
		return
	}
	if cancel, ok := s.running[loop]; ok {
		cancel()
		delete(s.running, loop)
	}
}

func (s *stream) wake() {
	if s == nil {
		return
	}
	select {
	case s.look <- struct{}{}:
	default:
	}
}

// followLoop notifies the client of changes to a loop. The store sends a number at once, so changes since the
// subscription are included.
func (s *stream) followLoop(ctx context.Context, loop string) {
	changed, err := s.all.svc.Follow(ctx, loop)
	if err != nil {
		if gone(err) {
			s.notifyGone(ctx, loop)
		} else if ctx.Err() == nil {
			s.all.logger.WarnContext(ctx, "following a loop failed", "error", err)
		}
		return
	}
	for range changed {
		if !settled(ctx) || !s.notifyLoop(ctx, loop) {
			return
		}
	}
}

// settled waits for further changes. It returns false if ctx ends.
func settled(ctx context.Context) bool {
	timer := time.NewTimer(settleFor)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-timer.C:
		return true
	}
}

// notifyLoop sends notifications for the changed resources of a loop, and reports whether to go on following it.
func (s *stream) notifyLoop(ctx context.Context, loop string) bool {
	revision, err := s.all.svc.Revision(ctx, loop)
	switch {
	case gone(err):
		s.notifyGone(ctx, loop)
		return false
	case err != nil:
		if ctx.Err() == nil {
			s.all.logger.WarnContext(ctx, "reading a loop failed", "error", err)
		}
		return true
	}
	s.all.mu.Lock()
	before := s.who.seen[loop]
	var changed []address
	for a := range s.who.subs {
		switch {
		case a.loop != loop || a.fixed():
		case a.part == partRounds || a.part == partConvergence:
			if revision.Round != before.Round {
				changed = append(changed, a)
			}
		case revision.Version != before.Version:
			changed = append(changed, a)
		}
	}
	if _, ok := s.who.seen[loop]; ok { // still subscribed
		s.who.seen[loop] = revision
	}
	s.all.mu.Unlock()
	s.notifyUpdated(ctx, changed)
	return true
}

// notifyGone sends notifications for all resources of a deleted loop, so that the client reads that they are gone.
func (s *stream) notifyGone(ctx context.Context, loop string) {
	s.all.mu.Lock()
	var last []address
	for a := range s.who.subs {
		if a.loop == loop {
			last = append(last, a)
			delete(s.who.subs, a)
			s.all.count(s.who.owner, -1)
		}
	}
	delete(s.who.seen, loop)
	delete(s.running, loop)
	s.all.mu.Unlock()
	s.notifyUpdated(ctx, last)
}

func (s *stream) notifyUpdated(ctx context.Context, changed []address) {
	slices.SortFunc(changed, func(a, b address) int { return cmp.Compare(a.String(), b.String()) })
	for _, a := range changed {
		s.notify(ctx, mcp.MethodNotificationResourceUpdated, map[string]any{"uri": a.String()})
	}
}

// notify sends a notification. It waits for the channel, because the library would drop it.
func (s *stream) notify(ctx context.Context, method string, params map[string]any) {
	n := mcp.JSONRPCNotification{JSONRPC: mcp.JSONRPC_VERSION, Notification: mcp.Notification{Method: method,
		Params: mcp.NotificationParams{Meta: s.meta, AdditionalFields: params}}}
	select {
	case s.session.NotificationChannel() <- n:
	case <-ctx.Done():
	}
}

// listFingerprint has two hashes of a list of loops: of the entries in resources/list, and of ids and versions.
type listFingerprint struct{ members, content [sha256.Size]byte }

func fingerprintOf(heads []loopstate.Head) listFingerprint {
	var members, content strings.Builder
	for _, head := range newestFirst(heads) {
		for _, e := range entriesOf(head) {
			fmt.Fprintln(&members, e.URI)
		}
		fmt.Fprintln(&content, head.Loop, head.Seq)
	}
	return listFingerprint{sha256.Sum256([]byte(members.String())), sha256.Sum256([]byte(content.String()))}
}

// followList notifies the client when loops are added, deleted or changed.
func (s *stream) followList(ctx context.Context) {
	ticker := time.NewTicker(lookEvery)
	defer ticker.Stop()
	for first := true; ; first = false {
		if !first {
			select {
			case <-ctx.Done():
				return
			case <-ticker.C:
			case <-s.look:
			}
		}
		if !settled(ctx) {
			return
		}
		heads, err := s.all.svc.Heads(ctx)
		if err != nil {
			if ctx.Err() == nil {
				s.all.logger.WarnContext(ctx, "listing loops failed", "error", err)
			}
			continue
		}
		now, list := fingerprintOf(heads), address{part: partList}
		s.all.mu.Lock()
		_, subscribed := s.who.subs[list]
		tellList, tellContent := s.who.list && now.members != s.who.saw.members, subscribed && now.content != s.who.saw.content
		s.who.saw = now
		s.all.mu.Unlock()
		if tellList {
			s.notify(ctx, mcp.MethodNotificationResourcesListChanged, nil)
		}
		if tellContent {
			s.notifyUpdated(ctx, []address{list})
		}
	}
}
