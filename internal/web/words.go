package web

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/citeloop/citeloop/internal/report"
	"github.com/citeloop/citeloop/internal/report/messages"
	"github.com/citeloop/citeloop/internal/report/style"
	"github.com/citeloop/citeloop/internal/sanitize"
	"github.com/citeloop/citeloop/internal/verify"
	"github.com/citeloop/citeloop/internal/wording"
	"github.com/citeloop/citeloop/loopstate"
)

// longest bounds one untrusted text on the page: a query, a gap, a claim or a reason (chosen). The tools accept 10,000
// characters, and a page may show a thousand such texts.
const longest = 1_000

// plain returns untrusted text for one line.
func plain(s string) string { return sanitize.Short(s, longest) }

// lines is plain for a passage: it keeps its paragraphs.
func lines(s string) string {
	var out []string
	for paragraph := range strings.SplitSeq(s[:min(len(s), 4*longest)], "\n\n") {
		if line := plain(paragraph); line != "" {
			out = append(out, line)
		}
	}
	return strings.Join(out, "\n")
}

// short is plain with a lower limit.
func short(chars int, s string) string { return sanitize.Short(s, chars) }

func percent(share float64) string { return fmt.Sprintf("%.0f %%", share*100) }

// actionWords returns the words for a next action.
func actionWords(action string) string {
	return cmp.Or(style.Actions()[action], short(40, action))
}

// guardrails explain why a sign-off or a coverage was not accepted.
var guardrails = map[string]string{
	"signoff_with_open_gaps":              "sign-off ignored: open gaps",
	"signoff_with_hallucinated_citations": "sign-off ignored: citations of unread sources",
	"admitted_absence":                    "the text mostly reports missing evidence",
	"short_synthesis":                     "high coverage was reported before a text existed",
	"guardrail_first_round_coverage":      "coverage after the first round is too low",
	"guardrail_critical_gap":              "a critical gap is open",
	"guardrail_low_coverage":              "coverage is too low",
}

func guardrailWords(name string) string {
	return cmp.Or(guardrails[name], strings.ReplaceAll(short(80, name), "_", " "))
}

// outcomeClass maps the status of a search to ok, empty or bad.
func outcomeClass(status string) string {
	switch status {
	case "ok", "found", "reported":
		return "ok"
	case "empty":
		return "empty"
	}
	return "bad"
}

// outcomeWords says what a channel answered: "3 hits", "no hits", or why there was no answer.
func outcomeWords(m messages.Table, o loopstate.SearchOutcome) string {
	switch {
	case o.Count > 0 && o.Status == "reported":
		return m.Count(o.Count, style.FormatNumber(o.Count), "1 hit", "%s hits") + ", " + m.T("reported by the assistant")
	case o.Count > 0:
		return m.Count(o.Count, style.FormatNumber(o.Count), "1 hit", "%s hits")
	case outcomeClass(o.Status) != "bad":
		return m.T("no hits")
	}
	return m.T(statusWords(o.Status))
}

// statusWords formats one or more status codes.
func statusWords(status string) string { return strings.ReplaceAll(plain(status), "_", " ") }

// channelWords names a channel.
func channelWords(name string) string {
	if name == "local" {
		return "your folders"
	}
	return short(60, name)
}

// flagWords formats a flag, as the report does.
func flagWords(m messages.Table, flag string) string { return report.FlagWords(m, short(400, flag)) }

// kinds are the flags of a source without their places, each once: the page of the source has them.
func kinds(flags []string) (out []string) {
	for _, flag := range flags {
		if kind, _, _ := strings.Cut(flag, ":"); !slices.Contains(out, kind) {
			out = append(out, kind)
		}
	}
	return out
}

// problemOf says what is wrong.
func problemOf(e *loopstate.Error) message {
	return func(m messages.Table) string { return wording.ProblemIn(m, e) }
}

// remedyOf says what a visitor can do about an error.
func remedyOf(e *loopstate.Error) message {
	if own, ok := remedies[e.Code]; ok {
		return own
	}
	return func(m messages.Table) string { return wording.RemedyIn(m, e) }
}

var (
	chooseAgain = said("go back to the list and choose again")
	oneChannel  = said("ask the operator of the server to configure one")
	makeSpace   = said("ask the server's operator to delete finished loops or to raise the limit")
)

// remedies are the remedies that differ from those of the tools.
var remedies = map[loopstate.Code]message{
	loopstate.CodeMissing:       said("fill it in"),
	loopstate.CodeEmpty:         said("write a sentence"),
	loopstate.CodeUnknownLoop:   chooseAgain,
	loopstate.CodeUnknownClaim:  chooseAgain,
	loopstate.CodeUnreadSource:  chooseAgain,
	loopstate.CodeUnreadCited:   chooseAgain,
	loopstate.CodeRoundOpen:     chooseAgain,
	loopstate.CodeBadCursor:     chooseAgain,
	loopstate.CodeReused:        chooseAgain,
	loopstate.CodeUnknownGap:    said("choose one of the open gaps"),
	loopstate.CodeAborted:       said("it can still be read; a new loop can be started from your assistant"),
	loopstate.CodeNothingToSay:  said("record claims first"),
	loopstate.CodeNoChannel:     oneChannel,
	loopstate.CodeNoJudge:       oneChannel,
	loopstate.CodeUnknownBatch:  said("go back to the loop and open its review again"),
	loopstate.CodeNothingToRead: said("check a draft or claims first"),
	loopstate.CodeReaderFailed:  said("go back to the loop and open its review again"),
	loopstate.CodeNoDraft:       said("check a draft or claims first"),
	loopstate.CodeBadLines:      chooseAgain,
	loopstate.CodeNoOwner:       said("open the page with its link or a token"),
	loopstate.CodeTooManyLoops:  makeSpace,
	loopstate.CodeStorageFull:   makeSpace,
}

// isTold reports a flag that the result of a check shows in another way: once for all sentences, or by their verdicts.
func isTold(flag string) bool {
	kind, _, _ := strings.Cut(flag, ":")
	kind, _, _ = strings.Cut(kind, " ")
	return kind == verify.FlagSingleSource && !strings.Contains(flag, ":") || kind == verify.FlagUnknownSource || kind == verify.FlagUncited || kind == "hallucinated_citation"
}

// maxAddressBytes bounds addresses that are compared: no page that was read has a longer one.
const maxAddressBytes = 8 << 10

// isLone reports the flag of a claim whose sources are one independent origin.
func isLone(flag string) bool { return strings.HasPrefix(flag, verify.FlagSingleSource) }

// carriesWords lists the claims of a source by id: "C1, C4 and 3 more".
func carriesWords(m messages.Table, r sourceRow) string {
	if len(r.Carries) <= carriedIDs {
		return strings.Join(r.Carries, ", ")
	}
	return m.T("%s and %s more", strings.Join(r.Carries[:carriedIDs], ", "), fmt.Sprint(len(r.Carries)-carriedIDs))
}

// carriedIDs bounds the claims that the card of a source lists (chosen).
const carriedIDs = 6

// assistantWords are the words with which a visitor has an assistant work on a loop.
func assistantWords(m messages.Table, loop string) string {
	return m.T("Work on the citeloop loop %s until it is finished.", loop)
}
