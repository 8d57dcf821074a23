package tools_test

import (
	"context"
	"fmt"
	"maps"
	"strings"
	"sync/atomic"
	"testing"
	"unicode/utf8"

	"github.com/tidwall/gjson"

	"github.com/citeloop/citeloop/channels"
)

// shelf has a number of books on each subject, of which those of two subjects are the same, and answers as many as it is asked for.
type shelf struct {
	*library
	books    int
	down     bool
	searches atomic.Int64 // those of a call run side by side
}

func (s *shelf) Search(_ context.Context, names []string, q channels.Query, _ func(channels.Outcome)) (channels.Answer, error) {
	s.searches.Add(1)
	if s.down {
		return channels.Answer{Outcomes: []channels.Outcome{{Name: names[0], Status: channels.StatusUnavailable}}}, nil
	}
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

// eightQueries asks for books on eight subjects.
func eightQueries(more object) object {
	ask := object{"channel_name": "wikipedia", "query": "lamp 1", "queries": []any{"lamp 2", "lamp 3", "lamp 4", "lamp 5", "lamp 6",
		"lamp 7", "lamp 8"}}
	maps.Copy(ask, more)
	return ask
}

// The hits of eight queries are one list without repeats, the best of each query first, in about 4,500 characters. What is cut is counted.
// A number of hits to show is kept, in an answer of bounded size: the snippets of many are short. Numbers above the maximum are cut with a
// remark.
func TestHitsOfSeveralQueriesFit(t *testing.T) {
	t.Parallel()
	h, svc, lib := newHost(t)
	svc.Searcher = &shelf{library: lib, books: 10}
	loop := h.begin("Who lit the lamp?")
	got := h.call("run_channel", eightQueries(object{"state_id": loop}))
	if n := h.by["run_channel"]; n > 4_500 {
		t.Errorf("%d characters", n)
	}
	seen, found := map[string]bool{}, map[int64]bool{}
	for _, hit := range got.Get("evidence").Array() {
		if u := hit.Get("url").Str; seen[u] {
			t.Errorf("%s is listed twice", u)
		} else {
			seen[u] = true
		}
		for _, q := range hit.Get("queries").Array() {
			found[q.Int()] = true
		}
		if s := hit.Get("snippet").Str; !strings.Contains(s, "lamp") || utf8.RuneCountInString(s) > 202 {
			t.Errorf("the snippet is %q", s)
		}
	}
	if len(found) != 8 || got.Get("left_out").Int() == 0 || !strings.Contains(got.Get("cut").Str, "max_results") {
		t.Errorf("hits of the queries %v; left out: %s, %s", found, got.Get("left_out"), got.Get("cut"))
	}

	many := eightQueries(object{"state_id": loop, "limit": 12, "max_results": 40})
	got = h.call("run_channel", many)
	if n := got.Get("evidence.#").Int(); n != 40 || got.Get("left_out").Int() != 5 {
		t.Errorf("%d hits, %s left out; want 40 of 45", n, got.Get("left_out"))
	}
	for _, snippet := range got.Get("evidence.#.snippet").Array() {
		if n := utf8.RuneCountInString(snippet.Str); n < 20 || n > 52 {
			t.Errorf("a snippet of %d characters", n)
		}
	}
	if again := h.call("run_channel", many).Get("evidence.0"); !again.Get("seen").Bool() ||
		again.Get("snippet").Str != got.Get("evidence.0.snippet").Str {
		t.Errorf("listed again: %s", again)
	}
	one := h.call("run_channel", object{"channel_name": "wikipedia", "query": "lamp", "state_id": loop, "limit": channels.MaxLimit + 1,
		"max_results": 1_000})
	if cut := one.Get("cut").Str; !strings.Contains(cut, fmt.Sprintf("limit: %d is above the maximum; %d is used", channels.MaxLimit+1,
		channels.MaxLimit)) || !strings.Contains(cut, "max_results: 1000 is above the maximum") {
		t.Errorf("limits above the maximum: %s", cut)
	}
}

// The pages of a search have each hit once and lose none, also after a restart, and log the search once.
func TestHitsArePaged(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name     string
		args     object
		want     int
		searches int // sent for all pages
	}{
		{"as it comes", object{"query": "lamp"}, 10, 1},
		{"in pages of 20", object{"query": "lamp", "limit": 50, "max_results": 20}, 50, 1},
		{"several queries", object{"query": "lamp wick", "queries": []any{"lamp oil", "mast"}, "limit": 50, "max_results": 30}, 125,
			3},
	} {
		for _, restarted := range []bool{false, true} {
			t.Run(fmt.Sprint(tt.name, ", restarted ", restarted), func(t *testing.T) {
				h, svc, lib := newHost(t)
				books := &shelf{library: lib, books: 80}
				svc.Searcher = books
				args := object{"channel_name": "wikipedia"}
				maps.Copy(args, tt.args)
				if !restarted {
					args["state_id"] = h.begin("Who lit the lamp?")
				}
				seen := map[string]bool{}
				for more := true; more; {
					got := h.call("run_channel", args)
					for _, hit := range got.Get("evidence").Array() {
						u := hit.Get("url").Str
						if seen[u] || hit.Get("snippet").Str == "" || hit.Get("seen").Bool() {
							t.Errorf("%s was shown: %v; %s", u, seen[u], hit)
						}
						seen[u] = true
					}
					next := got.Get("next_cursor")
					if args["cursor"], more = next.Str, next.Exists(); !more && !strings.Contains(got.Get("cut").Str, "50 hits") {
						t.Errorf("the last page says %q", got.Get("cut"))
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
	ask := func(args object) string { text, _ := h.text("run_channel", args); return text }
	next := h.call("run_channel", object{"channel_name": "wikipedia", "query": "lamp", "limit": 50,
		"max_results": 20}).Get("next_cursor").Str
	if got := ask(object{"channel_name": "wikipedia", "query": "lamp", "max_results": 3, "cursor": " " + next}); !strings.Contains(
		got, "evidence") {
		t.Errorf("another number of hits: %s", got)
	}
	for name, args := range map[string]object{
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
	if got := ask(object{"channel_name": "wikipedia", "query": "*", "queries": []any{"status:Final"},
		"list": true}); !strings.HasPrefix(got, "queries: given with list; put all filters into query") {
		t.Errorf("a list of several queries: %s", got)
	}
}

// Each query of a call is an operation: it is logged once, however often the call is sent, and its id is none of the host's.
func TestOperationsOfSeveralQueries(t *testing.T) {
	t.Parallel()
	h, svc, lib := newHost(t)
	books := &shelf{library: lib, books: 3}
	svc.Searcher = books
	loop := h.begin("Who lit the lamp?")
	for _, tt := range []struct {
		operation string
		queries   []any
		logged    int64 // afterwards
	}{
		{"", []any{"Aldmoor", "Brinholt", "herring fleet", "Aldmoor"}, 3}, // each different one
		{"x", []any{"lamp", "keeper"}, 5},
		{"x/2", []any{"lighthouse"}, 6},
		{"x", []any{"lamp", "keeper"}, 6},                        // a repeat
		{strings.Repeat("y", 200), []any{"quay", "dredging"}, 8}, // the longest id
	} {
		h.call("run_channel", object{"channel_name": "wikipedia", "query": tt.queries[0], "queries": tt.queries[1:], "state_id": loop,
			"operation_id": tt.operation})
		if n := h.call("loop_get_state", object{"state_id": loop, "view": "searches"}).Get("searches.#").Int(); n != tt.logged {
			t.Errorf("%.9s %v: %d searches are logged, want %d", tt.operation, tt.queries, n, tt.logged)
		}
	}
	before := books.searches.Load()
	got, _ := h.text("run_channel", object{"channel_name": "wikipedia", "query": "storm", "state_id": loop,
		"operation_id": strings.Repeat("y", 201)})
	if !strings.HasPrefix(got, "operation_id: ") || books.searches.Load() != before {
		t.Errorf("an id of 201 bytes: %s, %d searches", got, books.searches.Load()-before)
	}

	// If no channel answers the first query, the others are not asked: each would only wait, and count as a failure.
	books.down = true
	down := h.call("run_channel", object{"channel_name": "wikipedia", "query": "quay", "queries": []any{"dredging", "lighthouse"}})
	if books.searches.Load() != before+1 || down.Get("not_asked").Raw != `["dredging","lighthouse"]` {
		t.Errorf("%d searches, not asked: %s", books.searches.Load()-before, down.Get("not_asked"))
	}
}

// A passage for two queries is listed once. Words that no text has are named.
func TestFindPassages(t *testing.T) {
	t.Parallel()
	h, _, lib := newHost(t)
	loop := h.begin("What did the harbour boards pay for?")
	find := func(query string, more object) gjson.Result {
		maps.Copy(more, object{"state_id": loop, "query": query})
		return h.call("find_passages", more)
	}
	if unread := find("quay", object{}); !strings.Contains(unread.Get("more").Str, "fetch") {
		t.Errorf("before anything was read: %s", unread)
	}
	h.call("fetch", object{"urls": []any{lib.urls[0], lib.urls[1]}, "state_id": loop, "query": "quay"})
	places, texts := map[string]bool{}, ""
	for _, p := range find("quay of Aldmoor", object{"queries": []any{"customs house of Brinholt"}}).Get("passages").Array() {
		place := p.Get("source_id").Str + p.Get("lines").Str
		if places[place] {
			t.Errorf("the passage %s is listed twice", place)
		}
		places[place] = true
		texts += p.Get("text").Str
	}
	if len(places) < 2 || !strings.Contains(texts, "quay") || !strings.Contains(texts, "customs house") {
		t.Errorf("%d passages: %s", len(places), texts)
	}
	if none := find("quantum entanglement of neutrinos", object{}); none.Get("passages.#").Int() > 0 || !strings.HasPrefix(
		none.Get("more").Str,
		`no match for "quantum entanglement of neutrinos": no text that was read has "quantum", "entanglement", "neutrinos"; `) {
		t.Errorf("words that no text has: %s", none)
	}
	if many := find("quay", object{"limit": 1_000}); !strings.Contains(many.Get("more").Str,
		"limit: 1000 is above the maximum; 50 is used") {
		t.Errorf("too many passages: %s", many.Get("more"))
	}
}

// A decision that finishes the loop lists the parts that the text must answer. A loop without a question says so.
func TestDecisionListsTheParts(t *testing.T) {
	t.Parallel()
	h, _, lib := newHost(t)
	loop := h.call("loop_init", object{"query": "What did the quays cost? Compare the harbours, and say what can go wrong.",
		"rubrics": []any{"names the year"}}).Get("state_id").Str
	h.call("run_channel", object{"channel_name": "wikipedia", "query": "quay", "state_id": loop})
	h.call("fetch", object{"url": lib.urls[0], "state_id": loop})
	var last gjson.Result
	for range 2 {
		last = h.call("loop_reflect", object{"state_id": loop, "signoff": true, "coverage": object{"overall": 0.95}})
	}
	if last.Get("decision.next_action").Str != "finalize" || !strings.Contains(last.Get("write").Str, "Write the whole answer now") {
		t.Fatalf("the decision is %s", last)
	}
	for _, part := range []string{"What did the quays cost", "Compare the harbours", "say what can go wrong", "names the year"} {
		if !strings.Contains(last.Get("parts").Raw, part) {
			t.Errorf("the parts %s lack %q", last.Get("parts"), part)
		}
	}
	if begun := h.call("loop_init", object{}); !strings.Contains(begun.Get("decision.because").Str, "no question yet") {
		t.Errorf("a loop without a question does not say so: %s", begun)
	}
}

// records answers as a service with one work, which was retracted.
type records struct{ *library }

func (records) Search(_ context.Context, names []string, q channels.Query, _ func(channels.Outcome)) (channels.Answer, error) {
	a := channels.Answer{Outcomes: []channels.Outcome{{Name: names[0], Status: channels.StatusEmpty}}}
	if names[0] == "crossref" && (strings.Contains(q.Text, "Salt") || q.Text == "10.1000/2") {
		a.Outcomes[0].Status = channels.StatusOK
		a.Evidence = []channels.Ranked{{Evidence: channels.Evidence{Title: "Salt in the blood of sailors", Authors: []string{"Kim Adler"},
			PublishedAt: "2010", DOI: "10.1000/2", URL: "https://doi.org/10.1000/2",
			Update: channels.Update{Kind: "retracted", Notice: "10.1000/22", Date: "2014-03-01"}}}}
	}
	return a, nil
}

// A bibliography is looked up without a loop: each entry has its outcome, and what is too much for a call is named.
func TestAuditReferences(t *testing.T) {
	t.Parallel()
	h, svc, lib := newHost(t)
	svc.Searcher = records{lib}
	list := `@article{salt, title = {Salt in the blood of sailors}, author = {Adler, Kim}, year = 2010, doi = {10.1000/2}}
@article{lanterns, title = {Quantum lanterns and the gradient of fog}, year = 2012}
@article{broken, title = {Never closed
`
	got := h.call("audit_references", object{"bibliography": list})
	if got.Get("references.#.status").Raw != `["retracted","not_found"]` || got.Get("references.0.notice.doi").Str != "10.1000/22" ||
		!strings.Contains(got.Get("references.1.searched").Raw, "crossref: empty") ||
		!strings.Contains(got.Get("problems").Raw, "line 3: the entry is not closed") {
		t.Errorf("%s", got)
	}
	long := ""
	for i := range 23 {
		long += fmt.Sprintf("Adler, K. (2010). Salt in the blood of sailors. Harbours, %d. doi:10.1000/2\n", i)
	}
	if next := h.call("audit_references", object{"bibliography": long}).Get("next").Str; !strings.HasSuffix(next,
		"21, 22, 23; call again with these, 20 at a time") {
		t.Errorf("23 entries: %s", next)
	}
}
