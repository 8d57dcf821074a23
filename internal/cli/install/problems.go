package install

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/citeloop/citeloop/internal/cli/console"
	"github.com/citeloop/citeloop/internal/cli/setup"
)

// Problem is a problem of the setup on this machine.
type Problem struct {
	What   string
	Remedy string // what the user can do
}

// Check returns a line for each client that has citeloop, and the problems of their configurations: files that cannot be read,
// and entries that start a missing program or name a missing folder.
func Check(p console.Process) (installed []string, found []Problem, err error) {
	all, err := newMachine(p).all()
	for _, i := range all {
		problem := func(remedy, format string, values ...any) {
			found = append(found, Problem{i.title + " " + fmt.Sprintf(format, values...), remedy})
		}
		if i.err != nil {
			problem("correct the file", "cannot use %s: %v", i.file.path, i.err)
		}
		if !i.entry.ours {
			continue
		}
		folders := i.entry.corpus()
		installed = append(installed, strings.TrimSuffix(i.title+": "+strings.Join(folders, ", "), ": "))
		for _, dir := range folders {
			if !exists(dir) {
				problem("restore it, or install again with other folders", "names the folder %s, which is missing", dir)
			}
		}
		if _, err := exec.LookPath(i.entry.Command); err != nil {
			problem("run 'citeloop install "+i.name+"'", "starts %s, which is missing (%s)", i.entry.Command, i.file.path)
		}
	}
	return installed, found, err
}

// Folders returns the folders of documents that the entries of clients name.
func Folders(p console.Process) (folders []string) {
	all, _ := newMachine(p).all() // nothing is known without a home folder
	for _, i := range all {
		folders = append(folders, i.entry.corpus()...)
	}
	slices.Sort(folders)
	return slices.Compact(folders)
}

// corpus returns the folders that our entry names.
func (e entry) corpus() []string {
	var o setup.Options
	flags := pflag.NewFlagSet("serve", pflag.ContinueOnError)
	flags.ParseErrorsAllowlist.UnknownFlags = true
	o.Register(flags)
	if !e.ours || flags.Parse(e.Args) != nil {
		return nil
	}
	if len(o.Corpus) == 0 {
		return filepath.SplitList(e.Env["CITELOOP_CORPUS"])
	}
	return o.Corpus
}
