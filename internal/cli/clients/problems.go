package clients

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/citeloop/citeloop/internal/cli/console"
	"github.com/citeloop/citeloop/internal/cli/install"
)

// SetupProblem is a problem of the setup on this machine.
type SetupProblem struct {
	What   string
	Remedy string       // what the user can do
	fix    func() error // nil if only the user can
	fixed  string
}

// SetupProblems looks for files of clients that cannot be read, for entries that start a missing program or name a missing
// folder, and for data that other users can read. It also returns a line for each client whose entry names folders.
func SetupProblems(p console.Process, own OwnPath, dataDir string) (found []SetupProblem, corpora []string, err error) {
	m, err := machine(p)
	if err != nil {
		return nil, nil, err
	}
	all, err := entries(m, own, install.User, install.Project)
	if err != nil {
		return nil, nil, err
	}
	seen := map[string]bool{} // in the home folder, both scopes may have the same file
	for _, e := range all {
		switch {
		case e.err != nil:
			found = append(found, SetupProblem{What: fmt.Sprintf("%s cannot use %s: %v", e.Title, e.path, e.err), Remedy: "correct the file"})
			continue
		case e.has != install.Present || seen[e.file.Path]:
			continue
		}
		seen[e.file.Path] = true
		if folders := e.corpus(); len(folders) > 0 {
			corpora = append(corpora, e.Title+": "+strings.Join(folders, ", "))
			for _, dir := range folders {
				if _, err := os.Stat(dir); err != nil {
					found = append(found, MissingCorpus(e.Title, dir))
				}
			}
		}
		if problem := e.missingProgram(own); problem != nil {
			found = append(found, *problem)
		}
	}
	if info, err := os.Stat(dataDir); err == nil && runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0 {
		found = append(found, SetupProblem{
			What: fmt.Sprintf("other users can read your loops in %s (mode %#o)", dataDir, info.Mode().Perm()), Remedy: "run 'citeloop doctor --fix'",
			fix: func() error { return os.Chmod(dataDir, info.Mode().Perm()&0o700) }, fixed: "only you can read " + dataDir,
		})
	}
	return found, corpora, nil
}

func MissingCorpus(who, dir string) SetupProblem {
	return SetupProblem{What: fmt.Sprintf("%s names the folder %s, which is missing", who, dir), Remedy: "restore it, or install again with other folders"}
}

// corpus returns the folders that our entry names.
func (e entry) corpus() []string {
	o, env, ours := e.options()
	if list, _ := env("CITELOOP_CORPUS"); ours && len(o.Corpus) == 0 {
		return filepath.SplitList(list)
	}
	return o.Corpus
}

// missingProgram returns the problem of our entry if it starts a missing program, or nil.
func (e entry) missingProgram(own OwnPath) *SetupProblem {
	if _, err := exec.LookPath(e.server.Command); err == nil {
		return nil
	}
	problem := &SetupProblem{What: fmt.Sprintf("%s starts %s, which is missing (%s)", e.Title, e.server.Command, e.file.Path), Remedy: "run 'citeloop doctor --fix'"}
	self, err := own.Find()
	if err != nil {
		problem.Remedy = err.Error()
		return problem
	}
	problem.fixed = fmt.Sprintf("%s starts %s", e.Title, self)
	problem.fix = func() error {
		change, err := e.Add(e.file.Text, install.Server{Command: self, Args: []string{"serve"}}, false)
		if err != nil {
			return err
		}
		_, err = e.file.Write(change.Text, false, time.Now())
		return err
	}
	return problem
}

// WriteProblems writes the problems. With fix, it fixes some of them first. It returns how many are left.
func WriteProblems(p console.Process, problems []SetupProblem, fix bool) (left int, err error) {
	if len(problems) == 0 {
		fmt.Fprintln(p.Stdout, "problems  none")
	}
	for _, problem := range problems {
		switch {
		case fix && problem.fix != nil:
			if err := problem.fix(); err != nil {
				return 0, fmt.Errorf("%s: %w", problem.What, err)
			}
			fmt.Fprintf(p.Stdout, "fixed     %s\n", problem.fixed)
		default:
			left++
			fmt.Fprintf(p.Stdout, "problem   %s; %s\n", problem.What, problem.Remedy)
		}
	}
	return left, nil
}
