package loopstate

import "cmp"

// The next actions.
const (
	SearchMore     = "search_more"
	FetchMore      = "fetch_more"
	Finalize       = "finalize"
	EscalateBudget = "escalate_budget"
	Abort          = "abort"
)

// Decision is what a loop should do next, the rule that decided, and the numbers that the rule used. It is a pure function of the
// state, so it can be replayed. It has no words: package views makes them.
type Decision struct {
	Action    string   `json:"next_action"`
	Rule      string   `json:"rule"`
	Numbers   Numbers  `json:"numbers,omitzero"`
	TargetGap string   `json:"target_gap,omitempty"` // id of the one gap to pursue
	Target    string   `json:"target,omitempty"`     // its query
	Queries   []string `json:"next_queries,omitempty"`
	Reads     bool     `json:"reads,omitempty"` // hits that nobody has read are offered, see [State.UnreadURLs]
}

// Numbers are what a rule compared. A field that the rule does not use is zero.
type Numbers struct {
	Spent    float64 `json:"spent,omitempty"`
	Limit    float64 `json:"limit,omitempty"`
	Coverage float64 `json:"coverage,omitempty"` // the host's
	Gaps     int     `json:"gaps,omitempty"`     // open material ones, or critical ones
	Failures int     `json:"failures,omitempty"` // of the evaluator
	Searches int     `json:"searches,omitempty"`
	Blind    int     `json:"blind,omitempty"` // searches of these that could not search
	Hits     int     `json:"hits,omitempty"`
	Sources  int     `json:"sources,omitempty"`
}

// rule is a row of the table. It fills in the numbers that it uses.
type rule struct {
	name    string
	action  string // empty: fetch_more if hits of the open round wait to be read, else search_more
	applies func(s *State, n *Numbers) bool
}

// The rules, highest priority first. The last one always applies.
var rules = []rule{
	{"aborted", Abort, func(s *State, _ *Numbers) bool { return s.Abort != "" }},
	{"two_signoffs", Finalize, twoSignOffs},
	{"cap_rounds", Finalize, func(s *State, n *Numbers) bool { return spent(n, float64(s.Round), float64(s.RoundCap())) }},
	{"cap_cost", Finalize, func(s *State, n *Numbers) bool { return spent(n, s.Usage.CostUSD, s.Budget.CostUSD) }},
	{"cap_tokens", Finalize, func(s *State, n *Numbers) bool { return spent(n, float64(s.Usage.Tokens), float64(s.Budget.Tokens)) }},
	{"cap_latency", Finalize, func(s *State, n *Numbers) bool {
		return spent(n, float64(s.ElapsedSeconds()), float64(s.Budget.LatencySeconds))
	}},
	{"confirm_rounds", EscalateBudget, func(s *State, n *Numbers) bool {
		n.Limit = float64(s.RoundCap())
		return s.Round >= ConfirmBeyondRounds && s.ConfirmedRounds <= s.Round
	}},
	{"guardrail_first_round_coverage", "", func(s *State, n *Numbers) bool { return s.Round == 1 && covers(s, n, coverageFirstRound) }},
	{"guardrail_critical_gap", "", criticalGap},
	{"guardrail_low_coverage", "", func(s *State, n *Numbers) bool { return s.Round > 0 && covers(s, n, coverageLow) }},
	{"stalled_no_evidence", Finalize, stalledNoEvidence},
	{"stalled_same_gaps", Finalize, stalledSameGaps},
	{"first_signoff", "", func(s *State, n *Numbers) bool {
		n.Failures = len(s.Failures)
		return s.SignOffs == 1 && len(s.MaterialGaps()) == 0
	}},
	{"read_what_was_found", FetchMore, func(s *State, n *Numbers) bool {
		n.Searches, n.Hits = s.Open.Searches, s.Open.NewEvidence
		return s.foundUnread()
	}},
	{"pursue_target", SearchMore, func(s *State, n *Numbers) bool {
		n.Gaps, n.Searches = len(s.MaterialGaps()), s.Open.Searches
		return n.Gaps > 0
	}},
	{"begin_with_angles", SearchMore, func(s *State, _ *Numbers) bool {
		return s.Round == 0 && s.Open.Searches+s.Open.NewEvidence == 0
	}},
	{"nobody_signed_off", SearchMore, func(s *State, n *Numbers) bool {
		if n.Failures, n.Limit = len(s.Failures), s.Complete; s.Coverage != nil {
			n.Coverage = s.Coverage.Overall
		}
		return true
	}},
}

// ruled returns the decision of the first rule that applies, without what to do it with.
func ruled(s *State) (d Decision) {
	for _, r := range rules {
		if d.Numbers = (Numbers{}); r.applies(s, &d.Numbers) {
			d.Rule, d.Action = r.name, r.action
			break
		}
	}
	return d
}

// Decide returns what a loop in this state should do next. The first rule that applies decides.
func Decide(s *State) Decision {
	d := ruled(s)
	if d.Action == Abort {
		return d
	}
	if g, ok := s.Target(); ok {
		d.Target, d.TargetGap = s.queryFor(g), g.ID
	}
	d.Reads = d.Action == "" || d.Action == FetchMore
	if d.Action == "" {
		if d.Action = SearchMore; s.foundUnread() {
			d.Action = FetchMore
		}
	}
	if d.Action == SearchMore {
		d.Queries = s.nextQueries(d.Target)
	}
	return d
}

// spent reports whether a limit is reached. A limit of 0 is none.
func spent(n *Numbers, amount, limit float64) bool {
	n.Spent, n.Limit = amount, limit
	return limit > 0 && amount >= limit
}

// covers reports whether the host's coverage is below a limit.
func covers(s *State, n *Numbers, limit float64) bool {
	if s.Coverage == nil || s.Coverage.Overall >= limit {
		return false
	}
	n.Coverage, n.Limit = s.Coverage.Overall, limit
	return true
}

// twoSignOffs holds for a loop that was signed off twice in a row, with nothing open and no guardrail against it.
func twoSignOffs(s *State, n *Numbers) bool {
	n.Sources = len(s.Sources)
	return s.SignOffs >= 2 && len(s.MaterialGaps())+len(s.Failures) == 0 && !criticalGap(s, &Numbers{}) &&
		!covers(s, &Numbers{}, coverageLow)
}

func criticalGap(s *State, n *Numbers) bool {
	n.Limit = float64(s.RoundCap())
	n.Gaps = len(keep(s.Gaps, func(g Gap) bool { return g.Status == GapOpen && g.Importance == "critical" }))
	return s.Round > 0 && n.Gaps > 0
}

// stalledNoEvidence holds after two rounds in a row in which nothing was found, read, claimed or answered.
func stalledNoEvidence(s *State, n *Numbers) bool {
	last := len(s.Rounds)
	if last < 2 || s.Open.progress() || s.Rounds[last-1].progress() || s.Rounds[last-2].progress() {
		return false
	}
	for i := len(s.Searches) - 1; i >= 0 && s.Searches[i].Round >= last-1; i-- {
		if n.Searches++; !s.Searches[i].Looked() {
			n.Blind++
		}
	}
	n.Gaps = len(s.MaterialGaps())
	return true
}

// stalledSameGaps holds if the same material gaps stayed open over three rounds in which nothing was read, claimed or answered.
func stalledSameGaps(s *State, n *Numbers) bool {
	n.Gaps = len(s.MaterialGaps())
	last := len(s.Rounds)
	return s.SameGaps >= 2 && !s.Open.progress() && !s.Rounds[last-1].worked() && !s.Rounds[last-2].worked()
}

// foundUnread reports whether hits wait to be read, and the open round has searches or hits, but no reads.
func (s *State) foundUnread() bool {
	return len(s.index.unread) > 0 && s.Open.NewSources == 0 && s.Open.Searches+s.Open.NewEvidence > 0
}

// Statuses of a loop.
const (
	StatusRunning  = "running"
	StatusFinished = "finished" // the decision is to finalize
	StatusAborted  = "aborted"
)

// Status returns the status of the loop.
func (s *State) Status() string {
	return cmp.Or(map[string]string{Abort: StatusAborted, Finalize: StatusFinished}[ruled(s).Action], StatusRunning)
}

// Head returns the summary for the store.
func (s *State) Head() Head {
	return Head{Loop: s.Loop, Owner: s.Owner, Seq: s.Seq, Query: Shorten(s.Query, 300), Round: s.Round, Status: s.Status(),
		UpdatedAt: s.UpdatedAt}
}
