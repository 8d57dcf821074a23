package agents

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// CITELOOP_TEST_NPM names the folder in which .ci/npm installed the clients, CITELOOP_TEST_BINARY a citeloop. HOSTS_LOG names a
// folder for the requests to the model.
func TestClients(t *testing.T) {
	npm, citeloop := os.Getenv("CITELOOP_TEST_NPM"), os.Getenv("CITELOOP_TEST_BINARY")
	if npm == "" || citeloop == "" {
		t.Skip("skipped: CITELOOP_TEST_NPM does not name the folder in which npm installed the clients (.ci/npm does), or " +
			"CITELOOP_TEST_BINARY no citeloop")
	}
	root, err := filepath.Abs("../../..") // has .claude-plugin/marketplace.json
	if err != nil {
		t.Fatal(err)
	}
	work := t.TempDir()
	corpus := filepath.Join(work, "corpus")
	if err := writeCorpus(corpus); err != nil {
		t.Fatal(err)
	}
	for _, a := range agents() {
		a.npm, a.citeloop, a.dir = npm, citeloop, filepath.Join(work, a.name)
		t.Run(a.name, func(t *testing.T) {
			t.Parallel()
			began := time.Now()
			if err := a.prepare(); err != nil {
				t.Fatal(err)
			}
			if err := a.check(corpus); err != nil {
				t.Error(err)
			}
			if err := a.checkStop(root); err != nil {
				t.Error(err)
			}
			if a.plugin {
				if err := a.checkPlugin(root); err != nil {
					t.Error(err)
				}
			}
			t.Log(a.out.String() + fmt.Sprintf("  %d s", int(time.Since(began).Seconds())))
		})
	}
}
