package channels_test

import (
	"errors"
	"github.com/citeloop/citeloop/channels/source"
	"net/http"
	"strings"
	"testing"

	"github.com/citeloop/citeloop/channels"
)

func FuzzReadCustom(f *testing.F) {
	f.Add([]byte(ownFile))
	f.Add([]byte(strings.ReplaceAll(ownFile, "HOST", "https://x.example")))
	f.Add([]byte(`{"channels":[{"name":"a","description":"b","kind":"rss","address":"https://x.example/a{query}?b={query}{limit}&c"}]}`))
	f.Fuzz(func(t *testing.T, file []byte) {
		own, err := source.ReadFile("f", file, func(string) (string, bool) { return "a b&c", true }, nil)
		if err != nil {
			return
		}
		for _, o := range own { // each channel that is read can be searched
			client := &http.Client{Transport: roundTripper(func(r *http.Request) (*http.Response, error) {
				if r.URL.Host != o.Hosts[0] {
					t.Errorf("%q leads to %v", o.URL, r.URL)
				}
				return nil, errors.New("no answer")
			})}
			r := opened(t, newClock(), channels.Config{Client: client}, []channels.Channel{o})
			if out, _ := one(t, r, o.Name, channels.Query{Text: "a/b ?&#{query}", Limit: 3, Since: "2024", Until: "2025",
				Language: "en"}); out.Status == channels.StatusError || out.Count > 0 {
				t.Errorf("%+v", out)
			}
		}
	})
}
