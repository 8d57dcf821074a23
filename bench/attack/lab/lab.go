// Package lab runs a built citeloop against hostile pages, files and requests, all on loopback.
package lab

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"time"
)

// Lab has a folder of its own, a site with hostile pages that the servers may read, and a canary that nobody may reach.
type Lab struct {
	Binary, Folder string
	Site, Canary   string // host:port
	Reached        atomic.Int64
	pages          http.ServeMux
	stop           []func()
}

// New opens a lab. Close ends all that it started.
func New(binary string) (*Lab, error) {
	folder, err := os.MkdirTemp("", "attack")
	if err != nil {
		return nil, err
	}
	l := &Lab{Binary: binary, Folder: folder}
	l.stop = append(l.stop, func() { _ = os.RemoveAll(folder) })
	if l.Site, err = l.listen(&l.pages); err != nil {
		return nil, err
	}
	l.Canary, err = l.listen(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		l.Reached.Add(1)
		fmt.Fprint(w, "<p>The canary of the inner network sings at noon, and nobody outside may hear it.</p>")
	}))
	return l, err
}

func (l *Lab) listen(h http.Handler) (string, error) {
	at, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	s := &http.Server{Handler: h, ReadHeaderTimeout: 10 * time.Second}
	go func() { _ = s.Serve(at) }()
	l.stop = append(l.stop, func() { _ = s.Close() })
	return at.Addr().String(), nil
}

// Page serves a path of the site.
func (l *Lab) Page(path string, h http.HandlerFunc) string {
	l.pages.HandleFunc(path, h)
	return "http://" + l.Site + path
}

// HTML serves a page.
func (l *Lab) HTML(path, body string) string {
	return l.Page(path, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, "<!doctype html><html lang=en>"+body+"</html>")
	})
}

// Close ends servers and removes files.
func (l *Lab) Close() {
	for i := len(l.stop) - 1; i >= 0; i-- {
		l.stop[i]()
	}
}

// Dir makes a folder for one attempt.
func (l *Lab) Dir() string {
	d, err := os.MkdirTemp(l.Folder, "d")
	if err != nil {
		panic(err)
	}
	return d
}

// Run runs a command of citeloop in a folder and returns what it printed, its exit code, or -1 if it did not end in time.
func (l *Lab) Run(dir string, env []string, args ...string) (out string, code int) {
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, l.Binary, args...)
	cmd.Dir, cmd.Env = dir, append(l.env(), env...)
	body, _ := cmd.CombinedOutput()
	if ctx.Err() != nil {
		return string(body), -1
	}
	return string(body), cmd.ProcessState.ExitCode()
}

func (l *Lab) env() []string {
	return []string{"PATH=" + os.Getenv("PATH"), "HOME=" + l.Folder, "XDG_CACHE_HOME=" + filepath.Join(l.Folder, "cache"), "CITELOOP_DATA=" + filepath.Join(l.Folder, "data"), "CITELOOP_ALLOW_PRIVATE=" + l.Site, "CITELOOP_COPIES=off"}
}

// Process starts a command that the caller ends.
func (l *Lab) Process(dir string, args ...string) (*exec.Cmd, error) {
	cmd := exec.Command(l.Binary, args...)
	cmd.Dir, cmd.Env = dir, l.env()
	return cmd, cmd.Start()
}

// Ends sends SIGTERM and says whether the process ends in time.
func Ends(cmd *exec.Cmd, limit time.Duration) (bool, time.Duration) {
	begun, done := time.Now(), make(chan struct{})
	_ = cmd.Process.Signal(syscall.SIGTERM)
	go func() { _ = cmd.Wait(); close(done) }()
	select {
	case <-done:
		return true, time.Since(begun)
	case <-time.After(limit):
		_ = cmd.Process.Kill()
		<-done
		return false, time.Since(begun)
	}
}

// Server is a running "citeloop serve --http" with a session.
type Server struct {
	URL, Data      string
	Token, session string
	Cmd            *exec.Cmd
}

// Serve starts a server with its own data.
func (l *Lab) Serve(args ...string) (*Server, error) {
	at, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	address := at.Addr().String()
	_ = at.Close()
	s := &Server{URL: "http://" + address + "/mcp", Data: l.Dir()}
	if s.Cmd, err = l.Process(s.Data, append([]string{"serve", "--http", address, "--no-ui", "--folders", "off", "--data", s.Data}, args...)...); err != nil {
		return nil, err
	}
	l.stop = append(l.stop, func() { _ = s.Cmd.Process.Kill(); _ = s.Cmd.Wait() })
	for range 100 {
		resp, err := http.Get("http://" + address + "/healthz")
		if err == nil {
			_ = resp.Body.Close()
			return s, nil
		}
		time.Sleep(50 * time.Millisecond) // until the server listens
	}
	return nil, fmt.Errorf("the server does not answer")
}

// Failed is what the methods panic with that an attempt cannot go on without.
type Failed struct{ Why string }

// Served is Serve, and panics with [Failed].
func (l *Lab) Served(args ...string) *Server {
	s, err := l.Serve(args...)
	if err != nil {
		panic(Failed{err.Error()})
	}
	return s
}

// Open starts a server and opens a loop. It panics with [Failed].
func (l *Lab) Open(question string, args ...string) (*Server, string) {
	s := l.Served(args...)
	loop, err := s.Loop(question)
	if err != nil {
		panic(Failed{err.Error()})
	}
	return s, loop
}

// Begin opens a session.
func (s *Server) Begin() error {
	_, _, err := s.Post("initialize", map[string]any{"protocolVersion": "2025-06-18", "capabilities": map[string]any{}, "clientInfo": map[string]any{"name": "attack", "version": "1"}})
	return err
}

// Post sends a request and returns its status and body.
func (s *Server) Post(method string, params any) (status int, answer []byte, err error) {
	body, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
	if err != nil {
		return 0, nil, err
	}
	req, err := http.NewRequest(http.MethodPost, s.URL, bytes.NewReader(body))
	if err != nil {
		return 0, nil, err
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json, text/event-stream")
	if s.session != "" {
		req.Header.Set("Mcp-Session-Id", s.session)
	}
	if s.Token != "" {
		req.Header.Set("Authorization", "Bearer "+s.Token)
	}
	resp, err := (&http.Client{Timeout: time.Minute}).Do(req)
	if err != nil {
		return 0, nil, err
	}
	defer resp.Body.Close()
	if id := resp.Header.Get("Mcp-Session-Id"); id != "" && s.session == "" {
		s.session = id
	}
	answer, err = io.ReadAll(resp.Body)
	return resp.StatusCode, answer, err
}

// Call calls a tool. The text of an error is in failed.
func (s *Server) Call(tool string, arguments map[string]any) (out map[string]any, failed string) {
	if s.session == "" {
		if err := s.Begin(); err != nil {
			return nil, err.Error()
		}
	}
	_, answer, err := s.Post("tools/call", map[string]any{"name": tool, "arguments": arguments})
	if err != nil {
		return nil, err.Error()
	}
	for line := range strings.Lines(string(answer)) { // an answer may come as an event stream
		if data, ok := strings.CutPrefix(line, "data:"); ok {
			answer = []byte(data)
		}
	}
	var reply struct {
		Error  *struct{ Message string }
		Result struct {
			IsError           bool
			Content           []struct{ Text string }
			StructuredContent map[string]any
		}
	}
	if err := json.Unmarshal(answer, &reply); err != nil {
		return nil, fmt.Sprintf("%.200s", answer)
	}
	if reply.Error != nil {
		return nil, reply.Error.Message
	}
	out = reply.Result.StructuredContent
	if out == nil {
		out = map[string]any{}
	}
	for _, c := range reply.Result.Content {
		out["_text"] = fmt.Sprint(out["_text"], c.Text)
	}
	if reply.Result.IsError {
		return out, fmt.Sprint(out["_text"])
	}
	return out, ""
}

// Loop opens a loop and returns its id.
func (s *Server) Loop(question string) (string, error) {
	out, failed := s.Call("loop_init", map[string]any{"query": question})
	id, _ := out["state_id"].(string)
	if id == "" {
		return "", fmt.Errorf("loop_init: %s", failed)
	}
	return id, nil
}

// Fetch reads addresses into a loop and returns the sources.
func (s *Server) Fetch(loop string, arguments map[string]any) (sources []map[string]any, failed string) {
	if loop != "" {
		arguments["state_id"] = loop
	}
	out, failed := s.Call("fetch", arguments)
	list, _ := out["sources"].([]any)
	for _, x := range list {
		if m, ok := x.(map[string]any); ok {
			sources = append(sources, m)
		}
	}
	return sources, failed
}

// Source is the whole stored text of a source.
func (s *Server) Source(loop, id string) string {
	_, answer, err := s.Post("resources/read", map[string]any{"uri": "citeloop://loops/" + loop + "/sources/" + id})
	if err != nil {
		return err.Error()
	}
	return string(answer)
}
