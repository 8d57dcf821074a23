package loops_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/citeloop/citeloop/fetch"
	"github.com/citeloop/citeloop/internal/hooks"
	"github.com/citeloop/citeloop/internal/loops"
)

// hookSession is a client's session with an open loop, whose hooks report its calls.
type hookSession struct {
	tb      testing.TB
	svc     *loops.Service
	session hooks.Session
	project string
	files   int
	told    int // characters that the model was told
}

func newHookSession(tb testing.TB) *hookSession {
	tb.Helper()
	reader, err := fetch.New(fetch.Config{})
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { reader.Close() })
	h := newHarness(tb)
	cfg := h.withFolders(filepath.Join(tb.TempDir(), "data"), nil).Config
	cfg.Opened = reader
	s := &hookSession{tb: tb, svc: loops.New(cfg), project: tb.TempDir()}
	s.session.Open(h.start("What is at Cape Arden?"))
	return s
}

// newFile writes a file of about so many bytes and returns its path.
func (s *hookSession) newFile(size int) string {
	s.tb.Helper()
	s.files++
	path := filepath.Join(s.project, fmt.Sprintf("file-%d.md", s.files))
	line := fmt.Sprintf("Line of file %d about the light.\n", s.files*7919)
	text := fmt.Sprintf("# File %d\n\n", s.files) + strings.Repeat(line, 1+size/len(line))
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		s.tb.Fatal(err)
	}
	return path
}

// used reports a call of a client's tool, and returns how long its hook took.
func (s *hookSession) used(tool string, input hooks.Input, response hooks.Response) time.Duration {
	s.tb.Helper()
	begun := time.Now()
	answer, err := s.svc.Hook(s.tb.Context(), loops.HookInput{Session: &s.session, Never: hooks.DefaultNever(),
		Event: hooks.Event{Name: hooks.ToolUsed, Tool: tool, Dir: s.project, Input: input, Response: response}})
	if err != nil {
		s.tb.Fatal(err)
	}
	s.told += len([]rune(answer.Model))
	return time.Since(begun)
}

func (s *hookSession) read(path string) time.Duration {
	return s.used("Read", hooks.Input{Path: path}, hooks.Response{Start: 1, Lines: 40})
}

// call is the n-th call of a session: of eight calls, two read new files, three read known ones, one searches in a known one, and
// two touch nothing (chosen: a host that works on a folder).
func (s *hookSession) call(n int) time.Duration {
	known := filepath.Join(s.project, "file-1.md")
	switch n % 8 {
	case 0, 4:
		return s.read(s.newFile(5_000))
	case 1, 2, 5:
		return s.read(known)
	case 3:
		return s.used("Bash", hooks.Input{Command: "grep -n light " + known}, hooks.Response{Text: "3:Line of file 7919 about the light.\n"})
	}
	return s.used("Bash", hooks.Input{Command: "go test ./..."}, hooks.Response{Text: "ok\n"})
}

const (
	// maxToldChars bounds what the hooks of a session tell the model, in code points, and maxToldCall each of them but the check
	// of the last message.
	maxToldChars = 40_000
	maxToldCall  = 200
)

// The hooks of a session of 240 calls that reads 60 files and cites wrongly at its end tell the model little, and nothing of what
// it has read before.
func TestHooksTellLittle(t *testing.T) {
	s := newHookSession(t)
	lines := 0
	for n := range 240 {
		before := s.told
		s.call(n)
		told := s.told - before
		if isNew := n%4 == 0; isNew != (told > 0) || told > maxToldCall {
			t.Errorf("call %d tells %d characters", n, told)
		}
		if told > 0 {
			lines++
		}
	}
	draft := strings.Repeat("The light was lit in 1880 [S99]. The board pays for it.\n\n", 50)
	for range 3 {
		answer, err := s.svc.Hook(t.Context(), loops.HookInput{Session: &s.session, Never: hooks.DefaultNever(), Event: hooks.Event{Name: hooks.Stopped, Last: draft, Dir: s.project}})
		if err != nil {
			t.Fatal(err)
		}
		s.told += len([]rune(answer.Model + answer.GoOn))
	}
	t.Logf("%d lines, %d characters in all", lines, s.told)
	if lines != 60 || s.told > maxToldChars {
		t.Errorf("the hooks tell %d lines, %d characters in all; want 60 lines, %d characters at most", lines, s.told, maxToldChars)
	}
}

// BenchmarkHook is the hook of one call of a client while a loop is open, by kind of call, in median milliseconds.
func BenchmarkHook(b *testing.B) {
	known := func(size int) func(s *hookSession) func() time.Duration {
		return func(s *hookSession) func() time.Duration {
			path := s.newFile(size)
			s.read(path)
			return func() time.Duration { return s.read(path) }
		}
	}
	fresh := func(size int) func(s *hookSession) func() time.Duration {
		return func(s *hookSession) func() time.Duration {
			return func() time.Duration { return s.read(s.newFile(size)) }
		}
	}
	for _, kind := range []struct {
		name string
		of   func(s *hookSession) func() time.Duration
	}{
		{"new file of 5 kB", fresh(5_000)},
		{"new file of 50 kB", fresh(50_000)},
		{"new file of 500 kB", fresh(500_000)},
		{"known file of 5 kB", known(5_000)},
		{"known file of 50 kB", known(50_000)},
		{"known file of 500 kB", known(500_000)},
		{"command without a file", func(s *hookSession) func() time.Duration {
			return func() time.Duration {
				return s.used("Bash", hooks.Input{Command: "go test ./..."}, hooks.Response{Text: "ok\n"})
			}
		}},
		{"grep in a known file", func(s *hookSession) func() time.Duration {
			path := s.newFile(5_000)
			s.read(path)
			return func() time.Duration {
				return s.used("Bash", hooks.Input{Command: "grep -n light " + path}, hooks.Response{Text: "3:Line of file 7919 about the light.\n"})
			}
		}},
		{"session", func(s *hookSession) func() time.Duration {
			n := 0
			return func() time.Duration {
				n++
				return s.call(n - 1)
			}
		}},
	} {
		b.Run(kind.name, func(b *testing.B) {
			call := kind.of(newHookSession(b))
			var took []time.Duration
			for b.Loop() {
				took = append(took, call())
			}
			slices.Sort(took)
			b.ReportMetric(float64(took[len(took)/2].Microseconds())/1000, "median-ms")
			b.ReportMetric(float64(took[0].Microseconds())/1000, "least-ms")
		})
	}
}
