package local

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/citeloop/citeloop/fetch"
	"github.com/citeloop/citeloop/fetch/extract"
	"github.com/citeloop/citeloop/fetch/extract/document"
	"github.com/citeloop/citeloop/internal/sanitize"
)

// Problem is a file or folder that was skipped.
type Problem struct {
	Path string `json:"path"` // absolute
	Why  string `json:"why"`  // a few words
}

var (
	errExtract   = errors.New("extraction failed")
	errManyMails = fmt.Errorf("only its first %d messages are read", maxMessages)
)

// tooLargeError is the error of a file that is larger than it may be.
type tooLargeError struct{ most int64 } // bytes

func (e *tooLargeError) Error() string { return fmt.Sprintf("larger than %d MB", e.most>>20) }

// Reasons that leave a file out by its content. They are no problems: such files are counted and not listed.
const (
	binaryFiles = "binary files"
	machineMade = "generated or minified"
	withKey     = "with a private key"
)

// problem returns a short reason why a file was skipped. The full error is logged.
func problem(err error) string {
	var large *tooLargeError
	switch {
	case errors.As(err, &large):
		return large.Error()
	case errors.Is(err, extract.ErrBinary):
		return binaryFiles
	case errors.Is(err, extract.ErrMachineMade):
		return machineMade
	case errors.Is(err, extract.ErrSecret):
		return withKey
	case errors.Is(err, errManyMails):
		return errManyMails.Error()
	case errors.Is(err, fs.ErrPermission):
		return "permission denied"
	case errors.Is(err, fs.ErrNotExist):
		return "gone"
	case errors.Is(err, fetch.ErrIrregular):
		return "not a regular file"
	case errors.Is(err, document.ErrUnsupported):
		why := strings.TrimPrefix(err.Error(), document.ErrUnsupported.Error()+": ")
		return "cannot be read: " + sanitize.Short(why, maxValueChars)
	}
	return "cannot be read"
}
