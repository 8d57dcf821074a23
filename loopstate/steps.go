package loopstate

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/citeloop/citeloop/internal/docid"
	"github.com/citeloop/citeloop/internal/text/query"
)

// running returns an error if the loop was aborted.
func (s *State) running() error {
	if s.Abort == "" {
		return nil
	}
	return &Error{Code: CodeAborted, Subject: "loop", Value: s.Abort}
}

// AddGap is the step that adds a gap. If the loop already has the gap, it returns the gap's id in duplicateOf, and nothing
// is to be appended.
func (s *State) AddGap(in GapInput) (p GapAdded, duplicateOf string, err error) {
	if err := s.running(); err != nil {
		return p, "", err
	}
	g, err := in.check("gap")
	if err != nil {
		return p, "", err
	}
	if i, ok := s.index.gaps[foldText(g.Gap)]; ok {
		return p, s.Gaps[i].ID, nil
	}
	g.ID, g.OpenedRound = s.nextGapID(0), s.Round+1
	return GapAdded{Gap: g}, "", nil
}

// CloseInput is a host's report at the end of a round.
type CloseInput struct {
	Gaps          []GapInput // found by the critic
	SignOff       bool
	Coverage      *Coverage
	Failures      []string
	AnsweredGaps  []string
	OpenQuestions []OpenQuestionInput
	Synthesis     string
	SynthesisHash string // of the synthesis, which the caller stores
	Critique      CritiqueInput
}

// OpenQuestionInput is a gap, by id or text, that cannot be answered, and why.
type OpenQuestionInput struct{ Gap, Why string }

// Close is the step that ends a round. Gaps that the host does not mention stay open.
func (s *State) Close(in CloseInput) (Closed, error) {
	p := Closed{SignOff: in.SignOff, Coverage: in.Coverage}
	if err := s.running(); err != nil {
		return p, err
	}
	var err error
	var known []string
	if p.Gaps, known, err = s.mintGaps("gaps", in.Gaps); err != nil {
		return p, err
	}
	for _, id := range known { // tell the host that a closed gap stays closed
		if g, ok := s.GapByID(id); ok && g.Status != GapOpen {
			p.Rejected = append(p.Rejected, Rejected{Item: id, Why: g.closedWords() + "; describe in new words what is still missing"})
		}
	}
	if p.Answered, p.Rejected, err = s.resolveGaps("answered gaps", in.AnsweredGaps, p.Rejected); err != nil {
		return p, err
	}
	if err := s.takeOpenQuestions(in.OpenQuestions, &p); err != nil {
		return p, err
	}
	if in.Coverage != nil {
		if err := in.Coverage.check(); err != nil {
			return p, err
		}
	}
	if p.Failures, err = checkTexts("failures", in.Failures); err != nil {
		return p, err
	}
	if in.Synthesis != "" {
		if _, err := CheckText("synthesis", in.Synthesis, MaxSynthesisChars); err != nil {
			return p, err
		}
		p.Synthesis, p.SynthesisLen, p.SynthesisBytes = in.SynthesisHash, utf8.RuneCountInString(in.Synthesis), int64(len(in.Synthesis))
	}
	if in.Critique.given() {
		critique, err := s.critique(in.Critique)
		if err != nil {
			return p, err
		}
		p.Critique = &critique
	}
	absent, share := query.Absences(in.Synthesis)
	p.Absence = share
	s.entityGap(&p)
	s.takeDebts(&p, absent)
	return p, nil
}

// takeOpenQuestions records open questions. A question that is not yet a gap becomes one, so that it has an id and is in
// the report.
func (s *State) takeOpenQuestions(in []OpenQuestionInput, p *Closed) error {
	if err := CheckCount("open questions", len(in), MaxItems); err != nil {
		return err
	}
	for i, q := range in {
		name := fmt.Sprintf("open questions[%d]", i)
		text, err := CheckText(name+".gap", q.Gap, MaxTextChars)
		if err != nil {
			return err
		}
		why, err := CheckText(name+".why", q.Why, MaxTextChars)
		if err != nil {
			return err
		}
		g, ok := s.gapNamed(text)
		if !ok && gapID.MatchString(text) {
			return unknownGap(name+".gap", text)
		}
		if !ok {
			if g, ok = namedIn(p.Gaps, text); !ok {
				minted, err := GapInput{Gap: text}.check(name)
				if err != nil {
					return err
				}
				minted.ID, minted.OpenedRound = s.nextGapID(len(p.Gaps)), s.Round+1
				p.Gaps = append(p.Gaps, minted)
				g = minted
			}
		}
		if g.Status != GapOpen {
			p.Rejected = append(p.Rejected, Rejected{Item: g.ID, Why: g.closedWords()})
			continue
		}
		if slices.Contains(p.Answered, g.ID) {
			p.Rejected = append(p.Rejected, Rejected{Item: g.ID, Why: "the same call also answers it"})
			continue
		}
		p.OpenQuestions = append(p.OpenQuestions, OpenQuestion{GapID: g.ID, Why: why})
	}
	return nil
}

func namedIn(gaps []Gap, text string) (Gap, bool) {
	return first(gaps, func(g Gap) bool { return foldText(g.Gap) == foldText(text) })
}

// first returns the first of the items that match.
func first[T any](items []T, match func(T) bool) (item T, ok bool) {
	i := slices.IndexFunc(items, match)
	if i >= 0 {
		item = items[i]
	}
	return item, i >= 0
}

// SearchInput is one completed search.
type SearchInput struct {
	Query    string // the host's
	Sent     string // the query with the date added, or empty
	Angle    string
	Since    string
	Until    string
	Language string
	Outcomes []SearchOutcome
	Hits     []Evidence // with Evidence.SameAs set if they repeat another hit
	TookMS   int64
}

// Search is the step that logs a search and its new hits. It rejects hits without a title or a readable address, hits that
// only state that nothing was found, repeated hits, and hits that are not about the target entity.
func (s *State) Search(in SearchInput) (Searched, error) {
	p := Searched{Query: in.Query, Sent: in.Sent, Angle: in.Angle, Since: in.Since, Until: in.Until, Language: in.Language, Channels: in.Outcomes, Hits: len(in.Hits), TookMS: in.TookMS}
	if err := s.running(); err != nil {
		return p, err
	}
	reject := func(e Evidence, why string) {
		p.Rejected = append(p.Rejected, Rejected{Item: clip(e.URL, MaxURLChars), Why: why})
	}
	var usable []Evidence
	for _, e := range in.Hits {
		switch e.URL = docid.WithoutCredentials(e.URL); {
		case strings.TrimSpace(e.Title) == "":
			reject(e, "it has no title")
		case !readableURL(e.URL):
			reject(e, "its address is not readable")
		case query.NoInformation(e.Title, e.Snippet):
			reject(e, noInformationWhy)
		default:
			usable = append(usable, e)
		}
	}
	usable, unrelated := s.relevant(usable)
	for _, e := range unrelated {
		reject(e, unrelatedWhy(s.Entity, e))
	}
	var again []string
	p.Evidence, again = s.MintEvidence(usable)
	for _, e := range usable {
		if e.SameAs != "" && slices.Contains(again, e.URL) {
			reject(e, "nearly the same text as another hit")
		}
	}
	p.Again = s.knownIDs(usable)
	return p, nil
}

// noInformationWhy is why a hit without information is rejected.
const noInformationWhy = "it only states that nothing was found or readable"

// unrelatedWhy returns why a hit that is not about the target entity is rejected. A page in another language may
// write the name in its own way, so its language is part of the reason.
func unrelatedWhy(e *Entity, hit Evidence) string {
	why := fmt.Sprintf("it is not about %s: it is not on its domains and does not name it", clip(e.Name, 100))
	if language, _, _ := strings.Cut(strings.ToLower(hit.Language), "-"); language != "" && language != "en" {
		why += fmt.Sprintf("; the page is in another language: %s", clip(hit.Language, 20))
	}
	return why
}

// Read is the step that records what was read: it assigns ids to new sources. It omits a source whose key the loop already
// has; the caller finds that one with [State.SourceByAddress].
func (s *State) Read(sources []Source, bad []BadURL) (Read, error) {
	var p Read
	if err := s.running(); err != nil {
		return p, err
	}
	firstWith := map[string]string{} // sha256 -> id of the first new source with it
	ids := map[string]string{}       // canonical key -> id of the new source
	for _, src := range sources {
		if !src.AtCheck {
			p.Visited = append(p.Visited, src.URL)
		}
		if _, ok := s.index.sources[src.Key]; ok || ids[src.Key] != "" {
			continue
		}
		src.ID = fmt.Sprintf("S%d", len(s.Sources)+len(p.Sources)+1)
		src.Round = s.Round + 1
		ids[src.Key] = src.ID
		if src.SourceType == "" {
			src.SourceType = s.typeFound(src)
		}
		if id, ok := s.index.hashes[src.SHA256]; ok {
			src.DuplicateOf = s.originOf(id)
		} else if id, ok := firstWith[src.SHA256]; ok {
			src.DuplicateOf = originIn(p.Sources, id)
		} else if same, ok := at(s.Sources, s.index.recorded, src.SameAs); ok {
			src.DuplicateOf = same.Origin()
		} else if id, ok := ids[src.SameAs]; ok {
			src.DuplicateOf = originIn(p.Sources, id)
		} else {
			firstWith[src.SHA256] = src.ID
		}
		if src.Authors == nil {
			src.Authors = []string{}
		}
		src.Flags = append(slices.Clip(src.Flags), sameIdentifier(src, s.Sources, p.Sources)...)
		p.Sources = append(p.Sources, src)
	}
	for _, b := range bad {
		if !b.AtCheck {
			p.Visited = append(p.Visited, b.URL)
		}
		if !s.IsBad(b.URL) {
			p.Bad = append(p.Bad, b)
		}
	}
	p.TextBytes = s.newTexts(p.Sources)
	return p, nil
}

// typeFound returns the source type of the hit with this source's address, for a page that does not state its own.
func (s *State) typeFound(src Source) string {
	for _, key := range src.keys() {
		if i, ok := s.index.evidence[key]; ok && s.Evidence[i].SourceType != "" {
			return s.Evidence[i].SourceType
		}
	}
	return ""
}

func (s *State) originOf(id string) string {
	src, _ := s.SourceByID(id)
	return src.Origin()
}

func originIn(sources []Source, id string) string {
	if src, ok := first(sources, func(src Source) bool { return src.ID == id }); ok {
		return src.Origin()
	}
	return id
}

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
	Coverage     string // how much of the candidates is to be read: CoverageSample or CoverageAll
}

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
	minted := map[string]Claim{} // in this step
	for i, cc := range in.Checked {
		c, isNew, err := s.mintClaim(fmt.Sprintf("claims[%d]", i), cc.Claim, len(p.Claims))
		if err != nil {
			return p, err
		}
		if isNew {
			key := claimKey(c.Claim, c.SourceIDs)
			if known, ok := minted[key]; ok {
				c = known
			} else {
				minted[key] = c
				p.Claims = append(p.Claims, c)
			}
		}
		cc.Check.Cycle, cc.Check.Searches = p.Cycle, s.LookedFor
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
