package tools_test

import (
	"context"
	"fmt"
	"maps"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"unicode/utf8"

	"github.com/citeloop/citeloop/channels"
)

// manual answers each query with the same 12 pages of a manual, shifted by the query's number.
type manual struct {
	*library
	mu    sync.Mutex // the searches of a call run side by side
	asked []string
}

func (m *manual) Search(_ context.Context, names []string, q channels.Query, _ func(channels.Outcome)) (channels.Answer, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	shift := 4 * len(m.asked)
	m.asked = append(m.asked, q.Text)
	a := channels.Answer{Outcomes: []channels.Outcome{{Name: names[0], Status: channels.StatusOK, Count: 12}}}
	for n := range 12 {
		u := fmt.Sprintf("file:///usr/share/doc/manual/html/a-page-of-the-manual-%d.html", n+shift)
		a.Evidence = append(a.Evidence, channels.Ranked{Key: "url:" + u, Ranks: map[string]int{names[0]: n + 1},
			Evidence: channels.Evidence{Title: fmt.Sprintf("Chapter %d", n+shift), URL: u,
				Source: names[0], Language: "en", Snippet: strings.Repeat("The gardens of the town were in flower. ", 8) +
					"The lamp of page " +
					fmt.Sprint(n) + " was lit. " + strings.Repeat("Nobody went to sea. ", 8)}})
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
	t.Parallel()
	h, svc, lib := newHost(t)
	svc.Searcher = &manual{library: lib}
	loop := h.call("loop_init", map[string]any{"query": "Who lit the lamp?"})["state_id"].(string)
	ask := map[string]any{"channel_name": "wikipedia", "query": "lamp 1", "queries": []any{"lamp 2", "lamp 3", "lamp 4", "lamp 5", "lamp 6",
		"lamp 7", "lamp 8"}, "state_id": loop}
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
	if got["left_out"].(float64) == 0 || !strings.Contains(got["cut"].(string), "max_results") {
		t.Errorf("left out: %v, %v", got["left_out"], got["cut"])
	}
	ask["max_results"] = 30
	if more, _ := evidenceOf(h.call("run_channel", ask)); len(more) <= len(urls) {
		t.Errorf("max_results shows %d hits, the default %d", len(more), len(urls))
	}
}

// A number of hits to show is kept, in an answer of bounded size: the snippets of many are short. Numbers above the
// maximum are cut with a remark.
func TestAskedHitsAreShown(t *testing.T) {
	t.Parallel()
	h, svc, lib := newHost(t)
	svc.Searcher = &shelf{library: lib, books: 10}
	loop := h.call("loop_init", map[string]any{"query": "Who lit the lamp?"})["state_id"].(string)
	ask := map[string]any{"channel_name": "wikipedia", "query": "lamp 1", "queries": []any{"lamp 2", "lamp 3", "lamp 4", "lamp 5", "lamp 6",
		"lamp 7", "lamp 8"}, "state_id": loop, "limit": 12, "max_results": 40}
	before := h.by["run_channel"]
	got := h.call("run_channel", ask)
	if n := h.by["run_channel"] - before; n > maxAnswerChars {
		t.Errorf("%d characters", n)
	}
	urls, hits := evidenceOf(got)
	if len(urls) != 40 || got["left_out"].(float64) != 5 {
		t.Errorf("%d hits, %v left out; want 40 of 45", len(urls), got["left_out"])
	}
	if _, again := evidenceOf(h.call("run_channel", ask)); again[0]["seen"] != true || again[0]["snippet"] != hits[0]["snippet"] {
		t.Errorf("listed again: %v", again[0])
	}
	for i, hit := range hits {
		if n := utf8.RuneCountInString(hit["snippet"].(string)); n < 20 || n > 52 {
			t.Errorf("the snippet of hit %d has %d characters", i, n)
		}
	}
	one := h.call("run_channel", map[string]any{"channel_name": "wikipedia", "query": "lamp", "state_id": loop, "limit": channels.MaxLimit +
		1, "max_results": 1_000})
	if cut := fmt.Sprint(one["cut"]); !strings.Contains(cut, fmt.Sprintf("limit: %d is above the maximum; %d is used", channels.MaxLimit+1,
		channels.MaxLimit)) || !strings.Contains(cut, "max_results: 1000 is above the maximum") {
		t.Errorf("limits above the maximum: %s", cut)
	}
	h.call("fetch", map[string]any{"url": lib.urls[0], "state_id": loop})
	found := h.call("find_passages", map[string]any{"state_id": loop, "query": "quay", "limit": 1_000})
	if more := fmt.Sprint(found["more"]); !strings.Contains(more, "limit: 1000 is above the maximum; 50 is used") {
		t.Errorf("find_passages: %s", more)
	}
}

// shelf has a number of books on each subject, of which those of two subjects are the same, and answers as many as it is asked for.
type shelf struct {
	*library
	books    int
	searches atomic.Int64 // those of a call run side by side
}

func (s *shelf) Search(_ context.Context, names []string, q channels.Query, _ func(channels.Outcome)) (channels.Answer, error) {
	s.searches.Add(1)
	n := min(s.books, q.Limit)
	a := channels.Answer{Outcomes: []channels.Outcome{{Name: names[0], Status: channels.StatusOK, Count: n}}}
	for i := range n {
		u := fmt.Sprintf("https://shelf.example/%s/%d", strings.Fields(q.Text)[i%len(strings.Fields(q.Text))], i)
		a.Evidence = append(a.Evidence, channels.Ranked{Key: "url:" + u, Share: 1 - float64(i)/100, Ranks: map[string]int{names[0]: i + 1},
			Evidence: channels.Evidence{Title: fmt.Sprintf("Book %d", i), URL: u,
				Source: names[0], Snippet: strings.Repeat("It tells of the "+q.Text+" at length. ", 12)}})
	}
	return a, nil
}

// The pages of a search have each hit once and lose none, also after a restart, and log the search once.
func TestHitsArePaged(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name     string
		args     map[string]any
		want     int
		searches int // sent for all pages
	}{
		{"as it comes", map[string]any{"query": "lamp"}, 10, 1},
		{"in pages of 20", map[string]any{"query": "lamp", "limit": 50, "max_results": 20}, 50, 1},
		{"several queries", map[string]any{"query": "lamp wick", "queries": []any{"lamp oil", "mast"}, "limit": 50, "max_results": 30}, 125,
			3},
	} {
		for _, restarted := range []bool{false, true} {
			t.Run(fmt.Sprint(tt.name, ", restarted ", restarted), func(t *testing.T) {
				h, svc, lib := newHost(t)
				books := &shelf{library: lib, books: 80}
				svc.Searcher = books
				args := map[string]any{"channel_name": "wikipedia"}
				maps.Copy(args, tt.args)
				if !restarted {
					args["state_id"] = h.call("loop_init", map[string]any{"query": "Who lit the lamp?"})["state_id"]
				}
				seen := map[string]bool{}
				for more := true; more; {
					got := h.call("run_channel", args)
					urls, hits := evidenceOf(got)
					for i, u := range urls {
						if seen[u] || hits[i]["snippet"] == nil || hits[i]["seen"] != nil {
							t.Errorf("%s was shown: %v; %v", u, seen[u], hits[i])
						}
						seen[u] = true
					}
					if args["cursor"], more = got["next_cursor"].(string); !more {
						if cut := fmt.Sprint(got["cut"]); !strings.Contains(cut, "50 hits") {
							t.Errorf("the last page says %q", cut)
						}
					}
					if restarted {
						h, svc, lib = newHost(t)
						books.library, svc.Searcher = lib, books
					}
				}
				if len(seen) != tt.want || !restarted && int(books.searches.Load()) != tt.searches {
					t.Errorf("%d hits by %d searches, want %d by %d", len(seen), books.searches.Load(), tt.want, tt.searches)
				}
			})
		}
	}
}

// A cursor is of one search, and a changed one is refused with what to do.
func TestForeignCursorIsRefused(t *testing.T) {
	t.Parallel()
	h, svc, lib := newHost(t)
	svc.Searcher = &shelf{library: lib, books: 80}
	ask := func(args map[string]any) string { return h.text("run_channel", args) }
	next := h.call("run_channel", map[string]any{"channel_name": "wikipedia", "query": "lamp", "limit": 50,
		"max_results": 20})["next_cursor"].(string)
	if got := ask(map[string]any{"channel_name": "wikipedia", "query": "lamp", "max_results": 3, "cursor": " " + next}); !strings.Contains(
		got, "evidence") {
		t.Errorf("another number of hits: %s", got)
	}
	for name, args := range map[string]map[string]any{
		"another query":   {"channel_name": "wikipedia", "query": "mast", "cursor": next},
		"another channel": {"channel_name": "arxiv", "query": "lamp", "cursor": next},
		"a list":          {"channel_name": "local", "query": "lamp", "list": true, "cursor": next},
		"another begin":   {"channel_name": "wikipedia", "query": "lamp", "cursor": "B" + next[1:]},
		"cut":             {"channel_name": "wikipedia", "query": "lamp", "cursor": next[:9]},
		"a number":        {"channel_name": "wikipedia", "query": "lamp", "cursor": "20"},
		"long":            {"channel_name": "wikipedia", "query": "lamp", "cursor": strings.Repeat(next, 100)},
	} {
		if got := ask(args); !strings.HasPrefix(got, "cursor: invalid cursor: ") ||
			!strings.Contains(got, "next_cursor of the last answer with the same other arguments") || len(got) > 300 {
			t.Errorf("%s: %s", name, got)
		}
	}
	if got := ask(map[string]any{"channel_name": "wikipedia", "query": "*", "queries": []any{"status:Final"},
		"list": true}); !strings.HasPrefix(got, "queries: given with list; put all filters into query") {
		t.Errorf("a list of several queries: %s", got)
	}
}

// The operation ids of the further queries do not collide with those of the host, and stay within the limit.
func TestOperationsOfSeveralQueries(t *testing.T) {
	t.Parallel()
	h, svc, lib := newHost(t)
	m := &manual{library: lib}
	svc.Searcher = m
	loop := h.call("loop_init", map[string]any{"query": "Who lit the lamp?"})["state_id"].(string)
	logged := func() int {
		return len(h.call("loop_get_state", map[string]any{"state_id": loop, "view": "searches"})["searches"].([]any))
	}
	search := func(operation, query string, further ...any) {
		h.call("run_channel", map[string]any{"channel_name": "wikipedia", "query": query, "queries": further, "state_id": loop,
			"operation_id": operation})
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
	long := map[string]any{"channel_name": "wikipedia", "query": "storm", "state_id": loop, "operation_id": strings.Repeat("y", 201)}
	if got := h.text("run_channel", long); !strings.HasPrefix(got, "operation_id: ") || len(m.asked) != before {
		t.Errorf("an id of 201 bytes: %s, %d searches", got, len(m.asked)-before)
	}
}
