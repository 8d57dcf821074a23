package web

import (
	"net/http"
	"testing"

	"github.com/citeloop/citeloop/server/access"
)

// The streams of all sessions of an owner are counted together.
func TestStreamsOfAnOwner(t *testing.T) {
	count := access.NewStreams(1, 0)
	h := newFixture(t, func(c *Config) { c.Streams = count })
	loop := h.research(t, t.Context())
	for i, want := range []int{http.StatusOK, http.StatusTooManyRequests} {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, h.srv.URL+Root+"loops/"+loop+"/events", nil)
		if err != nil {
			t.Fatal(err)
		}
		resp, err := h.inside(t).http.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		if resp.StatusCode != want {
			t.Errorf("stream %d: %d, want %d", i, resp.StatusCode, want)
		}
	}
	if n := count.Held(); n != 1 {
		t.Errorf("%d streams count, want 1", n)
	}
}
