// Command hosts runs real clients with citeloop and a scripted model, and checks what reaches the model.
//
//	hosts --npm FOLDER --citeloop BINARY --plugin ROOT [CLIENT...]     a loop of three rounds, and the plugin
//	hosts --npm FOLDER --probe [CLIENT...]                             how a client handles answers and instructions
//
// FOLDER has the clients in node_modules. .ci/agents installs them and uses the first form. The second prints the facts in
// docs/hosts.md. HOSTS_LOG names a folder for the requests to the model.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"
)

func main() {
	npm := flag.String("npm", "", "folder that has the clients in node_modules")
	citeloop := flag.String("citeloop", "", "citeloop's binary")
	plugin := flag.String("plugin", "", "folder that has .claude-plugin/marketplace.json")
	probe := flag.Bool("probe", false, "measure what the clients show of answers")
	serve := flag.Bool("serve-probe", false, "serve the probe over stdio; the clients start it")
	flag.Parse()
	var err error
	if *serve {
		err = serveProbe(os.Stdin, os.Stdout)
	} else {
		err = run(*npm, *citeloop, *plugin, *probe, flag.Args())
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "hosts:", err)
		os.Exit(1)
	}
}

func run(npm, citeloop, plugin string, probe bool, names []string) error {
	if npm == "" || (citeloop == "" || plugin == "") && !probe {
		return errors.New("missing --npm, --citeloop or --plugin")
	}
	work, err := os.MkdirTemp("", "citeloop-hosts-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	corpus := filepath.Join(work, "corpus")
	if err := writeCorpus(corpus); err != nil {
		return err
	}
	var clients []*agent
	var wait sync.WaitGroup
	var mu sync.Mutex
	var faults error
	for _, a := range agents() {
		if len(names) > 0 && !slices.Contains(names, a.name) {
			continue
		}
		a.npm, a.citeloop, a.dir = npm, citeloop, filepath.Join(work, a.name)
		clients = append(clients, a)
		wait.Go(func() {
			began := time.Now()
			err := a.prepare()
			switch {
			case err != nil:
			case probe:
				err = a.measure()
			default:
				err = a.check(corpus)
				if a.plugin {
					err = errors.Join(err, a.checkPlugin(plugin))
				}
			}
			fmt.Fprintf(&a.out, "  %d s\n\n", int(time.Since(began).Seconds()))
			if err != nil {
				mu.Lock()
				defer mu.Unlock()
				faults = errors.Join(faults, fmt.Errorf("%s: %w", a.title, err))
			}
		})
	}
	wait.Wait()
	for _, a := range clients {
		os.Stdout.Write(a.out.Bytes())
	}
	return faults
}
