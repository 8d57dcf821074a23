package main

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/citeloop/citeloop/bench/attack/lab"
)

func processAttempts() []attempt {
	escapes := func(args ...string) func(*lab.Lab) (bool, string) {
		return func(l *lab.Lab) (bool, string) {
			dir := l.Dir()
			put(dir, "c/evil\x1b]0;owned\a\x1b[2J.md", "The salt is white and was weighed in the old town by the lake.\n")
			put(dir, "c/bad\x1b[31m.pdf", "not a PDF")
			_, _ = os.Stat(dir)
			files, _ := filepath.Glob(filepath.Join(dir, "c", "*"))
			if args[0] == "extract" || args[0] == "verify" {
				args = append([]string{args[0]}, files...)
			}
			out, code := l.Run(dir, nil, args...)
			return !strings.ContainsAny(out, "\x1b\a"), fmt.Sprintf("exit %d, %d characters, escape codes: %v", code, len(out), strings.ContainsAny(out, "\x1b\a"))
		}
	}
	return []attempt{
		{"names", "escape codes in names of files: extract", holds, escapes("extract")},
		{"names", "escape codes in names of files: verify", holds, escapes("verify")},
		{"names", "escape codes in names of files: corpus", holds, escapes("corpus", "--corpus", "c")},
		{"processes", "SIGTERM while a page is read by verify", holds, func(l *lab.Lab) (bool, string) {
			arrived := make(chan struct{}, 8)
			url := l.Page("/slow", func(_ http.ResponseWriter, r *http.Request) {
				arrived <- struct{}{}
				<-r.Context().Done()
			})
			dir := l.Dir()
			put(dir, "a.md", "The salt is white [s]("+url+").\n")
			cmd, err := l.Process(dir, "verify", "a.md")
			if err != nil {
				return false, err.Error()
			}
			select {
			case <-arrived:
			case <-time.After(20 * time.Second):
				_ = cmd.Process.Kill()
				return false, "verify did not read the page"
			}
			ok, took := lab.Ends(cmd, 5*time.Second)
			return ok, fmt.Sprintf("ended after %.1f s", took.Seconds())
		}},
		{"processes", "SIGTERM while serve reads a page", holds, func(l *lab.Lab) (bool, string) {
			arrived := make(chan struct{}, 8)
			url := l.Page("/slow", func(_ http.ResponseWriter, r *http.Request) {
				arrived <- struct{}{}
				<-r.Context().Done()
			})
			s := l.Served()
			if err := s.Begin(); err != nil {
				return false, err.Error()
			}
			go func() { _, _ = s.Call("fetch", map[string]any{"url": url}) }()
			select {
			case <-arrived:
			case <-time.After(20 * time.Second):
				return false, "serve did not read the page"
			}
			ok, took := lab.Ends(s.Cmd, 30*time.Second) // it lets calls in progress finish, which take 25 s at most
			return ok, fmt.Sprintf("ended after %.1f s", took.Seconds())
		}},
		{"processes", "a configuration of a client that is a FIFO", holds, func(l *lab.Lab) (bool, string) {
			dir := l.Dir()
			_ = syscall.Mkfifo(filepath.Join(dir, ".mcp.json"), 0o644)
			out, code := l.Run(dir, nil, "install", "claude-code", "--scope", "project")
			return code > 0, fmt.Sprintf("exit %d: %s", code, clip(strings.Join(strings.Fields(out), " "), 120))
		}},
		{"processes", "a configuration of a client that is a link out of the project", holds, func(l *lab.Lab) (bool, string) {
			dir := l.Dir()
			target := put(l.Folder, "outside/config.json", "{}")
			_ = os.Symlink(target, filepath.Join(dir, ".mcp.json"))
			out, code := l.Run(dir, nil, "install", "claude-code", "--scope", "project")
			data, _ := os.ReadFile(target)
			return string(data) == "{}", fmt.Sprintf("exit %d: %s", code, clip(strings.Join(strings.Fields(out), " "), 120))
		}},
	}
}
