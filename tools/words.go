package tools

import (
	"errors"
	"fmt"
	"strings"

	"github.com/citeloop/citeloop/channels"
	"github.com/citeloop/citeloop/internal/wording"
	"github.com/citeloop/citeloop/loopstate"
)

// argumentNames are the names of arguments that differ from the domain's terms, by the path of the term. An empty
// name is left out: the fields of a gap that is added alone are arguments themselves.
var argumentNames = map[string]string{
	"loop":                   "state_id",
	"operation":              "operation_id",
	"request":                "arguments",
	"date":                   "as_of",
	"complete from":          "coverage_threshold",
	"dimensions.name":        "dimension",
	"entity.domains":         "official_domains",
	"budget.cost":            "cost_usd",
	"budget.seconds":         "latency_seconds",
	"usage.cost":             "cost_usd",
	"gap":                    "",
	"gap.text":               "gap",
	"gap.types":              "source_types",
	"gaps.text":              "gap",
	"gaps.types":             "source_types",
	"answered gaps":          "answered_gaps",
	"open questions":         "open_questions",
	"failures":               "evaluator_failures",
	"confirmed rounds":       "confirm_rounds",
	"retractions":            "retract_claims",
	"visited":                "visited_urls",
	"bad":                    "bad_urls",
	"bad.address":            "url",
	"claims.text":            "claim",
	"claims.sources":         "source_ids",
	"contradictions.sources": "source_ids",
	"address":                "url",
	"addresses":              "urls",
	"pasted addresses":       "urls",
	"search":                 "query",
	"critic why":             "critic_why",
	"source":                 "source_id",
	"sources":                "source_ids",
}

// argumentName is the argument that carries a part of a request.
func argumentName(subject string) string {
	var path, names []string
	for term := range strings.SplitSeq(subject, ".") {
		term, index, _ := strings.Cut(term, "[")
		path = append(path, term)
		name, known := argumentNames[strings.Join(path, ".")]
		if !known {
			name = term
		}
		if index != "" {
			name += "[" + index
		}
		if name != "" {
			names = append(names, name)
		}
	}
	return strings.Join(names, ".")
}

// remedy returns what a host should do about an error, in terms of tools and arguments.
func remedy(e *loopstate.Error) string {
	switch e.Code {
	case loopstate.CodeMissing:
		switch e.Subject {
		case "query":
			return "state the question that the loop answers"
		case "claims":
			return "give claims [{claim, source_ids}], or the whole Markdown text as draft"
		case "address":
			return "give url, or urls for several; a text that the user pasted goes into text, with its title"
		}
		return "give it"
	case loopstate.CodeEmpty:
		switch {
		case e.Subject == "critic why":
			return "say why the user wants no critic; the report shows it"
		case strings.HasPrefix(e.Subject, "answers"):
			return "say why the point was not taken as it stands; the report shows it"
		case e.Subject == "title":
			return "say what the pasted text is"
		case strings.HasSuffix(e.Subject, ".text") && strings.HasPrefix(e.Subject, "claims"):
			return "give one sentence that says something"
		case e.Subject == "search":
			return "give a few words to look for"
		}
	case loopstate.CodeTooLong:
		switch e.Subject {
		case "draft":
			return fmt.Sprintf("verify it chapter by chapter, at most %d at once", e.Limit)
		case "operation":
			return "use a UUID"
		case "angle":
			return "use one of the angles that loop_init returned"
		}
	case loopstate.CodeTooMany:
		if e.Subject == "pasted addresses" {
			return "paste each text in a call of its own"
		}
	case loopstate.CodeUnknownLoop:
		return "use the state_id that loop_init returned; loop_list shows your loops"
	case loopstate.CodeUnknownGap:
		return "call loop_get_gaps for the ids of this loop's gaps"
	case loopstate.CodeUnknownClaim:
		return "call loop_get_state with view claims for the ids"
	case loopstate.CodeUnreadSource:
		return "call loop_get_state with view sources for those that were read"
	case loopstate.CodeUnreadCited:
		return "fetch the page with this state_id and cite the source_id that fetch returns"
	case loopstate.CodeAborted:
		return "start a new loop with loop_init; this one can still be read and reported"
	case loopstate.CodeBusy:
		if e.Subject == "draft" {
			return "wait for your other checks of long texts, then call again"
		}
		return "call again with the same operation_id"
	case loopstate.CodeRoundOpen:
		return "leave round out for the loop as it is now"
	case loopstate.CodeBadCursor:
		return "use next_cursor of the last answer with the same other arguments, or leave it out for the beginning"
	case loopstate.CodeReused:
		return "use a new operation_id for each operation"
	case loopstate.CodeNothingToSay:
		return "give the final Markdown text as draft, or record claims with loop_update or verify_citations first"
	case loopstate.CodeNoChannel:
		return "call list_channels for what each needs"
	case loopstate.CodeNoJudge:
		return "leave it out, the checks need none; or set CITELOOP_READER_URL and CITELOOP_READER_MODEL"
	case loopstate.CodeUnknownBatch:
		return "leave it out for the open batch or a new one"
	case loopstate.CodeNothingToRead:
		return "call verify_citations first; it says what a reader has to read"
	case loopstate.CodeNoDraft:
		return "call verify_citations with the whole text as draft; then a critic can read it"
	case loopstate.CodeUnknownPoint:
		return "use the ids that loop_get_state with view full lists under points"
	case loopstate.CodeBadLines:
		return "look them up with fetch(lines) or find_passages, and send all points again"
	case loopstate.CodeTooLittleText:
		return "fetch more of what is cited: a batch needs sentences for its planted errors and controls"
	case loopstate.CodeReaderFailed:
		return "tell the user: a person can read them on the page, or a model that CITELOOP_READER_URL names"
	case loopstate.CodeNoOwner:
		return "send the token that the server asks for"
	case loopstate.CodeTooManyLoops:
		return fmt.Sprintf("continue one of them (loop_list shows them), or ask the server's operator to delete some ('citeloop loops delete --owner %s ID')", e.Value)
	case loopstate.CodeStorageFull:
		return fmt.Sprintf("continue with what is kept (passages, verification, closing rounds and the report still work), and ask the server's operator to delete finished loops ('citeloop loops delete --owner %s ID'; 'citeloop loops list --owner %[1]s' shows what each keeps) or to raise bytes= of --limits", e.Value)
	}
	return wording.Remedy(e)
}

// MistakeIn returns the caller's mistake that err reports, in terms of the tools' arguments, or nil. Other errors are
// logged.
func MistakeIn(err error) *wording.Mistake {
	if m, ok := errors.AsType[*wording.Mistake](err); ok {
		return m
	}
	if e, ok := errors.AsType[*loopstate.Error](err); ok {
		return &wording.Mistake{Argument: argumentName(e.Subject), Problem: wording.Problem(e), Remedy: remedy(e)}
	}
	if unknown, ok := errors.AsType[*channels.UnknownChannelError](err); ok {
		return &wording.Mistake{Argument: "channel_name", Problem: unknown.Error(), Remedy: "call list_channels for what each is good for"}
	}
	if query, ok := errors.AsType[*channels.QueryError](err); ok {
		return &wording.Mistake{Argument: query.Argument, Problem: query.Message}
	}
	return nil
}
