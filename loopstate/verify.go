package loopstate

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// MaxAngleChars bounds the name of an angle.
const MaxAngleChars = 100

// Verify is the step that records a verification of claims, each with its check, or of those of a draft with a text. It assigns ids to new
// claims. A draft becomes the loop's text.
func (s *State) Verify(p Verified, checked []Claim, text string) (Verified, error) {
	var c checks
	if p.Cycle = 1; s.Verification != nil {
		p.Cycle = s.Verification.Cycle + 1
	}
	p.Angle, p.Queries = c.optional("angle", AngleNamed(p.Angle), MaxAngleChars), c.texts("queries", p.Queries)
	minted := map[string]int{}
	for i, in := range checked {
		claim := s.mintClaim(&c, fmt.Sprintf("claims[%d]", i), in, &p.Claims, minted)
		if c.err != nil {
			return p, c.err
		}
		p.Checks = append(p.Checks, CheckOf{ClaimID: claim.ID, Check: *in.Check})
	}
	for i := range p.Claims {
		p.Claims[i].Angle = p.Angle
	}
	if p.Draft {
		p.DraftChars = utf8.RuneCountInString(text)
	}
	return p, c.err
}

// mintClaim validates a claim, assigns its id and adds it to the new ones, or returns the claim that they or the loop already have.
// minted has the positions of the new ones by claimKey.
func (s *State) mintClaim(c *checks, subject string, in Claim, fresh *[]Claim, minted map[string]int) (claim Claim) {
	text := c.text(subject+".text", in.Claim, MaxTextChars)
	confidence := c.word(subject+".confidence", in.Confidence, []string{"high", "med", "low"}, "")
	c.fail(CheckCount(subject+".sources", len(in.SourceIDs), MaxItems))
	if c.err != nil {
		return claim
	}
	ids, cites := splitReferences(s.byIDs(in.SourceIDs))
	s.checkSourceIDs(c, subject+".sources", text, ids)
	key := claimKey(text, ids)
	if known, ok := at(s.Claims, s.index.claims, key); ok {
		return known
	}
	if known, ok := at(*fresh, minted, key); ok {
		return known
	}
	minted[key] = len(*fresh)
	claim = Claim{ID: fmt.Sprintf("C%d", len(s.Claims)+len(*fresh)+1), Claim: text, SourceIDs: ids, Cites: cites,
		Confidence: confidence, Round: s.Round + 1}
	*fresh = append(*fresh, claim)
	return claim
}

// byIDs replaces the addresses of sources by their ids.
func (s *State) byIDs(references []string) []string {
	return each(references, func(ref string) string {
		if strings.Contains(ref, "://") {
			if src, ok := s.SourceByAddress(strings.TrimSpace(ref), ""); ok {
				return src.ID
			}
		}
		return ref
	})
}

// checkSourceIDs fails if a cited id is not a source of the loop.
func (s *State) checkSourceIDs(c *checks, subject, claim string, ids []string) {
	for _, id := range listed(c, subject, ids) {
		if _, ok := s.SourceByID(id); !ok {
			c.fail(&Error{Code: CodeUnreadCited, Subject: subject, Value: Shorten(id, 60), Text: Shorten(claim, 60)})
		}
	}
}

// OpenBatch is the step that opens a batch. The seed decides what the batch is made of; it is random, and secret until the
// batch is closed, so that nobody can work out which items are planted.
func (s *State) OpenBatch(seed string, items []ReviewItem) (ReviewOpened, error) {
	batch := fmt.Sprintf("R%d", len(s.Reviews)+1)
	p := ReviewOpened{Batch: batch, Seed: seed, Items: slices.Clone(items)}
	for i := range p.Items {
		p.Items[i].Item = fmt.Sprintf("%s-%d", batch, i+1)
		p.Items[i].Passages = slices.Clone(items[i].Passages)
		for j := range p.Items[i].Passages {
			p.Items[i].Passages[j].Text = ""
		}
	}
	return p, CheckCount("items", len(items), MaxItems)
}

// AnswerBatch is the step that records a reader's answers. The first answer to an item counts; later ones are ignored. A quote
// that is not in what was shown is refused once.
func (s *State) AnswerBatch(batch string, reader Reader, answers []ReviewAnswer) (ReviewAnswered, error) {
	var c checks
	p := ReviewAnswered{Batch: batch, Reader: reader}
	r := s.Review(batch)
	if r == nil {
		return p, &Error{Code: CodeUnknownBatch, Subject: "batch", Value: Shorten(batch, 40)}
	}
	ids := each(r.Items, func(it ReviewItem) string { return it.Item })
	for at, a := range listed(&c, "answers", answers) {
		a.Item = strings.TrimSpace(a.Item)
		switch {
		case !slices.Contains(ids, a.Item):
			c.fail(&Error{Code: CodeUnknownValue, Subject: at + ".item", Value: Shorten(a.Item, 40), Valid: ids})
		case a.Answer == "":
			c.fail(&Error{Code: CodeMissing, Subject: at + ".answer", Valid: ReviewAnswers()})
		}
		c.word(at+".answer", a.Answer, ReviewAnswers(), "")
		a.Quote = c.optional(at+".quote", a.Quote, MaxTextChars)
		_, answered := r.Answers[a.Item]
		switch {
		case answered || r.Status != BatchOpen:
		case a.misquotes() && !r.Refused[a.Item]: // the reader can correct it once
			p.Refused = append(p.Refused, a.Item)
		default:
			p.Answers = append(p.Answers, a)
		}
	}
	return p, c.err
}
