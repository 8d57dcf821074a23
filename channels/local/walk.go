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

// file is a file as a walk finds it.
type file struct {
	place
	stamp
}

// walked is the result of a walk over the folders, with what is left out by its name.
type walked struct {
	Report
	files []file // in walking order
}

// walk lists the readable files of the folders. Its error is that of ctx.
func walk(ctx context.Context, folders []string) (*walked, error) {
	w := &walked{Report: Report{Folders: len(folders), Looked: true, left: map[string]int{}}}
	for n, folder := range folders {
		root, err := os.OpenRoot(folder)
		if err != nil {
			w.Missing = append(w.Missing, folder)
			continue
		}
		err = fs.WalkDir(root.FS(), ".", func(rel string, d fs.DirEntry, err error) error {
			full := filepath.Join(folder, filepath.FromSlash(rel))
			switch {
			case ctx.Err() != nil:
				return ctx.Err()
			case rel == ".":
				return err
			case err != nil && d.IsDir():
				w.Problems = append(w.Problems, Problem{full, "cannot be listed: " + problem(err)})
				return fs.SkipDir
			case err != nil:
				return nil
			case d.IsDir() && slices.Contains(folders, full):
				return fs.SkipDir // walked as a folder of its own, so that a file is found once
			}
			return w.entry(place{n, rel}, d)
		})
		root.Close()
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err != nil {
			w.Missing = append(w.Missing, folder)
		}
	}
	w.Files = len(w.files)
	return w, nil
}

// entry takes a file or folder inside a folder, or returns fs.SkipDir or fs.SkipAll.
func (w *walked) entry(at place, d fs.DirEntry) error {
	hidden := strings.HasPrefix(d.Name(), ".") || d.Name() == "node_modules"
	kind, left := fetch.FileType(d.Name())
	switch {
	case hidden && d.IsDir():
		w.left["hidden or node_modules folders"]++
		return fs.SkipDir
	case d.IsDir():
	case hidden && left != extract.Secrets:
		w.left["hidden files"]++
	case !d.Type().IsRegular():
		w.left["links, pipes or devices"]++
	case kind == "":
		w.left[left]++
	case len(w.files) == maxFiles:
		w.Overflow = true
		return fs.SkipAll
	default:
		if info, err := d.Info(); err == nil { // else deleted since it was listed
			w.files = append(w.files, file{at, stamp{info.Size(), info.ModTime().UnixNano()}})
		}
	}
	return nil
}
