package loopstate

import (
	"fmt"
	"iter"
	"slices"
	"time"

	"github.com/citeloop/citeloop/internal/docid"
)

// Apply folds the next event of a loop into its state. Like append with a slice, it may change s: use only the result. A
// nil state is empty.
//
// An event of an unknown kind changes only the sequence number, the time and the count of bytes, so that an older replica works
// beside a newer one. An event that is out of order, belongs to another loop or has a damaged payload is an error
// and changes nothing.
func Apply(s *State, e Event) (*State, error) {
	if s == nil {
		s = &State{Loop: e.Loop}
		s.reindex()
	}
	if e.Loop != s.Loop || e.Seq != s.Seq+1 {
		return s, fmt.Errorf("loopstate: event %d of loop %s cannot follow event %d of loop %s", e.Seq, e.Loop, s.Seq, s.Loop)
	}
	p, err := Decode(e)
	if err != nil {
		return s, err
	}
	if _, ok := p.(*Started); ok != (e.Seq == 1) {
		return s, fmt.Errorf("loopstate: loop %s has a %s event at %d; a loop starts once, with its first event", e.Loop, e.Kind, e.Seq)
	}
	s.Seq, s.UpdatedAt, s.Stored = e.Seq, e.At, s.Stored+storedBy(e, p)
	if e.Op != "" {
		if _, ok := s.Ops[e.Op]; !ok {
			s.Ops[e.Op] = e.Seq
		}
	}
	switch p := p.(type) {
	case *Started:
		s.start(e.At, *p)
	case *Updated:
		s.update(e.At, *p)
	case *GapAdded:
		s.addGap(p.Gap)
		if p.Gap.Material { // sign-offs count only in rounds without a new material gap
			s.SignOffs = 0
		}
	case *Searched:
		s.search(e.At, *p)
	case *Read:
		s.read(*p)
	case *Shown:
		s.show(p.Shown)
		s.Answers.add(p.Answers)
	case *Verified:
		s.verify(e.Seq, e.At, *p)
	case *Closed:
		s.closeRound(e.At, *p)
	case *Criticised:
		s.Answers.add(p.AnswerCount)
		s.criticise(e.At, p.Critique)
	case *ReviewOpened:
		s.openReview(e.At, *p)
	case *ReviewAnswered:
		s.answerReview(e.At, *p)
	case *Imported:
		s.imported(e.At, *p)
	}
	return s, nil
}

// Fold applies events in order, starting from s (nil for the empty state).
func Fold(s *State, events iter.Seq2[Event, error]) (*State, error) {
	for e, err := range events {
		if err != nil {
			return s, err
		}
		if s, err = Apply(s, e); err != nil {
			return s, err
		}
	}
	return s, nil
}

func (s *State) start(at time.Time, p Started) {
	s.Owner, s.StartedAt, s.Open.StartedAt = p.Owner, at, at
	s.Query, s.Rubrics, s.Dimensions, s.Entity = p.Query, p.Rubrics, p.Dimensions, p.Entity
	s.Complexity, s.Budget, s.AsOf, s.Complete = p.Complexity, p.Budget, p.AsOf, p.Complete
	for _, g := range p.Gaps {
		s.addGap(g)
	}
}

func (s *State) update(at time.Time, p Updated) {
	before := len(s.Evidence)
	searched := s.searchedThisRound(p.Query) // then the search has already counted these hits
	s.addEvidence(p.Evidence)
	if unit := s.searchUnit("", p.Query); !searched || p.Query == "" {
		s.recordSighting(idsOf(p.Evidence), unit)
		s.recordSighting(p.Again, unit)
	}
	if (p.Query != "" || p.Channel != "") && !s.searchedThisRound(p.Query) {
		s.addQuestion(p.Query)
		s.Open.Searches++
		channel := p.Channel
		if channel == "" && len(p.Evidence) > 0 {
			channel = p.Evidence[0].Source
		}
		s.addSearch(Search{Round: s.Round + 1, At: at, Query: p.Query, New: len(s.Evidence) - before,
			Channels: []SearchOutcome{{Channel: channel, Status: "reported", Count: len(p.Evidence) + len(p.Duplicates)}}})
	}
	s.visit(p.Visited)
	s.addBad(p.Bad)
	for _, id := range p.Answered {
		s.setGap(id, GapAnswered, "")
	}
	for _, g := range p.ClosedGaps {
		s.setGap(g.GapID, g.Status, g.Why)
	}
	for _, c := range p.Claims {
		s.addClaim(c)
	}
	s.supersede(nil, p.Restated)
	s.retract(p.Retracted)
	s.Contradictions = append(s.Contradictions, p.Contradictions...)
	s.addFailures(p.Failures)
	s.escalate()
	s.spend(p.Usage)
	if p.Abort != "" {
		s.Abort = p.Abort
	}
	s.ConfirmedRounds = max(s.ConfirmedRounds, p.ConfirmRounds)
}

func (s *State) search(at time.Time, p Searched) {
	s.addQuestion(p.Query)
	s.addEvidence(p.Evidence)
	unit := s.searchUnit(p.Angle, p.Query)
	s.recordSighting(idsOf(p.Evidence), unit)
	s.recordSighting(p.Again, unit)
	s.Open.Searches++
	s.addSearch(Search{Round: s.Round + 1, At: at, Query: p.Query, Sent: p.Sent, Angle: p.Angle, Since: p.Since, Until: p.Until, Language: p.Language,
		Channels: p.Channels, New: len(p.Evidence), Rejected: len(p.Rejected), TookMS: p.TookMS})
}

// searchedThisRound reports whether the search log has this query in the open round. A host that then reports the same
// hits has not searched twice.
func (s *State) searchedThisRound(query string) bool {
	return s.index.searched[foldText(query)] == s.Round+1
}

func (s *State) addSearch(search Search) {
	search.Gap = s.gapSearched(search.Query)
	if key := foldText(search.Query); search.Looked() && !s.index.looked[key] {
		s.index.looked[key] = true
		s.LookedFor++
	}
	s.index.searched[foldText(search.Query)] = search.Round
	s.Searches = append(s.Searches, search)
}

func (s *State) read(p Read) {
	for _, src := range p.Sources {
		if !src.keyProven() {
			src.Flags = append(slices.Clip(src.Flags), fmt.Sprintf("%s: recorded as %s, which nothing proves", FlagClaimed, src.Key))
		}
		s.flagSame(src)
		s.index.addSource(src, len(s.Sources))
		s.Sources = append(s.Sources, src)
		if !src.AtCheck {
			s.Open.Sources++
		}
	}
	s.visit(p.Visited)
	s.addBad(p.Bad)
	s.show(p.Shown)
}

func (s *State) verify(seq int64, at time.Time, p Verified) {
	s.spend(p.Usage)
	s.addReadings(p.Readings)
	s.check(at, p)
	if p.Scratch {
		s.Scratch = &Scratch{Coverage: p.Coverage, Candidates: p.Candidates}
		return
	}
	s.Scratch = nil
	for _, c := range p.Claims {
		s.addClaim(c)
	}
	for _, check := range p.Checks {
		if i, ok := s.index.claimID[check.ClaimID]; ok {
			s.Claims[i].addCheck(check.Check)
			s.Claims[i].applyReading(s.Readings)
			s.Claims[i].Superseded = false
		}
	}
	if p.Draft {
		s.Drafted = p.Stated
		s.deliver(at, p)
	}
	s.supersede(p.Superseded, p.Stated)
	s.addCandidates(p.Candidates, p.Draft)
	s.Verification = &Verification{Cycle: p.Cycle, Seq: seq, Round: s.Round + 1, Verdict: p.Verdict, Groundedness: p.Groundedness, Checked: len(p.Checks), Hallucinated: max(len(p.Hallucinated), p.Dead), Coverage: p.Coverage}
}

func (s *State) spend(u Usage) {
	for _, sum := range []*Usage{&s.Usage, &s.Open.Usage} {
		sum.CostUSD += u.CostUSD
		sum.Tokens += u.Tokens
	}
}

// addCheck records a verification. A claim that stays unsupported over two cycles despite new searches in between is a
// coverage gap: the sources lack it.
func (c *Claim) addCheck(check ClaimCheck) {
	if c.Check != nil {
		c.Tries = append(c.Tries, *c.Check)
	}
	c.Check = &check
	switch {
	case check.Status != Unsupported:
		c.Gap = false
	case len(c.Tries) > 0 && !c.Gap: // it stays a gap until the claim is supported
		prior := c.Tries[len(c.Tries)-1]
		c.Gap = prior.Status == Unsupported && check.Searches > prior.Searches
	}
}

func (s *State) addGap(g Gap) {
	s.index.addGap(s, g, len(s.Gaps))
	s.Gaps = append(s.Gaps, g)
}

// changeGaps replaces gaps by id.
func (s *State) changeGaps(changed []Gap) {
	for _, g := range changed {
		if i, ok := s.index.gapID[g.ID]; ok {
			s.Gaps[i] = g
		}
	}
	if len(changed) > 0 {
		s.reindexGaps()
	}
}

func (s *State) setGap(id, status, why string) {
	if i, ok := s.index.gapID[id]; ok && s.Gaps[i].Status == GapOpen {
		s.Gaps[i].Status, s.Gaps[i].Why, s.Gaps[i].ClosedRound = status, why, s.Round+1
	}
}

func (s *State) addEvidence(evidence []Evidence) {
	for _, e := range evidence {
		s.index.addEvidence(e, len(s.Evidence))
		s.Evidence = append(s.Evidence, e)
		s.Open.Evidence++
	}
}

func idsOf(evidence []Evidence) []string {
	ids := make([]string, len(evidence))
	for i, e := range evidence {
		ids[i] = e.ID
	}
	return ids
}

func (s *State) addQuestion(q string) {
	if q == "" || s.index.question[foldText(q)] {
		return
	}
	s.index.question[foldText(q)] = true
	s.Questions = append(s.Questions, q)
}

func (s *State) addClaim(c Claim) {
	s.index.addClaim(c, len(s.Claims))
	s.Claims = append(s.Claims, c)
}

func (s *State) visit(urls []string) {
	for _, u := range urls {
		if key := docid.CanonicalKey(u, ""); !s.index.visited[key] {
			s.index.visited[key] = true
			s.index.markRead(key)
			s.Visited = append(s.Visited, u)
		}
	}
}

func (s *State) addBad(bad []BadURL) {
	for _, b := range bad {
		if b.AtCheck {
			b.Round = s.Round + 1
			s.Bad = append(s.Bad, b)
		} else if key := docid.CanonicalKey(b.URL, ""); !s.index.bad[key] {
			s.index.bad[key] = true
			s.index.markRead(key)
			b.Round = s.Round + 1
			s.Bad = append(s.Bad, b)
		}
	}
}

// addFailures records the evaluator's failures of the open round, each once.
func (s *State) addFailures(failures []string) {
	if len(failures) == 0 {
		return
	}
	if s.FailuresRound != s.Round+1 {
		s.Failures, s.FailuresRound = nil, s.Round+1
	}
	for _, f := range failures {
		if !slices.Contains(s.Failures, f) {
			s.Failures = append(s.Failures, f)
		}
	}
}
