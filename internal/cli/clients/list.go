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
	self := own.OrNone()
	w := tabwriter.NewWriter(p.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "CLIENT\tFOUND\tINSTALLED\tFILE")
	for _, c := range install.Clients() {
		path, err := c.Path(m, install.User)
		if err != nil {
			return err
		}
		found := "no"
		if c.Found(m) {
			found = "yes"
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\n", c.Name, found, clientState(c, path, self), path)
		if !c.HasProject() {
			continue
		}
		if path, err = c.Path(m, install.Project); err != nil {
			return err
		}
		if state := clientState(c, path, self); state != "no" {
			fmt.Fprintf(w, "\t\t%s\t%s\n", state, path)
		}
	}
	if err := w.Flush(); err != nil {
		return err
	}
	fmt.Fprintf(p.Stdout, "\nRun 'citeloop install CLIENT' to add the entry; add --dry-run to see the change first. Files of --scope project: %s.\n", strings.Join(projectFiles(m), ", "))
	return nil
}

func clientState(c install.Client, path, self string) string {
	file, err := install.Read(path)
	if err == nil {
		_, state, badFile := c.Find(file.Text, self)
		if badFile == nil {
			return string(state)
		}
	}
	return "unreadable"
}

func projectFiles(m install.Machine) []string {
	var all []string
	for _, c := range install.Clients() {
		if !c.HasProject() {
			continue
		}
		if path, err := c.Path(m, install.Project); err == nil {
			if rel, err := filepath.Rel(m.Dir, path); err == nil {
				path = rel
			}
			all = append(all, path)
		}
	}
	return all
}
