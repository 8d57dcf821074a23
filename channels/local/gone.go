package local

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// keepGone is how long the index of a missing folder is kept: it may be on a disk that is not mounted. Chosen.
const keepGone = 30 * 24 * time.Hour

// Gone is the index of a folder that is missing.
type Gone struct {
	Folder string
	Bytes  int64
	Until  time.Time // when a later [Sweep] removes it
}

// Sweep removes the indexes in dir whose folders are missing and that nobody has used for 30 days, and returns those of the other
// missing folders. With look it removes nothing.
func Sweep(ctx context.Context, dir string, now time.Time, look bool) (kept []Gone, err error) {
	files, err := filepath.Glob(filepath.Join(dir, "*.db"))
	for _, file := range files {
		info, statErr := os.Stat(file)
		if statErr != nil {
			continue
		}
		ix := &index{name: file}
		folder, openErr := ix.folder(ctx)
		if _, statErr := os.Stat(folder); openErr != nil || !filepath.IsAbs(folder) || !errors.Is(statErr, fs.ErrNotExist) {
			continue
		}
		if until := info.ModTime().Add(keepGone); look || now.Before(until) {
			kept = append(kept, Gone{folder, ix.bytes(), until})
		} else {
			err = errors.Join(err, ix.remove())
		}
	}
	return kept, err
}
