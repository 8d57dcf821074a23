package loopstate

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// CheckedClaim is one claim with its verdict.
type CheckedClaim struct {
	Claim ClaimInput
	Check ClaimCheck
}

// VerifyInput is the result of a verification of listed claims or of a draft.
type VerifyInput struct {
	Verdict      string
	Groundedness float64
	Threshold    float64
	Checked      []CheckedClaim
	Hallucinated []Hallucinated
	Dead         int // citations that lead to nothing, with those that Hallucinated leaves out
	Uncited      int
	Draft        bool
	Final        bool   // the draft becomes the loop's text; otherwise its check leaves the loop as it is
	Text         string // the draft
	TextHash     string // of the draft, which the caller stores
	DraftWords   int    // see [Checked]
	NewWords     int
	Stated       []string // ids of recorded claims that the draft states
	Corrected    []string // ids of recorded claims that a checked claim corrects
	Candidates   []ReviewCandidate
	Angle        string   // of the subagent that claims this
	Queries      []string // its own searches
	Coverage     string   // how much of the candidates is to be read: CoverageSample or CoverageAll
}

// MaxAngleChars bounds the name of an angle.
const MaxAngleChars = 100

// How much of a text a reader is to read.
const (
	CoverageSample = "sample"
	CoverageAll    = "all"
)

// Verify is the step that records a verification. It assigns ids to new claims. A final draft supersedes the claims that only
// the previous one stated.
func (s *State) Verify(in VerifyInput) (Verified, error) {
	p := Verified{Candidates: in.Candidates, Coverage: in.Coverage, Cycle: s.NextCycle(), Verdict: in.Verdict, Groundedness: in.Groundedness, Threshold: in.Threshold,
		Hallucinated: in.Hallucinated, Dead: in.Dead, Uncited: in.Uncited, Draft: in.Draft, Scratch: in.Draft && !in.Final}
	var err error
	if p.Angle, err = optionalText("angle", in.Angle, MaxAngleChars); err != nil {
		return p, err
	}
	if p.Queries, err = checkTexts("queries", in.Queries); err != nil {
		return p, err
	}
	looked := map[string]bool{} // by the queries, before these checks
	for _, query := range p.Queries {
		if key := foldText(query); !s.index.looked[key] && !s.searchedThisRound(query) {
			looked[key] = true
		}
	}
	minted := map[string]Claim{} // in this step
	for i, cc := range in.Checked {
		c, isNew, err := s.mintClaim(fmt.Sprintf("claims[%d]", i), cc.Claim, len(p.Claims))
		if err != nil {
			return p, err
		}
		if isNew {
			c.Angle = p.Angle
			key := claimKey(c.Claim, c.SourceIDs)
			if known, ok := minted[key]; ok {
				c = known
			} else {
				minted[key] = c
				p.Claims = append(p.Claims, c)
			}
		}
		cc.Check.Cycle, cc.Check.Searches = p.Cycle, s.LookedFor+len(looked)
		p.Checks = append(p.Checks, CheckOf{ClaimID: c.ID, Check: cc.Check})
	}
	p.Superseded = in.Corrected
	if in.Draft && in.Final {
		p.Stated, p.Superseded = in.Stated, s.supersededBy(in.Stated)
	}
	if in.Draft {
		p.DraftText, p.DraftChars = in.TextHash, utf8.RuneCountInString(in.Text)
		p.DraftWords, p.NewWords = in.DraftWords, in.NewWords
		if (s.Draft == nil || s.Draft.SHA256 != in.TextHash) && (s.Checked == nil || s.Checked.SHA256 != in.TextHash) {
			p.DraftBytes = int64(len(in.Text))
		}
	}
	return p, nil
}

// NextCycle returns the number of the next verification.
func (s *State) NextCycle() int {
	if s.Verification == nil {
		return 1
	}
	return s.Verification.Cycle + 1
}

// supersededBy returns the claims that the last draft stated and a new one does not.
func (s *State) supersededBy(stated []string) []string {
	var gone []string
	for _, id := range s.Drafted {
		if i, ok := s.index.claimID[id]; ok && s.Claims[i].counts() && !slices.Contains(stated, id) {
			gone = append(gone, id)
		}
	}
	return gone
}

// mintClaim validates a claim and assigns its id, or returns the claim that the loop already has.
func (s *State) mintClaim(subject string, in ClaimInput, ahead int) (c Claim, isNew bool, err error) {
	text, err := CheckText(subject+".text", in.Claim, MaxTextChars)
	if err != nil {
		return c, false, err
	}
	if err := CheckOneOf(subject+".confidence", in.Confidence, []string{"high", "med", "low"}); err != nil {
		return c, false, err
	}
	if err := CheckCount(subject+".sources", len(in.SourceIDs), MaxItems); err != nil {
		return c, false, err
	}
	ids, cites := splitReferences(s.byIDs(in.SourceIDs))
	if err := s.checkSourceIDs(subject+".sources", text, ids); err != nil {
		return c, false, err
	}
	if i, ok := s.index.claims[claimKey(text, ids)]; ok {
		return s.Claims[i], false, nil
	}
	return Claim{ID: fmt.Sprintf("C%d", len(s.Claims)+ahead+1), Claim: text, SourceIDs: ids, Cites: cites, Confidence: in.Confidence, Round: s.Round + 1}, true, nil
}

// byIDs replaces the addresses of sources by their ids.
func (s *State) byIDs(references []string) []string {
	out := slices.Clone(references)
	for i, ref := range out {
		if !strings.Contains(ref, "://") {
			continue
		}
		if src, ok := s.SourceByAddress(strings.TrimSpace(ref), ""); ok {
			out[i] = src.ID
		}
	}
	return out
}

// checkSourceIDs returns an error if a cited id is not a source of the loop.
func (s *State) checkSourceIDs(subject, claim string, ids []string) error {
	if err := CheckCount(subject, len(ids), MaxItems); err != nil {
		return err
	}
	for _, id := range ids {
		if _, ok := s.SourceByID(id); !ok {
			return &Error{Code: CodeUnreadCited, Subject: subject, Value: clip(id, 60), Text: clip(claim, 60)}
		}
	}
	return nil
}

// OpenBatch is the step that opens a batch. The seed decides what the batch is made of; it is random, and secret until the
// batch is closed, so that nobody can work out which items are planted.
func (s *State) OpenBatch(seed string, items []ReviewItem) (ReviewOpened, error) {
	batch := s.NextReview()
	p := ReviewOpened{Batch: batch, Seed: seed, Items: slices.Clone(items)}
	if err := CheckCount("items", len(items), MaxReviewItems); err != nil {
		return p, err
	}
	for i := range p.Items {
		p.Items[i].Item = fmt.Sprintf("%s-%d", batch, i+1)
	}
	return p, nil
}

// AnswerBatch is the step that records a reader's answers. The first answer to an item counts; later ones are ignored. A quote
// that is not in what was shown is refused once.
func (s *State) AnswerBatch(batch string, reader Reader, answers []ReviewAnswer) (ReviewAnswered, error) {
	p := ReviewAnswered{Batch: batch, Reader: reader}
	r, ok := s.ReviewByID(batch)
	if !ok {
		return p, &Error{Code: CodeUnknownBatch, Subject: "batch", Value: clip(batch, 40)}
	}
	if err := CheckCount("answers", len(answers), MaxItems); err != nil {
		return p, err
	}
	var ids []string
	for _, it := range r.Items {
		ids = append(ids, it.Item)
	}
	seen := map[string]bool{}
	for i, a := range answers {
		at := fmt.Sprintf("answers[%d]", i)
		a.Item = strings.TrimSpace(a.Item)
		switch {
		case !slices.Contains(ids, a.Item):
			return p, &Error{Code: CodeUnknownValue, Subject: at + ".item", Value: clip(a.Item, 40), Valid: ids}
		case seen[a.Item]:
			return p, &Error{Code: CodeRepeated, Subject: at + ".item", Value: a.Item}
		case a.Answer == "":
			return p, &Error{Code: CodeMissing, Subject: at + ".answer", Valid: ReviewAnswers()}
		}
		if err := CheckOneOf(at+".answer", a.Answer, ReviewAnswers()); err != nil {
			return p, err
		}
		var err error
		if a.Quote, err = optionalText(at+".quote", a.Quote, MaxTextChars); err != nil {
			return p, err
		}
		seen[a.Item] = true
		_, answered := r.Answers[a.Item]
		switch {
		case answered || r.Status != BatchOpen:
		case a.misquotes() && !r.Refused[a.Item]: // the reader can correct it once
			p.Refused = append(p.Refused, a.Item)
		default:
			p.Answers = append(p.Answers, a)
		}
	}
	return p, nil
}
