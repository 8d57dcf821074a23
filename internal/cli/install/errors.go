package install

import (
	"bytes"
	"errors"
	"fmt"
)

// ForeignError reports an entry with our name that is not ours.
type ForeignError struct{ Runs string }

func (e *ForeignError) Error() string {
	return fmt.Sprintf("the entry %q was not written by this command: %s", Name, e.Runs)
}

// ShapeError reports a file that does not have the client's format, or that cannot be edited reliably.
type ShapeError struct{ Problem string }

func (e *ShapeError) Error() string { return e.Problem }

func shapeError(format string, args ...any) error {
	return &ShapeError{fmt.Sprintf(format, args...)}
}

// errUncertain prevents writing a wrong result. No input is known that causes it.
var errUncertain = errors.New("the edit failed its check and was dropped; please report this with the shape of the file")

// SyntaxError is the position where a file is invalid.
type SyntaxError struct {
	Line, Column int // from 1; the column counts bytes
	Problem      string
}

func (e *SyntaxError) Error() string {
	return fmt.Sprintf("line %d, column %d: %s", e.Line, e.Column, e.Problem)
}

func syntaxError(text []byte, at int, problem string, args ...any) *SyntaxError {
	at = min(at, len(text))
	line := 1 + bytes.Count(text[:at], []byte("\n"))
	return &SyntaxError{line, at - bytes.LastIndexByte(text[:at], '\n'), fmt.Sprintf(problem, args...)}
}
