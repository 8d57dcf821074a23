// Package hosts tests real clients with citeloop and a scripted model: it checks what reaches the model.
//
//	hosts -npm FOLDER -citeloop BINARY -plugin ROOT [CLIENT...]     a loop, and the plugin
//
// hosts is the test binary: go test -c -o hosts ./.ci/hosts. FOLDER has the clients in node_modules; .ci/agents installs them.
// HOSTS_LOG names a folder for the requests to the model.
package hosts

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"
)

var (
	npm      = flag.String("npm", "", "folder that has the clients in node_modules")
	citeloop = flag.String("citeloop", "", "citeloop's binary")
	plugin   = flag.String("plugin", "", "folder that has .claude-plugin/marketplace.json")
)

func TestClients(t *testing.T) {
	if *npm == "" || *citeloop == "" || *plugin == "" {
		t.Fatal("missing -npm, -citeloop or -plugin")
	}
	work := t.TempDir()
	corpus := filepath.Join(work, "corpus")
	if err := writeCorpus(corpus); err != nil {
		t.Fatal(err)
	}
	for _, a := range agents() {
		if names := flag.Args(); len(names) > 0 && !slices.Contains(names, a.name) {
			continue
		}
		a.npm, a.citeloop, a.dir = *npm, *citeloop, filepath.Join(work, a.name)
		t.Run(a.name, func(t *testing.T) {
			t.Parallel()
			began := time.Now()
			if err := a.prepare(); err != nil {
				t.Fatal(err)
			}
			if err := a.check(corpus); err != nil {
				t.Error(err)
			}
			if err := a.checkStop(*plugin); err != nil {
				t.Error(err)
			}
			if a.plugin {
				if err := a.checkPlugin(*plugin); err != nil {
					t.Error(err)
				}
			}
			os.Stdout.Write(fmt.Appendf(a.out.Bytes(), "  %d s\n\n", int(time.Since(began).Seconds())))
		})
	}
}
