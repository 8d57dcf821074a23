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
	"github.com/tidwall/gjson"
)

type object = map[string]any

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

// command returns the program, to run in a folder with a home of its own. It is killed at the end of the test.
func command(t *testing.T, dir string, env []string, args ...string) *exec.Cmd {
	t.Helper()
	binary, err := builtBinary()
	if err != nil {
		t.Fatal(err)
	}
	cmd, home := exec.Command(binary, args...), t.TempDir()
	cmd.Dir = dir
	cmd.Env = append(append(os.Environ(), "HOME="+home, "CITELOOP_DATA="+home, "XDG_CACHE_HOME="+home), env...)
	t.Cleanup(func() { kill(cmd) })
	return cmd
}

// kill ends a program as kill -9 does.
func kill(cmd *exec.Cmd) {
	if cmd.Process != nil {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	}
}

// run runs the program to its end and returns what it wrote to standard output.
func run(t *testing.T, args ...string) string {
	t.Helper()
	cmd := command(t, "", nil, args...)
	var said strings.Builder
	cmd.Stderr = &said
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("citeloop %s: %v\n%s%s", strings.Join(args, " "), err, out, said.String())
	}
	return string(out)
}

// begin starts a program that announces an address, in one of its streams, and returns the address.
func begin(t *testing.T, cmd *exec.Cmd, stream func() (io.ReadCloser, error), address string) string {
	t.Helper()
	said, err := stream()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	pattern := regexp.MustCompile(address)
	lines := bufio.NewScanner(said)
	for lines.Scan() {
		if m := pattern.FindStringSubmatch(lines.Text()); m != nil {
			go func() { _, _ = io.Copy(io.Discard, said) }()
			return m[1]
		}
	}
	t.Fatalf("citeloop %s ended and did not say where it is", cmd.Args[1])
	return ""
}

// serveHTTP starts a server over HTTP and returns its address.
func serveHTTP(t *testing.T, env []string, args ...string) (url string, cmd *exec.Cmd) {
	t.Helper()
	cmd = command(t, t.TempDir(), env, append([]string{"serve", "--http", "127.0.0.1:0"}, args...)...)
	return begin(t, cmd, cmd.StderrPipe, `serves MCP at (\S+)`), cmd
}

// peer is an MCP client over stdio. It uses plain lines of JSON and no library, so that tests see exactly what the
// server writes.
type peer struct {
	t   *testing.T
	cmd *exec.Cmd
	in  io.WriteCloser
	out *bufio.Scanner
	ids int
}

// startPeer starts a server over stdio and initializes it.
func startPeer(t *testing.T, args ...string) *peer {
	t.Helper()
	p := &peer{t: t, cmd: command(t, "", nil, append([]string{"serve"}, args...)...)}
	in, err := p.cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	p.in, p.out, p.cmd.Stderr = in, bufio.NewScanner(out), os.Stderr
	p.out.Buffer(nil, 64<<20)
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if n := len(p.request("initialize", hello("test")).Get("result.instructions").Str); n == 0 || n >= 2048 {
		t.Errorf("instructions have %d bytes, want some below 2048", n)
	}
	p.send(object{"jsonrpc": "2.0", "method": "notifications/initialized"})
	return p
}

func hello(name string) object {
	return object{"protocolVersion": "2025-06-18", "capabilities": object{}, "clientInfo": object{"name": name, "version": "1"}}
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

// request sends a request and returns the response to it.
func (p *peer) request(method string, params any) gjson.Result {
	p.t.Helper()
	p.ids++
	p.send(object{"jsonrpc": "2.0", "id": p.ids, "method": method, "params": params})
	for p.out.Scan() {
		if !gjson.Valid(p.out.Text()) || gjson.Get(p.out.Text(), "jsonrpc").Str != "2.0" {
			p.t.Fatalf("stdout carries something other than JSON-RPC: %s", p.out.Text())
		}
		if m := gjson.Parse(p.out.Text()); m.Get("id").Int() == int64(p.ids) {
			return m
		}
	}
	p.t.Fatalf("%s: the server ended", method)
	return gjson.Result{}
}

// tool calls a tool and returns its structured answer, and the text of the error if it is one.
func (p *peer) tool(name string, arguments object) (answer gjson.Result, fault string) {
	p.t.Helper()
	r := p.request("tools/call", object{"name": name, "arguments": arguments})
	text := r.Get("result.content.0.text").Str
	if answer = r.Get("result.structuredContent"); r.Get("result.isError").Bool() {
		return answer, text
	}
	if !answer.Exists() || !cmp.Equal(gjson.Parse(text).Value(), answer.Value()) {
		p.t.Errorf("%s: the text is not the structured answer: %s", name, r)
	}
	return answer, ""
}

func (p *peer) mustTool(name string, arguments object) gjson.Result {
	p.t.Helper()
	answer, fault := p.tool(name, arguments)
	if fault != "" {
		p.t.Fatalf("%s: %s", name, fault)
	}
	return answer
}

// end closes the input of the server, which then ends by itself.
func (p *peer) end() {
	p.t.Helper()
	p.in.Close()
	if err := p.cmd.Wait(); err != nil {
		p.t.Fatal(err)
	}
}

// send sends a request to a server over HTTP.
func send(url, method string, params any) (answer string, err error) {
	body, err := json.Marshal(object{"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
	if err != nil {
		return "", err
	}
	resp, err := http.Post(url, "application/json", bytes.NewReader(body))
	if err != nil {
		return "", err
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	return string(text), err
}
