package loopstate

import (
	"fmt"
	"math"
	"strings"
	"time"
)

// Next actions.
const (
	SearchMore     = "search_more"
	FetchMore      = "fetch_more"
	Finalize       = "finalize"
	AskCritic      = "critique" // of the draft, or of the round; no search is needed
	EscalateBudget = "escalate_budget"
	Abort          = "abort"
)

// NextActions lists all next actions.
func NextActions() []string {
	return []string{SearchMore, FetchMore, AskCritic, Finalize, EscalateBudget, Abort}
}

// Decision is the next action and its reason. It is a pure function of the state, so it can be replayed.
type Decision struct {
	NextAction      string   `json:"next_action" jsonschema:"search_more, fetch_more, critique, finalize, escalate_budget or abort"`
	NextQueries     []string `json:"next_queries" jsonschema:"what to search for next"`
	NextURLsToFetch []string `json:"next_urls_to_fetch" jsonschema:"found but not read yet"`
	StopReason      string   `json:"stop_reason" jsonschema:"why the loop ends; empty while it goes on"`
	Rule            string   `json:"rule" jsonschema:"the rule that decided"`
	Because         string   `json:"because" jsonschema:"the numbers the rule used, and what would have changed it"`
	Target          string   `json:"target" jsonschema:"the query of the one gap to pursue; empty when none is open"`
	TargetGap       string   `json:"target_gap" jsonschema:"that gap's id"`
}

// guardrail returns the rule's name if the rule is a guardrail, or "".
func (d Decision) guardrail() string {
	if strings.HasPrefix(d.Rule, "guardrail_") {
		return d.Rule
	}
	return ""
}

// Unseen estimates how many relevant sources the searches have not found yet, from the overlap of independent searches:
// the more of their hits they share, the fewer are unseen.
//
// It is Chao1 in its bias-corrected form, S + f1(f1-1) / (2(f2+1)), where S sources were found, f1 of them by one search
// and f2 by two, with a log-normal 95 % interval. It is a lower bound in expectation and assumes independent searches:
// two channels, or two angles whose searchers do not see each other's results. It counts relevant hits only, and is
// never the only reason to stop.
type Unseen struct {
	Found  int `json:"found"`  // distinct hits
	Once   int `json:"once"`   // found by one angle only
	Twice  int `json:"twice"`  // found by two
	Unseen int `json:"unseen"` // estimated number not found yet
	Low    int `json:"low"`    // of the 95 % interval
	High   int `json:"high"`
}

// String describes the estimate in a sentence. One that rounds to zero is left out: too little was seen for "none".
func (u Unseen) String() string {
	if u.Unseen == 0 {
		return fmt.Sprintf("%d relevant hits were found, %d of them by one angle only.", u.Found, u.Once)
	}
	return fmt.Sprintf("%d relevant hits were found, %d of them by one angle only; about %d more are probably still unseen (95 %%: %d to %d).", u.Found, u.Once, u.Unseen, u.Low, u.High)
}

// chaoInterval returns the 95 % interval of the number unseen. The variance is that of the bias-corrected estimator; f0 is
// assumed to be log-normal, so that the interval is never negative.
func chaoInterval(f0, f1, f2 float64) (low, high float64) {
	if f0 <= 0 {
		return 0, 0
	}
	k := f2 + 1
	variance := f1*(f1-1)/(2*k) + f1*(2*f1-1)*(2*f1-1)/(4*k*k) + f1*f1*f2*(f1-1)*(f1-1)/(4*k*k*k*k)
	c := math.Exp(1.96 * math.Sqrt(math.Log(1+variance/(f0*f0))))
	return f0 / c, f0 * c
}

// Round is one row of the rounds table: what a round found, and the decision at its end.
type Round struct {
	Round       int       `json:"round"`       // from 1
	Sources     int       `json:"sources"`     // in the store at its end
	NewSources  int       `json:"new_sources"` // read in this round
	NewEvidence int       `json:"new_evidence"`
	Searches    int       `json:"searches"`
	Claims      int       `json:"claims"`    // recorded at its end
	OpenGaps    int       `json:"open_gaps"` // material ones
	SignOff     bool      `json:"signoff"`   // the host's, unless a material gap was open or the round's last verification had a hallucinated citation
	Guardrails  []string  `json:"guardrails"`
	Confidence  string    `json:"confidence,omitempty"` // "low" if the synthesis is too short for its coverage
	StartedAt   time.Time `json:"started_at"`
	EndedAt     time.Time `json:"ended_at"`
	TookMS      int64     `json:"took_ms"`
	Usage       Usage     `json:"usage"`
	Unseen      *Unseen   `json:"unseen,omitempty"` // nil while no hit was found twice
	Decision    Decision  `json:"decision"`
}

// roundSoFar counts the results of the open round.
type roundSoFar struct {
	StartedAt time.Time `json:"started_at"`
	Evidence  int       `json:"evidence"`
	Sources   int       `json:"sources"`
	Searches  int       `json:"searches"`
	Usage     Usage     `json:"usage"`
}

// Verification is the outcome of one verification.
type Verification struct {
	Cycle        int     `json:"cycle"`
	Seq          int64   `json:"version"`
	Round        int     `json:"round"`
	Verdict      string  `json:"verdict"`
	Groundedness float64 `json:"groundedness"`
	Checked      int     `json:"checked"`
	Hallucinated int     `json:"hallucinated"`
}

// Scratch is a draft that was checked and is not the loop's text: what a reader may read of it. It is replaced by the next such
// check, and gone after any other.
type Scratch struct {
	Candidates []ReviewCandidate `json:"candidates,omitempty"`
}

// Draft is the delivered text of a loop: the last draft that was reported, or checked as final. A draft that failed does not replace one of the same
// round that did not.
type Draft struct {
	SHA256  string    `json:"sha256"` // of the stored text
	Chars   int       `json:"chars"`
	Verdict string    `json:"verdict"` // of its verification
	Round   int       `json:"round"`
	At      time.Time `json:"at"`
}

// Checked is the draft that was checked last, final or not: what a critic reads. Its text is stored, because a critic who reads another
// text than the one that was checked would be recorded for the wrong one; the brief is made from it.
type Checked struct {
	SHA256   string    `json:"sha256"` // of the stored text
	Chars    int       `json:"chars"`
	Words    int       `json:"words,omitempty"`     // counted once a critic has read a draft
	NewWords int       `json:"new_words,omitempty"` // that the draft of the last critic does not have
	Round    int       `json:"round"`
	At       time.Time `json:"at"`
}

// Import is the last import of a loop.
type Import struct {
	At time.Time `json:"at"`
	Imported
}

// FlagImported is the flag of a claim whose verdict rests on a review in an imported archive.
const FlagImported = "imported_review: a review elsewhere gave this verdict; it was not checked here"
