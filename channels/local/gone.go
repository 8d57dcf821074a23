package local

import (
	"errors"
	"os"
	"path/filepath"
	"time"
)

// keepUnused is how long the index of a folder is kept that nobody searches: it may be on a disk that is not mounted. Chosen.
const keepUnused = 30 * 24 * time.Hour

// Sweep removes the indexes in dir that nobody has opened for 30 days.
func Sweep(dir string, now time.Time) (err error) {
	files, err := filepath.Glob(filepath.Join(dir, "*.db"))
	for _, name := range files {
		if info, statErr := os.Stat(name); statErr == nil && now.Sub(info.ModTime()) > keepUnused {
			err = errors.Join(err, (&index{name: name}).remove())
		}
	}
	return err
}
