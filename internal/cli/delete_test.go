package cli

import (
	"bytes"
	"context"
	"io"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/citeloop/citeloop/internal/cli/console"
	"github.com/citeloop/citeloop/internal/cli/setup"
	"github.com/citeloop/citeloop/internal/loops"
	"github.com/citeloop/citeloop/loopstate"
	"github.com/citeloop/citeloop/loopstate/sqlite"
)

// deletable returns a data folder with a loop of an owner.
func deletable(t *testing.T, owner string) (data, loop string) {
	t.Helper()
	data = t.TempDir()
	store, err := sqlite.Open(t.Context(), filepath.Join(data, setup.DatabaseFile), sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	svc := loops.New(loops.Config{Store: store, Now: time.Now, NewID: setup.NewID})
	a, err := svc.Start(loops.WithOwner(t.Context(), owner), loopstate.StartInput{Query: "q"})
	if err != nil {
		t.Fatal(err)
	}
	return data, a.StateID
}

func TestDeleteAnswers(t *testing.T) {
	for _, tt := range []struct {
		name  string
		owner string
		stdin io.Reader
		args  []string
		code  int
		says  string // on stderr
	}{
		{"y", loops.LocalOwner, strings.NewReader("y\n"), nil, console.ExitOK, "0 sources permanently"},
		{"yes, with spaces and without a line end", loops.LocalOwner, strings.NewReader("  YES "), nil, console.ExitOK, ""},
		{"Windows' line", loops.LocalOwner, strings.NewReader("y\r\n"), nil, console.ExitOK, ""},
		{"only the first line counts", loops.LocalOwner, strings.NewReader("n\ny\n"), nil, console.ExitFailed, "was not deleted\n"},
		{"an empty line is the default", loops.LocalOwner, strings.NewReader("\ny\n"), nil, console.ExitFailed, "was not deleted\n"},
		{"nothing", loops.LocalOwner, strings.NewReader(""), nil, console.ExitFailed, "no answer; use --yes"},
		{"an endless answer", loops.LocalOwner, endless('y'), nil, console.ExitFailed, "was not deleted"},
		{"a terminal error", loops.LocalOwner, iotest.ErrReader(io.ErrClosedPipe), nil, console.ExitFailed,
			"was not deleted: io: read/write on closed pipe"},
		{"without a question", loops.LocalOwner, iotest.ErrReader(io.ErrClosedPipe), []string{"--yes"}, console.ExitOK, ""},
		{"a loop of another owner", "somebody else", strings.NewReader("y\n"), nil, console.ExitUsage,
			"'citeloop loops list' shows the loops"},
		{"a loop of a named owner", "anna", strings.NewReader("y\n"), []string{"--owner", "anna"}, console.ExitOK, "0 sources permanently"},
		{"a loop of an owner other than the named one", "anna", strings.NewReader("y\n"), []string{"--owner", "berta"}, console.ExitUsage,
			"'citeloop loops list' shows the loops"},
		{"an owner without a name", loops.LocalOwner, strings.NewReader("y\n"), []string{"--owner", ""}, console.ExitUsage,
			"empty --owner"},
		{"a loop of another owner, without a question", "somebody else", strings.NewReader("y\n"), []string{"--yes"}, console.ExitUsage,
			"'citeloop loops list' shows the loops"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			data, loop := deletable(t, tt.owner)
			code, stdout, stderr := ranWith(t.Context(), tt.stdin, nil, append([]string{"loops", "delete", loop, "--data", data},
				tt.args...)...)
			if code != tt.code || !strings.Contains(stderr, tt.says) {
				t.Errorf("status %d, want %d; stderr %q, want one that says %q", code, tt.code, stderr, tt.says)
			}
			want := ""
			if tt.code == console.ExitOK {
				want = "loop " + loop + " deleted: 0 sources and 1 events\n"
			}
			if stdout != want {
				t.Errorf("stdout %q, want %q", stdout, want)
			}
			if left := left(t, data, tt.owner); left != (tt.code != console.ExitOK) {
				t.Errorf("the loop is left: %v", left)
			}
			if tt.code != console.ExitOK && tt.owner != loops.LocalOwner && strings.Contains(stderr, "Delete loop") {
				t.Errorf("it asks about somebody else's loop: %q", stderr)
			}
		})
	}
}

// An interrupt during the question deletes nothing.
func TestDeleteInterrupted(t *testing.T) {
	data, loop := deletable(t, loops.LocalOwner)
	stdin, typing := io.Pipe()
	defer typing.Close()
	ctx, cancel := context.WithCancel(t.Context())
	var stdout bytes.Buffer
	stderr := breaksOff{cancel: cancel}
	code := Main(ctx, console.Process{Args: []string{"loops", "delete", loop, "--data", data}, Stdin: stdin,
		Stdout: &stdout, Stderr: &stderr, LookupEnv: lookupIn(nil)})
	if code != console.ExitFailed || !strings.Contains(stderr.said.String(), "was not deleted: context canceled") {
		t.Errorf("status %d, stderr %q", code, stderr.said.String())
	}
	if !left(t, data, loops.LocalOwner) {
		t.Error("the loop is gone")
	}
}

// breaksOff is a stderr that cancels the command when the question is written.
type breaksOff struct {
	said   bytes.Buffer
	cancel context.CancelFunc
}

func (b *breaksOff) Write(p []byte) (int, error) {
	if bytes.Contains(p, []byte("[y/N]")) {
		b.cancel()
	}
	return b.said.Write(p)
}

type endless byte

func (e endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = byte(e)
	}
	return len(p), nil
}

func left(t *testing.T, data, owner string) bool {
	t.Helper()
	store, err := sqlite.Open(t.Context(), filepath.Join(data, setup.DatabaseFile), sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	heads, err := store.List(t.Context(), owner)
	if err != nil {
		t.Fatal(err)
	}
	return len(heads) > 0
}
