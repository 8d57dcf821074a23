package tools

import (
	"errors"
	"fmt"
	"strings"

	"github.com/citeloop/citeloop/channels"
	"github.com/citeloop/citeloop/internal/lazyregexp"
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
	"gap.where":              "where",
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

// problem is an error of the domain: its code, and its subject without indices. An empty subject stands for all others.
type problem struct {
	code    loopstate.Code
	subject string
}

// remedies say what a host should do about a problem, in terms of tools and arguments. %[1]d is the limit, %[2]s the value.
var remedies = map[problem]string{
	{loopstate.CodeMissing, "claims"}: "give claims [{claim, source_ids}], or the whole Markdown text as draft",
	{loopstate.CodeMissing, "angle"}:  "name the angle of the subagent that searched, such as byEntity",
	{loopstate.CodeMissing, "address"}: "give url, or urls for several; a text that the user pasted goes into text, with its " +
		"title",
	{loopstate.CodeMissing, "claims.field"}:     "record claims first: loop_update",
	{loopstate.CodeMissing, ""}:                 "give it",
	{loopstate.CodeEmpty, "query"}:              "state the question, or leave query out: the first query becomes it",
	{loopstate.CodeEmpty, "title"}:              "say what the pasted text is",
	{loopstate.CodeEmpty, "claims.text"}:        "give one sentence that says something",
	{loopstate.CodeEmpty, "search"}:             "give a few words to look for",
	{loopstate.CodeTooLong, "draft"}:            "verify it chapter by chapter, at most %[1]d at once",
	{loopstate.CodeTooLong, "operation"}:        "use a UUID",
	{loopstate.CodeTooLong, "angle"}:            "use one of the angles that loop_init returned",
	{loopstate.CodeTooMany, "pasted addresses"}: "paste each text in a call of its own",
	{loopstate.CodeUnknownLoop, ""}:             "use the state_id that loop_init returned; loop_list shows your loops",
	{loopstate.CodeUnknownGap, ""}:              "call loop_get_gaps for the ids of this loop's gaps",
	{loopstate.CodeUnknownClaim, ""}:            "call loop_get_state with view claims for the ids",
	{loopstate.CodeUnreadSource, ""}:            "call loop_get_state with view sources for those that were read",
	{loopstate.CodeUnreadCited, ""}:             "fetch the page with this state_id and cite the source_id that fetch returns",
	{loopstate.CodeAborted, ""}:                 "start a new loop with loop_init; this one can still be read and reported",
	{loopstate.CodeBusy, "draft"}:               "wait for your other checks of long texts, then call again",
	{loopstate.CodeBusy, ""}:                    "call again with the same operation_id",
	{loopstate.CodeRoundOpen, ""}:               "leave round out for the loop as it is now",
	{loopstate.CodeBadCursor, ""}: "use next_cursor of the last answer with the same other arguments, or leave it out " +
		"for the beginning",
	{loopstate.CodeReused, ""}: "use a new operation_id for each operation",
	{loopstate.CodeNothingToSay, ""}: "give the final Markdown text as draft, or record claims with loop_update or " +
		"verify_citations first",
	{loopstate.CodeNoChannel, ""}:     "call list_channels for what each needs",
	{loopstate.CodeNoJudge, ""}:       "leave it out, the checks need none; or set CITELOOP_READER_URL and CITELOOP_READER_MODEL",
	{loopstate.CodeUnknownBatch, ""}:  "leave it out for the open batch or a new one",
	{loopstate.CodeNothingToRead, ""}: "call verify_citations first; it says what a reader has to read",
	{loopstate.CodeNoDraft, ""}:       "call verify_citations with the whole text as draft; then a critic can read it",
	{loopstate.CodeBadLines, ""}:      "look them up with fetch(lines) or find_passages, and send the call again",
	{loopstate.CodeReaderFailed, ""}: "tell the user: a person can read them on the page, or a model that " +
		"CITELOOP_READER_URL names",
	{loopstate.CodeNoOwner, ""}: "send the token that the server asks for",
}

var index = lazyregexp.New(`\[[^]]*\]`)

func remedy(e *loopstate.Error) string {
	text, known := remedies[problem{e.Code, index.ReplaceAllString(e.Subject, "")}]
	if !known {
		text, known = remedies[problem{e.Code, ""}]
	}
	switch {
	case !known:
		return wording.Remedy(e)
	case strings.Contains(text, "%["):
		return fmt.Sprintf(text, e.Limit, e.Value)
	}
	return text
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
