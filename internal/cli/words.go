package cli

import (
	"cmp"
	"errors"
	"strings"

	"github.com/citeloop/citeloop/internal/verify"
	"github.com/citeloop/citeloop/internal/wording"
	"github.com/citeloop/citeloop/loopstate"
)

// remedies are those at the command line.
var remedies = map[loopstate.Code]string{
	loopstate.CodeUnknownLoop:  "'citeloop loops list' shows yours",
	loopstate.CodeAborted:      "start a new loop; this one can still be viewed and reported",
	loopstate.CodeRoundOpen:    "leave --round out for the loop as it is now",
	loopstate.CodeBadCursor:    "give the next_cursor of the last answer, or none for the beginning",
	loopstate.CodeNothingToSay: "give the text with --draft",
	loopstate.CodeNoChannel:    "'citeloop channels' shows what each channel requires",
	loopstate.CodeUnknownBatch: "name a new file to write",
	loopstate.CodeReaderFailed: "read them on the page of 'citeloop serve --http', or name a model with CITELOOP_READER_URL",
}

// problem returns the message of an error for the terminal.
func problem(err error) string {
	if _, ok := errors.AsType[*verify.UnverifiedError](err); ok {
		return err.Error() + "; fix it, or use --allow-unverified for a report marked DRAFT"
	}
	e, ok := errors.AsType[*loopstate.Error](err)
	if !ok {
		return err.Error()
	}
	words := e.Subject + ": " + wording.Problem(e)
	if next := cmp.Or(remedies[e.Code], wording.Remedy(e)); next != "" {
		words += "; " + next
	}
	return strings.Replace(err.Error(), e.Error(), words, 1)
}
