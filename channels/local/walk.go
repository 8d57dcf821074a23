package local

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// seen is a file as a walk finds it.
type seen struct {
	folder string // absolute
	rel    string // within the folder, with slashes
	size   int64
	mtime  time.Time
}

// walk lists the files of the folders that may be read, by absolute path, and the folders that cannot be opened.
// A folder that cannot be listed inside another one is passed over.
func (x *Index) walk(ctx context.Context) (found map[string]seen, order, missing []string, overflow bool, err error) {
	found = map[string]seen{}
	for _, folder := range x.folders {
		root, err := os.OpenRoot(folder)
		if err != nil {
			missing = append(missing, folder)
			continue
		}
		err = fs.WalkDir(root.FS(), ".", func(rel string, d fs.DirEntry, err error) error {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			if err != nil {
				if d != nil && d.IsDir() {
					return fs.SkipDir
				}
				return nil
			}
			if rel != "." && skipped(d) {
				if d.IsDir() {
					return fs.SkipDir
				}
				return nil
			}
			if !d.Type().IsRegular() || !x.cfg.Reads(d.Name()) { // also leaves out symbolic links, pipes and devices
				return nil
			}
			info, err := d.Info()
			if err != nil {
				return nil // gone since it was listed
			}
			abs := filepath.Join(folder, filepath.FromSlash(rel))
			if _, twice := found[abs]; twice { // one folder lies in another
				return nil
			}
			if len(found) == maxFiles {
				overflow = true
				return fs.SkipAll
			}
			found[abs] = seen{folder: folder, rel: rel, size: info.Size(), mtime: info.ModTime()}
			order = append(order, abs)
			return nil
		})
		_ = root.Close() // read only
		if err != nil {
			return nil, nil, nil, false, err
		}
	}
	return found, order, missing, overflow, nil
}

// skipped leaves out what tools keep for themselves.
func skipped(d fs.DirEntry) bool {
	return strings.HasPrefix(d.Name(), ".") || d.IsDir() && d.Name() == "node_modules"
}
