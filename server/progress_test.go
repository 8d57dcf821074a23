package server

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/tidwall/gjson"

	"github.com/citeloop/citeloop/fetch"
)

// pages reads every page at once.
type pages struct{}

func (pages) ReadAll(_ context.Context, urls []string, each func(int, fetch.Page)) []fetch.Page {
	var out []fetch.Page
	for i, u := range urls {
		p := fetch.Page{Status: fetch.StatusRead, HTTPStatus: http.StatusOK, FinalURL: u}
		p.Text = "This page is at " + u + ". " + longEnough
		p.Title, p.Chars, p.ContentType = "Open", len([]rune(p.Text)), "text/html"
		out = append(out, p)
		each(i, p)
	}
	return out
}

// calling makes a call and returns the messages of the server in their order.
func (h fixture) calling(t *testing.T, stdio, modern bool, name, arguments string) <-chan string {
	t.Helper()
	params := fmt.Sprintf(`{"name":%q,"arguments":%s,"_meta":{"progressToken":"p"}}`, name, arguments)
	header := map[string]string{"MCP-Protocol-Version": "2025-06-18"}
	if modern {
		params = fmt.Sprintf(`{"name":%q,"arguments":%s,%s}`, name, arguments, strings.Replace(modernMeta, `{`, `{"progressToken":"p",`, 1))
		header = modernHeader("tools/call", name)
	}
	body := `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":` + params + `}`
	if stdio {
		w := newWire(t, h, modern)
		w.say(body + "\n")
		return w.lines
	}
	resp, err := http.DefaultClient.Do(h.serve(t, nil).request(t, t.Context(), http.MethodPost, Endpoint, body, header))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { resp.Body.Close() })
	return linesOf(resp.Body, "data:")
}

// A call reports growing progress, and the last report comes before the answer.
func TestProgressOnTheWire(t *testing.T) {
	for _, way := range []struct{ stdio, modern bool }{{true, true}, {true, false}, {false, true}, {false, false}} {
		t.Run(fmt.Sprintf("%+v", way), func(t *testing.T) {
			h := newFixture(t)
			loop := h.loopAfter(t, t.Context(), 0)
			h.svc.Reader = pages{}
			var told []float64
			for line := range h.calling(t, way.stdio, way.modern, "fetch",
				`{"state_id":"`+loop+`","urls":["https://example.org/1","https://example.org/2","https://example.org/3"]}`) {
				m := gjson.Parse(line)
				if m.Get("id").Exists() {
					if m.Get("id").Int() != 7 || m.Get("result.isError").Bool() || m.Get("error").Exists() {
						t.Errorf("answer %s", line)
					}
					break
				}
				if m.Get("method").Str == "notifications/progress" && m.Get("params.progressToken").Str == "p" {
					told = append(told, m.Get("params.progress").Num)
				}
			}
			if !slices.IsSorted(told) || len(slices.Compact(told)) != len(told) || len(told) == 0 || told[len(told)-1] != 3 {
				t.Errorf("the reports before the answer are %v, want them to grow to 3", told)
			}
		})
	}
}
