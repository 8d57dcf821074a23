package web

import (
	"net/http"
	"testing"
	"time"

	"github.com/citeloop/citeloop/server/access"
)

// The streams of all sessions of an owner are counted together.
func TestStreamsOfAnOwner(t *testing.T) {
	h := newFixture(t, func(c *Config) {
		c.Streams = access.NewMeter(access.Limits{What: "event streams", Parallel: 1}, time.Now)
	})
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
}
