// Package hosts tests real clients with citeloop and a scripted model: it checks what reaches the model.
//
//	hosts -npm FOLDER -citeloop BINARY -plugin ROOT [CLIENT...]     a loop of three rounds, and the plugin
//	hosts -npm FOLDER -probe [CLIENT...]                            how a client handles answers and instructions
//
// hosts is the test binary: go test -c -o hosts ./.ci/hosts. FOLDER has the clients in node_modules. .ci/agents installs them
// and uses the first form. The second prints the facts in docs/clients.md. HOSTS_LOG names a folder for the requests to the
// model.
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
	probe    = flag.Bool("probe", false, "measure what the clients show of answers")
	serve    = flag.Bool("serve-probe", false, "serve the probe over stdio; the clients start it")
)

func TestMain(m *testing.M) {
	flag.Parse()
	if !*serve {
		os.Exit(m.Run())
	}
	if err := serveProbe(os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "hosts:", err)
		os.Exit(1)
	}
}

func TestClients(t *testing.T) {
	if *npm == "" || (*citeloop == "" || *plugin == "") && !*probe {
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
			if *probe {
				if err := a.measure(); err != nil {
					t.Error(err)
				}
			} else {
				if err := a.check(corpus); err != nil {
					t.Error(err)
				}
				if err := a.checkHooks(*plugin); err != nil {
					t.Error(err)
				}
				if a.plugin {
					if err := a.checkPlugin(*plugin); err != nil {
						t.Error(err)
					}
				}
			}
			os.Stdout.Write(fmt.Appendf(a.out.Bytes(), "  %d s\n\n", int(time.Since(began).Seconds())))
		})
	}
}
