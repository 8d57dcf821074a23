package loopstate

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/citeloop/citeloop/internal/docid"
)

// Apply folds the next event of a loop into its state. Like append with a slice, it may change s: use only the result. A
// nil state is empty.
//
// An event of an unknown kind changes only the sequence number and the time, so that an older replica works
// beside a newer one. An event that is out of order, belongs to another loop or has a damaged payload is an error
// and changes nothing.
func Apply(s *State, e Event) (*State, error) {
	if s == nil {
		s = newState(e.Loop)
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
	s.Seq, s.UpdatedAt = e.Seq, e.At
	if e.Op != "" {
		keepFirst(s.Ops, e.Op, e.Seq)
	}
	if p != nil {
		s.Bytes += len(e.Data)
		p.fold(s, e.At)
	}
	return s, nil
}

func (p Started) fold(s *State, at time.Time) {
	s.Started, s.Started.Gaps, s.StartedAt, s.Open.StartedAt = p, nil, at, at
	s.addGaps(p.Gaps)
}

// ask makes a query the loop's question, if it has none.
func (s *State) ask(query string) {
	if s.Query != "" || query == "" {
		return
	}
	s.Query = query
	clear(s.index.gapQuery) // the queries of gaps name the subject
	for i, g := range s.Gaps {
		s.indexGap(g, i)
	}
}

func (p Updated) fold(s *State, at time.Time) {
	s.ask(p.Query)
	s.addEvidence(p.Evidence)
	if p.Query != "" || p.Channel != "" {
		channel := p.Channel
		if channel == "" && len(p.Evidence) > 0 {
			channel = p.Evidence[0].Source
		}
		s.report(at, Search{Query: p.Query, New: len(p.Evidence)}, channel, len(p.Evidence)+len(p.Duplicates))
	}
	s.visit(p.Visited)
	s.addBad(p.Bad)
	s.closeGaps(p.Answered, p.ClosedGaps)
	s.addClaims(p.Claims)
	s.retract(p.Retracted)
	s.Contradictions = append(s.Contradictions, p.Contradictions...)
	if len(p.Failures) > 0 {
		s.addFailures(p.Failures)
	}
	s.escalate()
	s.spend(p.Usage)
	if p.Abort != "" {
		s.Abort = p.Abort
	}
	s.ConfirmedRounds = max(s.ConfirmedRounds, p.ConfirmRounds)
}

func (p GapAdded) fold(s *State, _ time.Time) {
	if s.addGaps([]Gap{p.Gap}); p.Gap.Material && p.Gap.Debt == "" { // sign-offs count only in rounds without a new material gap
		s.SignOffs = 0
	}
}

func (p Searched) fold(s *State, at time.Time) {
	s.ask(p.Query)
	s.addEvidence(p.Evidence)
	p.Search.At, p.Search.New, p.Search.Rejected = at, len(p.Evidence), len(p.Rejected)
	s.addSearch(p.Search)
}

// report logs a search that somebody else made, unless this round has it: then the search itself was logged.
func (s *State) report(at time.Time, search Search, channel string, hits int) {
	if s.index.queries[foldText(search.Query)] <= s.Round {
		search.At, search.Channels = at, []SearchOutcome{{Channel: channel, Status: "reported", Count: hits}}
		s.addSearch(search)
	}
}

func (s *State) addSearch(search Search) {
	search.Round, search.Gap = s.Round+1, s.gapSearched(search.Query)
	key := foldText(search.Query)
	if _, known := s.index.queries[key]; !known && search.Query != "" {
		s.Questions = append(s.Questions, search.Query)
	}
	if s.index.queries[key] = search.Round; search.Looked() {
		s.index.looked[key] = true
	}
	s.Searches = append(s.Searches, search)
	s.Open.Searches++
}

func (p Read) fold(s *State, _ time.Time) {
	s.ask(p.Query)
	for _, src := range p.Sources {
		keys, proven := src.keys()
		if !proven {
			src.flagOnce(FlagClaimed, fmt.Sprintf("recorded as %s, which nothing proves", src.Key))
		}
		for i := range s.Sources {
			flagSame(&src, &s.Sources[i])
		}
		for _, key := range keys {
			keepFirst(s.index.sources, key, len(s.Sources))
			s.index.markRead(key)
		}
		s.Sources = append(s.Sources, src)
	}
	s.Open.NewSources += len(p.Sources)
	s.visit(p.Visited)
	s.addBad(p.Bad)
	if len(p.Again) > 0 {
		s.reread(p.Again)
	}
}

func (p Verified) fold(s *State, at time.Time) {
	for key, reading := range p.Readings { // those of this loop take precedence
		keepFirst(s.Readings, key, reading)
	}
	for _, query := range p.Queries {
		s.report(at, Search{Query: query, Angle: p.Angle}, "subagent", 0)
	}
	s.addClaims(p.Claims)
	for _, of := range p.Checks {
		if i, ok := numbered("C", of.ClaimID, len(s.Claims)); ok {
			of.Check.Cycle, of.Check.Searches = p.Cycle, len(s.index.looked)
			s.Claims[i].addCheck(of.Check)
			s.Claims[i].applyReading(s.Readings)
		}
	}
	if p.Draft && p.DraftText != "" {
		s.Draft = &Draft{SHA256: p.DraftText, Chars: p.DraftChars, Verdict: p.Verdict, Round: s.Round + 1, At: at}
	}
	s.addCandidates(p.Candidates, p.Draft)
	s.Verification, s.VerifiedRound = &p, s.Round+1
}

// addCheck records a verification. A claim that stays unsupported over two cycles despite new searches in between is a
// coverage gap: the sources lack it.
func (c *Claim) addCheck(check ClaimCheck) {
	before := c.Check
	if before != nil {
		c.Tries = append(c.Tries, *before)
	}
	c.Check = &check
	if check.Status != Unsupported {
		c.Gap = false
	} else if before != nil && !c.Gap { // it stays a gap until the claim is supported
		c.Gap = before.Status == Unsupported && check.Searches > before.Searches
	}
}

func (s *State) addEvidence(evidence []Evidence) {
	for _, e := range evidence {
		s.indexEvidence(e, len(s.Evidence))
		s.Evidence = append(s.Evidence, e)
	}
	s.Open.NewEvidence += len(evidence)
}

func (s *State) addClaims(claims []Claim) {
	for _, c := range claims {
		s.index.claims[claimKey(c.Claim, c.SourceIDs)] = len(s.Claims)
		s.Claims = append(s.Claims, c)
	}
	s.Open.NewClaims += len(claims)
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
		if key := docid.CanonicalKey(b.URL, ""); !s.index.bad[key] {
			s.index.bad[key] = true
			s.index.markRead(key)
			b.Round = s.Round + 1
			s.Bad = append(s.Bad, b)
		}
	}
}

// addFailures records the evaluator's failures of the open round, each once. Those of an earlier round are gone then.
func (s *State) addFailures(failures []string) {
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
		i, ok := numbered("C", id, len(s.Claims))
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

// fold flags the reviews and verdicts of the log.
func (p Imported) fold(s *State, at time.Time) {
	p.At = at
	s.Import = &p
	for key, reading := range s.Readings {
		reading.Imported = true
		s.Readings[key] = reading
	}
	for i := range s.Claims {
		s.Claims[i].flag(FlagImported, func(*ClaimCheck) {})
	}
}

func (p ReviewOpened) fold(s *State, at time.Time) {
	s.Reviews = append(s.Reviews, Review{Batch: p.Batch, Seed: p.Seed, Status: BatchOpen, OpenedAt: at, Items: p.Items,
		Answers: map[string]ReviewAnswer{}, Refused: map[string]bool{}})
}

// fold records answers. After the last one, the referee decides; claims change only then.
func (p ReviewAnswered) fold(s *State, at time.Time) {
	s.spend(p.Usage)
	r := s.Review(p.Batch)
	if r == nil || r.Status != BatchOpen {
		return
	}
	for _, item := range p.Refused {
		r.Refused[item] = true
	}
	for _, a := range p.Answers {
		keepFirst(r.Answers, a.Item, a)
	}
	if len(p.Answers) > 0 && !slices.Contains(r.Readers, p.Reader) {
		r.Readers = append(r.Readers, p.Reader)
	}
	if r.Planted, r.Controls, r.Status = Referee(r.Items, r.Answers); r.Status == BatchOpen {
		return
	}
	r.ClosedAt = at
	for _, it := range r.Items {
		if a := r.Answers[it.Item]; r.Status == BatchCounted && it.Role != ReviewPlanted && it.Role != ReviewControl {
			keepFirst(s.Readings, it.Key, Reading{Batch: r.Batch, Item: it.Item, Answer: a.Counts(), Quote: a.Quote, Reader: r.Readers[0]})
		}
	}
	for i := range s.Claims {
		s.Claims[i].applyReading(s.Readings)
	}
}

// applyReading updates the last check of a claim by its reading.
func (c *Claim) applyReading(readings map[string]Reading) {
	if c.Check == nil || c.Check.Key == "" {
		return
	}
	reading, ok := readings[c.Check.Key]
	if !ok || c.Check.Reviewed == reading.Item {
		return
	}
	c.amend(func(check *ClaimCheck) {
		check.Status, check.Reviewed = AfterReading(reading.Answer), reading.Item
		if reading.Imported {
			check.Flags = append(check.Flags, FlagImported)
		}
		c.Gap = c.Gap && check.Status == Unsupported
	})
}

// amend changes a copy of the last check: states that share it stay as they are.
func (c *Claim) amend(change func(*ClaimCheck)) {
	check := *c.Check
	check.Flags = slices.Clone(check.Flags)
	change(&check)
	c.Check = &check
}

// flag adds a flag to the last check, with what else changes then. It does nothing if the check has the flag.
func (c *Claim) flag(flag string, change func(*ClaimCheck)) {
	if c.Check != nil && !slices.Contains(c.Check.Flags, flag) {
		c.amend(func(check *ClaimCheck) {
			change(check)
			check.Flags = append(check.Flags, flag)
		})
	}
}

// addCandidates records the candidates of a verification. Those of a draft replace those of the previous draft, and the
// recorded claims that nobody has read: the report is written from the draft. A later check of the claims adds them again.
func (s *State) addCandidates(candidates []ReviewCandidate, draft bool) {
	if draft {
		s.Candidates = slices.DeleteFunc(s.Candidates, func(c ReviewCandidate) bool {
			_, read := s.Readings[c.Key]
			return c.Draft || !read && c.Status != Grounded
		})
	}
	at := make(map[string]int, len(s.Candidates))
	for i, c := range s.Candidates {
		at[c.Key] = i
	}
	for _, c := range candidates {
		c.Draft = draft
		if i, ok := at[c.Key]; ok {
			s.Candidates[i] = c
		} else {
			at[c.Key] = len(s.Candidates)
			s.Candidates = append(s.Candidates, c)
		}
	}
}

// flagOnce adds a flag of a kind, unless the source has one.
func (src *Source) flagOnce(kind, text string) {
	if !slices.ContainsFunc(src.Flags, func(f string) bool { return strings.HasPrefix(f, kind) }) {
		src.Flags = append(slices.Clip(slices.Clone(src.Flags)), kind+": "+text)
	}
}
