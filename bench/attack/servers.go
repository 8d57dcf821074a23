package main

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/citeloop/citeloop/bench/attack/lab"
)

func initialize(name string) map[string]any {
	return map[string]any{"protocolVersion": "2025-06-18", "capabilities": map[string]any{}, "clientInfo": map[string]any{"name": name, "version": "1"}}
}

func serverAttempts() []attempt {
	return []attempt{
		{"sessions", "3,000 sessions of one client", holds, func(l *lab.Lab) (bool, string) {
			s := l.Served()
			before := memory(s)
			var wg sync.WaitGroup
			for range 4 {
				wg.Go(func() {
					for range 750 {
						one := lab.Server{URL: s.URL}
						_, _, _ = one.Post("initialize", initialize(strings.Repeat("x", 30_000)))
					}
				})
			}
			wg.Wait()
			after := memory(s)
			return after < 300, fmt.Sprintf("%d MB before, %d MB after", before, after)
		}},
		{"sessions", "methods other than tools/call after the limit of calls", holds, func(l *lab.Lab) (bool, string) {
			file := filepath.Join(l.Dir(), "tokens")
			out, code := l.Run(l.Folder, nil, "token", "anna", "--file", file)
			if code != 0 {
				return false, out
			}
			s := l.Served("--tokens", file, "--limits", "calls=60")
			for _, w := range strings.Fields(out) {
				if len(w) > 25 && !strings.ContainsAny(w, "/:") {
					s.Token = w
				}
			}
			if err := s.Begin(); err != nil {
				return false, err.Error()
			}
			passed, limited := 0, 0
			for i := range 200 {
				method, params := "resources/list", map[string]any{}
				switch i % 3 {
				case 1:
					method = "prompts/list"
				case 2:
					method = "tools/list"
				}
				status, body, _ := s.Post(method, params)
				switch {
				case status == http.StatusTooManyRequests || strings.Contains(string(body), "limit"):
					limited++
				case status == http.StatusOK:
					passed++
				}
			}
			return passed <= 75 && limited > 0, fmt.Sprintf("%d answered, %d limited", passed, limited)
		}},
		{"sessions", "a request without or with a forged token", holds, func(l *lab.Lab) (bool, string) {
			file := filepath.Join(l.Dir(), "tokens")
			if out, code := l.Run(l.Folder, nil, "token", "anna", "--file", file); code != 0 {
				return false, out
			}
			s := l.Served("--tokens", file)
			for _, token := range []string{"", "x", strings.Repeat("a", 43), "eyJhbGciOiJub25lIn0.eyJzdWIiOiJhbm5hIn0."} {
				one := lab.Server{URL: s.URL, Token: token}
				if status, _, _ := one.Post("tools/list", map[string]any{}); status != http.StatusUnauthorized {
					return false, fmt.Sprint("status ", status)
				}
			}
			return true, "401 four times"
		}},
		{"sessions", "a web page of another origin, and another Host", holds, func(l *lab.Lab) (bool, string) {
			s := l.Served()
			var got []int
			for header, value := range map[string]string{"Origin": "https://evil.example", "Host": "evil.example"} {
				req, _ := http.NewRequest(http.MethodPost, s.URL, strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`))
				req.Header.Set("Content-Type", "application/json")
				if header == "Host" {
					req.Host = value
				} else {
					req.Header.Set(header, value)
				}
				resp, err := http.DefaultClient.Do(req)
				if err != nil {
					return false, err.Error()
				}
				_ = resp.Body.Close()
				got = append(got, resp.StatusCode)
			}
			return got[0] == http.StatusForbidden && got[1] == http.StatusForbidden, fmt.Sprint("status ", got)
		}},
	}
}

// memory is the largest memory of a server so far, in MB, or -1.
func memory(s *lab.Server) (mb int) {
	status, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", s.Cmd.Process.Pid))
	for line := range strings.Lines(string(status)) {
		if rest, ok := strings.CutPrefix(line, "VmHWM:"); ok {
			_, _ = fmt.Sscan(rest, &mb)
			return mb >> 10
		}
	}
	return -1
}
