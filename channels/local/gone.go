package local

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// keepGone is how long the index of a missing folder is kept: it may be on a disk that is not mounted. Chosen.
const keepGone = 30 * 24 * time.Hour

// seenFile has, within an index, the day on which its folder was last there.
const seenFile = "seen"

// Gone is the index of a folder that is missing.
type Gone struct {
	Folder string
	Bytes  int64
	Until  time.Time // when a later [Sweep] removes it
}

// Sweep removes the indexes in dir whose folders have been missing for 30 days, and returns those of the other missing folders.
// It records for each index when its folder was last there; for one that has no record the days count from now. With look, it
// writes and removes nothing. It leaves out what is no index of this program.
func Sweep(dir string, now time.Time, look bool) (kept []Gone, err error) {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	for _, e := range entries {
		disk := indexDir{filepath.Join(dir, e.Name())}
		m, loadErr := disk.load()
		if loadErr != nil || !filepath.IsAbs(m.Folder) {
			continue
		}
		record := filepath.Join(disk.dir, seenFile)
		text, _ := os.ReadFile(record)
		seen, parseErr := time.Parse(time.DateOnly, string(text))
		_, statErr := os.Stat(m.Folder)
		gone := errors.Is(statErr, fs.ErrNotExist)
		if parseErr != nil || !gone {
			seen = now.UTC().Truncate(24 * time.Hour)
		}
		if day := seen.Format(time.DateOnly); !look && day != string(text) {
			err = errors.Join(err, os.WriteFile(record, []byte(day), 0o600))
		}
		switch until := seen.Add(keepGone); {
		case !gone:
		case now.Before(until) || look:
			kept = append(kept, Gone{m.Folder, disk.bytes(), until})
		default:
			err = errors.Join(err, disk.remove())
		}
	}
	return kept, err
}

// remove removes the files of the index, and its folder if nothing else is in it. It does nothing while a process writes it.
func (s indexDir) remove() error {
	unlock, err := s.lock()
	if err != nil {
		return nil
	}
	s.sweep(nil)
	for _, name := range []string{manifestFile, seenFile} {
		err = errors.Join(err, os.Remove(filepath.Join(s.dir, name)))
	}
	unlock()
	return errors.Join(err, os.Remove(filepath.Join(s.dir, lockFile)), os.Remove(s.dir))
}
