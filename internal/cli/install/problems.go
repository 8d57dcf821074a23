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

// Check returns a line for each client that has citeloop, and the problems of their configurations: files that cannot be read, and
// entries that start a missing program.
func Check(p console.Process) (installed, problems []string) {
	for _, i := range newMachine(p).all() {
		if i.err != nil {
			problems = append(problems, i.err.Error())
		}
		if !i.entry.ours {
			continue
		}
		installed = append(installed, strings.TrimSuffix(i.title+": "+strings.Join(i.entry.corpus(), ", "), ": "))
		if _, err := exec.LookPath(i.entry.Command); err != nil {
			problems = append(problems, fmt.Sprintf("%s starts %s, which is missing (%s); run 'citeloop install %s'",
				i.title, i.entry.Command, i.file.path, i.name))
		}
	}
	return installed, problems
}

// Folders returns the folders of documents that the entries of clients name.
func Folders(p console.Process) (folders []string) {
	for _, i := range newMachine(p).all() {
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
