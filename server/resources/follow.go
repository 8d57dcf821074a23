package resources

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"github.com/citeloop/citeloop/internal/loops"
	"github.com/citeloop/citeloop/loopstate"
)

// Subscriptions to changes of resources.
//
// Up to 2025-11-25 a session subscribes (resources/subscribe) and gets notifications until it ends; the library queues
// them until there is a stream. From 2026-07-28 on one request (subscriptions/listen) names the resources, and its
// response is the stream. The library acknowledges both and does nothing else. Notifications are hints: a client that
// missed one sees the change when it reads.

const (
	// MaxSubscriptions is how many resources one stream can follow. Each costs a watch of the store and some memory. A
	// host needs only a few.
	MaxSubscriptions = 64
	// maxOwnerSubscriptions is the limit for all streams of one owner together.
	maxOwnerSubscriptions = 1_024
	// settleFor is how long changes are collected before a notification: a round makes dozens. It also lets the library
	// acknowledge a subscription before the first notification.
	settleFor = 250 * time.Millisecond
	// lookEvery is how often the list of loops is polled for loops of other processes. New loops of this process are
	// reported at once.
	lookEvery = 10 * time.Second
)

// followers holds all subscribed clients.
type followers struct {
	svc    Loops
	logger *slog.Logger
	find   func(ctx context.Context, uri string) (why string) // why an address is unknown, or ""

	mu       sync.Mutex
	sessions map[string]*follower // of the older era, by session id
	listens  map[string]*follower // of the newer era, by listenKey
	counts   map[string]int       // subscriptions by owner
}

// follower is the subscriptions of one client, and the state it was last notified of.
type follower struct {
	owner string
	subs  map[address]struct{}
	seen  map[string]loops.Revision // by loop
	list  bool                      // the list of resources
	saw   listFingerprint
	to    *stream // nil until there is one
}

func newFollowers(svc Loops, logger *slog.Logger) *followers {
	return &followers{svc: svc, logger: logger, sessions: map[string]*follower{}, listens: map[string]*follower{}, counts: map[string]int{}}
}

func newFollower(owner string) *follower {
	return &follower{owner: owner, subs: map[address]struct{}{}, seen: map[string]loops.Revision{}}
}

func (f *followers) hook(h *server.Hooks) {
	h.AddOnRegisterSession(f.attach)
	h.AddOnUnregisterSession(func(_ context.Context, session server.ClientSession) { f.detach(session) })
	h.AddOnRequestInitialization(f.refuse)
	h.AddAfterSubscribe(func(ctx context.Context, _ any, req *mcp.SubscribeRequest, _ *mcp.EmptyResult) {
		f.subscribe(ctx, req.Params.URI)
	})
	h.AddAfterUnsubscribe(func(ctx context.Context, _ any, req *mcp.UnsubscribeRequest, _ *mcp.EmptyResult) {
		f.unsubscribe(ctx, req.Params.URI)
	})
	h.AddBeforeSubscriptionsListen(f.listen)
	h.AddAfterSubscriptionsListen(func(ctx context.Context, id any, _ *mcp.SubscriptionsListenRequest, _ *mcp.SubscriptionsListenResult) {
		f.unlisten(ctx, id)
	})
	h.AddOnError(func(ctx context.Context, id any, method mcp.MCPMethod, _ any, _ error) {
		if method == mcp.MethodSubscriptionsListen {
			f.unlisten(ctx, id)
		}
	})
	h.AddAfterCallTool(func(ctx context.Context, _ any, req *mcp.CallToolRequest, _ any) {
		if req.Params.Name == "loop_init" {
			f.wake(loops.OwnerOf(ctx))
		}
	})
}

// session returns the follower of a session. The caller holds the lock.
func (f *followers) session(ctx context.Context, session server.ClientSession) *follower {
	who, ok := f.sessions[session.SessionID()]
	if !ok {
		who = newFollower(loops.OwnerOf(ctx))
		f.sessions[session.SessionID()] = who
	}
	return who
}

// attach starts the stream of a session. Over HTTP the library registers a session after it has answered the request that
// started it. That request's context ends early, and a subscription may have arrived before the registration.
func (f *followers) attach(ctx context.Context, session server.ClientSession) {
	f.mu.Lock()
	defer f.mu.Unlock()
	who := f.session(ctx, session)
	who.to = f.newStream(context.WithoutCancel(ctx), who, session, nil)
	who.to.followAll()
}

// detach stops the goroutines of a session and waits for them.
func (f *followers) detach(session server.ClientSession) {
	f.mu.Lock()
	who, ok := f.sessions[session.SessionID()]
	if ok {
		f.drop(who)
		delete(f.sessions, session.SessionID())
	}
	f.mu.Unlock()
	if ok {
		who.to.end()
	}
}

// hasSubscriptions reports whether the client subscribed to anything.
func (w *follower) hasSubscriptions() bool { return w.list || len(w.subs) > 0 }

// drop removes a follower's subscriptions, and reduces its owner's count.
func (f *followers) drop(who *follower) {
	f.count(who.owner, -len(who.subs))
	clear(who.subs)
}

func (f *followers) count(owner string, n int) {
	if f.counts[owner] += n; f.counts[owner] <= 0 {
		delete(f.counts, owner)
	}
}

// refuse rejects invalid subscriptions of the older era. It is the only hook in which the library allows an error.
func (f *followers) refuse(ctx context.Context, _ any, message any) (err error) {
	defer logPanic(ctx, f.logger, "request initialization")
	raw, ok := message.(json.RawMessage)
	if !ok || !bytes.Contains(raw, []byte(mcp.MethodResourcesSubscribe)) {
		return nil
	}
	var req struct {
		Method mcp.MCPMethod `json:"method"`
		Params struct {
			URI  string    `json:"uri"`
			Meta *mcp.Meta `json:"_meta"`
		} `json:"params"`
	}
	if json.Unmarshal(raw, &req) != nil || req.Method != mcp.MethodResourcesSubscribe || req.Params.URI == "" || mcp.IsModernProtocol(req.Params.Meta.ProtocolVersion()) {
		return nil // the library answers
	}
	if why := f.find(ctx, req.Params.URI); why != "" {
		return fmt.Errorf("uri: %s", why)
	}
	session := server.ClientSessionFromContext(ctx)
	if session == nil {
		return nil
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	who, ok := f.sessions[session.SessionID()]
	switch {
	case ok && len(who.subs) >= MaxSubscriptions:
		return fmt.Errorf("uri: subscription limit of this session reached: %d; unsubscribe from one first", MaxSubscriptions)
	case f.counts[loops.OwnerOf(ctx)] >= maxOwnerSubscriptions:
		return fmt.Errorf("uri: subscription limit of all your clients reached: %d; unsubscribe from one or close a client first", maxOwnerSubscriptions)
	}
	return nil
}

// subscribe records a subscription that refuse has accepted.
func (f *followers) subscribe(ctx context.Context, uri string) {
	defer logPanic(ctx, f.logger, "resources/subscribe")
	session := server.ClientSessionFromContext(ctx)
	a, ok := parseAddress(uri)
	if session == nil || !ok {
		return
	}
	revision, saw, err := f.now(ctx, a)
	if err != nil {
		f.logger.WarnContext(ctx, "subscription without an initial state", "error", err)
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if who := f.session(ctx, session); f.add(who, a, revision, saw) {
		who.to.follow(a)
	}
}

// now returns the current state of a resource.
func (f *followers) now(ctx context.Context, a address) (revision loops.Revision, saw listFingerprint, err error) {
	if a.part == partList {
		heads, err := f.svc.Heads(ctx)
		return revision, fingerprintOf(heads), err
	}
	revision, err = f.svc.Revision(ctx, a.loop)
	return revision, saw, err
}

// add records a subscription, unless it exists or exceeds a limit.
func (f *followers) add(who *follower, a address, revision loops.Revision, saw listFingerprint) bool {
	if _, ok := who.subs[a]; ok || len(who.subs) >= MaxSubscriptions || f.counts[who.owner] >= maxOwnerSubscriptions {
		return false
	}
	who.subs[a] = struct{}{}
	f.count(who.owner, 1)
	if a.part == partList {
		who.saw.content = saw.content
	} else if _, ok := who.seen[a.loop]; !ok {
		who.seen[a.loop] = revision
	}
	return true
}

func (f *followers) unsubscribe(ctx context.Context, uri string) {
	session := server.ClientSessionFromContext(ctx)
	a, ok := parseAddress(uri)
	if session == nil || !ok {
		return
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if who := f.sessions[session.SessionID()]; who != nil {
		f.remove(who, a)
	}
}

// remove deletes a subscription, and stops following the loop if it was the last one.
func (f *followers) remove(who *follower, a address) {
	if _, ok := who.subs[a]; !ok {
		return
	}
	delete(who.subs, a)
	f.count(who.owner, -1)
	for other := range who.subs {
		if other.loop == a.loop {
			return
		}
	}
	delete(who.seen, a.loop)
	if a.part != partList || !who.list {
		who.to.unfollow(a.loop)
	}
}

// listed records that a session of the older era has listed the resources. From now on it is notified when the list
// changes.
func (f *followers) listed(ctx context.Context, heads []loopstate.Head) {
	session := server.ClientSessionFromContext(ctx)
	if session == nil {
		return
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	who := f.session(ctx, session)
	who.list, who.saw.members = true, fingerprintOf(heads).members
	who.to.follow(address{part: partList})
}

// listen starts the subscriptions of a client of the newer era. It removes unknown addresses from the request, so that
// the acknowledgement names the accepted ones.
func (f *followers) listen(ctx context.Context, id any, req *mcp.SubscriptionsListenRequest) {
	defer logPanic(ctx, f.logger, "subscriptions/listen")
	wanted := &req.Params.Notifications
	asked := wanted.ResourceSubscriptions
	wanted.ResourceSubscriptions = nil
	session := server.ClientSessionFromContext(ctx)
	if session == nil {
		return
	}
	who := newFollower(loops.OwnerOf(ctx))
	for _, uri := range asked[:min(len(asked), 4*MaxSubscriptions)] {
		if !ours(uri) { // answered by the library
			wanted.ResourceSubscriptions = append(wanted.ResourceSubscriptions, uri)
			continue
		}
		a, ok := parseAddress(uri)
		if !ok || f.find(ctx, uri) != "" {
			continue
		}
		revision, saw, err := f.now(ctx, a)
		if err != nil {
			f.logger.WarnContext(ctx, "subscribing failed", "error", err)
			continue
		}
		f.mu.Lock()
		added := f.add(who, a, revision, saw)
		f.mu.Unlock()
		if added {
			wanted.ResourceSubscriptions = append(wanted.ResourceSubscriptions, uri)
		}
	}
	if wanted.ResourcesListChanged {
		heads, err := f.svc.Heads(ctx)
		if err != nil {
			f.logger.WarnContext(ctx, "listing loops failed", "error", err)
		}
		who.list, who.saw.members = true, fingerprintOf(heads).members
	}
	if !who.hasSubscriptions() {
		return
	}
	f.mu.Lock()
	key := listenKey(session, id)
	before := f.listens[key] // an earlier request with the same id is still open
	if before != nil {
		f.drop(before)
	}
	f.listens[key] = who
	who.to = f.newStream(ctx, who, session, id)
	who.to.followAll()
	f.mu.Unlock()
	if before != nil {
		before.to.end()
	}
}

// unlisten stops what listen started, and waits for it.
func (f *followers) unlisten(ctx context.Context, id any) {
	session := server.ClientSessionFromContext(ctx)
	if session == nil {
		return
	}
	f.mu.Lock()
	key := listenKey(session, id)
	who := f.listens[key]
	if who != nil {
		delete(f.listens, key)
		f.drop(who)
	}
	f.mu.Unlock()
	if who != nil {
		who.to.end()
	}
}

// listenKey identifies an open request. Ids come from clients; as text they are safe map keys.
func listenKey(session server.ClientSession, id any) string {
	return fmt.Sprintf("%p %T %v", session, id, id)
}

// wake makes the streams of an owner check the list now.
func (f *followers) wake(owner string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, all := range []map[string]*follower{f.sessions, f.listens} {
		for _, who := range all {
			if who.owner == owner {
				who.to.wake()
			}
		}
	}
}

// gone reports whether an error means that the loop does not exist any more.
func gone(err error) bool {
	return loopstate.Has(err, loopstate.CodeUnknownLoop)
}
