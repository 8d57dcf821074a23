package resources

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	mcpserver "github.com/mark3labs/mcp-go/server"

	"github.com/citeloop/citeloop/internal/loops"
	"github.com/citeloop/citeloop/loopstate"
)

// pipe is a session that keeps its notifications.
type pipe struct {
	id string
	ch chan mcp.JSONRPCNotification
}

func (p *pipe) Initialize()                                         {}
func (p *pipe) Initialized() bool                                   { return true }
func (p *pipe) NotificationChannel() chan<- mcp.JSONRPCNotification { return p.ch }
func (p *pipe) SessionID() string                                   { return p.id }
func (p *pipe) received() (words []string) {
	for {
		select {
		case n := <-p.ch:
			words = append(words, strings.TrimSpace(fmt.Sprint(strings.TrimPrefix(n.Method, "notifications/resources/"), " ", n.Params.AdditionalFields["uri"])))
		default:
			return words
		}
	}
}

// changing is a source of loops that a test changes.
type changing struct {
	Loops
	mu       sync.Mutex
	revision map[string]loops.Revision
	broken   error // what Heads answers instead
}

func (c *changing) fail(broken error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.broken = broken
}

func (c *changing) Heads(context.Context) ([]loopstate.Head, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.broken != nil {
		return nil, c.broken
	}
	var heads []loopstate.Head
	for id, p := range c.revision {
		heads = append(heads, loopstate.Head{Loop: id, Seq: p.Version, Round: p.Round})
	}
	return heads, nil
}

func (c *changing) Revision(_ context.Context, loop string) (loops.Revision, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	p, ok := c.revision[loop]
	if !ok {
		return p, &loopstate.Error{Code: loopstate.CodeUnknownLoop, Subject: "loop"}
	}
	return p, nil
}

func (c *changing) change(loop string, rounds int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	p := c.revision[loop]
	c.revision[loop] = loops.Revision{Version: p.Version + 1, Round: p.Round + rounds}
}

func newChanging(ids ...string) (*changing, *followers) {
	c := &changing{revision: map[string]loops.Revision{}}
	for _, id := range ids {
		c.revision[id] = loops.Revision{Version: 1}
	}
	return c, New(c, slog.New(slog.DiscardHandler)).followers
}

// in returns the context of a request in a session.
func in(t *testing.T, s mcpserver.ClientSession, owner string) context.Context {
	return loops.WithOwner(mcpserver.NewMCPServer("t", "1").WithContext(t.Context(), s), owner)
}

// followed runs a test in a bubble with a session of ben's, which is attached.
func followed(t *testing.T, test func(t *testing.T, ctx context.Context, c *changing, f *followers, p *pipe)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		c, f := newChanging("a")
		p := &pipe{"s", make(chan mcp.JSONRPCNotification, 1000)}
		ctx := in(t, p, "ben")
		f.attach(ctx, p)
		test(t, ctx, c, f, p)
		f.remove(p.id)
	})
}

// A subscription before the registration of its session is valid, and includes changes since then.
func TestSubscribedBeforeRegistered(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, f := newChanging("a")
		early, p := &pipe{"s", nil}, &pipe{"s", make(chan mcp.JSONRPCNotification, 100)}
		beginning, cancel := context.WithCancel(in(t, p, "ben"))
		f.subscribe(in(t, early, "ben"), Root+"/a")
		f.subscribe(in(t, early, "ben"), Root+"/a/rounds")
		c.change("a", 0)
		f.attach(beginning, p)
		cancel()                // the request that started the session has been answered
		time.Sleep(time.Minute) // fake
		c.change("a", 1)
		time.Sleep(time.Minute)
		if got := slices.Sorted(slices.Values(p.received())); !slices.Equal(got, []string{"updated " + Root + "/a", "updated " + Root + "/a", "updated " + Root + "/a/rounds"}) {
			t.Errorf("notifications %v", got)
		}
		f.remove(p.id)
		if len(f.clients) != 0 || len(f.counts) != 0 {
			t.Errorf("%d sessions, %d owners remain", len(f.clients), len(f.counts))
		}
	})
}

// A burst of changes is one notification.
func TestBurstIsOneNotification(t *testing.T) {
	followed(t, func(t *testing.T, ctx context.Context, c *changing, f *followers, p *pipe) {
		f.subscribe(ctx, Root+"/a")
		time.Sleep(time.Minute) // fake
		for range 100 {
			c.change("a", 0)
		}
		time.Sleep(time.Minute)
		if got := p.received(); len(got) != 1 {
			t.Errorf("100 changes are %d notifications", len(got))
		}
	})
}

// A client that does not read its notifications delays neither other clients nor its own end.
func TestStuckClient(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, f := newChanging("a")
		stuck, quick := &pipe{"stuck", make(chan mcp.JSONRPCNotification)}, &pipe{"quick", make(chan mcp.JSONRPCNotification, 100)}
		for _, p := range []*pipe{stuck, quick} {
			ctx := in(t, p, "ben")
			f.attach(ctx, p)
			f.subscribe(ctx, Root+"/a")
		}
		for range 10 {
			c.change("a", 0)
			time.Sleep(2 * lookEvery)
		}
		if got := quick.received(); len(got) != 10 {
			t.Errorf("notifications %v", got)
		}
		f.remove("stuck")
		f.remove("quick")
	})
}

// Subscriptions of one owner are bounded, and an ended one no longer counts.
func TestFollowersAreBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		_, f := newChanging("a")
		var pipes []*pipe
		for n := range maxOwnerSubscriptions/MaxSubscriptions + 1 {
			p := &pipe{fmt.Sprint("s", n), make(chan mcp.JSONRPCNotification, 100)}
			pipes = append(pipes, p)
			ctx := in(t, p, "ben")
			f.attach(ctx, p)
			for i := range MaxSubscriptions {
				f.mu.Lock()
				f.add(f.clients[p.id], address{part: partSpan, loop: "a", source: "S1", start: i, end: i + 1}, nil)
				f.mu.Unlock()
			}
		}
		if f.counts["ben"] != maxOwnerSubscriptions {
			t.Errorf("%d subscriptions", f.counts["ben"])
		}
		last := pipes[len(pipes)-1]
		raw := []byte(`{"method":"resources/subscribe","params":{"uri":"` + Root + `/a"}}`)
		if err := f.refuse(in(t, last, "ben"), 1, json.RawMessage(raw)); err == nil || !strings.Contains(err.Error(), "subscription limit of all your clients reached: 1024") {
			t.Errorf("one too many: %v", err)
		}
		if err := f.refuse(in(t, last, "carla"), 1, json.RawMessage(raw)); err != nil {
			t.Errorf("another owner: %v", err)
		}
		for _, p := range pipes {
			f.remove(p.id)
		}
		if len(f.counts) != 0 || len(f.clients) != 0 {
			t.Errorf("%d owners, %d sessions remain", len(f.counts), len(f.clients))
		}
	})
}

// A second request with the same id replaces the first, and ends once.
func TestListenTwiceWithOneID(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, f := newChanging("a")
		p := &pipe{"stdio", make(chan mcp.JSONRPCNotification, 100)}
		ctx := in(t, p, "ben")
		for range 2 {
			var req mcp.SubscriptionsListenRequest
			req.Params.Notifications = mcp.SubscriptionFilter{ResourceSubscriptions: []string{Root + "/a", Root + "/a", Root + "/none"}, ResourcesListChanged: true}
			f.listen(ctx, map[string]any{"an": "id"}, &req)
			if got := req.Params.Notifications.ResourceSubscriptions; !slices.Equal(got, []string{Root + "/a"}) {
				t.Errorf("acknowledged %v", got)
			}
		}
		c.change("a", 0)
		time.Sleep(2 * lookEvery)
		if got := p.received(); len(got) != 1 || f.counts["ben"] != 2 {
			t.Errorf("notifications %v, %d subscriptions", got, f.counts["ben"])
		}
		f.remove(listenKey(ctx, map[string]any{"an": "id"}))
		f.remove(listenKey(ctx, map[string]any{"an": "id"}))
		if len(f.clients) != 0 || len(f.counts) != 0 {
			t.Errorf("%d remain", len(f.clients))
		}
	})
}

// A failing store is logged, and the client is notified when it works again.
func TestFollowingAFailingStore(t *testing.T) {
	followed(t, func(t *testing.T, ctx context.Context, c *changing, f *followers, p *pipe) {
		f.subscribe(ctx, Root+"/a")
		time.Sleep(2 * lookEvery)
		c.fail(errors.New("the disk is gone"))
		c.change("a", 0)
		time.Sleep(2 * lookEvery)
		c.fail(nil)
		c.change("a", 0)
		time.Sleep(2 * lookEvery)
		if got := p.received(); len(got) != 1 {
			t.Errorf("notifications %v", got)
		}
	})
}
