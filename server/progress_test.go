package server

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/citeloop/citeloop/channels"
	"github.com/citeloop/citeloop/fetch"
	"github.com/citeloop/citeloop/internal/loops"
	"github.com/citeloop/citeloop/loopstate"
)

// gate blocks work until a client has received a progress report.
type gate chan struct{}

func (g gate) wait(ctx context.Context) {
	select {
	case <-g:
	case <-ctx.Done():
	}
}

type slowPages struct {
	gate
	*paywall
}

func (r slowPages) ReadAll(ctx context.Context, urls []string, each func(int, fetch.Page)) []fetch.Page {
	r.wait(ctx)
	return r.paywall.ReadAll(ctx, urls, each)
}

type slowTexts struct {
	gate
	loopstate.Store
}

func (s slowTexts) Blob(ctx context.Context, h loopstate.Hash) ([]byte, error) {
	s.wait(ctx)
	return s.Store.Blob(ctx, h)
}

type slowSearch struct {
	gate
	loops.Searcher
}

func (s slowSearch) Search(ctx context.Context, names []string, _ channels.Query, done func(channels.Outcome)) (channels.Answer, error) {
	s.wait(ctx)
	var a channels.Answer
	for _, name := range names {
		a.Outcomes = append(a.Outcomes, channels.Outcome{Name: name, Status: channels.StatusEmpty})
		done(a.Outcomes[len(a.Outcomes)-1])
	}
	return a, nil
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
		_, session := initialized(t, url, "")
		header = map[string]string{"Mcp-Session-Id": session, "MCP-Protocol-Version": "2025-06-18"}
	}
	req := newRequest(t.Context(), t, http.MethodPost, url+Endpoint, body, header)
	lines := make(chan string, 500)
	go func() {
		defer close(lines)
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Error(err)
			return
		}
		defer resp.Body.Close()
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

// A slow call reports growing progress while it runs, and the last report comes before the answer. Package tools tests
// with a fake clock that the first report comes within a second.
func TestProgressOnTheWire(t *testing.T) {
	long := strings.Repeat("The lighthouse at Cape Arden was built in 1874 [S1]. Its lamp can be seen from 30 kilometres away [S1].\n\n", 100)
	for _, way := range []string{"stdio", "http"} {
		for era, version := range eras {
			for _, tt := range []struct {
				name, tool, arguments string
				slow                  func(h fixture, g gate)
				last                  float64 // the number of steps; 0: not counted
			}{
				{"a long draft", "verify_citations", `{"state_id":"LOOP","draft":` + quoted(t, long) + `}`, func(h fixture, g gate) { h.svc.Store = slowTexts{g, h.svc.Store} }, 0},
				{"many pages", "fetch", `{"state_id":"LOOP","urls":["https://example.org/1","https://example.org/2","https://example.org/3"]}`, func(h fixture, g gate) { h.svc.Reader = slowPages{g, newPaywall()} }, 3},
				{"a folder that is indexed", "run_channel", `{"state_id":"LOOP","channels":["library","notes"],"query":"lighthouse"}`, func(h fixture, g gate) { h.svc.Searcher = slowSearch{g, h.svc.Searcher} }, 2},
			} {
				t.Run(fmt.Sprint(way, " ", era, " ", tt.name), func(t *testing.T) {
					w := newWire(t, version == eras["2026-07-28"])
					loop := w.h.loopAfter(t, t.Context(), 0)
					visit{h: w.h, ctx: t.Context()}.paste(t, loop, "T", longEnough)
					g := make(gate)
					tt.slow(w.h, g)
					lines := calling(t, way, w.modern, w, tt.tool, strings.ReplaceAll(tt.arguments, "LOOP", loop))
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
						if told++; told == 1 {
							close(g)
						}
						if m.Params.Progress <= last {
							t.Errorf("progress %v after %v", m.Params.Progress, last)
						}
						last = m.Params.Progress
					}
					if told == 0 || tt.last > 0 && last != tt.last {
						t.Errorf("%d reports, the last before the answer was %v, want %v", told, last, tt.last)
					}
				})
			}
		}
	}
}
