package channels

import (
	"io"
	"net/http"
	"net/url"
	"testing"
)

// TestFormats checks which bodies are accepted as an answer in each format.
func TestFormats(t *testing.T) {
	const html, text = "text/html", "text/plain"
	tests := []struct {
		name string
		want format
		kind string
		body string
		got  Status
	}{
		{"lines", wantText, text, "a b c\nd e f\n", StatusOK},
		{"no lines", wantText, text, "", StatusOK},
		{"a page instead of lines", wantText, html, page, StatusMalformed},
		{"a bot check instead of lines", wantText, html, challenge, StatusBlocked},
		{"a page", wantPage, html, page, StatusOK},
		{"a bot check, which the channel recognises", wantPage, html, challenge, StatusOK},
		{"no page", wantPage, html, "", StatusMalformed},
		{"JSON instead of a page", wantPage, "application/json", "{}", StatusMalformed},
		{"either: JSON", wantJSONOrXML, "application/json", "{}", StatusOK},
		{"either: XML", wantJSONOrXML, "text/xml", "<a/>", StatusOK},
		{"either: text", wantJSONOrXML, text, "no", StatusMalformed},
		{"either: a page", wantJSONOrXML, html, page, StatusMalformed},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := StatusOK
			if fail := refusal(response(200, tt.kind, nil), []byte(tt.body), request{want: tt.want}, newClock().Now()); fail != nil {
				got = fail.Status
			}
			if got != tt.got {
				t.Errorf("%s, want %s", got, tt.got)
			}
		})
	}
}

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
		clock := newClock()
		cfg, err := Config{Client: answers, Now: clock.Now}.withDefaults(nil)
		if err != nil {
			t.Fatal(err)
		}
		c := &client{channel: channel{url: "https://vendor.example/search", Description: Description{RatePerSecond: 1}}, cfg: cfg,
			pacers: &pacers{now: clock.Now, sleep: clock.sleep, hosts: map[string]*pacer{}}, sleep: clock.sleep}
		_, err = ask(t.Context(), c, request{body: body}, func([]byte) (bool, error) { return true, nil })
		if err != nil || len(bodies) != 2 || bodies[0] != want || bodies[1] != want {
			t.Errorf("%v after %q, want %q twice", err, bodies, want)
		}
	}
}
