package check

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/citeloop/citeloop/internal/check"
	"github.com/citeloop/citeloop/internal/cli/console"
	"github.com/citeloop/citeloop/internal/cli/setup"
	"github.com/citeloop/citeloop/internal/project"
)

// projectFile is a project file that applies to a run, with the folder that its paths begin in.
type projectFile struct {
	*project.File
	root string
}

// openProject applies the project file of the texts, if there is one. given reports whether a flag was given, which has priority.
func (run *verifyRun) openProject(ctx context.Context, given func(string) bool) error {
	name, err := run.config, error(nil)
	if name == "" {
		name, err = projectOf(run.files, console.FirstOf(run.p.Env("HOME"), run.p.Env("USERPROFILE")))
	}
	if name == "" || err != nil {
		return err
	}
	if name, err = filepath.Abs(name); err != nil {
		return err
	}
	body, err := setup.ReadProject(name)
	if err != nil {
		return err
	}
	file, err := project.Parse(setup.ShownPath(name), body)
	if err != nil {
		return setup.ProjectFault(err)
	}
	run.project = &projectFile{file, filepath.Dir(name)}
	return run.project.apply(ctx, run, given)
}

// projectOf returns the project file of the texts, which must be one.
func projectOf(files []string, home string) (string, error) {
	if len(files) == 0 {
		files = []string{"."}
	}
	found, first := "", ""
	for i, name := range files {
		folder := filepath.Dir(name) // of - the working folder
		if info, err := os.Stat(name); err == nil && info.IsDir() {
			folder = name
		}
		of := project.Find(folder, home)
		if i == 0 {
			found, first = of, name
		}
		if of != found {
			return "", fmt.Errorf("%s and %s have different project files (%s): check them one after the other", first, name, project.Name)
		}
	}
	return found, nil
}

// apply sets what no flag has set.
func (f *projectFile) apply(ctx context.Context, run *verifyRun, given func(string) bool) error {
	if f.Offline != nil && !given("offline") {
		run.offline = *f.Offline
	}
	if f.Threshold != nil {
		run.threshold = *f.Threshold
	}
	if f.Reader == project.ReaderModel && run.read == "" && run.reviewOut == "" && len(run.reviewIn) == 0 {
		if m := setup.ReaderModel(run.p); m.Url != "" && m.Name != "" {
			run.read = readModel
		} else {
			fmt.Fprintf(run.p.Stderr, "%s: reader = \"model\", but CITELOOP_READER_URL or CITELOOP_READER_MODEL is not set: "+
				"only the lock's readings count\n", f.Path)
		}
	}
	if f.FailOn != nil {
		run.kinds = []check.Kind{}
		for _, kind := range f.FailOn {
			run.kinds = append(run.kinds, check.Kind(kind))
		}
	}
	if f.Strict != nil && *f.Strict {
		run.kinds = append(run.kinds, check.Noted, check.NotRead, check.Unread)
	}
	if len(run.files) > 0 {
		return nil
	}
	if len(f.Include) == 0 {
		return fmt.Errorf("missing file to check: name one, or list your texts as include in %s", f.Path)
	}
	var err error
	run.files, err = f.texts(ctx)
	return err
}

// corpus returns the folders of the file. They must lie below it: somebody else may have written it.
func (f *projectFile) corpus() ([]string, error) {
	var out []string
	for _, name := range f.Corpus {
		folder, ok := project.Inside(f.root, name)
		if info, err := os.Stat(folder); !ok || err != nil || !info.IsDir() {
			return nil, console.Usagef("%s: corpus: %q is not a folder below %s; correct it, or use --corpus", f.Path, name, f.root)
		}
		out = append(out, folder)
	}
	return out, nil
}

// texts returns the texts of include without those of exclude, sorted, as named from the working folder. Hidden folders and
// links are left out.
func (f *projectFile) texts(ctx context.Context) ([]string, error) {
	var out []string
	found, err := textsIn(ctx, f.root, f)
	for _, path := range found {
		if f.Includes(f.below(path)) {
			out = append(out, setup.FromHere(path))
		}
	}
	if err == nil && len(out) == 0 {
		err = console.Usagef("%s: include: no text matches %s", f.Path, strings.Join(f.Include, ", "))
	}
	return out, err
}

// below returns a path within the folder of the file, with slashes, or "" outside.
func (f *projectFile) below(path string) string {
	full, err := filepath.Abs(path)
	if err != nil {
		return ""
	}
	rel, err := filepath.Rel(setup.RealPath(f.root), filepath.Join(setup.RealPath(filepath.Dir(full)), filepath.Base(full)))
	if err != nil || !filepath.IsLocal(rel) {
		return ""
	}
	return filepath.ToSlash(rel)
}

func (f *projectFile) excludes(path string) bool {
	return f != nil && len(f.Exclude) > 0 && f.Excludes(f.below(path))
}
