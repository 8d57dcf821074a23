package loopstate

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/citeloop/citeloop/internal/text/query"
)

// rule decides on a state, or does not apply.
type rule struct {
	name string
	test func(s *State) (Decision, bool)
}

// The rules, highest priority first. The last one always decides.
var rules = []rule{
	{"aborted", aborted},
	{"cap_rounds", capRounds},
	{"cap_cost", capCost},
	{"cap_tokens", capTokens},
	{"cap_latency", capLatency},
	{"confirm_rounds", confirmRounds},
	{"guardrail_first_round_coverage", guardFirstRound},
	{"guardrail_critical_gap", guardCriticalGap},
	{"guardrail_low_coverage", guardLowCoverage},
	{"critic_reads_draft", criticReadsDraft},
	{"two_signoffs", twoSignOffs},
	{"stalled_no_evidence", stalledNoEvidence},
	{"stalled_same_gaps", stalledSameGaps},
	{"first_signoff", firstSignOff},
	{"read_what_was_found", readFound},
	{"pursue_target", pursueTarget},
	{"begin_with_angles", beginWithAngles},
	{"critique_again", critiqueAgain},
}

// Rules returns the names of the rules, highest priority first.
func Rules() []string {
	names := make([]string, len(rules))
	for i, r := range rules {
		names[i] = r.name
	}
	return names
}

// Decide returns what a loop in this state should do next. The first rule that applies decides.
func Decide(s *State) Decision {
	d := DecideAction(s)
	if d.NextURLsToFetch != nil {
		d.NextURLsToFetch = s.unreadURLs()
	} else {
		d.NextURLsToFetch = []string{}
	}
	return d
}

// DecideAction is Decide for who needs no addresses to read: ranking them takes most of its time.
func DecideAction(s *State) Decision { return s.complete(decide(s)) }

// unranked stands for the addresses to read until Decide ranks them.
var unranked = []string{}

// decide returns the decision without its target and its list of addresses.
func decide(s *State) Decision {
	for _, r := range rules {
		if d, ok := r.test(s); ok {
			d.Rule = cmp.Or(d.Rule, r.name)
			return d
		}
	}
	return Decision{NextAction: SearchMore, Rule: "none"} // unreachable: critiqueAgain always decides
}

// complete sets the fields of every decision, except the addresses to read.
func (s *State) complete(d Decision) Decision {
	if g, ok := s.Target(); ok && d.NextAction != Abort {
		d.Target, d.TargetGap = s.queryFor(g), g.ID
	}
	if d.NextAction != Abort {
		d.Because += s.unansweredWords()
	}
	if d.NextQueries == nil {
		d.NextQueries = []string{}
	}
	for i, q := range d.NextQueries {
		d.NextQueries[i] = query.Dated(q, s.AsOf)
	}
	return d
}

func aborted(s *State) (Decision, bool) {
	if s.Abort == "" {
		return Decision{}, false
	}
	return Decision{NextAction: Abort, StopReason: "aborted: " + s.Abort, Because: "The user aborted the loop. Nothing overrides that."}, true
}

func capRounds(s *State) (Decision, bool) {
	limit := s.RoundCap()
	if s.Round < limit {
		return Decision{}, false
	}
	goesOn := func(test func(*State) (Decision, bool)) bool { _, applies := test(s); return applies }
	if !goesOn(guardCriticalGap) && !goesOn(guardLowCoverage) && !goesOn(criticReadsDraft) {
		if d, done := twoSignOffs(s); done { // the loop would end without the limit
			d.Rule = "two_signoffs"
			return d, true
		}
	}
	return s.stop(fmt.Sprintf("round limit: %d of %d rounds are closed", s.Round, limit),
		fmt.Sprintf("%d of %d rounds are closed. With a larger budget, or more rounds confirmed by the user, another round would be allowed.", s.Round, limit)), true
}

// spending is the rule of a limit on what a loop spends, with the formats of its reasons. A limit of 0 is none.
func spending[N int | float64](reason, because string, amounts func(*State) (spent, limit N)) func(*State) (Decision, bool) {
	return func(s *State) (Decision, bool) {
		spent, limit := amounts(s)
		if limit <= 0 || spent < limit {
			return Decision{}, false
		}
		return s.stop(fmt.Sprintf(reason, spent, limit), fmt.Sprintf(because, spent, limit)), true
	}
}

var (
	capCost = spending("cost limit: $%.2f of $%.2f are spent",
		"The reported usage is $%.2f, the budget $%.2f. Below the budget another step would be allowed.",
		func(s *State) (spent, limit float64) { return s.Usage.CostUSD, s.Budget.CostUSD })
	capTokens = spending("token limit: %d of %d tokens are spent",
		"The reported usage is %d tokens, the budget %d. Below the budget another step would be allowed.",
		func(s *State) (spent, limit int) { return s.Usage.Tokens, s.Budget.Tokens })
	capLatency = spending("time limit: %d of %d seconds have passed",
		"%d seconds lie between the start and the last call, the budget is %d. Below the budget another step would be allowed.",
		func(s *State) (spent, limit int) { return s.ElapsedSeconds(), s.Budget.LatencySeconds })
)

func confirmRounds(s *State) (Decision, bool) {
	if s.Round < ConfirmBeyondRounds || s.ConfirmedRounds > s.Round {
		return Decision{}, false
	}
	return Decision{NextAction: EscalateBudget,
		Because: fmt.Sprintf("%d rounds are closed and the budget allows %d, but beyond %d the user must confirm. Ask the user how many rounds the loop may take in total and record the answer; otherwise finish with the current results.", s.Round, s.RoundCap(), ConfirmBeyondRounds)}, true
}

func guardFirstRound(s *State) (Decision, bool) {
	if s.Round != 1 || s.Coverage == nil || s.Coverage.Overall >= coverageFirstRound {
		return Decision{}, false
	}
	return s.continueLoop(fmt.Sprintf("Coverage after round 1 is %.2f, below %.2f. At %.2f or more this guardrail would not force another round.", s.Coverage.Overall, coverageFirstRound, coverageFirstRound)), true
}

func guardCriticalGap(s *State) (Decision, bool) {
	if s.Round == 0 {
		return Decision{}, false
	}
	n := len(keep(s.OpenGaps(), func(g Gap) bool { return g.Importance == "critical" }))
	if n == 0 {
		return Decision{}, false
	}
	return s.continueLoop(fmt.Sprintf("%s after round %d of %d. Answered, or recorded as an open question with why, it would not force another round.", plural(n, "1 critical gap is open", "%d critical gaps are open"), s.Round, s.RoundCap())), true
}

func guardLowCoverage(s *State) (Decision, bool) {
	if s.Round == 0 || s.Coverage == nil || s.Coverage.Overall >= coverageLow {
		return Decision{}, false
	}
	return s.continueLoop(fmt.Sprintf("Coverage after round %d is %.2f, below %.2f. At %.2f or more this guardrail would not force another round.", s.Round, s.Coverage.Overall, coverageLow, coverageLow)), true
}

func twoSignOffs(s *State) (Decision, bool) {
	if s.SignOffs < 2 || len(s.MaterialGaps()) > 0 || len(s.Failures) > 0 {
		return Decision{}, false
	}
	return s.stop("complete: two sign-offs in a row with no material gap open and no evaluator failure",
		fmt.Sprintf("Rounds %d and %d were signed off, no material gap is open and the evaluator reports no failure. Had any of these failed, another round would have run.", s.Round-1, s.Round)+s.claimWords()+s.coverageWords()+s.unseenWords()+s.pendingWords()), true
}

func stalledNoEvidence(s *State) (Decision, bool) {
	n := len(s.Rounds)
	if n < 2 || s.Open.Evidence > 0 || s.Open.Sources > 0 {
		return Decision{}, false
	}
	for _, r := range s.Rounds[n-2:] {
		if r.NewEvidence > 0 || r.NewSources > 0 {
			return Decision{}, false
		}
	}
	return s.stop("stalled: two rounds in a row brought no new evidence",
		fmt.Sprintf("Rounds %d and %d brought no new evidence and no new source. One new hit would have kept the loop going.", n-1, n)+s.blindWords(n-1)), true
}

func stalledSameGaps(s *State) (Decision, bool) {
	if s.SameGaps < 2 || s.Open.Evidence > 0 || s.Open.Sources > 0 {
		return Decision{}, false
	}
	return s.stop("stalled: the same material gaps stayed open over three rounds",
		"The set of material gaps did not change twice in a row. The question is too broad (split it, each part its own loop) or the gaps cannot be answered from these sources (record them as open questions with why)."), true
}

func firstSignOff(s *State) (Decision, bool) {
	if s.SignOffs != 1 || len(s.MaterialGaps()) > 0 {
		return Decision{}, false
	}
	rest := s.claimWords() + s.coverageWords() + s.unseenWords()
	switch {
	case len(s.Failures) > 0:
		return s.continueLoop(fmt.Sprintf("One sign-off, and the evaluator reports %s: fix them and critique again.", plural(len(s.Failures), "1 failure", "%d failures")) + rest), true
	case s.foundUnread():
		return s.continueLoop("One sign-off, and this round has found more: read it, critique again and sign off a second time." + rest), true
	}
	format := "Round %d was signed off and no material gap is open. Have the critic look a second time and close the round; no new search is needed. A second sign-off finishes the loop, a material gap continues it."
	if s.owesCritic() != nothingOwed && s.owesCritic() != answersOwed {
		format = "Round %d was signed off and no material gap is open. Write the whole text and check it as a draft; then have a critic who has not written it read it as it stands, look for gaps a second time and close the round; no new search is needed. A second sign-off finishes the loop once its points are answered, a material gap continues it."
	}
	return Decision{NextAction: AskCritic, Because: fmt.Sprintf(format, s.Round) + rest}, true
}

func readFound(s *State) (Decision, bool) {
	if !s.foundUnread() {
		return Decision{}, false
	}
	done := plural(s.Open.Searches, "made 1 search", "made %d searches")
	if s.Open.Searches == 0 { // the host reported hits without a query
		done = plural(s.Open.Evidence, "found 1 new hit", "found %d new hits")
	}
	return Decision{NextAction: FetchMore, NextURLsToFetch: unranked,
		Because: fmt.Sprintf("This round has %s and read nothing yet. A hit can be cited only after it was fetched.", done)}, true
}

func pursueTarget(s *State) (Decision, bool) {
	g, ok := s.Target()
	if !ok {
		return Decision{}, false
	}
	because := fmt.Sprintf("%s; %s is the first of them. Answered, it would leave the list.", plural(len(s.MaterialGaps()), "1 material gap is open", "%d material gaps are open"), g.ID)
	if s.Open.Searches > 0 {
		because += " Once this round's hits are read: write the claims, verify their citations, and close the round."
	}
	return Decision{NextAction: SearchMore, NextQueries: s.queries(), Because: because}, true
}

func beginWithAngles(s *State) (Decision, bool) {
	if s.Round > 0 || s.Open.Searches > 0 || s.Open.Evidence > 0 {
		return Decision{}, false
	}
	return Decision{NextAction: SearchMore, NextQueries: s.queries(),
		Because: "Nothing was searched yet. Give each angle its own searches, blind to what the others found."}, true
}

func critiqueAgain(s *State) (Decision, bool) {
	because := "No material gap is open, but nobody has signed off: look for what is missing and close the round, signed off if nothing material is missing."
	if s.Coverage != nil && s.Coverage.Overall >= s.Complete {
		because += fmt.Sprintf(" The assistant's coverage is %.2f, and %.2f counts as complete.", s.Coverage.Overall, s.Complete)
	}
	if len(s.Failures) > 0 {
		because = fmt.Sprintf("No material gap is open, but the evaluator reports %s. Without it, two sign-offs in a row would finish the loop.", plural(len(s.Failures), "1 failure", "%d failures"))
	}
	return Decision{NextAction: SearchMore, NextQueries: s.queries(), Because: because}, true
}

// WantsDraft reports whether the loop waits for the whole text, so that a critic can read it.
func (s *State) WantsDraft() bool {
	return s.owesCritic() == draftOwed && (s.ends() || s.SignOffs > 0 && len(s.MaterialGaps()) == 0)
}

// ends reports whether the loop would finish if a critic were not asked for.
func (s *State) ends() bool {
	for _, test := range []func(*State) (Decision, bool){twoSignOffs, stalledNoEvidence, stalledSameGaps} {
		if _, ok := test(s); ok {
			return true
		}
	}
	return false
}

func criticReadsDraft(s *State) (Decision, bool) {
	owed := s.owesCritic()
	if owed == nothingOwed || !s.ends() {
		return Decision{}, false
	}
	const decline = " If the user wants none, record that with the reason. No new search is needed."
	because := ""
	switch owed {
	case draftOwed:
		because = "The research is done, and no critic has read the text. Write the whole text, check it as a draft, and have a critic read it who has not written it: a fresh subagent or conversation." + decline
	case criticOwed:
		because = "The research is done, and no critic has read the draft. Have one read it who has not written it: a fresh subagent or conversation with the critic's brief. With its points recorded, even none, and answered, the loop finishes." + decline
	case answersOwed:
		because = "A critic has read the draft. Answer each point (taken, partly or refused, with why), correct the draft and check it again; then the loop finishes."
	case rereadOwed:
		because = fmt.Sprintf("Of the %d words of the draft, %d were written after the critic read it, more than its points account for. Have a critic read it as it stands.", s.Checked.Words, s.Checked.NewWords) + decline
	}
	return Decision{NextAction: AskCritic, Because: because + s.claimWords() + s.coverageWords() + s.unseenWords()}, true
}

// Statuses of a loop.
const (
	StatusRunning  = "running"
	StatusFinished = "finished" // the decision is to finalize
	StatusAborted  = "aborted"
)

// Status returns the status of the loop.
func (s *State) Status() string {
	switch {
	case s.Abort != "":
		return StatusAborted
	case decide(s).NextAction == Finalize:
		return StatusFinished
	}
	return StatusRunning
}

// Head returns the summary for the store.
func (s *State) Head() Head {
	return Head{Loop: s.Loop, Owner: s.Owner, Seq: s.Seq, Query: clip(s.Query, 300), Round: s.Round, Status: s.Status(), UpdatedAt: s.UpdatedAt, Stored: s.Stored}
}

// continueLoop continues the loop: it reads the hits of this round, or searches for the target gap. Unread hits of earlier rounds
// are listed with the search.
func (s *State) continueLoop(because string) Decision {
	if s.foundUnread() {
		return Decision{NextAction: FetchMore, Because: because, NextURLsToFetch: unranked}
	}
	return Decision{NextAction: SearchMore, NextQueries: s.queries(), Because: because, NextURLsToFetch: unranked}
}

// maxDebtQueries bounds how many queries of debts a decision offers.
const maxDebtQueries = 3

// foundUnread reports whether hits wait to be read, and the open round has searches or hits, but no reads.
func (s *State) foundUnread() bool {
	return len(s.index.unread) > 0 && s.Open.Sources == 0 && (s.Open.Searches > 0 || s.Open.Evidence > 0)
}

// queries returns what to search for next: the target gap's query, else the queries of debts, else the question.
func (s *State) queries() []string {
	if g, ok := s.Target(); ok {
		return []string{s.queryFor(g)}
	}
	var owed []string
	for _, g := range s.Gaps {
		if q := s.queryFor(g); g.Debt != "" && g.Status == GapOpen && len(owed) < maxDebtQueries && !slices.Contains(owed, q) {
			owed = append(owed, q)
		}
	}
	if len(owed) > 0 {
		return owed
	}
	if s.Query == "" {
		return nil
	}
	if len(strings.Fields(s.Query)) > maxQuestionWords {
		return nil
	}
	return []string{query.Of(s.Query)}
}

// maxQuestionWords is how long a question is of which the first content words still say what it asks (chosen: three sentences). The host
// words the searches of a longer one.
const maxQuestionWords = 60

// maxURLsToFetch is about one round of reading.
const maxURLsToFetch = 5

// unreadURLs returns the hits to read next. It omits hits that share no word with the topic, unless all do.
func (s *State) unreadURLs() []string {
	urls := []string{}
	ranked := s.rankedUnread()
	for _, h := range ranked[:min(len(ranked), maxURLsToFetch)] {
		if h.relevance == 0 && ranked[0].relevance > 0 {
			break
		}
		urls = append(urls, s.Evidence[h.position].URL)
	}
	return urls
}

// stop ends the loop and counts the gaps that stay open.
func (s *State) stop(reason, because string) Decision {
	if open := s.MaterialGaps(); len(open) > 0 {
		because += plural(len(open), " 1 material gap stays open; write each into the report as an open question with why.", " %d material gaps stay open; write each into the report as an open question with why.")
	}
	return Decision{NextAction: Finalize, StopReason: reason, Because: because + s.criticWords()}
}

// pendingWords counts the pending reviews when the loop ends. A draft that was only checked is not of the loop.
func (s *State) pendingWords() string {
	own := *s
	own.Scratch = nil
	n := len(own.PendingReviews())
	if n == 0 {
		return ""
	}
	return fmt.Sprintf(" Signed off although nobody has read %s beside the sources.", plural(n, "1 sentence", "%d sentences"))
}

// blindWords counts the searches since a round in which no channel could search, so that their results are unknown.
func (s *State) blindWords(since int) string {
	all, blind := 0, 0
	for i := len(s.Searches) - 1; i >= 0 && s.Searches[i].Round >= since; i-- {
		all++
		if !s.Searches[i].Looked() {
			blind++
		}
	}
	if blind == 0 {
		return ""
	}
	return fmt.Sprintf(" Of %s in them, %d could not search (blocked, unavailable, refused), so sources may still exist; try another channel, or try again later.", plural(all, "1 search", "%d searches"), blind)
}

// claimWords counts the unverified and the unsupported claims. It does not affect the decision, because the report checks
// the claims.
func (s *State) claimWords() string {
	unchecked, unsupported := 0, 0
	for _, c := range s.CurrentClaims() {
		switch {
		case c.Check == nil:
			unchecked++
		case c.Check.Status == Unsupported:
			unsupported++
		}
	}
	words := ""
	if unchecked > 0 {
		words += plural(unchecked, " 1 claim was never verified: verify before the report.", " %d claims were never verified: verify before the report.")
	}
	if unsupported > 0 {
		words += plural(unsupported, " 1 claim is unsupported: fix or retract what no cited text supports, or say so in the text.", " %d claims are unsupported: fix or retract what no cited text supports, or say so in the text.")
	}
	return words
}

// coverageWords compares the host's coverage with the loop's threshold. It does not affect the decision: coverage is an
// estimate.
func (s *State) coverageWords() string {
	if s.Coverage == nil || s.Coverage.Overall >= s.Complete {
		return ""
	}
	return fmt.Sprintf(" The assistant's coverage is %.2f, below the %.2f from which this loop counts as complete: say what is thin, or name it as a gap.", s.Coverage.Overall, s.Complete)
}

// unseenWords estimates how many sources are not found yet. It does not affect the decision.
func (s *State) unseenWords() string {
	if u, ok := s.Unseen(); ok {
		return " " + u.String()
	}
	return ""
}

// criticWords says what a loop that ends all the same lacks, such as one that has reached a limit.
func (s *State) criticWords() string {
	if !s.LacksCritic() {
		return ""
	}
	return " No critic has read the text: have one who has not written it read the draft before the report, or the report says that nobody did."
}

// unansweredWords names the points without an answer.
func (s *State) unansweredWords() string {
	points := s.UnansweredPoints()
	if len(points) == 0 {
		return ""
	}
	ids := each(points, func(p Point) string { return p.ID })
	return fmt.Sprintf(" Points of the critic without an answer: %s.", strings.Join(ids, ", "))
}
