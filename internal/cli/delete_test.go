package cli

import (
	"path/filepath"
	"strings"
	"testing"
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
		stdin string
		args  []string
		code  int
		says  string // on stderr
	}{
		{"yes, with spaces and Windows' line", loops.LocalOwner, "  YES \r\n", nil, console.ExitOK, "0 sources permanently"},
		{"only the first line counts", loops.LocalOwner, "n\ny\n", nil, console.ExitFailed, "was not deleted\n"},
		{"nothing", loops.LocalOwner, "", nil, console.ExitFailed, "no answer; use --yes"},
		{"an endless answer", loops.LocalOwner, strings.Repeat("y", 1<<20), nil, console.ExitFailed, "was not deleted"},
		{"without a question", loops.LocalOwner, "", []string{"--yes"}, console.ExitOK, ""},
		{"a loop of another owner", "somebody else", "", []string{"--yes"}, console.ExitUsage, "'citeloop loops list' shows the loops"},
		{"a loop of a named owner", "anna", "y\n", []string{"--owner", "anna"}, console.ExitOK, "0 sources permanently"},
		{"a loop of an owner other than the named one", "anna", "y\n", []string{"--owner", "berta"}, console.ExitUsage,
			"'citeloop loops list' shows the loops"},
		{"an owner without a name", loops.LocalOwner, "y\n", []string{"--owner", ""}, console.ExitUsage, "empty --owner"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			data, loop := deletable(t, tt.owner)
			args := append([]string{"loops", "delete", loop, "--data", data}, tt.args...)
			code, stdout, stderr := ranWith(t.Context(), strings.NewReader(tt.stdin), nil, args...)
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
