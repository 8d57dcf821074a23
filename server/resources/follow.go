package resources

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"log/slog"
	"strings"
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
	// MaxSubscriptions is how many resources one stream can follow, the list of resources included. Each costs a watch of
	// the store and some memory. A host needs only a few.
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

// changes is the use cases that subscriptions need.
type changes interface {
	Heads(ctx context.Context) ([]loopstate.Head, error)
	Revision(ctx context.Context, loop string) (loops.Revision, error)
	Follow(ctx context.Context, loop string) (<-chan int64, error)
}

// followers holds all subscribed clients.
type followers struct {
	svc     changes
	logger  *slog.Logger
	unknown func(ctx context.Context, uri string) (why string) // why an address is unknown, or ""

	mu      sync.Mutex
	clients map[string]*client // by session id in the older era, by listenKey in the newer
	counts  map[string]int     // subscriptions by owner
}

// client is the subscriptions of one session or listen request. The followers' lock protects its fields except ending.
type client struct {
	owner string
	subs  map[address]*subscription

	ctx     context.Context // of its goroutines, one for each subscription; nil until there is a session to notify
	cancel  context.CancelFunc
	session server.ClientSession
	meta    map[string]any // _meta of each notification
	ending  sync.WaitGroup
}

// subscription is a followed resource, with the state that the client was last notified of.
type subscription struct {
	seen string
	look chan struct{} // look at the list now; capacity one
	stop context.CancelFunc
}

func newFollowers(svc changes, logger *slog.Logger) *followers {
	return &followers{svc: svc, logger: logger, clients: map[string]*client{}, counts: map[string]int{}}
}

func (f *followers) hook(h *server.Hooks) {
	h.AddOnRegisterSession(f.attach)
	h.AddOnUnregisterSession(func(_ context.Context, session server.ClientSession) { f.remove(session.SessionID()) })
	h.AddOnRequestInitialization(f.refuse)
	h.AddAfterSubscribe(func(ctx context.Context, _ any, req *mcp.SubscribeRequest, _ *mcp.EmptyResult) {
		f.subscribe(ctx, req.Params.URI)
	})
	h.AddAfterUnsubscribe(func(ctx context.Context, _ any, req *mcp.UnsubscribeRequest, _ *mcp.EmptyResult) {
		f.unsubscribe(ctx, req.Params.URI)
	})
	h.AddBeforeSubscriptionsListen(f.listen)
	h.AddAfterSubscriptionsListen(func(ctx context.Context, id any, _ *mcp.SubscriptionsListenRequest, _ *mcp.SubscriptionsListenResult) {
		f.remove(listenKey(ctx, id))
	})
	h.AddOnError(func(ctx context.Context, id any, method mcp.MCPMethod, _ any, _ error) {
		if method == mcp.MethodSubscriptionsListen {
			f.remove(listenKey(ctx, id))
		}
	})
	h.AddAfterCallTool(func(ctx context.Context, _ any, req *mcp.CallToolRequest, _ any) {
		if req.Params.Name == "loop_init" {
			f.wake(loops.OwnerOf(ctx))
		}
	})
}

// of returns the client of a session. The caller holds the lock.
func (f *followers) of(ctx context.Context, session server.ClientSession) *client {
	c, ok := f.clients[session.SessionID()]
	if !ok {
		c = &client{owner: loops.OwnerOf(ctx), subs: map[address]*subscription{}}
		f.clients[session.SessionID()] = c
	}
	return c
}

// attach starts the notifications of a session. Over HTTP the library registers a session after it has answered the request
// that started it. That request's context ends early, and a subscription may have arrived before the registration.
func (f *followers) attach(ctx context.Context, session server.ClientSession) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.begin(context.WithoutCancel(ctx), f.of(ctx, session), session)
}

// begin follows the subscriptions of a client. The caller holds the lock.
func (f *followers) begin(ctx context.Context, c *client, session server.ClientSession) {
	c.session = session
	c.ctx, c.cancel = context.WithCancel(ctx)
	for a, sub := range c.subs {
		f.run(c, a, sub)
	}
}

func (f *followers) run(c *client, a address, sub *subscription) {
	if c.ctx == nil { // begin runs all
		return
	}
	ctx, cancel := context.WithCancel(c.ctx)
	sub.stop = cancel
	c.ending.Go(func() {
		defer cancel()
		f.follow(ctx, c, a, sub)
	})
}

// remove ends the subscriptions of a client, and waits for its goroutines.
func (f *followers) remove(key string) {
	f.mu.Lock()
	c := f.clients[key]
	if c != nil {
		f.count(c.owner, -len(c.subs))
		delete(f.clients, key)
	}
	f.mu.Unlock()
	if c != nil && c.cancel != nil {
		c.cancel()
		c.ending.Wait()
	}
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
	if why := f.unknown(ctx, req.Params.URI); why != "" {
		return fmt.Errorf("uri: %s", why)
	}
	session := server.ClientSessionFromContext(ctx)
	if session == nil {
		return nil
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	c, ok := f.clients[session.SessionID()]
	switch {
	case ok && len(c.subs) >= MaxSubscriptions:
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
	seen := f.initial(ctx, a)
	f.mu.Lock()
	defer f.mu.Unlock()
	f.add(f.of(ctx, session), a, seen)
}

// listed records that a session of the older era has listed the resources. From now on it is notified when the list
// changes.
func (f *followers) listed(ctx context.Context, heads []loopstate.Head) {
	if session := server.ClientSessionFromContext(ctx); session != nil {
		f.mu.Lock()
		defer f.mu.Unlock()
		f.add(f.of(ctx, session), address{part: partIndex}, entriesIn(heads))
	}
}

// add records a subscription and follows it, unless it exists or exceeds a limit. The caller holds the lock.
func (f *followers) add(c *client, a address, seen string) bool {
	if _, ok := c.subs[a]; ok || len(c.subs) >= MaxSubscriptions || f.counts[c.owner] >= maxOwnerSubscriptions {
		return false
	}
	sub := &subscription{seen: seen, look: make(chan struct{}, 1)}
	c.subs[a] = sub
	f.count(c.owner, 1)
	f.run(c, a, sub)
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
	f.drop(f.of(ctx, session), a)
}

// drop removes a subscription. The caller holds the lock.
func (f *followers) drop(c *client, a address) {
	if sub, ok := c.subs[a]; ok {
		delete(c.subs, a)
		f.count(c.owner, -1)
		if sub.stop != nil {
			sub.stop()
		}
	}
}

// listen starts the subscriptions of a client of the newer era. It removes unknown addresses from the request, so that
// the acknowledgement names the accepted ones. Its notifications carry the id of the request; the library adds it over HTTP
// only. An earlier request with the same id ends.
func (f *followers) listen(ctx context.Context, id any, req *mcp.SubscriptionsListenRequest) {
	defer logPanic(ctx, f.logger, "subscriptions/listen")
	wanted := &req.Params.Notifications
	asked := wanted.ResourceSubscriptions
	wanted.ResourceSubscriptions = nil
	session := server.ClientSessionFromContext(ctx)
	if session == nil {
		return
	}
	f.remove(listenKey(ctx, id))
	c := &client{owner: loops.OwnerOf(ctx), subs: map[address]*subscription{}, meta: map[string]any{mcp.MetaKeySubscriptionID: id}}
	add := func(a address) bool {
		seen := f.initial(ctx, a)
		f.mu.Lock()
		defer f.mu.Unlock()
		return f.add(c, a, seen)
	}
	if wanted.ResourcesListChanged {
		add(address{part: partIndex})
	}
	for _, uri := range asked[:min(len(asked), 4*MaxSubscriptions)] {
		if a, ok := parseAddress(uri); !ours(uri) || ok && f.unknown(ctx, uri) == "" && add(a) { // the library answers for others
			wanted.ResourceSubscriptions = append(wanted.ResourceSubscriptions, uri)
		}
	}
	if len(c.subs) > 0 {
		f.mu.Lock()
		defer f.mu.Unlock()
		f.clients[listenKey(ctx, id)] = c
		f.begin(ctx, c, session)
	}
}

// listenKey identifies an open request. Ids come from clients; as text they are safe map keys.
func listenKey(ctx context.Context, id any) string {
	return fmt.Sprintf("%p %T %v", server.ClientSessionFromContext(ctx), id, id)
}

// wake makes the clients of an owner look at the list now.
func (f *followers) wake(owner string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, c := range f.clients {
		for a, sub := range c.subs {
			if c.owner == owner && a.loop == "" {
				select {
				case sub.look <- struct{}{}:
				default:
				}
			}
		}
	}
}

// follow notifies a client of changes to a resource until the resource is gone or ctx ends. The store sends a number at once,
// so changes since the subscription are included.
func (f *followers) follow(ctx context.Context, c *client, a address, sub *subscription) {
	var changed <-chan int64
	var tick <-chan time.Time
	var err error
	if a.loop == "" {
		ticker := time.NewTicker(lookEvery)
		defer ticker.Stop()
		tick = ticker.C
		select {
		case sub.look <- struct{}{}:
		default:
		}
	} else {
		changed, err = f.svc.Follow(ctx, a.loop)
	}
	for now := sub.seen; ; {
		if err == nil {
			if !wait(ctx, changed, tick, sub.look) {
				return
			}
			now, err = f.state(ctx, a)
		}
		switch {
		case loopstate.Has(err, loopstate.CodeUnknownLoop): // deleted: the client reads that it is gone
			c.notify(ctx, a)
			f.mu.Lock()
			f.drop(c, a)
			f.mu.Unlock()
			return
		case err != nil:
			if ctx.Err() != nil || changed == nil && tick == nil {
				return
			}
			f.logger.WarnContext(ctx, "following a resource failed", "error", err)
			err = nil
		case now != sub.seen:
			sub.seen = now
			c.notify(ctx, a)
		}
	}
}

// wait waits for a change and for further ones. It returns false if ctx or the changes end.
func wait(ctx context.Context, changed <-chan int64, tick <-chan time.Time, look <-chan struct{}) bool {
	select {
	case <-ctx.Done():
		return false
	case _, open := <-changed:
		if !open {
			return false
		}
	case <-tick:
	case <-look:
	}
	timer := time.NewTimer(settleFor)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-timer.C:
		return true
	}
}

// initial returns the state of a resource at the time of its subscription.
func (f *followers) initial(ctx context.Context, a address) string {
	state, err := f.state(ctx, a)
	if err != nil {
		f.logger.WarnContext(ctx, "subscription without an initial state", "error", err)
	}
	return state
}

// state returns a text that changes whenever the resource does.
func (f *followers) state(ctx context.Context, a address) (string, error) {
	if a.loop == "" {
		heads, err := f.svc.Heads(ctx)
		if a.part == partIndex {
			return entriesIn(heads), err
		}
		var all strings.Builder
		for _, head := range newestFirst(heads) {
			fmt.Fprintln(&all, head.Loop, head.Seq)
		}
		return digest(all.String()), err
	}
	revision, err := f.svc.Revision(ctx, a.loop)
	switch {
	case a.fixed():
		return "", err
	case a.part == partRounds || a.part == partConvergence:
		return fmt.Sprint(revision.Round), err
	}
	return fmt.Sprint(revision.Version), err
}

// entriesIn is the state of resources/list.
func entriesIn(heads []loopstate.Head) string {
	var all strings.Builder
	for _, head := range newestFirst(heads) {
		for _, e := range entriesOf(head) {
			fmt.Fprintln(&all, e.URI)
		}
	}
	return digest(all.String())
}

func digest(s string) string { return fmt.Sprintf("%x", sha256.Sum256([]byte(s))) }

// notify sends a notification. It waits for the channel, because the library would drop it.
func (c *client) notify(ctx context.Context, a address) {
	n := mcp.JSONRPCNotification{JSONRPC: mcp.JSONRPC_VERSION, Notification: mcp.Notification{Method: mcp.MethodNotificationResourceUpdated,
		Params: mcp.NotificationParams{Meta: c.meta, AdditionalFields: map[string]any{"uri": a.String()}}}}
	if a.part == partIndex {
		n.Method, n.Params.AdditionalFields = mcp.MethodNotificationResourcesListChanged, nil
	}
	select {
	case c.session.NotificationChannel() <- n:
	case <-ctx.Done():
	}
}
