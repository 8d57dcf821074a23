// Package outcome has the verdicts of a check by the command line, their exit codes, and how its results are encoded.
package outcome

import (
	"encoding/json"
	"io"
	"slices"
)

// The verdicts, best first.
const (
	Pass      = "pass"
	Undecided = "undecided" // something waits for a reader, could not be read or looked up, or nothing is claimed
	Fail      = "fail"
)

// Worse returns the worse of two verdicts.
func Worse(a, b string) string {
	order := []string{Pass, Undecided, Fail}
	return order[max(slices.Index(order, a), slices.Index(order, b))]
}

// ExitCode returns 0 for pass, 1 for fail and 3 for undecided; 2 is a usage error.
func ExitCode(verdict string) int {
	return map[string]int{Pass: 0, Fail: 1, Undecided: 3}[verdict]
}

// JSON returns an encoder of results, which leaves <, > and & as they are. Indented by two spaces, or an object a line.
func JSON(w io.Writer, indented bool) *json.Encoder {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	if indented {
		e.SetIndent("", "  ")
	}
	return e
}
