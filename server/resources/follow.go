package resources

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"log/slog"
	"slices"
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
	// lookEvery is how often a client's loops are compared with what it was told. One query of the store answers for all
	// subscriptions of a client, and a burst of changes is one notification.
	lookEvery = 500 * time.Millisecond
	// listEvery is how often for a client that has only listed the resources, as clients do by themselves.
	listEvery = 10 * time.Second
)

// followers holds all subscribed clients.
type followers struct {
	heads   func(ctx context.Context) ([]loopstate.Head, error)
	logger  *slog.Logger
	unknown func(ctx context.Context, uri string) (why string) // why an address is unknown, or ""

	mu      sync.Mutex
	clients map[string]*client // by session id in the older era, by listenKey in the newer
	counts  map[string]int     // subscriptions by owner
}

// client is the subscriptions of one session or listen request, with the state of each resource that the client was last told.
// The followers' lock protects it.
type client struct {
	owner string
	seen  map[address]string

	ctx     context.Context      // of its goroutine
	session server.ClientSession // nil until it is registered
	cancel  context.CancelFunc
	done    chan struct{}
	meta    map[string]any // _meta of each notification
}

func newFollowers(svc Loops, logger *slog.Logger) *followers {
	return &followers{heads: svc.Heads, logger: logger, clients: map[string]*client{}, counts: map[string]int{}}
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
}

// of returns the client of a session. The caller holds the lock.
func (f *followers) of(ctx context.Context, session server.ClientSession) *client {
	c, ok := f.clients[session.SessionID()]
	if !ok {
		c = &client{owner: loops.OwnerOf(ctx), seen: map[address]string{}}
		f.clients[session.SessionID()] = c
	}
	return c
}

// attach starts the notifications of a session. Over HTTP the library registers a session after it has answered the request
// that started it. That request's context ends early, and a subscription may have arrived before the registration.
func (f *followers) attach(ctx context.Context, session server.ClientSession) {
	f.mu.Lock()
	defer f.mu.Unlock()
	c := f.of(ctx, session)
	c.ctx, c.session = context.WithoutCancel(ctx), session
	f.begin(c)
}

// begin starts the goroutine of a client once it has a session and a subscription. The caller holds the lock.
func (f *followers) begin(c *client) {
	if c.session != nil && c.cancel == nil && len(c.seen) > 0 {
		var ctx context.Context
		ctx, c.cancel = context.WithCancel(c.ctx)
		c.done = make(chan struct{})
		go f.follow(ctx, c)
	}
}

// remove ends the subscriptions of a client, and waits for its goroutine.
func (f *followers) remove(key string) {
	f.mu.Lock()
	c := f.clients[key]
	if c != nil {
		f.count(c.owner, -len(c.seen))
		delete(f.clients, key)
	}
	f.mu.Unlock()
	if c != nil && c.cancel != nil {
		c.cancel()
		<-c.done
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
	case ok && len(c.seen) >= MaxSubscriptions:
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
	heads := f.look(ctx)
	f.mu.Lock()
	defer f.mu.Unlock()
	f.add(f.of(ctx, session), a, heads)
}

// listed records that a session of the older era has listed the resources. From now on it is notified when the list
// changes.
func (f *followers) listed(ctx context.Context, heads []loopstate.Head) {
	if session := server.ClientSessionFromContext(ctx); session != nil {
		f.mu.Lock()
		defer f.mu.Unlock()
		f.add(f.of(ctx, session), address{part: partIndex}, heads)
	}
}

// add records a subscription to a resource as it is now, unless it exists or exceeds a limit. The caller holds the lock.
func (f *followers) add(c *client, a address, heads []loopstate.Head) bool {
	if _, ok := c.seen[a]; ok || len(c.seen) >= MaxSubscriptions || f.counts[c.owner] >= maxOwnerSubscriptions {
		return false
	}
	c.seen[a] = stateOf(heads, a)
	f.count(c.owner, 1)
	f.begin(c)
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
	if _, ok := c.seen[a]; ok {
		delete(c.seen, a)
		f.count(c.owner, -1)
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
	c := &client{owner: loops.OwnerOf(ctx), seen: map[address]string{}, meta: map[string]any{mcp.MetaKeySubscriptionID: id}}
	heads := f.look(ctx)
	add := func(a address) bool {
		f.mu.Lock()
		defer f.mu.Unlock()
		return f.add(c, a, heads)
	}
	if wanted.ResourcesListChanged {
		add(address{part: partIndex})
	}
	for _, uri := range asked[:min(len(asked), 4*MaxSubscriptions)] {
		if a, ok := parseAddress(uri); !ours(uri) || ok && f.unknown(ctx, uri) == "" && add(a) { // the library answers for others
			wanted.ResourceSubscriptions = append(wanted.ResourceSubscriptions, uri)
		}
	}
	if len(c.seen) > 0 {
		f.mu.Lock()
		defer f.mu.Unlock()
		f.clients[listenKey(ctx, id)] = c
		c.ctx, c.session = ctx, session
		f.begin(c)
	}
}

// listenKey identifies an open request. Ids come from clients; as text they are safe map keys.
func listenKey(ctx context.Context, id any) string {
	return fmt.Sprintf("%p %T %v", server.ClientSessionFromContext(ctx), id, id)
}

// look returns the loops of a client as they are when it subscribes. After an error every resource counts as changed.
func (f *followers) look(ctx context.Context) []loopstate.Head {
	heads, err := f.heads(ctx)
	if err != nil {
		f.logger.WarnContext(ctx, "subscription without an initial state", "error", err)
	}
	return heads
}

// follow notifies a client of changes until ctx ends.
func (f *followers) follow(ctx context.Context, c *client) {
	defer close(c.done)
	ticker := time.NewTicker(lookEvery)
	defer ticker.Stop()
	for last := time.Now(); ; {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
		f.mu.Lock()
		_, listed := c.seen[address{part: partIndex}]
		idle := len(c.seen) == 0 || listed && len(c.seen) == 1 && time.Since(last) < listEvery
		f.mu.Unlock()
		if idle {
			continue
		}
		last = time.Now()
		heads, err := f.heads(ctx)
		if err != nil {
			if ctx.Err() == nil {
				f.logger.WarnContext(ctx, "following resources failed", "error", err)
			}
			continue
		}
		for _, a := range f.changed(c, heads) {
			c.notify(ctx, a)
		}
	}
}

// changed returns the resources that differ from what a client was told. One that is gone is told once: the client reads so.
func (f *followers) changed(c *client, heads []loopstate.Head) (all []address) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for a, seen := range c.seen {
		now := stateOf(heads, a)
		if now == seen {
			continue
		}
		all, c.seen[a] = append(all, a), now
		if now == gone {
			f.drop(c, a)
		}
	}
	return all
}

// gone is the state of a resource whose loop does not exist.
const gone = "gone"

// stateOf returns a text that changes whenever the resource does.
func stateOf(heads []loopstate.Head, a address) string {
	switch a.part {
	case partIndex:
		return entriesIn(heads)
	case partList:
		var all strings.Builder
		for _, head := range newestFirst(heads) {
			fmt.Fprintln(&all, head.Loop, head.Seq)
		}
		return digest(all.String())
	}
	at := slices.IndexFunc(heads, func(h loopstate.Head) bool { return h.Loop == a.loop })
	switch {
	case at < 0:
		return gone
	case a.fixed():
		return ""
	case a.part == partRounds:
		return fmt.Sprint(heads[at].Round)
	}
	return fmt.Sprint(heads[at].Seq)
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
