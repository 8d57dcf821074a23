package channels_test

import (
	"context"
	"io"
	"net/http"
	"net/url"
	"testing"

	"github.com/citeloop/citeloop/channels"
)

// A search by POST sends its whole body, also on a retry.
func TestPost(t *testing.T) {
	for want, body := range map[string]any{
		`application/json {"q":"tides"}`: struct {
			Q string `json:"q"`
		}{"tides"},
		"application/x-www-form-urlencoded q=tides": url.Values{"q": {"tides"}},
	} {
		var bodies []string
		answers := &http.Client{Transport: roundTrip(func(r *http.Request) *http.Response {
			body, err := io.ReadAll(r.Body)
			if err != nil || r.Method != http.MethodPost {
				t.Errorf("%s %v", r.Method, err)
			}
			bodies = append(bodies, r.Header.Get("Content-Type")+" "+string(body))
			if len(bodies) == 1 {
				return response(503, "text/plain", nil)
			}
			return response(200, "application/json", []byte("{}"))
		})}
		post := channels.Channel{Description: channels.Description{Name: "vendor", Configured: true, RatePerSecond: 1}, URL: "https://vendor.example/search",
			Search: func(ctx context.Context, c *channels.Client, _ channels.Query) ([]channels.Result, error) {
				return channels.Ask(ctx, c, channels.Request{Body: body}, func([]byte) ([]channels.Result, error) { return nil, nil })
			}}
		out, _ := one(t, opened(t, newClock(), channels.Config{Client: answers}, []channels.Channel{post}), "vendor", channels.Query{})
		if out.Status != channels.StatusEmpty || len(bodies) != 2 || bodies[0] != want || bodies[1] != want {
			t.Errorf("%v after %q, want %q twice", out, bodies, want)
		}
	}
}
