package local

import (
	"crypto/sha256"
	"io"
	"io/fs"
	"os"
)

// openInside opens a file inside its folder: a link that was put in its place since the walk and leads out of
// the folder is refused, and so is what is no regular file, on which opening might wait.
func openInside(folder, rel string) (*os.File, error) {
	root, err := os.OpenRoot(folder)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	before, err := root.Lstat(rel)
	if err != nil {
		return nil, err
	}
	if !before.Mode().IsRegular() {
		return nil, fs.ErrInvalid
	}
	f, err := root.Open(rel)
	if err != nil {
		return nil, err
	}
	if after, err := f.Stat(); err != nil || !os.SameFile(before, after) {
		_ = f.Close()
		return nil, fs.ErrInvalid
	}
	return f, nil
}

// hashOf reads a file through and goes back to its beginning.
func hashOf(f *os.File) (out [16]byte, err error) {
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return out, err
	}
	copy(out[:], h.Sum(nil))
	_, err = f.Seek(0, io.SeekStart)
	return out, err
}
