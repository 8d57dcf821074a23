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

// file is a file as a walk finds it. Size and modification time tell whether it may have changed.
type file struct {
	place
	size  int64
	mtime int64 // nanoseconds since 1970
}

// walk lists the readable files of the folders, in walking order, and reports what is left out by its name. Its error is that of ctx.
func walk(ctx context.Context, folders []string) (files []file, r Report, err error) {
	r = Report{Looked: true, left: map[string]int{}}
	for n, folder := range folders {
		root, err := os.OpenRoot(folder)
		if err != nil {
			r.Missing = append(r.Missing, folder)
			continue
		}
		defer root.Close()
		err = fs.WalkDir(root.FS(), ".", func(rel string, d fs.DirEntry, err error) error {
			full := filepath.Join(folder, filepath.FromSlash(rel))
			switch {
			case ctx.Err() != nil:
				return ctx.Err()
			case err != nil && (rel == "." || d.IsDir()):
				r.Missing = append(r.Missing, full)
				return fs.SkipDir
			case err != nil || rel == ".":
				return nil
			case d.IsDir() && slices.Contains(folders, full):
				return fs.SkipDir // walked as a folder of its own, so that a file is found once
			}
			why := leftOut(d)
			switch {
			case why != "":
				r.left[why]++
			case !d.IsDir():
				if info, err := d.Info(); err == nil { // else deleted since it was listed
					files = append(files, file{place{n, rel}, info.Size(), info.ModTime().UnixNano()})
				}
			}
			if why != "" && d.IsDir() {
				return fs.SkipDir
			}
			return nil
		})
		if err != nil {
			return nil, r, err
		}
	}
	r.Files = len(files)
	return files, r, nil
}

// leftOut says why a file or folder is not read, by its name, in a few words that follow a number.
func leftOut(d fs.DirEntry) string {
	hidden := strings.HasPrefix(d.Name(), ".") || d.Name() == "node_modules"
	kind, left := fetch.FileType(d.Name())
	switch {
	case hidden && d.IsDir():
		return "hidden or node_modules folders"
	case d.IsDir():
		return ""
	case hidden && left != extract.Secrets:
		return "hidden files"
	case !d.Type().IsRegular():
		return "links, pipes or devices"
	case kind == "":
		return left
	}
	return ""
}
