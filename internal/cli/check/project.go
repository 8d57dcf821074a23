package check

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/citeloop/citeloop/internal/cli/console"
	"github.com/citeloop/citeloop/internal/cli/safefile"
	"github.com/citeloop/citeloop/internal/project"
)

// projectFile is a project file that applies to a run, with the folder that its paths begin in.
type projectFile struct {
	*project.File
	root string
}

// openProject applies the project file of the texts, which must be one, if there is any. given reports whether a flag was given, which
// has priority.
func (run *verifyRun) openProject(ctx context.Context, given func(string) bool) error {
	name := run.config
	texts := run.files
	if len(texts) == 0 {
		texts = []string{"."}
	}
	for i, text := range texts {
		folder := filepath.Dir(text) // of - the working folder
		if info, err := os.Stat(text); err == nil && info.IsDir() {
			folder = text
		}
		of := project.Find(folder, cmp.Or(run.p.Env("HOME"), run.p.Env("USERPROFILE")))
		if run.config == "" && i > 0 && of != name {
			return fmt.Errorf("%s and %s have different project files (%s): check them one after the other", texts[0], text,
				project.Name)
		}
		if run.config == "" {
			name = of
		}
	}
	if name == "" {
		return nil
	}
	name, err := filepath.Abs(name)
	if err != nil {
		return err
	}
	if info, err := os.Lstat(name); err == nil && !info.Mode().IsRegular() {
		return console.Usagef("%s is not a file: remove it, or use --config off", shownPath(name))
	}
	body, err := safefile.ReadInput(name, nil, project.MaxBytes)
	if err != nil {
		return err
	}
	file, err := project.Parse(shownPath(name), body)
	if err != nil {
		return err
	}
	run.project = &projectFile{file, filepath.Dir(name)}
	return run.project.apply(ctx, run, given)
}

// apply sets what no flag has set.
func (f *projectFile) apply(ctx context.Context, run *verifyRun, given func(string) bool) (err error) {
	if f.Offline != nil && !given("offline") {
		run.offline = *f.Offline
	}
	if f.FailOn != nil {
		if run.kinds, err = parseKinds(cmp.Or(strings.Join(f.FailOn, ","), "none")); err != nil {
			return fmt.Errorf("%s: fail-on: %w", f.Path, err)
		}
	}
	if len(run.files) > 0 {
		return nil
	}
	if len(f.Include) == 0 {
		return fmt.Errorf("missing file to check: name one, or list your texts as include in %s", f.Path)
	}
	found, err := textsIn(ctx, f.root, f)
	for _, path := range found {
		if f.Includes(f.below(path)) {
			run.files = append(run.files, fromHere(path))
		}
	}
	if err == nil && len(run.files) == 0 {
		err = console.Usagef("%s: include: no text matches %s", f.Path, strings.Join(f.Include, ", "))
	}
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

// below returns a path within the folder of the file, with slashes, or "" outside.
func (f *projectFile) below(path string) string {
	full, _ := filepath.Abs(path)
	rel, err := filepath.Rel(realPath(f.root), filepath.Join(realPath(filepath.Dir(full)), filepath.Base(full)))
	if err != nil || !filepath.IsLocal(rel) {
		return ""
	}
	return filepath.ToSlash(rel)
}

func (f *projectFile) excludes(path string) bool {
	return f != nil && len(f.Exclude) > 0 && f.Excludes(f.below(path))
}
