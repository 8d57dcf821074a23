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

// stream is the way to one client, and what runs to feed it: a goroutine for each loop it follows, and one for
// the list of loops. Its fields but the waiting are guarded by the followers' lock.
type stream struct {
	all     *followers
	who     *follower
	session server.ClientSession
	meta    map[string]any // of each notification
	look    chan struct{}  // look at the list now; holds one

	ctx     context.Context
	cancel  context.CancelFunc
	running map[string]context.CancelFunc // by loop; "" is the list
	ending  sync.WaitGroup
}

// newStream is a stream that nothing feeds yet. From 2026-07-28 on, notifications carry the id of the request
// that asked for them, which the library adds over HTTP alone.
func (f *followers) newStream(ctx context.Context, who *follower, session server.ClientSession, listenID any) *stream {
	s := &stream{all: f, who: who, session: session, look: make(chan struct{}, 1), running: map[string]context.CancelFunc{}}
	if listenID != nil {
		s.meta = map[string]any{mcp.MetaKeySubscriptionID: listenID}
	}
	s.ctx, s.cancel = context.WithCancel(ctx)
	return s
}

// end stops what feeds the stream and waits for it. Nothing may be followed after it.
func (s *stream) end() {
	if s == nil {
		return
	}
	s.cancel()
	s.ending.Wait()
}

// followAll follows all that the client wants.
func (s *stream) followAll() {
	for a := range s.who.subs {
		s.follow(a)
	}
	if s.who.list {
		s.follow(address{part: partList})
	}
}

// follow begins to follow what an address leads to, unless that is being done. What never changes can still go.
func (s *stream) follow(a address) {
	if s == nil {
		return // it will follow all when it is there
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

// followLoop tells the client of changes to a loop. The store sends a number at once, so what changed since the
// client subscribed is told too.
func (s *stream) followLoop(ctx context.Context, loop string) {
	changed, err := s.all.svc.Follow(ctx, loop)
	if err != nil {
		if gone(err) {
			s.tellGone(ctx, loop)
		} else if ctx.Err() == nil {
			s.all.logger.WarnContext(ctx, "a loop cannot be followed", "error", err)
		}
		return
	}
	for range changed {
		if !settled(ctx) || !s.tellLoop(ctx, loop) {
			return
		}
	}
}

// settled waits for more of what is happening.
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

// tellLoop tells what has changed of a loop, and reports whether there is more to follow.
func (s *stream) tellLoop(ctx context.Context, loop string) bool {
	pulse, err := s.all.svc.Pulse(ctx, loop)
	switch {
	case gone(err):
		s.tellGone(ctx, loop)
		return false
	case err != nil:
		if ctx.Err() == nil {
			s.all.logger.WarnContext(ctx, "a loop cannot be looked at", "error", err)
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
			if pulse.Round != before.Round {
				changed = append(changed, a)
			}
		case pulse.Version != before.Version:
			changed = append(changed, a)
		}
	}
	if _, ok := s.who.seen[loop]; ok { // or it was unsubscribed from meanwhile
		s.who.seen[loop] = pulse
	}
	s.all.mu.Unlock()
	s.tellUpdated(ctx, changed)
	return true
}

// tellGone tells of all resources of a loop that was deleted: reading them says that there is none.
func (s *stream) tellGone(ctx context.Context, loop string) {
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
	s.tellUpdated(ctx, last)
}

func (s *stream) tellUpdated(ctx context.Context, changed []address) {
	slices.SortFunc(changed, func(a, b address) int { return cmp.Compare(a.String(), b.String()) })
	for _, a := range changed {
		s.tell(ctx, mcp.MethodNotificationResourceUpdated, map[string]any{"uri": a.String()})
	}
}

// tell waits for room: the library would drop what does not fit.
func (s *stream) tell(ctx context.Context, method string, params map[string]any) {
	n := mcp.JSONRPCNotification{JSONRPC: mcp.JSONRPC_VERSION, Notification: mcp.Notification{Method: method,
		Params: mcp.NotificationParams{Meta: s.meta, AdditionalFields: params}}}
	select {
	case s.session.NotificationChannel() <- n:
	case <-ctx.Done():
	}
}

// listPrint tells two lists of loops apart: by what resources/list shows of them, and by all.
type listPrint struct{ members, content [sha256.Size]byte }

func printOf(heads []loopstate.Head) listPrint {
	var members, content strings.Builder
	for _, head := range newestFirst(heads) {
		for _, e := range entriesOf(head) {
			fmt.Fprintln(&members, e.URI)
		}
		fmt.Fprintln(&content, head.Loop, head.Seq)
	}
	return listPrint{sha256.Sum256([]byte(members.String())), sha256.Sum256([]byte(content.String()))}
}

// followList tells the client when loops are added, go, or have more to show.
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
				s.all.logger.WarnContext(ctx, "the list of loops cannot be looked at", "error", err)
			}
			continue
		}
		now, list := printOf(heads), address{part: partList}
		s.all.mu.Lock()
		_, subscribed := s.who.subs[list]
		tellList, tellContent := s.who.list && now.members != s.who.saw.members, subscribed && now.content != s.who.saw.content
		s.who.saw = now
		s.all.mu.Unlock()
		if tellList {
			s.tell(ctx, mcp.MethodNotificationResourcesListChanged, nil)
		}
		if tellContent {
			s.tellUpdated(ctx, []address{list})
		}
	}
}
