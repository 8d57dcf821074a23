package cli

import (
	"errors"
	"fmt"
	"strings"

	"github.com/citeloop/citeloop/internal/verify"
	"github.com/citeloop/citeloop/internal/wording"
	"github.com/citeloop/citeloop/loopstate"
)

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
	if next := remedy(e); next != "" {
		words += "; " + next
	}
	return strings.Replace(err.Error(), e.Error(), words, 1)
}

// remedy returns the remedy for an error at the command line.
func remedy(e *loopstate.Error) string {
	switch e.Code {
	case loopstate.CodeMissing:
		return "give it"
	case loopstate.CodeUnknownLoop:
		return "'citeloop loops list' shows yours"
	case loopstate.CodeUnknownGap, loopstate.CodeUnknownClaim, loopstate.CodeUnreadSource, loopstate.CodeUnreadCited:
	case loopstate.CodeAborted:
		return "start a new loop; this one can still be viewed and reported"
	case loopstate.CodeRoundOpen:
		return "leave --round out for the loop as it is now"
	case loopstate.CodeBadCursor:
		return "give the next_cursor of the last answer, or none for the beginning"
	case loopstate.CodeReused:
		return "try again"
	case loopstate.CodeNothingToSay:
		return "give the text with --draft"
	case loopstate.CodeNoChannel:
		return "'citeloop channels' shows what each channel requires"
	case loopstate.CodeNoJudge:
		return "set CITELOOP_READER_URL and CITELOOP_READER_MODEL"
	case loopstate.CodeUnknownBatch:
		return "leave it out for the open batch"
	case loopstate.CodeNothingToRead:
		return "verify claims first"
	case loopstate.CodeNoDraft:
		return "check the whole text as a draft first"
	case loopstate.CodeReaderFailed:
		return "read them on the page of 'citeloop serve --http', or name a model with CITELOOP_READER_URL"
	case loopstate.CodeNoOwner:
		return "name one with --owner"
	case loopstate.CodeTooManyLoops, loopstate.CodeStorageFull:
		return fmt.Sprintf("'citeloop loops delete --owner %s ID' deletes a loop; --limits of the server sets what one owner may have",
			e.Value)
	}
	return wording.Remedy(e)
}
