package install

import (
	"bytes"
	"fmt"
)

// ForeignError reports an entry with our name that is not ours.
type ForeignError struct{ Runs string }

func (e *ForeignError) Error() string {
	return fmt.Sprintf("the entry %q was not written by this command: %s", Name, e.Runs)
}

func syntaxError(text []byte, at int, problem string) error {
	at = min(at, len(text))
	line := 1 + bytes.Count(text[:at], []byte("\n"))
	return fmt.Errorf("line %d, column %d: %s", line, at-bytes.LastIndexByte(text[:at], '\n'), problem)
}
