package loopstate

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/citeloop/citeloop/internal/docid"
	"github.com/citeloop/citeloop/internal/lazyregexp"
)

// UpdateInput is a host's report between rounds. All fields are optional.
type UpdateInput struct {
	Evidence       []Evidence
	Query          string
	Channel        string
	VisitedURLs    []string
	BadURLs        []BadURL
	AnsweredGaps   []string    // gap ids or texts
	ClosedGaps     []ClosedGap // gaps that a person closed, by id
	Claims         []ClaimInput
	Retractions    []string // claim ids or texts
	Contradictions []ContradictionInput
	Screening      []ScreeningInput
	Failures       []string
	Usage          Usage
	Abort          string
	ConfirmRounds  int
}

// Update is the step that records a report. It rejects single invalid items (a hit without a title, an unknown gap) with a
// reason and records the rest. A mistake that affects the whole call (an unknown id, a citation of something that was not
// read) is an error, and nothing is recorded.
func (s *State) Update(in UpdateInput) (Updated, error) {
	var p Updated
	if err := s.running(); err != nil {
		return p, err
	}
	var err error
	if p.Query, err = optionalText("query", in.Query, MaxTextChars); err != nil {
		return p, err
	}
	if p.Channel, err = optionalText("channel", in.Channel, maxChannelChars); err != nil {
		return p, err
	}
	if err := s.takeEvidence(in, &p); err != nil {
		return p, err
	}
	if p.Visited, err = checkURLs("visited", in.VisitedURLs); err != nil {
		return p, err
	}
	if p.Bad, err = s.checkBad(in.BadURLs); err != nil {
		return p, err
	}
	if p.Answered, p.Rejected, err = s.resolveGaps("answered gaps", in.AnsweredGaps, p.Rejected); err != nil {
		return p, err
	}
	if err := s.takeClosedGaps(in.ClosedGaps, &p); err != nil {
		return p, err
	}
	if err := s.takeClaims(in.Claims, &p); err != nil {
		return p, err
	}
	if err := s.takeRetractions(in.Retractions, &p); err != nil {
		return p, err
	}
	if err := s.takeContradictions(in.Contradictions, &p); err != nil {
		return p, err
	}
	if err := s.takeScreening(in.Screening, &p); err != nil {
		return p, err
	}
	if p.Failures, err = checkTexts("failures", in.Failures); err != nil {
		return p, err
	}
	if err := in.Usage.check(); err != nil {
		return p, err
	}
	p.Usage = in.Usage
	if p.Abort, err = optionalText("abort", in.Abort, MaxTextChars); err != nil {
		return p, err
	}
	if err := CheckRange("confirmed rounds", float64(in.ConfirmRounds), 0, maxConfirmedRounds); err != nil {
		return p, err
	}
	p.ConfirmRounds = in.ConfirmRounds
	return p, nil
}

// Empty reports whether the update changes nothing.
func (p Updated) Empty() bool {
	return p.Query == "" && p.Channel == "" && len(p.Evidence) == 0 && len(p.Visited) == 0 && len(p.Bad) == 0 && len(p.Answered) == 0 && len(p.ClosedGaps) == 0 &&
		len(p.Claims) == 0 && len(p.Restated) == 0 && len(p.Retracted) == 0 && len(p.Contradictions) == 0 && len(p.Cells) == 0 && len(p.Screened) == 0 && len(p.Failures) == 0 && p.Usage == (Usage{}) && p.Abort == "" && p.ConfirmRounds == 0
}

// maxConfirmedRounds bounds the input, far above real values.
const maxConfirmedRounds = 1_000

func (s *State) takeEvidence(in UpdateInput, p *Updated) error {
	if err := CheckCount("evidence", len(in.Evidence), MaxItems); err != nil {
		return err
	}
	var hits []Evidence
	for i, e := range in.Evidence {
		name := fmt.Sprintf("evidence[%d]", i)
		e.Title, e.URL, e.Source = strings.TrimSpace(e.Title), docid.WithoutCredentials(strings.TrimSpace(e.URL)), strings.TrimSpace(e.Source)
		e.Source = cmp.Or(e.Source, p.Channel)
		if why := evidenceFault(e, p.Channel); why != "" {
			p.Rejected = append(p.Rejected, Rejected{Item: name, Why: why})
			continue
		}
		e.DOI, e.PublishedAt = docid.NormalizeDOI(e.DOI), publicationDate(e.PublishedAt)
		e.ID, e.Title = "", clip(e.Title, MaxTextChars)
		hits = append(hits, e)
	}
	hits, unrelated := s.relevant(hits)
	for _, e := range unrelated {
		p.Rejected = append(p.Rejected, Rejected{Item: clip(e.URL, 200), Why: unrelatedWhy(s.Entity, e)})
	}
	p.Evidence, p.Duplicates = s.MintEvidence(hits)
	p.Again = s.knownIDs(hits)
	return nil
}

func (s *State) takeClaims(in []ClaimInput, p *Updated) error {
	if err := CheckCount("claims", len(in), MaxItems); err != nil {
		return err
	}
	minted := map[string]Claim{} // in this step
	for i, ci := range in {
		name := fmt.Sprintf("claims[%d]", i)
		if len(ci.SourceIDs) == 0 {
			p.Rejected = append(p.Rejected, Rejected{Item: name, Why: "it cites no source: a sentence without a source is an opinion; remove it, or find the source"})
			continue
		}
		c, isNew, err := s.mintClaim(name, ci, len(p.Claims))
		if err != nil {
			return err
		}
		key := claimKey(c.Claim, c.SourceIDs)
		if known, again := minted[key]; again {
			c = known
		}
		switch {
		case isNew && minted[key].ID == "":
			minted[key] = c
			p.Claims = append(p.Claims, c)
		case c.Superseded && !slices.Contains(p.Restated, c.ID):
			p.Restated = append(p.Restated, c.ID)
		}
		if err := s.takeCell(name, ci, c, p); err != nil {
			return err
		}
	}
	return nil
}

func (s *State) takeContradictions(in []ContradictionInput, p *Updated) error {
	if err := CheckCount("contradictions", len(in), MaxItems); err != nil {
		return err
	}
	for i, ci := range in {
		name := fmt.Sprintf("contradictions[%d]", i)
		topic, err := CheckText(name+".topic", ci.Topic, MaxTextChars)
		if err != nil {
			return err
		}
		resolution, err := optionalText(name+".resolution", ci.Resolution, MaxTextChars)
		if err != nil {
			return err
		}
		why, err := optionalText(name+".why", ci.Why, MaxTextChars)
		if err != nil {
			return err
		}
		if resolution == "" && why == "" {
			p.Rejected = append(p.Rejected, Rejected{Item: name, Why: "it has neither a resolution nor a reason: resolve it, or state why it stays unresolved"})
			continue
		}
		ids := s.byIDs(ci.SourceIDs)
		if err := s.checkSourceIDs(name+".sources", topic, ids); err != nil {
			return err
		}
		if ids == nil {
			ids = []string{}
		}
		p.Contradictions = append(p.Contradictions, Contradiction{ID: fmt.Sprintf("X%d", len(s.Contradictions)+len(p.Contradictions)+1), Topic: topic, Resolution: resolution, Why: why, SourceIDs: ids, Round: s.Round + 1, Passages: ci.Passages})
	}
	return nil
}

// A host retracts a claim, or writes a draft that no longer states it. Counts, decisions and the report then ignore the
// claim; the log keeps it under its id.

var claimID = lazyregexp.New(`^[Cc]\d+$`)

// takeRetractions finds claims by id or text. An unknown id is an error; an unknown text is rejected. A text names all
// claims with these words, whatever they cite.
func (s *State) takeRetractions(names []string, p *Updated) error {
	if err := CheckCount("retractions", len(names), MaxItems); err != nil {
		return err
	}
	for i, name := range names {
		item := fmt.Sprintf("retractions[%d]", i)
		name, err := CheckText(item, name, MaxTextChars)
		if err != nil {
			return err
		}
		found := s.claimsNamed(name)
		if len(found) == 0 && claimID.MatchString(name) {
			return &Error{Code: CodeUnknownClaim, Subject: item, Value: clip(name, 40)}
		}
		if len(found) == 0 {
			p.Rejected = append(p.Rejected, Rejected{Item: clip(name, 200), Why: "no claim of this loop has this text; use the claim's id"})
		}
		for _, c := range found {
			switch {
			case c.Retracted > 0:
				p.Rejected = append(p.Rejected, Rejected{Item: c.ID, Why: fmt.Sprintf("it was retracted in round %d", c.Retracted)})
			case !slices.Contains(p.Retracted, c.ID):
				p.Retracted = append(p.Retracted, c.ID)
			}
		}
	}
	return nil
}

// claimsNamed returns the claim with an id, or the claims with a text.
func (s *State) claimsNamed(name string) []Claim {
	if i, ok := s.index.claimID[strings.ToUpper(name)]; ok {
		return []Claim{s.Claims[i]}
	}
	var out []Claim
	words := foldClaim(name)
	for _, c := range s.Claims {
		if foldClaim(c.Claim) == words {
			out = append(out, c)
		}
	}
	return out
}
