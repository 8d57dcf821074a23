package loopstate

import (
	"fmt"
	"regexp"
	"strings"
)

// UpdateInput is what a host reports with loop_update; all of it is optional.
type UpdateInput struct {
	Evidence       []Evidence
	Query          string
	Channel        string
	VisitedURLs    []string
	BadURLs        []BadURL
	AnsweredGaps   []string    // gap ids, or gaps in their own words
	ClosedGaps     []ClosedGap // gaps that a person closed, by id
	Claims         []ClaimInput
	Contradictions []ContradictionInput
	Failures       []string
	Usage          Usage
	Abort          string
	ConfirmRounds  int
}

// Update takes the step of loop_update. Single items that cannot be kept (a hit without a title, a gap
// that is not known) are rejected with a why and the rest is kept; what points to a mistake of the whole
// call (an id that was never minted, a citation of something that was never read) is an error, and then
// nothing is kept.
func (s *State) Update(in UpdateInput) (Updated, error) {
	var p Updated
	if s.Abort != "" {
		return p, badArgument("state_id", "start a new loop with loop_init; this one can still be read and reported", "this loop was aborted: %s", s.Abort)
	}
	var err error
	if strings.TrimSpace(in.Query) != "" {
		if p.Query, err = checkText("query", in.Query, MaxTextChars); err != nil {
			return p, err
		}
	}
	if p.Channel, err = optionalText("channel", in.Channel, maxChannelChars); err != nil {
		return p, err
	}
	if err := s.takeEvidence(in, &p); err != nil {
		return p, err
	}
	if p.Visited, err = checkURLs("visited_urls", in.VisitedURLs); err != nil {
		return p, err
	}
	if p.Bad, err = s.checkBad(in.BadURLs); err != nil {
		return p, err
	}
	if p.Answered, p.Rejected, err = s.resolveGaps("answered_gaps", in.AnsweredGaps, p.Rejected); err != nil {
		return p, err
	}
	if err := s.takeClosedGaps(in.ClosedGaps, &p); err != nil {
		return p, err
	}
	if err := s.takeClaims(in.Claims, &p); err != nil {
		return p, err
	}
	if err := s.takeContradictions(in.Contradictions, &p); err != nil {
		return p, err
	}
	if p.Failures, err = checkTexts("evaluator_failures", in.Failures); err != nil {
		return p, err
	}
	if err := in.Usage.check(); err != nil {
		return p, err
	}
	p.Usage = in.Usage
	if p.Abort, err = optionalText("abort", in.Abort, MaxTextChars); err != nil {
		return p, err
	}
	if in.ConfirmRounds < 0 || in.ConfirmRounds > 1000 {
		return p, badArgument("confirm_rounds", "give the whole number of rounds that the user confirmed", "%d is not a number of rounds", in.ConfirmRounds)
	}
	p.ConfirmRounds = in.ConfirmRounds
	return p, nil
}

// Empty reports whether the update says nothing at all.
func (p Updated) Empty() bool {
	return p.Query == "" && p.Channel == "" && len(p.Evidence) == 0 && len(p.Visited) == 0 && len(p.Bad) == 0 && len(p.Answered) == 0 && len(p.ClosedGaps) == 0 &&
		len(p.Claims) == 0 && len(p.Contradictions) == 0 && len(p.Failures) == 0 && p.Usage == (Usage{}) && p.Abort == "" && p.ConfirmRounds == 0
}

func optionalText(argument, text string, limit int) (string, error) {
	if strings.TrimSpace(text) == "" {
		return "", nil
	}
	return checkText(argument, text, limit)
}

func checkURL(argument, s string) (string, error) {
	s, err := checkText(argument, s, MaxURLChars)
	if err != nil {
		return "", err
	}
	if !readableURL(s) {
		return "", badArgument(argument, "give a full http, https or file address", "%q is not an address", clip(s, 80))
	}
	return s, nil
}

func checkURLs(argument string, urls []string) ([]string, error) {
	if err := checkCount(argument, len(urls)); err != nil {
		return nil, err
	}
	var out []string
	for i, u := range urls {
		u, err := checkURL(fmt.Sprintf("%s[%d]", argument, i), u)
		if err != nil {
			return nil, err
		}
		out = append(out, u)
	}
	return out, nil
}

func (s *State) checkBad(bad []BadURL) ([]BadURL, error) {
	if err := checkCount("bad_urls", len(bad)); err != nil {
		return nil, err
	}
	var out []BadURL
	for i, b := range bad {
		u := b.URL
		if _, read := s.SourceByKey(u); !read { // a pasted text without an address is known by its key
			var err error
			if u, err = checkURL(fmt.Sprintf("bad_urls[%d].url", i), u); err != nil {
				return nil, err
			}
		}
		reason, err := optionalText(fmt.Sprintf("bad_urls[%d].reason", i), b.Reason, MaxTextChars)
		if err != nil {
			return nil, err
		}
		if reason == "" {
			reason = "reported by the host"
		}
		out = append(out, BadURL{URL: u, Reason: reason})
	}
	return out, nil
}

var gapID = regexp.MustCompile(`^[Gg]\d+$`)

// resolveGaps finds the open gaps that ids or gap texts name. An id that was never minted is an error; a
// text that matches no gap, and a gap that is closed already, are rejected.
func (s *State) resolveGaps(argument string, names []string, rejected []Rejected) ([]string, []Rejected, error) {
	if err := checkCount(argument, len(names)); err != nil {
		return nil, rejected, err
	}
	var ids []string
	done := map[string]bool{}
	for i, name := range names {
		item := fmt.Sprintf("%s[%d]", argument, i)
		name, err := checkText(item, name, MaxTextChars)
		if err != nil {
			return nil, rejected, err
		}
		g, ok := s.gapNamed(name)
		switch {
		case !ok && gapID.MatchString(name):
			return nil, rejected, badArgument(item, "call loop_get_gaps for the ids of this loop's gaps", "there is no gap %s in this loop", name)
		case !ok:
			rejected = append(rejected, Rejected{Item: clip(name, 200), Why: "no gap of this loop reads like this; use the gap_id that loop_get_gaps answers"})
		case g.Status != GapOpen:
			rejected = append(rejected, Rejected{Item: g.ID, Why: fmt.Sprintf("it was closed in round %d as %s", g.ClosedRound, g.Status)})
		case s.tooFewFacts(g) != "":
			rejected = append(rejected, Rejected{Item: g.ID, Why: s.tooFewFacts(g)})
		case !done[g.ID]:
			done[g.ID] = true
			ids = append(ids, g.ID)
		}
	}
	return ids, rejected, nil
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
	if err := checkCount("claims", len(in)); err != nil {
		return err
	}
	for i, ci := range in {
		name := fmt.Sprintf("claims[%d]", i)
		if len(ci.SourceIDs) == 0 {
			p.Rejected = append(p.Rejected, Rejected{Item: name, Why: "it cites no source_ids: an unsourced sentence is an opinion; cut it, or find the source"})
			continue
		}
		c, isNew, err := s.mintClaim(name, ci, len(p.Claims))
		if err != nil {
			return err
		}
		if _, twice := claimIn(p.Claims, c); isNew && !twice {
			p.Claims = append(p.Claims, c)
		}
	}
	return nil
}

// mintClaim checks a claim and gives it its id, or finds the one that the loop has already.
func (s *State) mintClaim(argument string, in ClaimInput, ahead int) (c Claim, isNew bool, err error) {
	text, err := checkText(argument+".claim", in.Claim, MaxTextChars)
	if err != nil {
		return c, false, err
	}
	if err := checkOneOf(argument+".confidence", in.Confidence, []string{"high", "med", "low"}); err != nil {
		return c, false, err
	}
	if err := s.checkSourceIDs(argument+".source_ids", text, in.SourceIDs); err != nil {
		return c, false, err
	}
	if i, ok := s.index.claims[claimKey(text, in.SourceIDs)]; ok {
		return s.Claims[i], false, nil
	}
	ids := in.SourceIDs
	if ids == nil {
		ids = []string{}
	}
	return Claim{ID: fmt.Sprintf("C%d", len(s.Claims)+ahead+1), Claim: text, SourceIDs: ids, Confidence: in.Confidence, Round: s.Round + 1}, true, nil
}

// checkSourceIDs is the grounding gate's first half: every cited id must be a source that was read.
func (s *State) checkSourceIDs(argument, claim string, ids []string) error {
	if err := checkCount(argument, len(ids)); err != nil {
		return err
	}
	for _, id := range ids {
		if _, ok := s.SourceByID(id); !ok {
			return badArgument(argument, "fetch the page with this state_id and cite the source_id that fetch answers",
				"HALLUCINATED CITATION in %q: %q was never read in this loop", clip(claim, 60), clip(id, 60))
		}
	}
	return nil
}

func (s *State) takeContradictions(in []ContradictionInput, p *Updated) error {
	if err := checkCount("contradictions", len(in)); err != nil {
		return err
	}
	for i, ci := range in {
		name := fmt.Sprintf("contradictions[%d]", i)
		topic, err := checkText(name+".topic", ci.Topic, MaxTextChars)
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
			p.Rejected = append(p.Rejected, Rejected{Item: name, Why: "it has neither a resolution nor a why: resolve it, or say why it stays unresolved"})
			continue
		}
		if err := s.checkSourceIDs(name+".source_ids", topic, ci.SourceIDs); err != nil {
			return err
		}
		ids := ci.SourceIDs
		if ids == nil {
			ids = []string{}
		}
		p.Contradictions = append(p.Contradictions, Contradiction{ID: fmt.Sprintf("X%d", len(s.Contradictions)+len(p.Contradictions)+1), Topic: topic, Resolution: resolution, Why: why, SourceIDs: ids, Round: s.Round + 1, Passages: ci.Passages})
	}
	return nil
}
