package web

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/google/go-cmp/cmp"
	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/mcp"

	"github.com/citeloop/citeloop/fetch/browser/browsertest"
	"github.com/citeloop/citeloop/loopstate"
	"github.com/citeloop/citeloop/server"
)

// field is a field of one of the forms at a loop, by the form's and its own name.
func field(act, name string) string { return fmt.Sprintf(`form[action$="/%s"] [name="%s"]`, act, name) }

// open unfolds the form of an act, as a click does.
func open(tab *browsertest.Tab, act string) {
	tab.Do(chromedp.Click(chromedp.CSS(fmt.Sprintf(`details.act:has(form[action$="/%s"]) > summary`, act))), chromedp.WaitVisible(chromedp.CSS(fmt.Sprintf(`form[action$="/%s"] button`, act))))
}

// Actions on the page write the same log entries as the tools: one loop is changed in a browser, an equal one by an MCP
// client.
func actAsPeople(t *testing.T, b *browsertest.Browser) {
	h := newFixture(t, nil)
	mine, twin := h.research(t, t.Context()), h.research(t, t.Context())
	host := h.host(t)
	tab := h.comeIn(t, b)
	walled := strings.Repeat("The tower was paid for by the harbour, which raised a toll of two crowns. ", 6)
	for _, row := range []struct {
		name, act string
		fill      func()
		tool      string // that does the same; empty where it is for people alone
		arguments map[string]any
		kind      string // of the entry, where no tool makes it
		entry     map[string]any
		differs   []string // what of the entry is not the same, and why
	}{
		{"add a gap", "gap", func() { // without a pointer
			tab.Do(chromedp.KeyEvent(kb.Tab), chromedp.KeyEvent("What did it cost?"), chromedp.KeyEvent(kb.Tab), chromedp.KeyEvent("c"), chromedp.KeyEvent(kb.Tab), chromedp.KeyEvent(kb.Enter))
		}, "loop_add_gap", map[string]any{"gap": "What did it cost?", "importance": "critical"}, "", nil, nil},
		{"close a gap", "close-gap", func() {
			tab.Do(chromedp.SetValue(chromedp.CSS(field("close-gap", "gap")), "G1"), chromedp.Click(chromedp.CSS(field("close-gap", "status")+`[value="unanswerable"]`)), chromedp.SendKeys(chromedp.CSS(field("close-gap", "why")), "The books burnt."))
		}, "", nil, loopstate.KindUpdated, map[string]any{"closed_gaps": []any{map[string]any{"gap_id": "G1", "status": "unanswerable", "why": "The books burnt."}}}, nil},
		{"mark a source as bad", "bad-source", func() {
			tab.Do(chromedp.SetValue(chromedp.CSS(field("bad-source", "source")), "S1"), chromedp.SendKeys(chromedp.CSS(field("bad-source", "why")), "It is an advertisement."))
		}, "loop_update", map[string]any{"bad_urls": []any{map[string]any{"url": h.addressOf(t, twin, "S1"), "reason": "It is an advertisement."}}}, "", nil, nil},
		{"paste a text", "paste", func() {
			tab.Do(chromedp.SendKeys(chromedp.CSS(field("paste", "title")), "A second history"), chromedp.SendKeys(chromedp.CSS(field("paste", "url")), "https://example.org/walled"), chromedp.SetValue(chromedp.CSS(field("paste", "text")), walled))
		}, "fetch", map[string]any{"url": "https://example.org/walled", "title": "A second history", "text": walled}, "", nil, []string{"shown"}}, // a host is shown what it fetches; this it has not seen yet
		{"confirm rounds", "rounds", func() {
			tab.Do(chromedp.SetValue(chromedp.CSS(field("rounds", "rounds")), "12"))
		}, "loop_update", map[string]any{"confirm_rounds": 12}, "", nil, nil},
		{"stop", "stop", func() {
			tab.Do(chromedp.SendKeys(chromedp.CSS(field("stop", "why")), "We know enough."))
		}, "loop_update", map[string]any{"abort": "We know enough."}, "", nil, nil},
	} {
		before, twinBefore := len(h.log(t, mine)), len(h.log(t, twin))
		tab.Do(chromedp.Navigate(h.at(mine)))
		open(tab, row.act)
		row.fill()
		if row.act != "gap" {
			tab.Do(chromedp.Click(chromedp.CSS(fmt.Sprintf(`form[action$="/%s"] button`, row.act))))
		}
		tab.Until(row.name, `location.search === "?done=`+row.act+`" && document.getElementById("done").textContent`)
		got := h.log(t, mine)[before:]
		var want []entry
		if row.tool == "" {
			want = []entry{{row.kind, row.entry}}
		} else {
			row.arguments["state_id"] = twin
			host.call(row.tool, row.arguments)
			want = h.log(t, twin)[twinBefore:]
		}
		for _, list := range [][]entry{got, want} {
			for _, e := range list {
				for _, name := range row.differs {
					delete(e.Data, name)
				}
			}
		}
		if diff := cmp.Diff(want, got); diff != "" || len(got) != 1 {
			t.Errorf("%s: the log (-by tool +by a person):\n%s", row.name, diff)
		}
	}
	if shown := browsertest.Ask[string](tab, `document.querySelector('[data-part="decision"]').textContent`); !strings.Contains(shown, "We know enough.") {
		t.Errorf("a stopped loop says %q", shown)
	}
	tab.Quiet(h.ours)
}

// entry is an event of the log without ids and times.
type entry struct {
	Kind string
	Data map[string]any
}

func (h fixture) log(t *testing.T, loop string) (out []entry) {
	t.Helper()
	for e, err := range h.svc.Store.Load(t.Context(), loop, 0) {
		if err != nil {
			t.Fatal(err)
		}
		var data map[string]any
		if err := json.Unmarshal(e.Data, &data); err != nil {
			t.Fatal(err)
		}
		timeless(data)
		out = append(out, entry{e.Kind, data})
	}
	return out
}

// timeless removes the times of reading.
func timeless(v any) {
	switch v := v.(type) {
	case map[string]any:
		delete(v, "fetched_at")
		for _, inner := range v {
			timeless(inner)
		}
	case []any:
		for _, inner := range v {
			timeless(inner)
		}
	}
}

func (h fixture) addressOf(t *testing.T, loop, source string) string {
	t.Helper()
	p, err := h.svc.Detail(t.Context(), loop, 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, src := range p.Sources {
		if src.ID == source {
			return src.URL
		}
	}
	t.Fatalf("there is no source %s", source)
	return ""
}

// toolHost drives the same use cases by their tools.
type toolHost struct {
	t   *testing.T
	mcp *client.Client
}

func (h fixture) host(t *testing.T) toolHost {
	t.Helper()
	srv, err := server.New(h.svc, "test", slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	c, err := client.NewInProcessClient(srv.MCP)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	var hello mcp.InitializeRequest
	hello.Params.ProtocolVersion = mcp.LATEST_PROTOCOL_VERSION
	if _, err := c.Initialize(t.Context(), hello); err != nil {
		t.Fatal(err)
	}
	return toolHost{t, c}
}

func (host toolHost) call(tool string, arguments map[string]any) {
	host.t.Helper()
	var req mcp.CallToolRequest
	req.Params.Name, req.Params.Arguments = tool, arguments
	if result, err := host.mcp.CallTool(host.t.Context(), req); err != nil || result.IsError {
		host.t.Fatalf("%s: %v %v", tool, err, result)
	}
}
