package local

import (
	"context"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/citeloop/citeloop/fetch"
	"github.com/citeloop/citeloop/fetch/extract"
)

// stamp tells cheaply whether a file may have changed.
type stamp struct {
	size  int64
	mtime int64 // nanoseconds since 1970
}

// walked is the result of a walk over the folders.
type walked struct {
	files    map[string]stamp // by absolute path, with slashes
	order    []string         // in walking order
	missing  []string         // folders that cannot be opened
	unread   []string         // folders that cannot be listed, with the reasons
	left     leftOut          // files that are left out by their names
	overflow bool             // more files than maxFiles
}

// walk lists the readable files of the folders. Its error is that of ctx.
func walk(ctx context.Context, roots []string) (*walked, error) {
	w := &walked{files: map[string]stamp{}, left: leftOut{}}
	for _, folder := range roots {
		root, err := os.OpenRoot(folder)
		if err == nil {
			err = fs.WalkDir(root.FS(), ".", func(rel string, d fs.DirEntry, err error) error {
				switch {
				case ctx.Err() != nil:
					return ctx.Err()
				case rel == ".":
					return err
				case err != nil:
					w.unread = append(w.unread, named(rel, "cannot be listed: "+problem(err)))
					return fs.SkipDir
				}
				return w.entry(path.Join(folder, rel), d)
			})
			root.Close()
		}
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err != nil {
			w.missing = append(w.missing, folder)
		}
	}
	return w, nil
}

// isMissing reports a file in a folder that cannot be opened: its disk may not be mounted.
func isMissing(file string, missing []string) bool {
	return slices.ContainsFunc(missing, func(folder string) bool {
		_, ok := within(folder, file)
		return ok
	})
}

// entry counts a file or folder inside a folder, or returns fs.SkipDir or fs.SkipAll.
func (w *walked) entry(at string, d fs.DirEntry) error {
	left, readable := fetch.ReadsFile(d.Name())
	switch {
	case skipped(d.Name()) && d.IsDir():
		w.left.add("hidden or node_modules folders", "")
		return fs.SkipDir
	case d.IsDir():
	case skipped(d.Name()) && left != extract.Secrets:
		w.left.add("hidden files", "")
	case !d.Type().IsRegular():
		w.left.add("links, pipes or devices", "")
	case !readable:
		w.left.add(left, d.Name())
	case len(w.files) == maxFiles:
		w.overflow = true
		return fs.SkipAll
	default:
		if info, err := d.Info(); err == nil { // else deleted since it was listed
			w.files[at] = stamp{info.Size(), info.ModTime().UnixNano()}
			w.order = append(w.order, at)
		}
	}
	return nil
}

// skipped reports whether a file or folder is skipped: hidden ones and node_modules.
func skipped(name string) bool { return strings.HasPrefix(name, ".") || name == "node_modules" }
