package folder

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// projectsName is a file in the data folder with the projects where loops have folders, one a line, so that a loop that is
// deleted elsewhere loses its folders in all of them.
const projectsName = "projects"

// maxProjects bounds the list (chosen: more than anybody works in).
const maxProjects = 10_000

// projects returns the recorded projects, and the present one.
func (f *Folders) projects() []string {
	list, _ := os.ReadFile(filepath.Join(f.cfg.Data, projectsName)) // a missing list has no projects
	var all []string
	for line := range strings.Lines(string(list)) {
		if line = strings.TrimRight(line, "\r\n"); filepath.IsAbs(line) && len(all) < maxProjects {
			all = append(all, line)
		}
	}
	if f.cfg.Place == Project {
		all = append(all, f.cfg.Project)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// record adds the project to the list. Processes append whole lines; a project that two of them add stands there twice.
func (f *Folders) record() error {
	if strings.ContainsAny(f.cfg.Project, "\r\n") {
		return errors.New("the path of the project has a line break")
	}
	name := filepath.Join(f.cfg.Data, projectsName)
	list, err := os.ReadFile(name)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if slices.Contains(strings.Split(string(list), "\n"), f.cfg.Project) {
		return nil
	}
	if err := os.MkdirAll(f.cfg.Data, 0o700); err != nil {
		return err
	}
	out, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return err
	}
	_, err = out.WriteString(f.cfg.Project + "\n")
	return errors.Join(err, out.Close())
}
