package local

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/citeloop/citeloop/fetch"
	"github.com/citeloop/citeloop/fetch/extract"
)

// place is where a file is: the number of its folder, and its path within it, with slashes.
type place struct {
	folder int
	path   string
}

// stamp tells cheaply whether a file may have changed.
type stamp struct {
	size  int64
	mtime int64 // nanoseconds since 1970
}

// walked is the result of a walk over the folders.
type walked struct {
	files    map[place]stamp
	order    []place // in walking order
	missing  map[int]bool
	problems []Problem      // folders that cannot be listed
	left     map[string]int // files that are left out by their names, by reason
	overflow bool           // more files than maxFiles
}

// walk lists the readable files of the folders. Its error is that of ctx.
func walk(ctx context.Context, roots []string) (*walked, error) {
	w := &walked{files: map[place]stamp{}, missing: map[int]bool{}, left: map[string]int{}}
	for n, folder := range roots {
		root, err := os.OpenRoot(folder)
		if err != nil {
			w.missing[n] = true
			continue
		}
		err = fs.WalkDir(root.FS(), ".", func(rel string, d fs.DirEntry, err error) error {
			switch {
			case ctx.Err() != nil:
				return ctx.Err()
			case err != nil && rel == ".":
				return err
			case err != nil && d != nil && d.IsDir():
				w.problems = append(w.problems, Problem{filepath.Join(folder, filepath.FromSlash(rel)),
					"cannot be listed: " + problem(err)})
				return fs.SkipDir
			case err != nil || rel == ".":
				return nil
			case d.IsDir() && slices.Contains(roots, filepath.Join(folder, filepath.FromSlash(rel))):
				return fs.SkipDir // walked as a folder of its own, so that a file is found once
			}
			return w.entry(place{n, rel}, d)
		})
		root.Close()
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		w.missing[n] = err != nil
	}
	return w, nil
}

// entry counts a file or folder inside a folder, or returns fs.SkipDir or fs.SkipAll.
func (w *walked) entry(at place, d fs.DirEntry) error {
	left, readable := fetch.ReadsFile(d.Name())
	switch {
	case skipped(d.Name()) && d.IsDir():
		w.left["hidden or node_modules folders"]++
		return fs.SkipDir
	case d.IsDir():
	case skipped(d.Name()) && left != extract.Secrets:
		w.left["hidden files"]++
	case !d.Type().IsRegular():
		w.left["links, pipes or devices"]++
	case !readable:
		w.left[left]++
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
