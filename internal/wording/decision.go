package wording

import (
	"fmt"
	"strings"

	"github.com/dustin/go-humanize/english"

	"github.com/citeloop/citeloop/loopstate"
)

// Decision is a decision of a loop as hosts and people get it.
type Decision struct {
	NextAction      string   `json:"next_action,omitempty"` // search_more, fetch_more, finalize, escalate_budget or abort
	NextQueries     []string `json:"next_queries"`          // what to search for next
	NextURLsToFetch []string `json:"next_urls_to_fetch"`    // found but not read yet
	StopReason      string   `json:"stop_reason"`           // why the loop ends; empty while it goes on
	Rule            string   `json:"rule,omitempty"`        // the rule that decided
	Because         string   `json:"because,omitempty"`     // the numbers the rule used, and what would have changed it
	Target          string   `json:"target,omitempty"`      // the query of the one gap to pursue; empty when none is open
	TargetGap       string   `json:"target_gap,omitempty"`  // that gap's id
	Advice          []Advice `json:"advice,omitempty"`      // what would help; nothing of it is needed to finish
}

// Advice is one thing that would make the answer better.
type Advice struct {
	Code  string `json:"code"`
	Words string `json:"words"`
}

// maxURLsToFetch is about one round of reading.
const maxURLsToFetch = 5

// DecisionOf returns the decision of a loop in words, with the addresses to read.
func DecisionOf(st *loopstate.State) Decision {
	d := loopstate.Decide(st)
	out := DecisionIn(d, st.Round)
	if d.Reads {
		for _, hit := range st.Unread(maxURLsToFetch) {
			out.NextURLsToFetch = append(out.NextURLsToFetch, hit.URL)
		}
	}
	if d.Action == loopstate.Abort {
		out.StopReason += st.Abort
	} else if st.Query == "" {
		out.Because += " The loop has no question yet: the first query that it sees becomes it."
	}
	return out
}

// Advised is DecisionOf with advice.
func Advised(st *loopstate.State) Decision {
	d := DecisionOf(st)
	if d.NextAction == loopstate.Abort {
		return d
	}
	for _, a := range loopstate.Advise(st) {
		d.Advice = append(d.Advice, Advice{a.Code, adviceWords(a)})
	}
	return d
}

// DecisionIn returns a recorded decision in words. round is the number of closed rounds at its time.
func DecisionIn(d loopstate.Decision, round int) Decision {
	stop, because := reasons(d, round)
	return Decision{NextAction: d.Action, NextQueries: append([]string{}, d.Queries...), NextURLsToFetch: []string{}, StopReason: stop,
		Rule:    d.Rule,
		Because: because, Target: d.Target, TargetGap: d.TargetGap}
}

// NextCalls says which calls do what was decided. round is the number of closed rounds.
func (d Decision) NextCalls(round int) string {
	switch d.NextAction {
	case loopstate.Abort:
		return "The user aborted this loop. It can be read and reported, not continued."
	case loopstate.Finalize:
		return "Finish: write the final text with [S1]-style citations, check it with verify_citations(draft=…), then loop_report. " +
			"Name open questions and what stays unsupported."
	case loopstate.EscalateBudget:
		return "Ask the user whether to continue beyond the confirmed rounds; then loop_update with confirm_rounds, or finish with " +
			"the current results."
	case loopstate.FetchMore:
		return "Read decision.next_urls_to_fetch with fetch(urls=…, query=…), then write claims from the passages and verify_citations."
	}
	if d.Rule == "first_signoff" {
		return "One sign-off is recorded. Look for gaps once more and call loop_reflect: a second sign-off finishes the loop."
	}
	return fmt.Sprintf("Round %d is open: run_channel for decision.target, fetch the best hits, write claims that cite source ids, "+
		"verify_citations, loop_reflect.", round+1)
}

// reasons returns why a loop ends, and the numbers of the rule with what would have changed it.
func reasons(d loopstate.Decision, round int) (stop, because string) {
	n := d.Numbers
	limit := int(n.Limit)
	switch d.Rule {
	case "aborted":
		return "aborted: ", "The user aborted the loop. Nothing overrides that."
	case "two_signoffs":
		stop = "complete: two sign-offs in a row with no material gap open and no evaluator failure"
		because = fmt.Sprintf("Rounds %d and %d were signed off, no material gap is open and the evaluator reports no failure. Had "+
			"any of these failed, another round would have run.", round-1, round)
		if n.Sources == 0 {
			stop = "ended without research: two sign-offs in a row, but nothing was read"
			because += " No source was read, so nothing in an answer can be cited."
		}
	case "cap_rounds":
		stop = fmt.Sprintf("round limit: %d of %d rounds are closed", int(n.Spent), limit)
		because = fmt.Sprintf("%d of %d rounds are closed. With a larger budget, or more rounds confirmed by the user, another round "+
			"would be allowed.", int(n.Spent), limit)
	case "cap_cost":
		stop = fmt.Sprintf("cost limit: $%.2f of $%.2f are spent", n.Spent, n.Limit)
		because = fmt.Sprintf("The reported usage is $%.2f, the budget $%.2f. Below the budget another step would be allowed.", n.Spent,
			n.Limit)
	case "cap_tokens":
		stop = fmt.Sprintf("token limit: %d of %d tokens are spent", int(n.Spent), limit)
		because = fmt.Sprintf("The reported usage is %d tokens, the budget %d. Below the budget another step would be allowed.",
			int(n.Spent), limit)
	case "cap_latency":
		stop = fmt.Sprintf("time limit: %d of %d seconds have passed", int(n.Spent), limit)
		because = fmt.Sprintf("%d seconds lie between the start and the last call, the budget is %d. Below the budget another step "+
			"would be allowed.", int(n.Spent), limit)
	case "confirm_rounds":
		return "", fmt.Sprintf("%d rounds are closed and the budget allows %d, but beyond %d the user must confirm. Ask the user how "+
			"many rounds the loop may take in total and record the answer; otherwise finish with the current results.", round, limit,
			loopstate.ConfirmBeyondRounds)
	case "guardrail_first_round_coverage", "guardrail_low_coverage":
		return "", fmt.Sprintf("Coverage after round %d is %.2f, below %.2f. At %.2f or more this guardrail would not force another round.",
			round, n.Coverage, n.Limit, n.Limit)
	case "guardrail_critical_gap":
		return "", fmt.Sprintf("%s open after round %d of %d. Answered, or recorded as an open question with why, it would not force "+
			"another round.", english.Plural(n.Gaps, "critical gap is", "critical gaps are"), round, limit)
	case "stalled_no_evidence":
		stop = "stalled: two rounds in a row brought nothing new" + open(n.Gaps)
		because = fmt.Sprintf("Rounds %d and %d brought no new hit, source, claim or answered gap. One of these would have kept the "+
			"loop going.", round-1, round)
		if n.Blind > 0 {
			because += fmt.Sprintf(" Of %s in them, %d could not search (blocked, unavailable, refused), so sources may still exist; "+
				"try another channel, or try again later.", english.Plural(n.Searches, "search", "searches"), n.Blind)
		}
	case "stalled_same_gaps":
		stop = "stalled: the same material gaps stayed open over three rounds" + open(n.Gaps)
		because = "The set of material gaps did not change twice in a row, and nothing was read, claimed or answered. The question is " +
			"too broad (split it, each part its own loop) or the gaps cannot be answered from these sources (record them as open " +
			"questions with why)."
	case "first_signoff":
		because = "One sign-off, and no material gap is open. Look for gaps once more and close the round; a second sign-off finishes " +
			"the loop, a material gap continues it."
		if n.Failures > 0 {
			because = fmt.Sprintf("One sign-off, and the evaluator reports %s: fix them and close the round again.",
				english.Plural(n.Failures, "failure", "failures"))
		}
		return "", because
	case "read_what_was_found":
		done := "made " + english.Plural(n.Searches, "search", "searches")
		if n.Searches == 0 { // the host reported hits without a query
			done = "found " + english.Plural(n.Hits, "new hit", "new hits")
		}
		return "", fmt.Sprintf("This round has %s and read nothing yet. A hit can be cited only after it was fetched.", done)
	case "pursue_target":
		because = fmt.Sprintf("%s open; %s is the first of them. Answered, it would leave the list.",
			english.Plural(n.Gaps, "material gap is", "material gaps are"), d.TargetGap)
		if n.Searches > 0 {
			because += " Once this round's hits are read: write the claims, verify their citations, and close the round."
		}
		return "", because
	case "begin_with_angles":
		return "", "Nothing was searched yet. Give each angle its own searches, blind to what the others found."
	case "nobody_signed_off":
		because = "No material gap is open, but nobody has signed off: look for what is missing and close the round, signed off if " +
			"nothing material is missing."
		if n.Failures > 0 {
			because = fmt.Sprintf("No material gap is open, but the evaluator reports %s. Without it, two sign-offs in a row would "+
				"finish the loop.", english.Plural(n.Failures, "failure", "failures"))
		} else if n.Coverage >= n.Limit && n.Limit > 0 {
			because += fmt.Sprintf(" The assistant's coverage is %.2f, and %.2f counts as complete.", n.Coverage, n.Limit)
		}
		return "", because
	}
	return stop, because
}

// open says how many material gaps stay open.
func open(gaps int) string {
	if gaps == 0 {
		return ""
	}
	return fmt.Sprintf("; %s open: write each into the report as an open question with why",
		english.Plural(gaps, "material gap stays", "material gaps stay"))
}

func adviceWords(a loopstate.Advice) string {
	of := strings.Join(a.Of, ", ")
	if more := a.N - len(a.Of); more > 0 && len(a.Of) > 0 {
		of += fmt.Sprintf(" and %d more", more)
	}
	switch a.Code {
	case loopstate.AdviseAngles:
		for _, angle := range a.Of {
			of = strings.ReplaceAll(of, angle, loopstate.AngleInWords(angle))
		}
		return "nobody searched from these angles: " + of
	case loopstate.AdviseRecent:
		return "nothing from the last 18 months, since " + of + ", was searched for or found"
	case loopstate.AdviseTypes:
		return "no hit is of these kinds of source: " + of
	case loopstate.AdviseCheck:
		return "claims that were never verified (verify_citations): " + of
	case loopstate.AdviseUnsupported:
		return "claims that no cited text supports; fix or retract them: " + of
	case loopstate.AdviseOneSource:
		return "claims that rest on one weak source: " + of
	case loopstate.AdviseReview:
		return fmt.Sprintf("nobody has read %s beside the sources (review_claims)", english.Plural(a.N, "sentence", "sentences"))
	case loopstate.AdviseCritic:
		return "have somebody who has not written the text read it (prompt critic); findings are gaps with where"
	}
	return a.Code
}
