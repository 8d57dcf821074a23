package loopstate

import (
	"cmp"
	"slices"
	"time"
)

// Import is the last import of a loop.
type Import struct {
	At time.Time `json:"at"`
}

// FlagImported is the flag of a claim whose verdict rests on a review in an imported archive.
const FlagImported = "imported_review: a review elsewhere gave this verdict; it was not checked here"

// fold flags the reviews and verdicts of the log.
func (Imported) fold(s *State, at time.Time) {
	s.Import = &Import{at}
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
	r := s.ReviewByID(p.Batch)
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
		if r.Status == BatchCounted && (it.Role == ReviewPending || it.Role == ReviewSample) {
			a := r.Answers[it.Item]
			s.take(it.Key, Reading{Batch: r.Batch, Item: it.Item, Answer: a.Counts(), Quote: a.Quote, Reader: r.Readers[0]}, a)
		}
	}
	for i := range s.Claims {
		s.Claims[i].applyReading(s.Readings)
	}
}

// take records a reading. Older versions asked about a claim a second time, beside further passages: that answer counts only
// where it says more and rests on the cited lines.
func (s *State) take(key string, reading Reading, a ReviewAnswer) {
	before, again := s.Readings[key]
	if again && (a.Place != nil || reading.Answer == AnswerNotStated || reading.Answer == before.Answer) {
		return
	}
	s.Readings[key] = reading
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
		check.ByWording = cmp.Or(check.ByWording, check.Status)
		check.Status, check.Basis, check.Reviewed = AfterReading(reading.Answer), "", reading.Item
		if check.Status == Grounded {
			check.Basis = BasisReview
		}
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
