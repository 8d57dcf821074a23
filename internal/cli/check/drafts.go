package check

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/citeloop/citeloop/internal/cli/console"
	"github.com/citeloop/citeloop/internal/cli/safefile"
	"github.com/citeloop/citeloop/internal/loops"
	"github.com/citeloop/citeloop/internal/text/draft"
)

// Draft is a cited text in Markdown, under the name that findings show. Relative links lead from the folder of that name.
type Draft struct {
	Name string `json:"file"`
	Text string `json:"-"`
	lock *lock  // of its folder; nil: none
}

// stdinName is the name of standard input as a draft.
const stdinName = "<stdin>"

// readDrafts reads the files to check, and the texts of folders; - is standard input.
func (run *verifyRun) readDrafts(ctx context.Context) (out []Draft, err error) {
	for _, name := range run.files {
		files := []string{name}
		if info, err := os.Stat(name); name != "-" && err == nil && info.IsDir() {
			if files, err = run.project.textsIn(ctx, name); err != nil {
				return nil, err
			}
			if len(files) == 0 {
				return nil, console.Usagef("no .md, .markdown or .txt files in folder %s: name the files to check", name)
			}
		}
		for _, file := range files {
			d, err := run.readDraft(ctx, file)
			if err != nil {
				return nil, err
			}
			out = append(out, d)
		}
	}
	return out, nil
}

func (run *verifyRun) readDraft(ctx context.Context, file string) (Draft, error) {
	body, err := safefile.ReadInput(file, run.p.Stdin, 4*loops.MaxDraftChars)
	if err != nil {
		return Draft{}, err
	}
	d := Draft{Name: file, Text: strings.TrimRight(strings.TrimPrefix(string(body), "\uFEFF"), "\x00")}
	if rel := fromHere(file); filepath.IsAbs(file) && filepath.IsLocal(rel) {
		d.Name = rel
	} else if file == "-" {
		d.Name = stdinName
	}
	others := []string{".rst", ".tex", ".org", ".ipynb", ".docx", ".odt", ".adoc", ".pdf", ".mdx"}
	switch { // whatever its name says
	case slices.Contains(others, strings.ToLower(filepath.Ext(file))), draft.IsHTML(d.Text), strings.HasPrefix(d.Text, "%PDF-"):
		return d, console.Usagef("%s is not Markdown; convert it first, for example with pandoc -t gfm", d.Name)
	case !utf8.ValidString(d.Text), strings.Contains(d.Text, "\x00"):
		return d, console.Usagef("%s is no text in UTF-8; convert it first, for example with iconv", d.Name)
	}
	if d.Name != stdinName {
		d.lock, err = run.lockOf(ctx, filepath.Dir(absolute(d.Name)))
	}
	return d, err
}

// textsIn returns the Markdown and text files below a folder, without hidden folders, links, and what the project excludes.
func (f *projectFile) textsIn(ctx context.Context, folder string) (out []string, err error) {
	if _, err := safefile.InsidePath(folder); err != nil {
		return nil, err
	}
	err = filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		if err = errors.Join(err, ctx.Err()); err != nil {
			return err
		}
		excluded := f.excludes(path)
		if d.IsDir() && path != folder && (strings.HasPrefix(d.Name(), ".") || excluded) {
			return fs.SkipDir
		}
		kind := strings.ToLower(filepath.Ext(path))
		if d.Type().IsRegular() && !excluded && (kind == ".md" || kind == ".markdown" || kind == ".txt") {
			out = append(out, path)
		}
		return nil
	})
	return out, err
}
