package e2e

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// builtInto is the folder of the built program; TestMain makes and removes it.
var builtInto string

// builtBinary returns the path of the program: CITELOOP_TEST_BINARY, or what it builds when the first test needs it.
var builtBinary = sync.OnceValues(func() (string, error) {
	if given := os.Getenv("CITELOOP_TEST_BINARY"); given != "" {
		return given, nil
	}
	path := filepath.Join(builtInto, "citeloop")
	if runtime.GOOS == "windows" {
		path += ".exe"
	}
	if out, err := exec.Command("go", "build", "-o", path, "../..").CombinedOutput(); err != nil {
		return "", fmt.Errorf("go build: %v\n%s", err, out)
	}
	return path, nil
})

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "citeloop-e2e-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	builtInto = dir
	code := m.Run()
	os.RemoveAll(dir)
	os.Exit(code)
}

// peer is an MCP client over stdio. It uses plain lines of JSON and no library, so that tests see exactly what the
// server writes.
type peer struct {
	t     *testing.T
	cmd   *exec.Cmd
	in    io.WriteCloser
	lines chan string
	next  int
}

func startPeer(t *testing.T, data, corpus string) *peer {
	t.Helper()
	return startServer(t, nil, "--data", data, "--corpus", corpus)
}

// startServer starts the program with additional environment variables.
func startServer(t *testing.T, env []string, args ...string) *peer {
	t.Helper()
	binary, err := builtBinary()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(binary, append([]string{"serve"}, args...)...)
	cmd.Env = append(os.Environ(), env...)
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd.Stderr = os.Stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	p := &peer{t: t, cmd: cmd, in: in, lines: make(chan string, 64)}
	go func() {
		defer close(p.lines)
		s := bufio.NewScanner(out)
		s.Buffer(nil, 64<<20)
		for s.Scan() {
			p.lines <- s.Text()
		}
	}()
	t.Cleanup(p.kill)
	return p
}

// kill ends the server as kill -9 does.
func (p *peer) kill() {
	_ = p.cmd.Process.Kill()
	_ = p.cmd.Wait()
}

// request sends a request and returns the response to it.
func (p *peer) request(method string, params any) map[string]any {
	p.t.Helper()
	p.next++
	p.send(map[string]any{"jsonrpc": "2.0", "id": p.next, "method": method, "params": params})
	for line := range p.lines {
		var m map[string]any
		if err := json.Unmarshal([]byte(line), &m); err != nil || m["jsonrpc"] != "2.0" {
			p.t.Fatalf("stdout carries something other than JSON-RPC: %s", line)
		}
		if id, ok := m["id"].(float64); ok && int(id) == p.next {
			return m
		}
	}
	p.t.Fatalf("%s: the server ended", method)
	return nil
}

func (p *peer) send(m any) {
	p.t.Helper()
	b, err := json.Marshal(m)
	if err != nil {
		p.t.Fatal(err)
	}
	if _, err := p.in.Write(append(b, '\n')); err != nil {
		p.t.Fatal(err)
	}
}

func (p *peer) initialize() map[string]any {
	p.t.Helper()
	r := p.request("initialize", map[string]any{"protocolVersion": "2025-06-18", "capabilities": map[string]any{},
		"clientInfo": map[string]any{"name": "test", "version": "1"}})
	p.send(map[string]any{"jsonrpc": "2.0", "method": "notifications/initialized"})
	return r["result"].(map[string]any)
}

// tool calls a tool and returns its structured answer, and the text of the error if it is one.
func (p *peer) tool(name string, arguments map[string]any) (answer map[string]any, fault string) {
	p.t.Helper()
	r := p.request("tools/call", map[string]any{"name": name, "arguments": arguments})
	result, ok := r["result"].(map[string]any)
	if !ok {
		p.t.Fatalf("%s: %v", name, r["error"])
	}
	text := result["content"].([]any)[0].(map[string]any)["text"].(string)
	answer, _ = result["structuredContent"].(map[string]any)
	if result["isError"] == true {
		return answer, text
	}
	var same map[string]any
	if err := json.Unmarshal([]byte(text), &same); err != nil || !cmp.Equal(same, answer) {
		p.t.Errorf("%s: the text is not the structured answer", name)
	}
	return answer, ""
}

func (p *peer) mustTool(name string, arguments map[string]any) map[string]any {
	p.t.Helper()
	answer, fault := p.tool(name, arguments)
	if fault != "" {
		p.t.Fatalf("%s: %s", name, fault)
	}
	return answer
}

// send sends a request to a server over HTTP.
func send(url, method string, params any) (status int, answer string, err error) {
	body, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
	if err != nil {
		return 0, "", err
	}
	resp, err := http.Post(url, "application/json", bytes.NewReader(body))
	if err != nil {
		return 0, "", err
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	return resp.StatusCode, string(text), err
}

func writeCorpus(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"survey.md": "# A survey of retrieval augmentation\n\nRetrieval augmentation gives a language model passages that were " +
			"found by a search. The survey of 2026 compares 41 systems, and finds that reranking helps most.\n\nThe authors measured " +
			"latency as well: a rerank step added 120 milliseconds on average, which some deployments could not afford.\n",
		"benchmarks.md": "# Benchmarks\n\nThree benchmarks are in common use for retrieval augmentation. None of them covers " +
			"languages other than English, and the authors call that the largest gap of the field.\n\nOn the first benchmark, " +
			"reranking raised accuracy from 61 to 68 percent.\n",
		"deployments.txt": "Industry deployment case studies are rare. One bank reported in 2025 that its assistant answered 70 " +
			"percent of questions from its own handbook, after its staff had removed 900 outdated pages. A hospital gave up its pilot " +
			"because citations pointed to the wrong leaflet.\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// A recorded script of tool calls runs line by line, with kill -9 in the middle.
func TestSeedScriptSurvivesKill(t *testing.T) {
	t.Parallel()
	data, corpus := t.TempDir(), writeCorpus(t)
	p := startPeer(t, data, corpus)
	hello := p.initialize()
	if instructions, _ := hello["instructions"].(string); len(instructions) == 0 || len(instructions) >= 2048 {
		t.Errorf("instructions have %d bytes, want some below 2048", len(instructions))
	}

	state := p.mustTool("loop_init", map[string]any{"query": "What is at Cape Arden?"})["state_id"].(string)
	evidence := p.mustTool("run_channel", map[string]any{"channel_name": "local",
		"query": "retrieval augmentation survey 2026"})["evidence"].([]any)
	if len(evidence) == 0 {
		t.Fatal("run_channel found nothing")
	}
	for _, e := range evidence {
		hit := e.(map[string]any)
		if hit["title"] == "" || hit["url"] == "" || hit["source"] != "local" {
			t.Errorf("hit %v", hit)
		}
	}
	added := p.mustTool("loop_update", map[string]any{"state_id": state, "evidence": evidence,
		"query": "retrieval augmentation survey 2026"})["added"].(map[string]any)
	if int(added["evidence"].(float64)) != len(evidence) {
		t.Errorf("added %v, want %d hits", added, len(evidence))
	}
	if gaps := p.mustTool("loop_get_gaps", map[string]any{"state_id": state})["gaps"].([]any); len(gaps) != 0 {
		t.Errorf("gaps %v", gaps)
	}
	p.mustTool("loop_add_gap", map[string]any{"state_id": state, "gap": "no industry deployment case studies"})
	p.kill()

	p = startPeer(t, data, corpus)
	p.initialize()
	gaps := p.mustTool("loop_get_gaps", map[string]any{"state_id": state})["gaps"].([]any)
	if diff := cmp.Diff([]any{"no industry deployment case studies"}, gaps); diff != "" {
		t.Fatalf("gaps after kill -9 (-want +got):\n%s", diff)
	}
	for _, gap := range gaps {
		evidence2 := p.mustTool("run_channel", map[string]any{"channel_name": "local", "query": gap})["evidence"]
		p.mustTool("loop_update", map[string]any{"state_id": state, "evidence": evidence2, "query": gap})
	}
	found := p.mustTool("run_channel", map[string]any{"channel_name": "local", "query": "bank assistant handbook",
		"state_id": state})["evidence"].([]any)
	url := found[0].(map[string]any)["url"]
	page := p.mustTool("fetch", map[string]any{"url": url, "state_id": state})["sources"].([]any)[0].(map[string]any)
	if page["source_id"] != "S1" || page["status"] != "read" {
		t.Fatalf("fetch: %v", page)
	}
	good := map[string]any{"claim": "One bank reported in 2025 that its assistant answered 70 percent of questions from its own handbook.",
		"source_ids": []string{"S1"}}
	v := p.mustTool("verify_citations", map[string]any{"state_id": state, "all": true, "claims": []any{good}})
	if v["verdict"] != "review" { // nobody has read it
		t.Errorf("verdict: %v", v)
	}
	claim := v["verified_claims"].([]any)[0].(map[string]any)
	passage := claim["passage"].(map[string]any)
	stored := []rune(regexp.MustCompile(`(?m)^\d+\| `).ReplaceAllString(page["text"].(string), "")) // without the numbers of lines
	if got := string(stored[int(passage["start"].(float64)):int(passage["end"].(float64))]); got != passage["text"] {
		t.Errorf("offsets lead to %q, the passage says %q", got, passage["text"])
	}

	invented := map[string]any{"claim": "The bank is happy.", "source_ids": []string{"S7"}}
	verdict, fault := p.tool("verify_citations", map[string]any{"state_id": state, "all": true, "claims": []any{good, invented}})
	if fault == "" || len(verdict["hallucinated_citations"].([]any)) != 1 || len(verdict["verified_claims"].([]any)) != 2 {
		t.Errorf("an invented citation: fault %q, verdict %v; want isError with the whole verdict", fault, verdict)
	}
	url = startWatcher(t, `(http://\S+/mcp)`, false, "serve", "--http", "127.0.0.1:0", "--data", data)
	if _, text, err := send(url.(string), "tools/call", map[string]any{"name": "loop_get_state",
		"arguments": map[string]any{"state_id": state}}); err != nil || !strings.Contains(text, "Cape Arden") ||
		strings.Contains(text, `"folder"`) {
		t.Errorf("a client over HTTP, which may be elsewhere, is told of a folder: %v: %.400s", err, text)
	}
	report := p.mustTool("loop_report", map[string]any{"state_id": state,
		"draft": "# Deployments\n\nOne bank reported in 2025 that its assistant answered 70 percent of questions from its own " +
			"handbook [S1].\n", "format": "html", "inline": true})
	if html := report["report"].(string); !strings.Contains(html, "70 percent") || report["verdict"] != "review" {
		t.Errorf("report: verdict %v", report["verdict"])
	}
}

// Acknowledged writes are on disk: after servers are killed while writing, every acknowledged gap is stored exactly
// once.
func TestKilledWhileWriting(t *testing.T) {
	t.Parallel()
	data, corpus := t.TempDir(), writeCorpus(t)
	p := startPeer(t, data, corpus)
	p.initialize()
	state := p.mustTool("loop_init", map[string]any{"query": "What is at Cape Arden?"})["state_id"].(string)
	var acknowledged []string
	for life := range 4 {
		if life > 0 {
			p = startPeer(t, data, corpus)
			p.initialize()
		}
		for i := range 10 + 7*life {
			gap := fmt.Sprintf("gap %d of life %d", i, life)
			p.mustTool("loop_add_gap", map[string]any{"state_id": state, "gap": gap})
			acknowledged = append(acknowledged, gap)
		}
		for i := range 5 { // in progress when the server is killed: may be stored or not
			p.send(map[string]any{"jsonrpc": "2.0", "id": 10_000 + i, "method": "tools/call",
				"params": map[string]any{"name": "loop_add_gap",
					"arguments": map[string]any{"state_id": state, "gap": fmt.Sprintf("unanswered %d of life %d", i, life)}}})
		}
		p.kill()
	}
	p = startPeer(t, data, corpus)
	p.initialize()
	count := map[string]int{}
	for _, g := range p.mustTool("loop_get_gaps", map[string]any{"state_id": state})["gaps"].([]any) {
		count[g.(string)]++
	}
	for _, gap := range acknowledged {
		if count[gap] != 1 {
			t.Errorf("%q is there %d times, want once", gap, count[gap])
		}
	}
}
