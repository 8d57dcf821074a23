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
				found = append(found, SetupProblem{What: fmt.Sprintf("%s cannot use %s: %v", c.Title, path, err), Remedy: "correct the file"})
				continue
			}
			if folders := corpusFoldersOf(c, file, own); len(folders) > 0 {
				corpora = append(corpora, c.Title+": "+strings.Join(folders, ", "))
				for _, dir := range folders {
					if _, err := os.Stat(dir); err != nil {
						found = append(found, MissingCorpus(c.Title, dir))
					}
				}
			}
			if problem := missingProgram(c, file, own); problem != nil {
				found = append(found, *problem)
			}
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

// corpusFoldersOf returns the folders that our entry in a client's file names.
func corpusFoldersOf(c install.Client, file install.File, own OwnPath) []string {
	o, env, ours := entryOptions(c, file.Text, own)
	if !ours {
		return nil
	}
	if len(o.Corpus) > 0 {
		return o.Corpus
	}
	list, _ := env("CITELOOP_CORPUS")
	return filepath.SplitList(list)
}

// missingProgram returns the problem of a client's entry that starts a missing program, or nil.
func missingProgram(c install.Client, file install.File, own OwnPath) *SetupProblem {
	entry, has, _ := c.Find(file.Text, own.OrNone())
	command := entry.Command
	if has != install.Present {
		return nil
	}
	if _, err := exec.LookPath(command); err == nil {
		return nil
	}
	problem := &SetupProblem{What: fmt.Sprintf("%s starts %s, which is missing (%s)", c.Title, command, file.Path), Remedy: "run 'citeloop doctor --fix'"}
	self, err := own.Find()
	if err != nil {
		problem.Remedy = err.Error()
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
