package cli

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/citeloop/citeloop/internal/cli/install"
)

// setupProblem is a problem of the setup on this machine.
type setupProblem struct {
	what   string
	remedy string       // what the user can do
	fix    func() error // nil if only the user can
	fixed  string
}

// setupProblems looks for files of clients that cannot be read, for entries that start a missing program or name a missing
// folder, and for data that other users can read. It also returns a line for each client whose entry names folders.
func setupProblems(p Process, own ownPath, dataDir string) (found []setupProblem, corpora []string, err error) {
	m, err := machine(p)
	if err != nil {
		return nil, nil, err
	}
	seen := map[string]bool{} // in the home folder, both scopes may have the same file
	for _, c := range install.Clients() {
		for _, scope := range []install.Scope{install.User, install.Project} {
			if scope == install.Project && !c.HasProject() {
				continue
			}
			path, err := c.Path(m, scope)
			if err != nil {
				return nil, nil, err
			}
			file, err := install.Read(path)
			if err == nil && (!file.Exists || seen[file.Path]) {
				continue
			}
			if err == nil {
				seen[file.Path] = true
				_, _, err = c.Find(file.Text, "")
			}
			if err != nil {
				found = append(found, setupProblem{what: fmt.Sprintf("%s cannot use %s: %v", c.Title, path, err), remedy: "correct the file"})
				continue
			}
			if folders := corpusFoldersOf(c, file, own); len(folders) > 0 {
				corpora = append(corpora, c.Title+": "+strings.Join(folders, ", "))
				for _, dir := range folders {
					if _, err := os.Stat(dir); err != nil {
						found = append(found, missingCorpus(c.Title, dir))
					}
				}
			}
			if problem := missingProgram(c, file, own); problem != nil {
				found = append(found, *problem)
			}
		}
	}
	if info, err := os.Stat(dataDir); err == nil && runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0 {
		found = append(found, setupProblem{
			what: fmt.Sprintf("other users can read your loops in %s (mode %#o)", dataDir, info.Mode().Perm()), remedy: "run 'citeloop doctor --fix'",
			fix: func() error { return os.Chmod(dataDir, info.Mode().Perm()&0o700) }, fixed: "only you can read " + dataDir,
		})
	}
	return found, corpora, nil
}

func missingCorpus(who, dir string) setupProblem {
	return setupProblem{what: fmt.Sprintf("%s names the folder %s, which is missing", who, dir), remedy: "restore it, or install again with other folders"}
}

// corpusFoldersOf returns the folders that our entry in a client's file names.
func corpusFoldersOf(c install.Client, file install.File, own ownPath) []string {
	o, env, ours := entryOptions(c, file.Text, own)
	if !ours {
		return nil
	}
	if len(o.corpus) > 0 {
		return o.corpus
	}
	list, _ := env("CITELOOP_CORPUS")
	return filepath.SplitList(list)
}

// missingProgram returns the problem of a client's entry that starts a missing program, or nil.
func missingProgram(c install.Client, file install.File, own ownPath) *setupProblem {
	entry, has, _ := c.Find(file.Text, own.orNone())
	command := entry.Command
	if has != install.Present {
		return nil
	}
	if _, err := exec.LookPath(command); err == nil {
		return nil
	}
	problem := &setupProblem{what: fmt.Sprintf("%s starts %s, which is missing (%s)", c.Title, command, file.Path), remedy: "run 'citeloop doctor --fix'"}
	self, err := own.find()
	if err != nil {
		problem.remedy = err.Error()
		return problem
	}
	problem.fixed = fmt.Sprintf("%s starts %s", c.Title, self)
	problem.fix = func() error {
		change, err := c.Add(file.Text, install.Server{Command: self, Args: []string{"serve"}}, false)
		if err != nil {
			return err
		}
		_, err = file.Write(change.Text, false, time.Now())
		return err
	}
	return problem
}

// writeProblems writes the problems. With fix, it fixes some of them first. It returns how many are left.
func writeProblems(p Process, problems []setupProblem, fix bool) (left int, err error) {
	if len(problems) == 0 {
		fmt.Fprintln(p.Stdout, "problems  none")
	}
	for _, problem := range problems {
		switch {
		case fix && problem.fix != nil:
			if err := problem.fix(); err != nil {
				return 0, fmt.Errorf("%s: %w", problem.what, err)
			}
			fmt.Fprintf(p.Stdout, "fixed     %s\n", problem.fixed)
		default:
			left++
			fmt.Fprintf(p.Stdout, "problem   %s; %s\n", problem.what, problem.remedy)
		}
	}
	return left, nil
}
