// Command exhaust sends requests of at most 400 kB that are made to exhaust citeloop, each kind to a new server, alone and 20
// at the same time of one owner. It shows the time of the slowest, the peak of the process's memory, the largest answer and
// what was stored, and exits with 1 if a request takes more than 10 s or the process more than 300 MB.
//
//	go run ./exhaust --binary ../citeloop
//	go run ./exhaust --binary ../citeloop --store postgres://…
//
// A version without bounds takes the machine with it: run that one under a limit, such as `systemd-run --scope -p MemoryMax=2G`.
package main

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"
)

const (
	maxBytes   = 400_000
	maxMemory  = 300 // MB
	maxSeconds = 10
)

func main() {
	binary, store, only := flag.String("binary", "", "citeloop"), flag.String("store", "", "postgres:// address; empty for SQLite"), flag.String("only", "", "run the attacks whose names have this part")
	flag.Parse()
	failed := false
	fmt.Printf("%-34s %3s %8s %8s %9s %9s  %s\n", "request", "n", "slowest", "memory", "answer", "stored", "status")
	for _, a := range attacks() {
		for _, n := range []int{1, 20} {
			if !strings.Contains(a.name, *only) {
				continue
			}
			r, err := run(*binary, *store, a, n)
			if err != nil {
				fmt.Printf("%-34s %3d %v\n", a.name, n, err)
				failed = true
				continue
			}
			mark := ""
			if r.memory > maxMemory || r.slowest > maxSeconds*time.Second {
				mark, failed = "  TOO MUCH", true
			}
			fmt.Printf("%-34s %3d %7.2fs %5d MB %6d kB %6d kB  %s%s\n", a.name, n, r.slowest.Seconds(), r.memory, r.answer>>10, r.stored>>10, r.statuses, mark)
		}
	}
	if failed {
		os.Exit(1)
	}
}

// attack is one kind of request. The request has the id of a loop with one source of 6,000 lines.
type attack struct {
	name, method string
	params       func(loop string) any
}

func tool(name string, arguments map[string]any) func(string) any {
	return func(loop string) any {
		all := map[string]any{"state_id": loop}
		for k, v := range arguments {
			all[k] = v
		}
		return map[string]any{"name": name, "arguments": all}
	}
}

func attacks() []attack {
	var out []attack
	drafts := map[string]string{}
	order := []string{}
	add := func(name, text string) {
		drafts[name], order = text[:min(len(text), maxBytes-2_000)], append(order, name)
	}
	many := func(n int, form string) string {
		var b strings.Builder
		for i := 0; i < n && b.Len() < maxBytes; i++ {
			b.WriteString(strings.ReplaceAll(form, "%", strconv.Itoa(i)))
		}
		return b.String()
	}
	add("footnotes to nothing, one sentence", "The tide is high"+many(57_000, "[^%]")+".\n")
	add("ids of nothing, one sentence", "The tide is high"+many(57_000, "[S%]")+".\n")
	add("lines of a source, one sentence", "The tide is high"+many(57_000, "[S1:%]")+".\n")
	add("one list of ids", "The tide is high ["+many(57_000, "S%, ")+"S1].\n")
	add("links, one sentence", "The tide is high"+many(57_000, "[a](http://a.example/%)")+".\n")
	add("sentences with a wrong footnote", many(20_000, "The tide % is high[^%]. "))
	add("sentences with a right line", many(20_000, "The tide % is high [S1:%]. "))
	add("sentences with the whole source", many(20_000, "The tide % is high [S1]. "))
	add("sentences with 50 wrong footnotes", many(4_000, "The tide is high"+strings.Repeat("[^1]", 50)+" on day %. "))
	add("sentences that cite nothing", many(20_000, "The tide % is high. "))
	add("quotations", many(20_000, `She said "the tide is % and high today" [S1:%]. `))
	add("a reference list", "The tide is high [1].\n\n## References\n\n"+many(20_000, "%. [Title %](http://a.example/%)\n"))
	add("a table", "|a|b|\n|-|-|\n"+many(20_000, "|tide %|is high [S1:%]|\n"))
	add("brackets", strings.Repeat("[", 190_000)+"S1"+strings.Repeat("]", 190_000))
	add("own statements", many(20_000, "The tide % is high [inference][S1:%]. "))
	add("numbers", many(40_000, "It was %.5 km and % km/h. [S1:%] "))
	for _, name := range order {
		out = append(out, attack{"check: " + name, "tools/call", tool("verify_citations", map[string]any{"draft": drafts[name]})})
	}
	for _, name := range []string{order[0], order[6], order[8]} {
		out = append(out, attack{"final: " + name, "tools/call", tool("verify_citations", map[string]any{"draft": drafts[name], "final": true, "all": true})},
			attack{"report: " + name, "tools/call", tool("loop_report", map[string]any{"draft": drafts[name], "allow_unverified": true})})
	}
	var claims, hits []any
	for i := range 500 {
		claims = append(claims, map[string]any{"claim": fmt.Sprintf("The tide %d is high at %s", i, strings.Repeat("noon ", 90)), "source_ids": []string{"S1:" + strconv.Itoa(i+1), "S9"}})
	}
	for i := range 2_000 {
		hits = append(hits, map[string]any{"title": fmt.Sprint("Tide ", i), "url": fmt.Sprintf("https://a.example/%d", i), "snippet": strings.Repeat("tide ", 20), "source": "x"})
	}
	text := many(20_000, "The tide of day % is high at noon and low at six.\n")
	long := strings.Repeat("tide high ", 38_000)
	return append(out,
		attack{"claims", "tools/call", tool("verify_citations", map[string]any{"claims": claims})},
		attack{"hits", "tools/call", tool("loop_update", map[string]any{"evidence": hits})},
		attack{"a pasted text", "tools/call", tool("fetch", map[string]any{"text": text[:380_000], "title": "Tides"})},
		attack{"a long search", "tools/call", tool("find_passages", map[string]any{"query": long, "claim": long})},
		attack{"a long question", "tools/call", tool("loop_init", map[string]any{"query": long})},
		attack{"an unknown tool", "tools/call", tool(long, nil)},
		attack{"prompts/get", "prompts/get", func(loop string) any {
			return map[string]any{"name": "research", "arguments": map[string]any{"query": long, "state_id": loop}}
		}},
		attack{"resources/read", "resources/read", func(loop string) any { return map[string]any{"uri": "citeloop://loops/" + loop + "/" + long} }},
		attack{"resources/read of the source", "resources/read", func(loop string) any { return map[string]any{"uri": "citeloop://loops/" + loop + "/sources/S1"} }},
		attack{"completion/complete", "completion/complete", func(string) any {
			return map[string]any{"ref": map[string]any{"type": "ref/prompt", "name": "research"}, "argument": map[string]any{"name": "state_id", "value": long}}
		}},
		attack{"initialize", "initialize", func(string) any {
			return map[string]any{"protocolVersion": "2025-06-18", "capabilities": map[string]any{}, "clientInfo": map[string]any{"name": long, "version": "1"}}
		}},
	)
}

// result is the outcome of n requests.
type result struct {
	slowest  time.Duration
	memory   int // MB, the peak of the process
	answer   int // bytes of the largest
	stored   int64
	statuses string
}

func run(binary, store string, a attack, n int) (r result, err error) {
	data, err := os.MkdirTemp("", "exhaust")
	if err != nil {
		return r, err
	}
	defer os.RemoveAll(data)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return r, err
	}
	at := l.Addr().String()
	_ = l.Close()
	args := []string{"serve", "--http", at, "--data", data}
	if store != "" {
		args = append(args, "--store", store)
	}
	cmd := exec.Command(binary, args...)
	cmd.Env = append(os.Environ(), "HOME="+data, "XDG_CACHE_HOME="+data)
	if err := cmd.Start(); err != nil {
		return r, err
	}
	defer func() { _ = cmd.Process.Kill(); _ = cmd.Wait() }()
	c := client{url: "http://" + at + "/mcp"}
	for range 100 {
		if _, err = c.post("initialize", map[string]any{"protocolVersion": "2025-06-18", "capabilities": map[string]any{}, "clientInfo": map[string]any{"name": "exhaust", "version": "1"}}); err == nil {
			break
		}
		time.Sleep(100 * time.Millisecond)
	}
	if err != nil {
		return r, fmt.Errorf("the server does not answer: %w", err)
	}
	made, err := c.post("tools/call", map[string]any{"name": "loop_init", "arguments": map[string]any{"query": "How high is the tide at noon on the cape?"}})
	if err != nil {
		return r, err
	}
	var init struct {
		Result struct {
			Structured struct {
				ID string `json:"state_id"`
			} `json:"structuredContent"`
		} `json:"result"`
	}
	if err := json.Unmarshal(made, &init); err != nil || init.Result.Structured.ID == "" {
		return r, fmt.Errorf("loop_init answered %.300s", made)
	}
	loop := init.Result.Structured.ID
	var text strings.Builder
	for i := range 6_000 {
		fmt.Fprintf(&text, "The tide of day %d was %d cm high at noon, said the keeper.\n", i, i%90)
	}
	if _, err := c.post("tools/call", map[string]any{"name": "fetch", "arguments": map[string]any{"state_id": loop, "text": text.String(), "title": "Tides", "show": "none"}}); err != nil {
		return r, err
	}
	before := size(data)
	params := a.params(loop)
	var mu sync.Mutex
	var wg sync.WaitGroup
	statuses := map[string]int{}
	for range n {
		wg.Go(func() {
			begun := time.Now()
			body, err := c.post(a.method, params)
			took := time.Since(begun)
			mu.Lock()
			defer mu.Unlock()
			r.slowest, r.answer = max(r.slowest, took), max(r.answer, len(body))
			switch {
			case err != nil:
				statuses[err.Error()]++
			case bytes.Contains(body, []byte("busy")):
				statuses["busy"]++
			default:
				statuses["answered"]++
			}
		})
	}
	wg.Wait()
	r.stored = size(data) - before
	r.memory, err = peak(cmd.Process.Pid)
	r.statuses = strings.TrimPrefix(fmt.Sprint(statuses), "map")
	return r, err
}

// client posts requests in a session.
type client struct{ url, session string }

func (c *client) post(method string, params any) ([]byte, error) {
	body, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
	if err != nil {
		return nil, err
	}
	req, err := http.NewRequest(http.MethodPost, c.url, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json, text/event-stream")
	if c.session != "" {
		req.Header.Set("Mcp-Session-Id", c.session)
	}
	resp, err := (&http.Client{Timeout: 2 * time.Minute}).Do(req)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	if id := resp.Header.Get("Mcp-Session-Id"); id != "" && c.session == "" {
		c.session = id
	}
	answer, err := io.ReadAll(resp.Body)
	if err == nil && resp.StatusCode != http.StatusOK {
		err = fmt.Errorf("HTTP %d", resp.StatusCode)
	}
	return answer, err
}

// peak returns the largest memory of a process so far, in MB.
func peak(pid int) (int, error) {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0, err
	}
	for line := range strings.Lines(string(status)) {
		if rest, ok := strings.CutPrefix(line, "VmHWM:"); ok {
			kb, err := strconv.Atoi(strings.Fields(rest)[0])
			return kb >> 10, err
		}
	}
	return 0, fmt.Errorf("the server has ended: perhaps it took more memory than it may")
}

func size(folder string) (n int64) {
	_ = filepath.WalkDir(folder, func(_ string, d fs.DirEntry, err error) error {
		if err == nil {
			if info, err := d.Info(); err == nil && !d.IsDir() {
				n += info.Size()
			}
		}
		return nil
	})
	return n
}
