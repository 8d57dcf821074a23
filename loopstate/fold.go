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

func (s *State) update(at time.Time, p Updated) {
	before := len(s.Evidence)
	searched := s.searchedThisRound(p.Query) // then the search has already counted these hits
	s.addEvidence(p.Evidence)
	for _, e := range p.Evidence {
		s.identify(e.Source, 1)
	}
	if !searched {
		s.identify(p.Channel, len(p.Duplicates))
	}
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
	s.fill(p.Cells)
	s.screen(at, p.Screened)
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
	for _, o := range p.Channels {
		s.identify(o.Channel, o.Count)
	}
	for _, r := range p.Rejected {
		if r.Why != repeatedHitWhy {
			s.Unfit++
		}
	}
	s.addSearch(Search{Round: s.Round + 1, At: at, Query: p.Query, Sent: p.Sent, Angle: p.Angle, Since: p.Since, Until: p.Until, Language: p.Language,
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
		if id := sharedIdentifier(*other, src); id != "" && !slices.ContainsFunc(other.Flags, func(f string) bool { return strings.HasPrefix(f, FlagSame) }) {
			other.Flags = append(slices.Clip(slices.Clone(other.Flags)), sameIdentifier(*other, []Source{src})...)
		}
	}
}

// show updates the ledger. It ignores unknown sources and clips spans to the text.
func (s *State) show(shown []ShownText) {
	for _, t := range shown {
		src, ok := s.SourceByID(t.SourceID)
		if !ok {
			continue
		}
		spans := s.Shown[t.SourceID]
		for _, p := range t.Spans {
			spans = spans.With(Span{p[0], min(p[1], src.Chars)})
		}
		if len(spans) == 0 {
			continue
		}
		put(&s.Shown, t.SourceID, spans)
		if src.AtCheck { // from now on it counts as read
			src.AtCheck = false
			s.Sources[s.index.sourceID[src.ID]] = src
			s.index.noteRead(src)
			s.Open.Sources++
		}
	}
}

func (s *State) verify(seq int64, at time.Time, p Verified) {
	s.spend(p.Usage)
	s.addReadings(p.Readings)
	s.check(at, p)
	if p.Scratch {
		s.Scratch = &Scratch{Candidates: p.Candidates}
		return
	}
	s.Scratch = nil
	for _, query := range p.Queries {
		if !s.searchedThisRound(query) { // else a search has logged it
			s.addQuestion(query)
			s.Open.Searches++
			s.addSearch(Search{Round: s.Round + 1, At: at, Query: query, Angle: p.Angle, Channels: []SearchOutcome{{Channel: "subagent", Status: "reported"}}})
		}
	}
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
	s.Verification = &Verification{Cycle: p.Cycle, Seq: seq, Round: s.Round + 1, Verdict: p.Verdict, Groundedness: p.Groundedness, Checked: len(p.Checks), Hallucinated: max(len(p.Hallucinated), p.Dead)}
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
	return each(evidence, func(e Evidence) string { return e.ID })
}

// recordSighting counts a search unit (an angle in a round) that found these hits.
func (s *State) recordSighting(ids []string, unit string) {
	for _, id := range ids {
		i, ok := s.index.evidenceID[id]
		if !ok || slices.Contains(s.Evidence[i].FoundBy, unit) {
			continue
		}
		e := &s.Evidence[i]
		e.Found++
		e.FoundBy = append(e.FoundBy[max(0, len(e.FoundBy)-maxFinders+1):], unit)
	}
}

// maxFinders bounds the remembered finders of one hit; it is above the number of angles.
const maxFinders = 12

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

// escalate grants two more rounds if rubrics fail after round three. Fixing them in round four does not revoke the fifth.
func (s *State) escalate() {
	s.Escalated = s.Escalated || s.rubricsFailing()
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

// supersede marks claims that only an earlier draft stated, and unmarks repeated ones.
func (s *State) supersede(gone, again []string) {
	for i := range s.Claims {
		switch id := s.Claims[i].ID; {
		case slices.Contains(again, id):
			s.Claims[i].Superseded = false
		case slices.Contains(gone, id):
			s.Claims[i].Superseded = true
		}
	}
}

// check records the draft that was checked last. In a loop that has finished, a text
// that is mostly another one and not final is no draft of the loop: a sentence that somebody checks must not open the loop again.
func (s *State) check(at time.Time, p Verified) {
	if p.Scratch && len(s.Critics) > 0 && !s.revises(p.DraftWords, p.NewWords) && p.DraftText != s.LastCriticised() && decide(s).NextAction == Finalize {
		return
	}
	if p.Draft && p.DraftText != "" {
		s.Checked = &Checked{SHA256: p.DraftText, Chars: p.DraftChars, Words: p.DraftWords, NewWords: p.NewWords, Round: s.Round + 1, At: at}
	}
}

func (s *State) deliver(at time.Time, p Verified) {
	const fail = "fail"
	round := s.Round + 1
	if p.DraftText == "" || p.Verdict == fail && s.Draft != nil && s.Draft.Round == round && s.Draft.Verdict != fail {
		return
	}
	s.Draft = &Draft{SHA256: p.DraftText, Chars: p.DraftChars, Verdict: p.Verdict, Round: round, At: at}
}

// put sets an entry of a map, which may be nil.
func put[K comparable, V any](m *map[K]V, key K, value V) {
	if *m == nil {
		*m = map[K]V{}
	}
	(*m)[key] = value
}
