//lint:file-ignore SA1019 clients of the older era subscribe in its way, and that is what is tested

package server

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/mark3labs/mcp-go/mcp"

	"github.com/citeloop/citeloop/internal/loops"
	"github.com/citeloop/citeloop/loopstate"
	"github.com/citeloop/citeloop/server/resources"
)

// notifications returns the notifications that a client receives, in order.
func (v visit) notifications() <-chan string {
	all := make(chan string, 200)
	v.OnNotification(func(n mcp.JSONRPCNotification) {
		word := strings.TrimPrefix(n.Method, "notifications/")
		if uri, ok := n.Params.AdditionalFields["uri"].(string); ok {
			word += " " + strings.TrimPrefix(uri, resources.Root+"/")
		}
		if v.era == "2026-07-28" && n.Params.Meta[mcp.MetaKeySubscriptionID] == nil {
			word += " without the id of its subscription"
		}
		if f, ok := n.Params.AdditionalFields["notifications"].(map[string]any); ok {
			uris, _ := f["resourceSubscriptions"].([]any)
			word += fmt.Sprintf(" %d list %v", len(uris), f["resourcesListChanged"] == true)
		}
		all <- word
	})
	return all
}

// next waits for n notifications.
func next(t *testing.T, all <-chan string, n int) []string {
	t.Helper()
	var got []string
	for len(got) < n {
		got = append(got, <-all)
	}
	return got
}

// follow subscribes in the way of the era. It returns when the server has acknowledged; stop ends the subscription.
func (v visit) follow(t *testing.T, all <-chan string, list bool, uris ...string) (stop func()) {
	t.Helper()
	if v.era != "2026-07-28" {
		for _, uri := range uris {
			if err := v.Subscribe(v.ctx, subscription(uri)); err != nil {
				t.Fatalf("%s: %v", uri, err)
			}
		}
		if list {
			if _, err := v.ListResources(v.ctx, mcp.ListResourcesRequest{}); err != nil {
				t.Fatal(err)
			}
		}
		return func() {
			for _, uri := range uris {
				var req mcp.UnsubscribeRequest
				req.Params.URI = uri
				if err := v.Unsubscribe(v.ctx, req); err != nil {
					t.Error(err)
				}
			}
		}
	}
	stop, err := v.ListenAsync(v.ctx, mcp.SubscriptionFilter{ResourceSubscriptions: uris, ResourcesListChanged: list}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for want := fmt.Sprintf("subscriptions/acknowledged %d list %v", len(uris), list); ; { // after what an ended one has sent
		got := next(t, all, 1)[0]
		if got == want {
			return stop
		}
		if !strings.HasPrefix(got, "resources/updated ") {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

func subscription(uri string) mcp.SubscribeRequest {
	var req mcp.SubscribeRequest
	req.Params.URI = uri
	return req
}

// A client is notified only of changes to its subscriptions.
func TestSubscribersAreNotified(t *testing.T) {
	everyWay(t, func(t *testing.T, v visit) {
		v.besideOthers(t)
		loop, second := v.h.loopAfter(t, v.ctx, 0), v.h.loopAfter(t, v.ctx, 0)
		v.paste(t, loop, "T", longEnough)
		all := v.notifications()
		root := resources.Root + "/" + loop
		stop := v.follow(t, all, false, root+"/brief", root+"/rounds", root+"/sources/S1")
		for n := range 20 { // a burst is one change
			v.h.find(t, v.ctx, loop, n)
		}
		v.h.find(t, v.ctx, second, 1)
		got := next(t, all, 1)
		if _, err := v.h.svc.Reflect(v.ctx, loop, "", loopstate.CloseInput{}, nil); err != nil {
			t.Fatal(err)
		}
		changedRounds := "resources/updated " + loop + "/rounds"
		for !slices.Contains(got, changedRounds) { // the notifications of one change have no order
			got = append(got, next(t, all, 1)...)
		}
		slices.Sort(got)
		if got = slices.Compact(got); !slices.Equal(got, []string{"resources/updated " + loop + "/brief", changedRounds}) {
			t.Errorf("notifications %v", got)
		}
		stop()

		// After the end of a subscription, only the other one is notified. What was sent before the end may still arrive.
		for len(all) > 0 {
			<-all
		}
		defer v.follow(t, all, false, resources.Root+"/"+second)()
		v.h.find(t, v.ctx, loop, 100)
		v.h.find(t, v.ctx, second, 101)
		if got := next(t, all, 1); !slices.Equal(got, []string{"resources/updated " + second}) {
			t.Errorf("notifications %v", got)
		}
		if err := v.h.svc.Delete(v.ctx, second); err != nil {
			t.Fatal(err)
		}
		if got := next(t, all, 1); !slices.Equal(got, []string{"resources/updated " + second}) {
			t.Errorf("notifications %v of a loop that was deleted", got)
		}
		if _, err := v.read(resources.Root + "/" + second); err == nil {
			t.Error("a deleted loop can be read")
		}
	})
}

// New loops are reported, several together, and to their owner alone.
func TestListChanges(t *testing.T) {
	everyWay(t, func(t *testing.T, v visit) {
		v.besideOthers(t)
		all := v.notifications()
		stop := v.follow(t, all, true, resources.Root)
		defer stop()
		v.h.loopAfter(t, loops.WithOwner(t.Context(), "anna"), 1)
		var req mcp.CallToolRequest
		req.Params.Name, req.Params.Arguments = "loop_init", map[string]any{"query": "q"}
		for range 5 {
			if r, err := v.CallTool(v.ctx, req); err != nil || r.IsError {
				t.Fatalf("%+v, %v", r, err)
			}
		}
		got := slices.Sorted(slices.Values(next(t, all, 2)))
		if diff := cmp.Diff([]string{"resources/list_changed", "resources/updated " + resources.Root}, got); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	})
}

// Unknown resources cannot be subscribed to, and loops of other owners are unknown.
func TestUnknownSubscriptions(t *testing.T) {
	everyWay(t, func(t *testing.T, v visit) {
		loop := v.h.loopAfter(t, v.ctx, 0)
		v.paste(t, loop, "T", longEnough)
		all := v.notifications()
		none := []string{resources.Root + "/" + unknownID, resources.Root + "/" + v.other, resources.Root + "/" + v.other + "/brief", resources.Root + "/../" + loop, "citeloop:", resources.Root + "/" + loop + "/sources/S9"}
		if v.era == "2026-07-28" {
			stop, err := v.ListenAsync(v.ctx, mcp.SubscriptionFilter{ResourceSubscriptions: append(none, resources.Root+"/"+loop)}, func(err error) { t.Error(err) })
			if err != nil {
				t.Fatal(err)
			}
			defer stop()
			if got := next(t, all, 1); got[0] != "subscriptions/acknowledged 1 list false" {
				t.Errorf("notifications %v", got)
			}
			return
		}
		for _, uri := range none {
			if err := v.Subscribe(v.ctx, subscription(uri)); err == nil || !strings.Contains(err.Error(), "uri: ") {
				t.Errorf("%s: %v", uri, err)
			}
		}
		_, unknown := v.Subscribe(v.ctx, subscription(none[0])), v.Subscribe(v.ctx, subscription(none[0]))
		if foreign := v.Subscribe(v.ctx, subscription(none[1])); foreign == nil || foreign.Error() != unknown.Error() {
			t.Errorf("another owner's loop: %v, an unknown one: %v", foreign, unknown)
		}
	})
}

// feeding counts the goroutines that send notifications.
func feeding() int { return running("resources.(*followers).follow(") }

// A session that has ended leaves no goroutines.
func TestSessionLeavesNoGoroutines(t *testing.T) {
	everyWay(t, func(t *testing.T, v visit) {
		before := feeding() // sessions of other tests that nobody ended
		loop := v.h.loopAfter(t, v.ctx, 0)
		all := v.notifications()
		v.follow(t, all, true, resources.Root, resources.Root+"/"+loop, resources.Root+"/"+loop+"/rounds")
		v.h.find(t, v.ctx, loop, 1)
		next(t, all, 1) // so it runs
		if feeding() == before {
			t.Error("no goroutine feeds the stream")
		}
		v.end()
		if n := feeding() - before; n != 0 {
			t.Errorf("%d goroutines remain after the session", n)
		}
	})
}
