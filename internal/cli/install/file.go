package install

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// maxFileBytes bounds a client's file. That of Claude Code grows to some megabytes with its history. Chosen.
const maxFileBytes = 64 << 20

// File is a client's file with the content that was read.
type File struct {
	Path   string // with symbolic links resolved, because some users link their settings
	Text   []byte
	Exists bool
	mode   fs.FileMode
}

// Read reads a file. A missing file is not an error.
func Read(path string) (File, error) {
	target, err := filepath.EvalSymlinks(path)
	if errors.Is(err, fs.ErrNotExist) {
		if _, err := os.Lstat(path); err == nil {
			return File{}, fmt.Errorf("%s is a symbolic link to a missing file; create the file or remove the link", path)
		}
		return File{Path: path}, nil
	}
	if err != nil {
		return File{}, err
	}
	if info, err := os.Lstat(target); err == nil && !info.Mode().IsRegular() { // opening a pipe would wait
		return File{}, fmt.Errorf("%s is not a file", target)
	}
	f, err := os.Open(target)
	if err != nil {
		return File{}, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return File{}, err
	}
	if !info.Mode().IsRegular() {
		return File{}, fmt.Errorf("%s is not a file", target)
	}
	text, err := io.ReadAll(io.LimitReader(f, maxFileBytes+1))
	if err != nil {
		return File{}, err
	}
	if len(text) > maxFileBytes {
		return File{}, fmt.Errorf("%s is too large: more than %d MB", target, maxFileBytes>>20)
	}
	return File{Path: target, Text: text, Exists: true, mode: info.Mode().Perm()}, nil
}

// Write replaces the file atomically. The first Write of a day saves the old content in a backup beside the file, and
// every Write of that day returns its path; a new file has no backup. With private, only the user can read a new file.
// Write fails if the file was changed after it was read.
func (f File) Write(text []byte, private bool, now time.Time) (backup string, err error) {
	mode := f.mode
	if !f.Exists {
		mode = 0o644
		if private {
			mode = 0o600
		}
		if err := os.MkdirAll(filepath.Dir(f.Path), 0o755); err != nil {
			return "", err
		}
	}
	temp, err := os.CreateTemp(filepath.Dir(f.Path), "."+filepath.Base(f.Path)+".*.tmp")
	if err != nil {
		return "", err
	}
	made := false // the backup
	defer func() {
		if err == nil {
			return
		}
		err = errors.Join(err, os.Remove(temp.Name()))
		if made { // the file did not change, so it needs no backup
			err = errors.Join(err, os.Remove(backup))
		}
		backup = ""
	}()
	_, err = temp.Write(text)
	if err == nil {
		err = temp.Sync()
	}
	if err := errors.Join(err, temp.Close()); err != nil {
		return "", err
	}
	if err := os.Chmod(temp.Name(), mode); err != nil {
		return "", err
	}
	if f.Exists {
		if backup, made, err = f.backUp(now); err != nil {
			return "", err
		}
	}
	// The client may be running and write the file too. This check reduces the race to the time of one rename.
	current, err := Read(f.Path)
	if err != nil {
		return backup, err
	}
	if current.Exists != f.Exists || !bytes.Equal(current.Text, f.Text) {
		return backup, fmt.Errorf("%s was changed by another program meanwhile; nothing was written, try again", f.Path)
	}
	return backup, os.Rename(temp.Name(), f.Path)
}

// backUp copies the file to the same folder, unless there is already a copy of this day.
func (f File) backUp(now time.Time) (name string, made bool, err error) {
	name = f.Path + "." + now.Format(time.DateOnly) + ".bak"
	out, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return name, false, nil
	}
	if err != nil {
		return "", false, err
	}
	_, err = out.Write(f.Text)
	if err == nil {
		err = out.Sync()
	}
	if err := errors.Join(err, out.Close(), os.Chmod(name, f.mode)); err != nil {
		return "", false, errors.Join(err, os.Remove(name))
	}
	return name, true, nil
}
