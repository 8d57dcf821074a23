package hooks

import (
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/citeloop/citeloop/internal/lazyregexp"
)

// Touch is what one call of a client's tool touched.
type Touch struct {
	Files   []File // that were read
	Pages   []string
	Query   string // of a search on the web, with its leads
	Leads   []Lead
	Written string // path of a text that was written, absolute
}

// File is a file that a tool may have shown to the model.
type File struct {
	Path   string // absolute
	Start  int    // the first line shown, from 1; 0 if only Output tells
	Lines  int    // how many lines were shown
	Output string // the output in which lines of the file must stand; otherwise it was not read
}

// maxFiles bounds the files of one call (chosen: a search may name hundreds, and each becomes a source).
const maxFiles = 8

// Touched returns what a call touched. It is empty for tools and commands that are not understood.
func Touched(e Event) Touch {
	if e.Name != ToolUsed {
		return Touch{}
	}
	var t Touch
	switch e.Tool {
	case "Read":
		t.read(e)
	case "read_file": // Gemini CLI shows no line numbers, so the text tells
		t.file(e.Dir, e.Input.Path, e.Response.Text)
	case "Grep", "grep_search", "search_file_content":
		t.grep(e)
	case "Bash", "run_shell_command", "shell":
		if paths, ok := patched(e.Input.Command); ok {
			t.wrote(e.Dir, paths)
			break
		}
		t.shell(e)
	case "apply_patch":
		paths, _ := patched(e.Input.Command)
		t.wrote(e.Dir, paths)
	case "WebFetch":
		t.page(e.Input.URL)
	case "web_fetch":
		for word := range strings.FieldsSeq(e.Input.Prompt) {
			t.page(strings.Trim(word, `.,;:!?()<>"'`))
		}
	case "WebSearch":
		t.Query, t.Leads = e.Input.Query, e.Response.Leads
	case "Write", "Edit", "MultiEdit", "write_file", "replace":
		t.wrote(e.Dir, []string{e.Input.Path})
	}
	return t
}

func (t *Touch) read(e Event) {
	if path, ok := absolute(e.Dir, e.Input.Path); ok && e.Response.Start > 0 {
		t.add(File{Path: path, Start: e.Response.Start, Lines: e.Response.Lines})
	}
}

func (t *Touch) file(dir, name, output string) {
	if path, ok := absolute(dir, name); ok && strings.TrimSpace(output) != "" {
		t.add(File{Path: path, Output: output})
	}
}

func (t *Touch) add(f File) {
	if len(t.Files) < maxFiles && !slices.ContainsFunc(t.Files, func(have File) bool { return have.Path == f.Path }) {
		t.Files = append(t.Files, f)
	}
}

func (t *Touch) page(raw string) {
	if webAddress(raw) && len(t.Pages) < maxFiles && !slices.Contains(t.Pages, raw) {
		t.Pages = append(t.Pages, raw)
	}
}

// grep takes the files that the lines of a search begin with, and the one file that was searched.
func (t *Touch) grep(e Event) {
	where := e.Input.Path
	if where == "" {
		where = "."
	}
	t.matches(e.Dir, []string{where}, e.Response.Text)
	t.file(e.Dir, where, e.Response.Text)
}

// matches takes the files that lines of an output begin with, such as "docs/a.md:12:text", inside of what was searched.
func (t *Touch) matches(dir string, searched []string, output string) {
	for line := range strings.Lines(output) {
		name, _, ok := strings.Cut(line, ":")
		if !ok || name == "" || len(name) > maxPathBytes {
			continue
		}
		for _, root := range searched {
			if inside(dir, root, name) {
				t.file(dir, name, output)
				break
			}
		}
	}
}

// inside reports whether name leads to root or below it.
func inside(dir, root, name string) bool {
	folder, ok := absolute(dir, root)
	if !ok {
		return false
	}
	path, ok := absolute(dir, name)
	if !ok {
		return false
	}
	rel, err := filepath.Rel(folder, path)
	return err == nil && filepath.IsLocal(rel)
}

// shell takes what the commands of a shell may have read.
func (t *Touch) shell(e Event) {
	dir, output := e.Dir, e.Response.Text
	for _, words := range commandsOf(e.Input.Command) {
		name, rest := path.Base(words[0]), words[1:]
		switch {
		case name == "cd":
			folder, ok := "", false
			if len(rest) == 1 {
				folder, ok = absolute(dir, rest[0])
			}
			if !ok {
				return // nobody knows where the rest runs
			}
			dir = folder
		case name == "curl":
			rest = slices.DeleteFunc(slices.Clone(rest), curlOption.MatchString)
			if said := strings.TrimSpace(output); len(rest) == 1 && said != "" && !strings.HasPrefix(said, "curl: (") {
				t.page(rest[0])
			}
		case slices.Contains(readers, name):
			rest = slices.DeleteFunc(slices.Clone(rest), func(word string) bool { return strings.HasPrefix(word, "-") })
			if strings.HasSuffix(name, "grep") || name == "rg" {
				t.matches(dir, append(rest, "."), output)
			}
			for _, file := range rest {
				t.file(dir, file, output)
			}
		}
	}
}

func (t *Touch) wrote(dir string, names []string) {
	for _, name := range names {
		if path, ok := absolute(dir, name); ok && isText(path) {
			t.Written = path
		}
	}
}

// isText reports whether a report may have this name.
func isText(path string) bool {
	ext := strings.ToLower(filepath.Ext(path))
	return ext == ".md" || ext == ".markdown"
}

var patchedFile = lazyregexp.New(`(?m)^\*\*\* (?:Add|Update) File: (.+)$`)

// patched returns the files that a patch in the form of Codex's apply_patch writes. ok is false for anything else.
func patched(command string) (paths []string, ok bool) {
	if !strings.Contains(command, "*** Begin Patch\n") {
		return nil, false
	}
	for _, m := range patchedFile.FindAllStringSubmatch(command, maxFiles) {
		paths = append(paths, strings.TrimSpace(m[1]))
	}
	return paths, true
}

// maxPathBytes bounds a path (of Linux).
const maxPathBytes = 4096

// absolute returns the path that a name has in a folder. ok is false for a name that is none.
func absolute(dir, name string) (path string, ok bool) {
	if name == "" || len(name) > maxPathBytes || strings.ContainsAny(name, "\x00\n\r") {
		return "", false
	}
	if !filepath.IsAbs(name) {
		if !filepath.IsAbs(dir) {
			return "", false
		}
		name = filepath.Join(dir, name)
	}
	return filepath.Clean(name), true
}
