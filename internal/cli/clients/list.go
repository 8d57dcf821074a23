package clients

import (
	"fmt"
	"path/filepath"
	"strings"
	"text/tabwriter"

	"github.com/citeloop/citeloop/internal/cli/console"
	"github.com/citeloop/citeloop/internal/cli/install"
)

// listClients shows the clients, whether they are on this machine and have citeloop's entry, and their files.
func listClients(p console.Process, own OwnPath) error {
	m, err := machine(p)
	if err != nil {
		return err
	}
	all, err := entries(m, own, install.User, install.Project)
	if err != nil {
		return err
	}
	w := tabwriter.NewWriter(p.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "CLIENT\tFOUND\tINSTALLED\tFILE")
	var projects []string
	for _, e := range all {
		state, name, found := string(e.has), e.Name, map[bool]string{true: "yes", false: "no"}[e.Found(m)]
		if e.err != nil {
			state = "unreadable"
		}
		if e.scope == install.Project {
			name, found = "", ""
			if rel, err := filepath.Rel(m.Dir, e.path); err == nil {
				projects = append(projects, rel)
			}
			if state == string(install.Absent) {
				continue
			}
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\n", name, found, state, e.path)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	fmt.Fprintf(p.Stdout, "\nRun 'citeloop install CLIENT' to add the entry; add --dry-run to see the change first. Files of --scope project: %s.\n", strings.Join(projects, ", "))
	return nil
}
