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

// A loop is deleted only by its owner's name and a plain yes.
func TestDeleteAnswers(t *testing.T) {
	for _, tt := range []struct {
		name, owner, stdin, args string
		code                     int
		says                     string // on stderr
	}{
		{"yes, with spaces and Windows' line", loops.LocalOwner, "  YES \r\n", "", console.ExitOK, "0 sources permanently"},
		{"only the first line counts", loops.LocalOwner, "n\ny\n", "", console.ExitFailed, "was not deleted\n"},
		{"nothing", loops.LocalOwner, "", "", console.ExitFailed, "no answer; use --yes"},
		{"an endless answer", loops.LocalOwner, strings.Repeat("y", 1<<20), "", console.ExitFailed, "was not deleted"},
		{"without a question", loops.LocalOwner, "", "--yes", console.ExitOK, ""},
		{"a loop of another owner", "berta", "", "--yes", console.ExitUsage, "'citeloop loops list' shows the loops"},
		{"a loop of a named owner", "anna", "y\n", "--owner anna", console.ExitOK, "0 sources permanently"},
		{"an owner without a name", loops.LocalOwner, "y\n", "--owner=", console.ExitUsage, "empty --owner"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			data := t.TempDir()
			store, err := sqlite.Open(t.Context(), filepath.Join(data, setup.DatabaseFile), sqlite.Options{})
			if err != nil {
				t.Fatal(err)
			}
			defer store.Close()
			owner := loops.WithOwner(t.Context(), tt.owner)
			started, err := loops.New(loops.Config{Store: store, Now: time.Now, NewID: setup.NewID}).Start(owner,
				loopstate.StartInput{Query: "q"})
			if err != nil {
				t.Fatal(err)
			}
			args := append([]string{"loops", "delete", started.StateID, "--data", data}, strings.Fields(tt.args)...)
			code, stdout, stderr := ranWith(t.Context(), strings.NewReader(tt.stdin), nil, args...)
			deleted := strings.HasPrefix(stdout, "loop "+started.StateID+" deleted: 0 sources")
			if code != tt.code || deleted != (code == console.ExitOK) || !strings.Contains(stderr, tt.says) {
				t.Errorf("status %d, want %d; stdout %q, stderr %q, want one that says %q", code, tt.code, stdout, stderr, tt.says)
			}
			if heads, err := store.List(t.Context(), tt.owner); err != nil || len(heads) > 0 == deleted {
				t.Errorf("%v, %d loops are left", err, len(heads))
			}
		})
	}
}
