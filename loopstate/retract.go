package loopstate

import (
	"fmt"
	"slices"
	"strings"

	"github.com/citeloop/citeloop/internal/lazyregexp"
)

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
