package local

import (
	"crypto/sha256"
	"io"
	"io/fs"
	"os"
)

// openInside opens a regular file inside its folder. It refuses a link that replaced the file since the walk, and files
// whose opening might block, such as pipes.
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

// hashOf hashes a file and seeks back to its beginning.
func hashOf(f *os.File) (out [16]byte, err error) {
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return out, err
	}
	copy(out[:], h.Sum(nil))
	_, err = f.Seek(0, io.SeekStart)
	return out, err
}
