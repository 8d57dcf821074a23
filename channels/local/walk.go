package local

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/citeloop/citeloop/fetch/extract"
)

// walked is the result of a walk over a folder.
type walked struct {
	files    map[string]stamp // by path within the folder, with slashes
	order    []string         // their paths in walking order
	problems []Problem        // folders that cannot be listed
	left     leftOut          // files that are left out by their names
	overflow bool             // more files than maxFiles
}

// stamp tells cheaply whether a file may have changed.
type stamp struct {
	size  int64
	mtime int64 // nanoseconds since 1970
}

// walk lists the readable files of a folder. Its error is that of ctx, or of opening the folder.
func walk(ctx context.Context, folder string, reads func(string) (string, bool)) (walked, error) {
	w := walked{files: map[string]stamp{}, left: leftOut{}}
	root, err := os.OpenRoot(folder)
	if err != nil {
		return w, err
	}
	defer root.Close()
	err = fs.WalkDir(root.FS(), ".", func(rel string, d fs.DirEntry, err error) error {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			if rel == "." {
				return err
			}
			if d != nil && d.IsDir() {
				w.problems = append(w.problems, Problem{filepath.Join(folder, filepath.FromSlash(rel)), "cannot be listed: " + problem(err)})
				return fs.SkipDir
			}
			return nil
		}
		if rel != "." && skipped(d.Name()) {
			if d.IsDir() {
				w.left.add("hidden or node_modules folders", "")
				return fs.SkipDir
			}
			if left, ok := reads(d.Name()); !ok && left == extract.Secrets {
				w.left.add(left, d.Name())
			} else {
				w.left.add("hidden files", "")
			}
			return nil
		}
		if d.IsDir() {
			return nil
		}
		if !d.Type().IsRegular() {
			w.left.add("links, pipes or devices", "")
			return nil
		}
		if left, ok := reads(d.Name()); !ok {
			w.left.add(left, d.Name())
			return nil
		}
		info, err := d.Info()
		if err != nil {
			return nil // deleted since it was listed
		}
		if len(w.files) == maxFiles {
			w.overflow = true
			return fs.SkipAll
		}
		w.files[rel] = stamp{info.Size(), info.ModTime().UnixNano()}
		w.order = append(w.order, rel)
		return nil
	})
	return w, err
}

// skipped reports whether a file or folder is skipped: hidden ones and node_modules.
func skipped(name string) bool { return strings.HasPrefix(name, ".") || name == "node_modules" }
