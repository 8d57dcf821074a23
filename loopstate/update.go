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
		len(p.Claims) == 0 && len(p.Restated) == 0 && len(p.Retracted) == 0 && len(p.Contradictions) == 0 && len(p.Failures) == 0 && p.Usage == (Usage{}) && p.Abort == "" && p.ConfirmRounds == 0
}

// maxConfirmedRounds bounds the input, far above real values.
const maxConfirmedRounds = 1_000

func checkURL(subject, s string) (string, error) {
	s, err := CheckText(subject, docid.WithoutCredentials(s), MaxURLChars)
	if err != nil {
		return "", err
	}
	if !readableURL(s) {
		return "", &Error{Code: CodeNotAddress, Subject: subject, Value: clip(s, 80)}
	}
	return s, nil
}

func checkURLs(subject string, urls []string) ([]string, error) {
	if err := CheckCount(subject, len(urls), MaxItems); err != nil {
		return nil, err
	}
	var out []string
	for i, u := range urls {
		u, err := checkURL(fmt.Sprintf("%s[%d]", subject, i), u)
		if err != nil {
			return nil, err
		}
		out = append(out, u)
	}
	return out, nil
}

func (s *State) checkBad(bad []BadURL) ([]BadURL, error) {
	if err := CheckCount("bad", len(bad), MaxItems); err != nil {
		return nil, err
	}
	var out []BadURL
	for i, b := range bad {
		u := b.URL
		if _, read := s.SourceByKey(u); !read { // u may be the key of a pasted text without an address
			var err error
			if u, err = checkURL(fmt.Sprintf("bad[%d].address", i), u); err != nil {
				return nil, err
			}
		}
		reason, err := optionalText(fmt.Sprintf("bad[%d].reason", i), b.Reason, MaxTextChars)
		if err != nil {
			return nil, err
		}
		reason = cmp.Or(reason, "reported by the host")
		out = append(out, BadURL{URL: u, Reason: reason})
	}
	return out, nil
}

var gapID = lazyregexp.New(`^[Gg]\d+$`)

// resolveGaps finds open gaps by id or text. An unknown id is an error; an unknown text and a closed gap are rejected.
func (s *State) resolveGaps(subject string, names []string, rejected []Rejected) ([]string, []Rejected, error) {
	if err := CheckCount(subject, len(names), MaxItems); err != nil {
		return nil, rejected, err
	}
	var ids []string
	done := map[string]bool{}
	for i, name := range names {
		item := fmt.Sprintf("%s[%d]", subject, i)
		name, err := CheckText(item, name, MaxTextChars)
		if err != nil {
			return nil, rejected, err
		}
		g, ok := s.gapNamed(name)
		switch {
		case !ok && gapID.MatchString(name):
			return nil, rejected, unknownGap(item, name)
		case !ok:
			rejected = append(rejected, Rejected{Item: clip(name, 200), Why: "no gap of this loop has this text; use the gap's id"})
		case g.Status != GapOpen:
			rejected = append(rejected, Rejected{Item: g.ID, Why: g.closedWords()})
		case s.tooFewFacts(g) != "":
			rejected = append(rejected, Rejected{Item: g.ID, Why: s.tooFewFacts(g)})
		case !done[g.ID]:
			done[g.ID] = true
			ids = append(ids, g.ID)
		}
	}
	return ids, rejected, nil
}

func unknownGap(subject, id string) error {
	return &Error{Code: CodeUnknownGap, Subject: subject, Value: clip(id, 40)}
}

func (s *State) gapNamed(name string) (Gap, bool) {
	if g, ok := s.GapByID(strings.ToUpper(name)); ok {
		return g, true
	}
	if i, ok := s.index.gaps[foldText(name)]; ok {
		return s.Gaps[i], true
	}
	return Gap{}, false
}

func (s *State) takeClaims(in []ClaimInput, p *Updated) error {
	if err := CheckCount("claims", len(in), MaxItems); err != nil {
		return err
	}
	minted := map[string]bool{} // in this step
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
		switch key := claimKey(c.Claim, c.SourceIDs); {
		case isNew && !minted[key]:
			minted[key] = true
			p.Claims = append(p.Claims, c)
		case c.Superseded && !slices.Contains(p.Restated, c.ID):
			p.Restated = append(p.Restated, c.ID)
		}
	}
	return nil
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
