package server

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

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

// message is a message that a client receives during a call.
type message struct {
	ID     *int
	Method string
	Params struct {
		ProgressToken any
		Progress      float64
		Total         float64
	}
}

// calling makes a call and returns the messages of the server in their order.
func calling(t *testing.T, way string, modern bool, w *wire, name, arguments string) <-chan string {
	t.Helper()
	params := fmt.Sprintf(`{"name":%q,"arguments":%s,"_meta":{"progressToken":"p"}}`, name, arguments)
	if modern {
		params = fmt.Sprintf(`{"name":%q,"arguments":%s,%s}`, name, arguments, strings.Replace(modernMeta, `{`, `{"progressToken":"p",`, 1))
	}
	body := requestOf(7, "tools/call", params)
	if way == "stdio" {
		w.say(body + "\n")
		return w.lines
	}
	url := w.h.serve(t, nil).URL
	header := modernHeader("tools/call", name)
	if !modern {
		header = map[string]string{"MCP-Protocol-Version": "2025-06-18"}
	}
	resp := openStream(t, http.MethodPost, url+Endpoint, body, header)
	lines := make(chan string, 500)
	go func() {
		defer close(lines)
		s := bufio.NewScanner(resp.Body)
		s.Buffer(nil, 1<<24)
		for s.Scan() {
			if data, ok := strings.CutPrefix(s.Text(), "data:"); ok {
				lines <- strings.TrimSpace(data)
			}
		}
	}()
	return lines
}

// A call reports growing progress, and the last report comes before the answer.
func TestProgressOnTheWire(t *testing.T) {
	for _, way := range []string{"stdio", "http"} {
		for era, version := range eras {
			t.Run(way+" "+era, func(t *testing.T) {
				if way == "http" { // the library has one session of stdio in a process
					t.Parallel()
				}
				const steps = 3
				w := newWire(t, newFixture(t), version == eras["2026-07-28"])
				loop := w.h.loopAfter(t, t.Context(), 0)
				w.h.svc.Reader = pages{}
				lines := calling(t, way, w.modern, w, "fetch",
					`{"state_id":"`+loop+`","urls":["https://example.org/1","https://example.org/2","https://example.org/3"]}`)
				var told int
				var last float64
				for {
					var m message
					line := word(t, lines)
					if err := json.Unmarshal([]byte(line), &m); err != nil {
						t.Fatalf("%v: %s", err, line)
					}
					if m.ID != nil {
						if *m.ID != 7 || strings.Contains(line, `"isError":true`) || strings.Contains(line, `"error":{`) {
							t.Fatalf("answer %s", line)
						}
						break
					}
					if m.Method != "notifications/progress" || m.Params.ProgressToken != "p" {
						continue
					}
					told++
					if m.Params.Progress <= last {
						t.Errorf("progress %v after %v", m.Params.Progress, last)
					}
					last = m.Params.Progress
				}
				if told == 0 || last != steps {
					t.Errorf("%d reports, the last before the answer was %v, want %v", told, last, steps)
				}
			})
		}
	}
}
