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
	"github.com/citeloop/citeloop/internal/cli/setup"
	"github.com/citeloop/citeloop/internal/project"
)

// projectFile is the project file that applies to a run, with the folder that its paths begin in.
type projectFile struct {
	*project.File
	root string
}

// openProject reads the project file of the texts, if there is any, and sets what no flag has set. given reports whether a flag was given.
func (run *verifyRun) openProject(ctx context.Context, given func(string) bool, opts *setup.Options) (err error) {
	name := run.config
	if name == "" {
		if name, err = run.findProject(); err != nil {
			return err
		}
	}
	if name != "" && name != "off" {
		name = absolute(name)
		body, err := readPlain(name, project.MaxBytes, "--config off")
		if err != nil {
			return err
		}
		file, err := project.Parse(fromHere(name), body)
		if err != nil {
			return err
		}
		run.project = &projectFile{file, filepath.Dir(name)}
	}
	f := run.project
	if f.Offline != nil && !given("offline") {
		run.offline = *f.Offline
	}
	if f.FailOn != nil {
		if run.kinds, err = parseKinds(cmp.Or(strings.Join(f.FailOn, ","), "none")); err != nil {
			return fmt.Errorf("%s: fail-on: %w", f.Path, err)
		}
	}
	if len(opts.Corpus) == 0 && len(f.Corpus) > 0 {
		if opts.Corpus, err = f.corpus(); err != nil {
			return err
		}
		opts.Corpus = append(opts.Corpus, filepath.SplitList(run.p.Env("CITELOOP_CORPUS"))...) // those of the user stay
	}
	if len(run.files) == 0 {
		run.files, err = f.included(ctx)
	}
	return err
}

// findProject returns the name of the project file of the texts, which must be one, or "".
func (run *verifyRun) findProject() (name string, err error) {
	texts := run.files
	if len(texts) == 0 {
		texts = []string{"."}
	}
	for i, text := range texts {
		folder := text
		if info, err := os.Stat(text); err != nil || !info.IsDir() {
			folder = filepath.Dir(text) // of - the working folder
		}
		of := project.Find(folder, cmp.Or(run.p.Env("HOME"), run.p.Env("USERPROFILE")))
		if i > 0 && of != name {
			return "", fmt.Errorf("%s and %s have different project files (%s): check them one after the other", texts[0], text,
				project.Name)
		}
		name = of
	}
	return name, nil
}

// readPlain reads a file that nobody has named: it may be no link or pipe that others have put there.
func readPlain(name string, most int64, without string) ([]byte, error) {
	if info, err := os.Lstat(name); err == nil && !info.Mode().IsRegular() {
		return nil, console.Usagef("%s is not a file: remove it, or use %s", fromHere(name), without)
	}
	return safefile.ReadInput(name, nil, most)
}

// included returns the texts that the file lists.
func (f *projectFile) included(ctx context.Context) (out []string, err error) {
	switch {
	case f.Path == "":
		return nil, console.Usagef("missing file to check: name one, or - for standard input; or list your texts in citeloop.toml")
	case len(f.Include) == 0:
		return nil, console.Usagef("missing file to check: name one, or list your texts as include in %s", f.Path)
	}
	found, err := f.textsIn(ctx, f.root)
	for _, path := range found {
		if f.Includes(f.below(path)) {
			out = append(out, fromHere(path))
		}
	}
	if err == nil && len(out) == 0 {
		err = console.Usagef("%s: include: no text matches %s", f.Path, strings.Join(f.Include, ", "))
	}
	return out, err
}

// corpus returns the folders of the file. They must lie below it: somebody else may have written it.
func (f *projectFile) corpus() (out []string, err error) {
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
	full := absolute(path)
	rel, err := filepath.Rel(project.Resolved(f.root), filepath.Join(project.Resolved(filepath.Dir(full)), filepath.Base(full)))
	if err != nil || !filepath.IsLocal(rel) {
		return ""
	}
	return filepath.ToSlash(rel)
}

func (f *projectFile) excludes(path string) bool {
	return len(f.Exclude) > 0 && f.Excludes(f.below(path))
}
