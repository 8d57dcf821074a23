package cli

import (
	"fmt"
	"strings"
)

// Exit codes.
const (
	exitOK          = 0
	exitFailed      = 1
	exitUsage       = 2
	exitUndecided   = 3   // not read yet, or a text could not be read
	exitInterrupted = 130 // as shells report SIGINT
)

// exitCodes are the meanings of all exit codes, for the help and for docs/commands.md.
var exitCodes = []struct {
	code    int
	meaning string
}{
	{exitOK, "success"},
	{exitFailed, "failed; verify: findings; search: no channel answered"},
	{exitUsage, "usage error: unknown command or flag, invalid value"},
	{exitUndecided, "verify: undecided; fetch, extract: a source could not be read"},
	{exitInterrupted, "interrupted"},
}

// exitHelp returns the exit codes, one a line.
func exitHelp() string {
	var b strings.Builder
	for _, c := range exitCodes {
		fmt.Fprintf(&b, "\n  %-3d  %s", c.code, c.meaning)
	}
	return b.String()
}
