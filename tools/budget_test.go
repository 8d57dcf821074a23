package tools_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/uuid"
	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
	"github.com/tidwall/gjson"

	"github.com/citeloop/citeloop/channels"
	"github.com/citeloop/citeloop/channels/source"
	"github.com/citeloop/citeloop/fetch"
	"github.com/citeloop/citeloop/fetch/extract/document"
	"github.com/citeloop/citeloop/internal/folder"
	"github.com/citeloop/citeloop/internal/loops"
	"github.com/citeloop/citeloop/internal/prompts"
	"github.com/citeloop/citeloop/loopstate/sqlite"
	"github.com/citeloop/citeloop/tools"
)

const (
	// maxLoopChars bounds the sum of all answers of a loop, as a host's model sees them: two in five are texts that it asked for.
	maxLoopChars = 104_000
	// maxAnswerChars bounds each of them, unless an argument asks for more.
	maxAnswerChars = 16_000
	// maxPromptChars bounds the prompts critic and synthesize.
	maxPromptChars = 16_000
)

// library searches and reads pages in memory. It lists the real channels.
type library struct {
	*channels.Registry
	urls  []string
	pages map[string]fetch.Page
}

func (l *library) Search(_ context.Context, names []string, q channels.Query, done func(channels.Outcome)) (channels.Answer, error) {
	var a channels.Answer
	words := strings.Fields(strings.ToLower(q.Text))
	for _, u := range l.urls {
		p := l.pages[u]
		n := 0
		for _, w := range words {
			n += strings.Count(strings.ToLower(p.Text), w)
		}
		if n == 0 {
			continue
		}
		at := max(0, strings.Index(strings.ToLower(p.Text), words[0]))
		a.Evidence = append(a.Evidence, channels.Ranked{Key: u, Evidence: channels.Evidence{Title: p.Title, URL: u, Source: names[0],
			Snippet: p.Text[at:min(len(p.Text), at+400)], Score: float64(n), SourceType: p.SourceType, PublishedAt: p.PublishedAt,
			Authors: p.Authors}, Ranks: map[string]int{names[0]: 1}})
	}
	slices.SortStableFunc(a.Evidence, func(x, y channels.Ranked) int { return int(y.Score - x.Score) })
	a.Evidence = a.Evidence[:min(10, len(a.Evidence))]
	a.Outcomes = []channels.Outcome{{Name: names[0], Status: channels.StatusOK, Count: len(a.Evidence), Took: 120 * time.Millisecond}}
	if done != nil {
		done(a.Outcomes[0])
	}
	return a, nil
}

func (l *library) ReadAll(_ context.Context, urls []string, each func(int, fetch.Page)) []fetch.Page {
	out := make([]fetch.Page, len(urls))
	for i, u := range urls {
		out[i] = l.pages[u]
		each(i, out[i])
	}
	return out
}

// harbours are invented, like everything that the pages say about them.
func harbours() []string {
	return strings.Fields("Aldmoor Brinholt Carrow Dunmere Eastwick Fallowby Garnet Holm Ivering Jarrow Kelso Lunmouth Marden Norwell " +
		"Osterby")
}

// page returns a page of about 20,000 characters about one harbour.
func page(n int, name string) fetch.Page {
	var text strings.Builder
	for chapter, subject := range []string{"quay", "dredging", "lighthouse", "pilot station", "cold store", "railway siding", "breakwater",
		"customs house"} {
		fmt.Fprintf(&text, "%s of %s\n\n", strings.ToUpper(subject[:1])+subject[1:], name)
		for i := range 18 {
			fmt.Fprintf(&text, "In %d the harbour board of %s paid %d crowns for the %s, which %s. ", 1900+chapter*12+i, name,
				1000*(n+2)+100*chapter+i, subject,
				[]string{"the storms of the autumn had damaged", "was by then too small for the herring fleet",
					"the guild of pilots had asked for in writing"}[i%3])
			if i%6 == 5 {
				text.WriteString("\n\n")
			}
		}
	}
	u := fmt.Sprintf("https://harbours.example/records/%s.html", strings.ToLower(name))
	body := text.String()
	return fetch.Page{URL: u, FinalURL: u, Status: fetch.StatusRead, HTTPStatus: http.StatusOK,
		FetchedAt: time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC),
		Document: document.Document{Head: document.Head{Title: "The harbour of " + name + ": records of the board",
			ContentType: "text/html", Authors: []string{"Board of " + name}, SourceType: "primary",
			PublishedAt: fmt.Sprintf("19%02d-05-01", 60+n)}, Text: body, Chars: utf8.RuneCountInString(body)}}
}

// claim returns a sentence that the page about a harbour supports.
func claim(n int, name string, chapter, i int) string {
	subject := []string{"quay", "dredging", "lighthouse", "pilot station"}[chapter]
	return fmt.Sprintf("In %d the harbour board of %s paid %d crowns for the %s.", 1900+chapter*12+i, name, 1000*(n+2)+100*chapter+i,
		subject)
}

// object is JSON.
type object = map[string]any

// host calls the tools and counts the characters of their answers.
type host struct {
	t     *testing.T
	tools map[string]server.ServerTool
	total int
	by    map[string]int

	passages map[string]string // of reviews, by their ids
	mayFail  bool              // an answer may be marked as an error
	strict   bool              // also an answer that lists all is bounded
}

// text returns the answer of a call as a host's model reads it.
func (h *host) text(name string, args object) (text string, failed bool) {
	h.t.Helper()
	raw, _ := json.Marshal(args) // of texts, numbers and lists
	result, err := h.tools[name].Handler(h.t.Context(), mcp.CallToolRequest{Params: mcp.CallToolParams{RawArguments: raw}})
	if err != nil {
		h.t.Fatal(err)
	}
	return result.Content[0].(mcp.TextContent).Text, result.IsError
}

// call returns the answer, which is not refused, and bounded.
func (h *host) call(name string, args object) gjson.Result {
	h.t.Helper()
	text, failed := h.text(name, args)
	if failed && !h.mayFail {
		h.t.Fatalf("%s: %s", name, text)
	}
	chars := utf8.RuneCountInString(text)
	h.total += chars
	h.by[name] += chars
	h.t.Logf("%-16s %6d", name, chars)
	if (args["all"] != true || h.strict) && args["inline"] != true && chars > maxAnswerChars {
		h.t.Errorf("%s answers with %d characters, want %d at most", name, chars, maxAnswerChars)
	}
	var out any
	if err := json.Unmarshal([]byte(text), &out); err != nil {
		h.t.Fatalf("%s: %v: %s", name, err, text)
	}
	h.says(name, out)
	return gjson.Parse(text)
}

// begin starts a loop.
func (h *host) begin(query string) string {
	h.t.Helper()
	return h.call("loop_init", object{"query": query}).Get("state_id").Str
}

// says checks that an answer has nothing empty but the lists that scripted clients loop over.
func (h *host) says(path string, value any) {
	h.t.Helper()
	lists := strings.Fields("evidence channels sources passages gaps claim_ids loops items verified_claims hallucinated_citations " +
		"conflicts coverage_gaps next_queries next_urls_to_fetch")
	switch v := value.(type) {
	case object:
		for key, member := range v {
			if list, ok := member.([]any); key != "stop_reason" && (!ok || len(list) > 0 || !slices.Contains(lists, key)) {
				h.says(path+"."+key, member)
			}
		}
		if len(v) > 0 {
			return
		}
	case []any:
		for _, item := range v {
			if _, text := item.(string); !text { // a claim that cites nothing has the id ""
				h.says(path+"[]", item)
			}
		}
		if len(v) > 0 {
			return
		}
	}
	if s := fmt.Sprint(value); s == "" || s == "<nil>" || s == "map[]" || s == "[]" {
		h.t.Errorf("%s is empty: %v", path, value)
	}
}

// newHost serves the tools over the pages on harbours.
func newHost(t *testing.T) (*host, *loops.Service, *library) {
	t.Helper()
	dir := t.TempDir()
	store, err := sqlite.Open(t.Context(), filepath.Join(dir, "citeloop.db"), sqlite.Options{Unsynced: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { store.Close() })
	registry, err := channels.New(channels.Config{}, source.All(nil))
	if err != nil {
		t.Fatal(err)
	}
	lib := &library{Registry: registry, pages: map[string]fetch.Page{}}
	for n, name := range harbours() {
		p := page(n, name)
		lib.urls = append(lib.urls, p.URL)
		lib.pages[p.URL] = p
	}
	svc := loops.New(loops.Config{Store: store, Owner: loops.LocalOwner, Searcher: lib, Reader: lib, Now: time.Now,
		NewID: func() string { return uuid.Must(uuid.NewV7()).String() }, Generator: "citeloop test", Patience: time.Hour,
		Folders: folder.New(dir, false)})
	all, err := tools.All(svc, slog.New(slog.NewTextHandler(io.Discard, nil)))
	if err != nil {
		t.Fatal(err)
	}
	h := &host{t: t, tools: map[string]server.ServerTool{}, by: map[string]int{}}
	for _, tool := range all {
		h.tools[tool.Tool.Name] = tool
	}
	return h, svc, lib
}

// A loop of three rounds with 15 pages, 40 claims and two reports stays within the budget of characters that a host's
// model reads.
func TestLoopFitsItsTokenBudget(t *testing.T) {
	t.Parallel()
	h, svc, lib := newHost(t)
	h.call("list_channels", nil)
	loop := h.call("loop_init", object{"query": "What did the harbour boards of the coast pay for, and when?",
		"complexity": "moderate",
		"rubrics":    []any{"names the year", "names the sum", "compares the harbours"},
		"gaps": []any{"What did the quays cost?", "What did dredging cost?",
			"Who asked for the pilot stations?"}}).Get("state_id").Str
	var draft strings.Builder
	draft.WriteString("# What the boards paid\n\n")
	for round := range 3 {
		for _, angle := range []string{"byEntity", "byTimeWindow", "bySourceType", "byCounterArg"} {
			h.call("run_channel", object{"channel_name": "wikipedia", "query": []string{"quay herring", "dredging storms",
				"pilot station guild"}[round] + " " + angle, "state_id": loop, "angle": angle})
		}
		urls := lib.urls[5*round : 5*round+5]
		h.call("fetch", object{"url": urls[0], "state_id": loop}) // one page without a query
		h.call("fetch", object{"urls": []any{urls[1], urls[2]}, "state_id": loop, "query": "What did the quay cost?"})
		h.call("fetch", object{"urls": []any{urls[3], urls[4]}, "state_id": loop, "query": "Who asked for the pilot station?"})
		h.call("find_passages", object{"state_id": loop, "query": "What was paid for the lighthouse?"})
		var claims []any
		for k := range []int{13, 13, 14}[round] {
			n := 5*round + k%5
			text := claim(n, harbours()[n], k%4, k)
			if k%6 == 5 { // no page says it
				text = strings.Replace(text, " crowns", "7 crowns", 1)
			}
			claims = append(claims, object{"claim": text, "source_ids": []any{fmt.Sprintf("S%d", n+1)}, "confidence": "high"})
			if k%6 != 5 {
				fmt.Fprintf(&draft, "%s [S%d]\n", text, n+1)
			}
		}
		draft.WriteString("\n")
		ids := h.call("loop_update", object{"state_id": loop, "claims": claims,
			"usage": object{"tokens": 10_000}}).Get("claim_ids")
		got, n := h.call("verify_citations", object{"state_id": loop, "claim_ids": ids.Value()}), ids.Get("#").Int()
		if got.Get("counts.inferred").Int() != n || got.Get("verified_claims.#").Int() != n {
			t.Errorf("of %d claims that nobody has read: %s", n, got)
		}
		for _, name := range []string{"critic", "synthesize"} {
			h.prompt(svc, name, loop)
		}
		closing := object{"state_id": loop, "answered_gaps": []any{fmt.Sprintf("G%d", round+1)}, "signoff": round > 0,
			"synthesis": draft.String(),
			"coverage":  object{"overall": 0.5 + 0.2*float64(round), "reasoning": "the boards' records name years and sums"}}
		if round == 2 {
			h.call("verify_citations", object{"state_id": loop, "draft": draft.String()})
		}
		h.call("loop_reflect", closing)
		h.call("loop_get_state", object{"state_id": loop})
		h.call("loop_get_gaps", object{"state_id": loop})
	}
	h.call("loop_report", object{"state_id": loop, "draft": draft.String()})
	h.call("loop_report", object{"state_id": loop, "draft": draft.String(), "format": "html"})
	for _, name := range slices.Sorted(maps.Keys(h.by)) {
		t.Logf("%-16s %6d in all", name, h.by[name])
	}
	t.Logf("%-16s %6d", "all", h.total)
	if h.total > maxLoopChars {
		t.Errorf("the loop's answers have %d characters, want %d at most", h.total, maxLoopChars)
	}
}

func (h *host) prompt(svc *loops.Service, name, loop string) {
	h.t.Helper()
	all := prompts.All()
	p := all[slices.IndexFunc(all, func(p prompts.Prompt) bool { return p.Name == name })]
	text, err := svc.Prompt(h.t.Context(), p, map[string]string{"state_id": loop})
	if n := utf8.RuneCountInString(text); err != nil || n > maxPromptChars {
		h.t.Errorf("the prompt %s has %d characters, want %d at most; %v", name, n, maxPromptChars, err)
	}
}
