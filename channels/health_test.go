package channels_test

import (
	"strings"
	"testing"
	"time"

	"github.com/citeloop/citeloop/channels"
	"github.com/google/go-cmp/cmp"
)

// TestHealth checks List after successful and failed searches.
func TestHealth(t *testing.T) {
	s := sourceNamed(t, "crossref")
	server := s.serve(t, reply{body: s.body(t)})
	clock := newClock()
	r := registry(t, clock, channels.Config{URLs: map[string]string{s.name: server.URL}})
	type health struct {
		Health        string
		Host          string // if it is configured or has many
		Last          channels.Status
		At, OpenUntil time.Time
	}
	of := func(name string) (h health) {
		for _, info := range r.List() {
			if info.Name == name {
				h = health{Health: info.Health, OpenUntil: info.OpenUntil}
				h.Host = strings.Join(info.Hosts, " ")
				if info.Last != nil {
					h.Last, h.At = info.Last.Status, info.Last.At
				}
			}
		}
		return h
	}
	check := func(step, name string, want health) {
		t.Helper()
		if diff := cmp.Diff(want, of(name)); diff != "" {
			t.Errorf("%s (-want +got)\n%s", step, diff)
		}
	}
	start, at := clock.Now(), strings.TrimPrefix(server.URL, "http://")
	check("before", s.name, health{Host: at, Health: "untried"})
	check("many hosts", "wikipedia", health{Health: "untried", Host: "*.wikipedia.org"})
	check("nothing leaves the machine", "local", health{
		Health: "not configured: no folder to search; name one with --corpus DIR (repeatable)"})

	one(t, r, s.name, channels.Query{})
	check("well", s.name, health{Host: at, Health: "ok", Last: channels.StatusOK, At: start})
	clock.pass(time.Second)
	check("a second later", s.name, health{Host: at, Health: "ok", Last: channels.StatusOK, At: start})

	server.answer(reply{status: 403, header: map[string]string{"X-RateLimit-Remaining": "7", "X-RateLimit-Reset": "90"}})
	for range channels.CircuitFailures {
		clock.pass(time.Second)
		one(t, r, s.name, channels.Query{})
	}
	failed := clock.Now()
	until := failed.Add(channels.CircuitOpenFor)
	check("badly", s.name, health{Host: at, Health: "circuit open until " + channels.ClockTime(until), Last: channels.StatusBlocked,
		At: failed, OpenUntil: until})
	clock.pass(channels.CircuitOpenFor * 2)
	check("when the circuit lets one through", s.name, health{Host: at, Health: "blocked: answered 403 Forbidden",
		Last: channels.StatusBlocked, At: failed})
	clock.pass(30 * time.Second)
	check("when the service's window is over", s.name, health{Host: at, Health: "blocked: answered 403 Forbidden",
		Last: channels.StatusBlocked, At: failed})
}
