package local

import (
	"errors"
	"fmt"
	"io/fs"
)

var (
	errTooLarge = errors.New("too large")
	errExtract  = errors.New("extraction failed")
)

// problem says in a few words why a file was left out; the whole error goes to the log.
func problem(err error) string {
	switch {
	case errors.Is(err, errTooLarge):
		return fmt.Sprintf("larger than %d MB", maxFileBytes>>20)
	case errors.Is(err, fs.ErrPermission):
		return "permission denied"
	case errors.Is(err, fs.ErrNotExist):
		return "gone"
	case errors.Is(err, fs.ErrInvalid):
		return "not a regular file"
	}
	return "cannot be read"
}
