package tools_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/citeloop/citeloop/channels"
)

// manual answers each query with the same 12 pages of a manual, shifted by the query's number, and with their shares.
type manual struct {
	*library
	mu          sync.Mutex // the searches of a call run side by side
	asked       []string
	provisional int // this many searches see a part of the folder
	shares      []float64
}

func (m *manual) Search(_ context.Context, names []string, q channels.Query, _ func(channels.Outcome)) (channels.Answer, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	shift := 4 * len(m.asked)
	m.asked = append(m.asked, q.Text)
	a := channels.Answer{Outcomes: []channels.Outcome{{Name: names[0], Status: channels.StatusOK, Count: 12}}}
	if len(m.asked) <= m.provisional {
		a.Outcomes[0].Status, a.Outcomes[0].Provisional, a.Outcomes[0].Message = channels.StatusDegraded, true, "277 of 1,169 files indexed"
	}
	for n := range 12 {
		share := 1.0
		if n < len(m.shares) {
			share = m.shares[n]
		}
		u := fmt.Sprintf("file:///usr/share/doc/manual/html/a-page-of-the-manual-%d.html", n+shift)
		a.Evidence = append(a.Evidence, channels.Ranked{Key: "url:" + u, Share: share, Ranks: map[string]int{names[0]: n + 1}, Evidence: channels.Evidence{Title: fmt.Sprintf("Chapter %d", n+shift), URL: u,
			Source: names[0], Language: "en", Snippet: strings.Repeat("The gardens of the town were in flower. ", 8) + "The lamp of page " + fmt.Sprint(n) + " was lit. " + strings.Repeat("Nobody went to sea. ", 8)}})
	}
	return a, nil
}

func evidenceOf(answer map[string]any) (urls []string, hits []map[string]any) {
	for _, h := range answer["evidence"].([]any) {
		hit := h.(map[string]any)
		urls, hits = append(urls, hit["url"].(string)), append(hits, hit)
	}
	return urls, hits
}

// The hits of eight queries are one list without repeats, the best of each query first, in about 4,500 characters. What is
// cut is counted. max_results shows more.
func TestHitsOfSeveralQueriesFit(t *testing.T) {
	h, svc, lib := newHost(t)
	svc.Searcher = &manual{library: lib, shares: []float64{1, 1, 0.9, 0.9, 0.8, 0.8, 0.7, 0.7, 0.7, 0.7, 0.5, 0.5}}
	loop := h.call("loop_init", map[string]any{"query": "Who lit the lamp?"})["state_id"].(string)
	ask := map[string]any{"channel_name": "wikipedia", "query": "lamp 1", "queries": []any{"lamp 2", "lamp 3", "lamp 4", "lamp 5", "lamp 6", "lamp 7", "lamp 8"}, "state_id": loop}
	before := h.by["run_channel"]
	got := h.call("run_channel", ask)
	if n := h.by["run_channel"] - before; n > 4_500 {
		t.Errorf("%d characters", n)
	}
	urls, hits := evidenceOf(got)
	seen := map[string]bool{}
	firsts := map[any]bool{}
	for i, u := range urls {
		if seen[u] {
			t.Errorf("%s is listed twice", u)
		}
		seen[u] = true
		for _, q := range hits[i]["queries"].([]any) {
			firsts[q] = true
		}
		if s := hits[i]["snippet"].(string); !strings.Contains(s, "lamp") || utf8.RuneCountInString(s) > 202 {
			t.Errorf("the snippet is %q", s)
		}
	}
	if len(firsts) != 8 {
		t.Errorf("hits of the queries %v are listed, want all 8", firsts)
	}
	if got["left_out"].(float64) == 0 || !strings.Contains(got["cut"].(string), "max_results") || !strings.Contains(got["cut"].(string), "far worse") {
		t.Errorf("left out: %v, %v", got["left_out"], got["cut"])
	}
	ask["max_results"] = 30
	if more, _ := evidenceOf(h.call("run_channel", ask)); len(more) <= len(urls) {
		t.Errorf("max_results shows %d hits, the default %d", len(more), len(urls))
	}
}

// A number of hits to show does not fill the answer with what only one query found far down, and numbers above the maximum
// are cut with a remark.
func TestAskedHitsAreBounded(t *testing.T) {
	h, svc, lib := newHost(t)
	svc.Searcher = &manual{library: lib}
	loop := h.call("loop_init", map[string]any{"query": "Who lit the lamp?"})["state_id"].(string)
	ask := map[string]any{"channel_name": "wikipedia", "query": "lamp 1", "queries": []any{"lamp 2", "lamp 3", "lamp 4", "lamp 5", "lamp 6", "lamp 7", "lamp 8"}, "state_id": loop, "limit": 12, "max_results": 40}
	before := h.by["run_channel"]
	got := h.call("run_channel", ask)
	if n := h.by["run_channel"] - before; n > 6_500 {
		t.Errorf("%d characters", n)
	}
	if got["left_out"].(float64) == 0 || !strings.Contains(got["cut"].(string), "fewer queries") || !strings.Contains(got["cut"].(string), "far worse") {
		t.Errorf("left out: %v, %v", got["left_out"], got["cut"])
	}
	one := h.call("run_channel", map[string]any{"channel_name": "wikipedia", "query": "lamp", "state_id": loop, "limit": channels.MaxLimit + 1, "max_results": 1_000})
	if cut := fmt.Sprint(one["cut"]); !strings.Contains(cut, fmt.Sprintf("limit: %d is above the maximum; %d is used", channels.MaxLimit+1, channels.MaxLimit)) || !strings.Contains(cut, "max_results: 1000 is above the maximum") {
		t.Errorf("limits above the maximum: %s", cut)
	}
	h.call("fetch", map[string]any{"url": lib.urls[0], "state_id": loop})
	found := h.call("find_passages", map[string]any{"state_id": loop, "query": "quay", "limit": 1_000})
	if more := fmt.Sprint(found["more"]); !strings.Contains(more, "limit: 1000 is above the maximum; 50 is used") {
		t.Errorf("find_passages: %s", more)
	}
}

// Reading is never rationed: the same call answers the same, however much a loop has read.
func TestReadingIsNotRationed(t *testing.T) {
	h, _, lib := newHost(t)
	loop := h.call("loop_init", map[string]any{"query": "What did the quays cost?", "complexity": "simple"})["state_id"]
	fetch := func() string {
		return fmt.Sprint(h.call("fetch", map[string]any{"url": lib.urls[0], "state_id": loop, "query": "quay"})["sources"])
	}
	find := func() string {
		return fmt.Sprint(h.call("find_passages", map[string]any{"state_id": loop, "query": "quay"}))
	}
	text, passages := fetch(), find()
	for h.total < 200_000 {
		h.call("fetch", map[string]any{"url": lib.urls[0], "state_id": loop, "max_chars": 12_000})
	}
	if fetch() != text || find() != passages {
		t.Error("an answer differs after more reading")
	}
}

// Hits of a partial index are shown and not kept. Further queries ask for the first one again.
func TestProvisionalHitsAreNotKept(t *testing.T) {
	h, svc, lib := newHost(t)
	m := &manual{library: lib, provisional: 1}
	svc.Searcher = m
	loop := h.call("loop_init", map[string]any{"query": "Who lit the lamp?"})["state_id"].(string)
	one := h.call("run_channel", map[string]any{"channel_name": "wikipedia", "query": "lamp", "state_id": loop})
	if _, hits := evidenceOf(one); len(hits) == 0 || hits[0]["evidence_id"] != nil {
		t.Errorf("the hits of a partial index are %v", hits)
	}
	m.asked, m.provisional = nil, 1
	two := h.call("run_channel", map[string]any{"channel_name": "wikipedia", "query": "lamp", "queries": []any{"keeper"}, "state_id": loop, "operation_id": "a"})
	if len(m.asked) != 3 {
		t.Errorf("asked: %v, want the first query twice", m.asked)
	}
	if _, hits := evidenceOf(two); len(hits) == 0 || hits[0]["seen"] != nil {
		t.Errorf("the hits of the whole index are %v, want new ones", hits)
	}
	if kept := h.call("loop_get_state", map[string]any{"state_id": loop})["progress"].(map[string]any)["evidence"]; kept == nil {
		t.Error("the loop has not kept the hits of the whole index")
	}
}

// The operation ids of the further queries do not collide with those of the host, and stay within the limit.
func TestOperationsOfSeveralQueries(t *testing.T) {
	h, svc, lib := newHost(t)
	m := &manual{library: lib}
	svc.Searcher = m
	loop := h.call("loop_init", map[string]any{"query": "Who lit the lamp?"})["state_id"].(string)
	logged := func() int {
		return len(h.call("loop_get_state", map[string]any{"state_id": loop, "view": "searches"})["searches"].([]any))
	}
	search := func(operation, query string, further ...any) {
		h.call("run_channel", map[string]any{"channel_name": "wikipedia", "query": query, "queries": further, "state_id": loop, "operation_id": operation})
	}
	search("x", "lamp", "keeper")
	search("x/2", "lighthouse")
	if n := logged(); n != 3 {
		t.Errorf("%d searches are logged, want 3: the host's id x/2 is another operation", n)
	}
	search("x", "lamp", "keeper")
	if n := logged(); n != 3 {
		t.Errorf("%d searches are logged after a repeat, want 3", n)
	}
	search(strings.Repeat("y", 200), "quay", "dredging")
	if n := logged(); n != 5 {
		t.Errorf("%d searches are logged, want both queries of a call with the longest id", n)
	}
	before := len(m.asked)
	var req mcp.CallToolRequest
	req.Params.Arguments = map[string]any{"channel_name": "wikipedia", "query": "storm", "state_id": loop, "operation_id": strings.Repeat("y", 201)}
	if result, err := h.tools["run_channel"].Handler(t.Context(), req); err != nil || !result.IsError || len(m.asked) != before {
		t.Errorf("an id of 201 bytes: %+v, %v, %d searches", result, err, len(m.asked)-before)
	}
}
