package loops_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/citeloop/citeloop/fetch"
	"github.com/citeloop/citeloop/internal/hooks"
	"github.com/citeloop/citeloop/internal/loops"
)

// BenchmarkHookRead is a Read of a client while a loop is open: of a new file of 200 lines, and again.
func BenchmarkHookRead(b *testing.B) {
	reader, err := fetch.New(fetch.Config{})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { reader.Close() })
	for name, again := range map[string]bool{"new": false, "repeated": true} {
		b.Run(name, func(b *testing.B) {
			h := newHarness(b)
			cfg := h.withFolders(filepath.Join(b.TempDir(), "data"), nil).Config
			cfg.Opened = reader
			svc := loops.New(cfg)
			var session hooks.Session
			session.Open(h.start("What is at Cape Arden?"))
			project := b.TempDir()
			n := 0
			for b.Loop() {
				b.StopTimer()
				if n++; again {
					n = 1
				}
				path := filepath.Join(project, fmt.Sprintf("file-%d.md", n))
				if _, err := os.Stat(path); err != nil {
					if err := os.WriteFile(path, []byte(fmt.Sprintf("# File %d\n\n", n)+strings.Repeat(fmt.Sprintf("Line of file %d about the light.\n", n*7919), 200)), 0o600); err != nil {
						b.Fatal(err)
					}
				}
				b.StartTimer()
				_, err := svc.Hook(b.Context(), loops.HookInput{Session: &session, Never: hooks.DefaultNever(), Event: hooks.Event{Name: hooks.ToolUsed, Tool: "Read", Dir: project,
					Input: hooks.Input{Path: path}, Response: hooks.Response{Start: 1, Lines: 200}}})
				if err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
