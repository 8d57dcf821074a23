package tools

import (
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"

	lru "github.com/hashicorp/golang-lru/v2"

	"github.com/citeloop/citeloop/internal/loops"
)

// maxShownDrafts bounds the loops whose last answer is kept. After it, and after a restart, an answer is in full again.
const maxShownDrafts = 64

// shownDrafts keeps what the last answers about drafts listed, by loop, so that the next answer lists in full only what is
// new.
type shownDrafts struct {
	answers *lru.Cache[string, shownDraft]
}

// shownDraft is what answers of one loop have listed.
type shownDraft struct {
	operation string
	before    *shownDraft       // the answer before this one, which a repeat of the call is compared with
	problems  map[shownSum]bool // sentences that need action
	rest      map[shownSum]bool // lines of completeness, and kinds of counted flags
}

func newShownDrafts() shownDrafts {
	answers, _ := lru.New[string, shownDraft](maxShownDrafts) // fails only for a size below 1
	return shownDrafts{answers}
}

// last returns what the last answer about a loop's draft listed, or the one before where the call repeats the last: its
// answer was lost.
func (s shownDrafts) last(loop, operation string) shownDraft {
	last, ok := s.answers.Get(loop)
	switch {
	case !ok:
		return shownDraft{}
	case operation == "" || operation != last.operation:
		return last
	case last.before == nil:
		return shownDraft{}
	}
	return *last.before
}

// shownSum stands for a text that was listed: drafts are long, and many.
type shownSum [16]byte

func sumOf(text string) shownSum {
	sum := sha256.Sum256([]byte(text))
	return shownSum(sum[:16])
}

// problemOf identifies a claim that needs action.
func problemOf(c loops.VerifiedClaim) string { return string(c.Status) + " " + c.Text }

// oldRow is the row of a problem that the last answer listed.
func oldRow(c loops.VerifiedClaim) verifiedClaimOut {
	out := verifiedClaimOut{ClaimID: c.ClaimID, Claim: cutTo(c.Text, maxOldShown), Status: string(c.Status)}
	out.Line, _ = c.Place()
	return out
}

// maxOldShown bounds what the row of a known problem repeats of its sentence, in code points: the host has the sentence, its
// line, and from the last answer what is wrong with it.
const maxOldShown = 40

// shorten shortens what an earlier answer about the loop's draft has listed: a sentence that still needs action has one
// line, and a line of completeness or a count appears once.
func (s shownDrafts) shorten(out *verifyOut, v loops.Verification, last shownDraft, operation string) {
	again := last.problems != nil
	now := shownDraft{operation: operation, problems: map[shownSum]bool{}, rest: map[shownSum]bool{}}
	fresh := 0
	problem := func(words string) (old bool) {
		sum := sumOf(words)
		now.problems[sum] = true
		if old = last.problems[sum]; !old {
			fresh++
		}
		return old
	}
	for _, c := range v.Claims {
		if needsAction(c) && !waits(c) {
			problem(problemOf(c))
		}
	}
	for i, u := range out.Uncited {
		if problem(u.Text) {
			out.Uncited[i].Text = cutTo(u.Text, maxOldShown)
		}
	}
	for _, h := range out.Hallucinated {
		problem(h.Citation + h.Claim)
	}
	unseen := func(line string) bool {
		sum := sumOf(line)
		now.rest[sum] = true
		return !last.rest[sum]
	}
	kept := 0
	if c := out.Complete; c != nil {
		for _, list := range []*[]string{&c.Unused, &c.Sections, &c.Unread, &c.Unanswered} {
			all := len(*list)
			*list = slices.DeleteFunc(*list, func(line string) bool { return !unseen(line) })
			kept += all - len(*list)
		}
		if kept > 0 && len(c.Unused)+len(c.Sections)+len(c.Unread)+len(c.Unanswered) == 0 {
			out.Complete = nil
		}
	}
	out.Flags = slices.DeleteFunc(out.Flags, func(flag string) bool {
		kind, _, _ := strings.Cut(flag, ":")
		return (slices.Contains(countedFlags, kind) || kind == loops.FlagOwn) && !unseen(flagKind(flag))
	})
	if again {
		gone := 0
		for words := range last.problems {
			if !now.problems[words] {
				gone++
			}
		}
		out.SinceLast = fmt.Sprintf("%d problems gone, %d new, %d left", gone, fresh, len(now.problems)-fresh)
		if kept > 0 {
			out.SinceLast += fmt.Sprintf("; %d lines of completeness as before", kept)
		}
		before := last
		before.before = nil
		now.before = &before
		for line := range last.rest { // listed once in the loop
			now.rest[line] = true
		}
	}
	s.answers.Add(out.StateID, now)
}

// flagKind is a flag without its numbers, which change from call to call.
func flagKind(flag string) string {
	return strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' || r == ',' || r == '…' || r == ' ' {
			return -1
		}
		return r
	}, flag)
}

// nextAfter says what to do now, and when another check of the same text cannot change anything. omitted is what the answer
// lists of completeness.
func nextAfter(v loops.Verification, omitted *completenessOut) string {
	const add = "add what completeness names and the answer lacks"
	names := omitted != nil && len(omitted.Unused)+len(omitted.Sections)+len(omitted.Unread)+len(omitted.Unanswered) > 0
	then := "loop_report"
	if v.Review.Pending > 0 {
		then = "review_claims, then loop_report"
	}
	may := ""
	switch n := v.Tolerated(); {
	case n == 1:
		may = " (1 sentence is supported in part or not found, which the text may have: correct it if you can)"
	case n > 1:
		may = fmt.Sprintf(" (%d sentences are supported in part or not found, which the text may have: correct what you can)", n)
	}
	edits := v.Edits()
	switch {
	case len(edits) > 0:
		next := "edit " + strings.Join(edits, ", ")
		if names {
			next += "; " + add
		}
		next += "; check again once, after all edits"
		if v.Review.Pending > 0 {
			next += fmt.Sprintf("; the %d sentences that wait for the review need no edit: a reader decides about them at the end", v.Review.Pending)
		}
		return next
	case v.Review.Pending == 0 && v.Verdict != loops.VerdictPass:
		return "too few sentences are supported: correct those listed, or find their sources; a check of the same text gives the same answer"
	case names:
		return "nothing must be edited" + may + "; " + add + ", and check once more; else do not check again: " + then
	}
	return "nothing to edit" + may + ": do not check again; " + then
}
