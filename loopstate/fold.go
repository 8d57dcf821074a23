package loopstate

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/citeloop/citeloop/internal/docid"
)

func (s *State) start(at time.Time, p Started) {
	s.Owner, s.StartedAt, s.Open.StartedAt = p.Owner, at, at
	s.Query, s.Rubrics, s.Dimensions, s.Entity = p.Query, p.Rubrics, p.Dimensions, p.Entity
	s.Complexity, s.Budget, s.AsOf, s.Complete = p.Complexity, p.Budget, p.AsOf, p.Complete
	for _, g := range p.Gaps {
		s.addGap(g)
	}
}

// ask makes a query the loop's question, if it has none.
func (s *State) ask(query string) {
	if s.Query == "" && query != "" {
		s.Query = query
		s.reindexGaps() // the queries of gaps name the subject
	}
}

func (s *State) update(at time.Time, p Updated) {
	s.ask(p.Query)
	before := len(s.Evidence)
	searched := s.searchedThisRound(p.Query) // then the search has already counted these hits
	s.addEvidence(p.Evidence)
	if (p.Query != "" || p.Channel != "") && !searched {
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
	s.ask(p.Query)
	s.addQuestion(p.Query)
	s.addEvidence(p.Evidence)
	s.Open.Searches++
	s.addSearch(Search{Round: s.Round + 1, At: at, Query: p.Query, Sent: p.Sent, Angle: p.Angle, Since: p.Since, Until: p.Until,
		Language: p.Language,
		Channels: p.Channels, New: len(p.Evidence), Rejected: len(p.Rejected), TookMS: p.TookMS})
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
	s.ask(p.Query)
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
	if len(p.Again) > 0 {
		s.reread(p.Again)
	}
}

// flagSame flags the earlier sources that share an identifier with a new one, which is flagged itself.
func (s *State) flagSame(src Source) {
	if !slices.ContainsFunc(src.Flags, func(f string) bool { return strings.HasPrefix(f, FlagSame) }) {
		return
	}
	for i := range s.Sources {
		other := &s.Sources[i]
		if id := sharedIdentifier(*other, src); id != "" &&
			!slices.ContainsFunc(other.Flags, func(f string) bool { return strings.HasPrefix(f, FlagSame) }) {
			other.Flags = append(slices.Clip(slices.Clone(other.Flags)), sameIdentifier(*other, []Source{src})...)
		}
	}
}

// show lets sources that only a check had read count as read.
func (s *State) show(shown []ShownText) {
	for _, t := range shown {
		i, ok := s.index.sourceID[t.SourceID]
		if !ok || !s.Sources[i].AtCheck {
			continue
		}
		s.Sources[i].AtCheck = false
		s.index.noteRead(s.Sources[i])
		s.Open.Sources++
	}
}

func (s *State) verify(seq int64, at time.Time, p Verified) {
	s.spend(p.Usage)
	s.addReadings(p.Readings)
	for _, query := range p.Queries {
		if !s.searchedThisRound(query) { // else a search has logged it
			s.addQuestion(query)
			s.Open.Searches++
			s.addSearch(Search{Round: s.Round + 1, At: at, Query: query, Angle: p.Angle,
				Channels: []SearchOutcome{{Channel: "subagent", Status: "reported"}}})
		}
	}
	for _, c := range p.Claims {
		s.addClaim(c)
	}
	for _, check := range p.Checks {
		if i, ok := s.index.claimID[check.ClaimID]; ok {
			s.Claims[i].addCheck(check.Check)
			s.Claims[i].applyReading(s.Readings)
		}
	}
	if p.Draft && p.DraftText != "" {
		s.Draft = &Draft{SHA256: p.DraftText, Chars: p.DraftChars, Verdict: p.Verdict, Round: s.Round + 1, At: at}
	}
	s.addCandidates(p.Candidates, p.Draft)
	s.Verification = &Verification{Cycle: p.Cycle, Seq: seq, Round: s.Round + 1, Verdict: p.Verdict, Groundedness: p.Groundedness,
		Checked: len(p.Checks), Hallucinated: max(len(p.Hallucinated), p.Dead)}
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

func (s *State) addEvidence(evidence []Evidence) {
	for _, e := range evidence {
		s.index.addEvidence(e, len(s.Evidence))
		s.Evidence = append(s.Evidence, e)
		s.Open.Evidence++
	}
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
	s.Open.Claims++
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

// retract marks claims as retracted. The same words, recorded again, are a new claim.
func (s *State) retract(ids []string) {
	for _, id := range ids {
		i, ok := s.index.claimID[id]
		if !ok || s.Claims[i].Retracted > 0 {
			continue
		}
		c := &s.Claims[i]
		c.Retracted = s.Round + 1
		delete(s.index.claims, claimKey(c.Claim, c.SourceIDs))
		if c.Check != nil && c.Check.Key != "" {
			s.Candidates = slices.DeleteFunc(s.Candidates, func(r ReviewCandidate) bool { return r.Key == c.Check.Key && !r.Draft })
		}
	}
}

// put sets an entry of a map, which may be nil.
func put[K comparable, V any](m *map[K]V, key K, value V) {
	if *m == nil {
		*m = map[K]V{}
	}
	(*m)[key] = value
}
