package loops

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/dustin/go-humanize/english"

	"github.com/citeloop/citeloop/internal/verify"
	"github.com/citeloop/citeloop/internal/wording"
	"github.com/citeloop/citeloop/loopstate"
)

// Added counts the new items of a call.
type Added struct {
	Evidence       int `json:"evidence,omitempty"`
	VisitedURLs    int `json:"visited_urls,omitempty"`
	BadURLs        int `json:"bad_urls,omitempty"`
	AnsweredGaps   int `json:"answered_gaps,omitempty"`
	Claims         int `json:"claims,omitempty"`
	Retracted      int `json:"retracted_claims,omitempty"`
	Contradictions int `json:"contradictions,omitempty"`
	Failures       int `json:"evaluator_failures,omitempty"`
}

// Updated is the result of Update.
type Updated struct {
	Version    int64                `json:"version"`
	Added      Added                `json:"added,omitzero"`
	ClaimIDs   []string             `json:"claim_ids"`
	Duplicates []string             `json:"duplicates,omitempty"`
	Rejected   []loopstate.Rejected `json:"rejected,omitempty"`
	Remaining  loopstate.Amounts    `json:"budget_remaining"`
	Decision   wording.Decision     `json:"decision"`
}

// Update records a host's report. operation identifies a repeated call, which gets the same result, and may be empty.
func (s *Service) Update(ctx context.Context, loop, operation string, in loopstate.UpdateInput) (Updated, error) {
	var out Updated
	var taken loopstate.Updated
	request := asked(in)
	var claims, sides []string
	for _, c := range in.Claims {
		claims = append(claims, c.SourceIDs...)
	}
	for _, x := range in.Contradictions {
		sides = append(sides, x.SourceIDs...)
	}
	if err := s.checkPlaces(ctx, loop, "claims", claims); err != nil {
		return out, err
	}
	if err := s.checkPlaces(ctx, loop, "contradictions", sides); err != nil {
		return out, err
	}
	err := change(ctx, s, loop, operation, request, func(st *loopstate.State) (loopstate.Payload, error) {
		p, err := st.Update(in)
		if err != nil {
			return nil, err
		}
		taken = p
		if p.Empty() {
			return nil, nil
		}
		p.Asked = request
		return p, nil
	}, func(st *loopstate.State, p *loopstate.Updated, _ loopstate.Event) error {
		if p != nil {
			taken = *p
		}
		out = Updated{
			Version: st.Seq, ClaimIDs: []string{},
			Added: Added{Evidence: len(taken.Evidence), VisitedURLs: len(taken.Visited), BadURLs: len(taken.Bad),
				AnsweredGaps: len(taken.Answered),
				Claims:       len(taken.Claims), Retracted: len(taken.Retracted), Contradictions: len(taken.Contradictions),
				Failures: len(taken.Failures)},
			Duplicates: slices.Concat(taken.Duplicates, taken.KnownClaims), Rejected: taken.Rejected,
			Remaining: st.Remaining(), Decision: wording.DecisionOf(st),
		}
		for _, c := range taken.Claims {
			out.ClaimIDs = append(out.ClaimIDs, c.ID)
		}
		return nil
	})
	return out, err
}

// maxWrongChars bounds the list of lines that do not exist, in an error.
const maxWrongChars = 2_000

// checkPlaces checks that the lines that an argument cites exist. Unknown sources are left to the step. The error has all that are wrong.
func (s *Service) checkPlaces(ctx context.Context, loop, argument string, refs []string) error {
	var wrong []string
	for _, ref := range refs {
		cite := verify.Cite(ref)
		if cite.Marker.Lines == "" {
			continue
		}
		src, err := peek(ctx, s, loop, func(st *loopstate.State) loopstate.Source {
			src, _ := st.SourceByID(strings.ToUpper(cite.SourceID))
			return src
		})
		switch ref := loopstate.Shorten(cite.Raw, 40); {
		case err != nil:
			return err
		case src.ID == "":
		case len(cite.Lines) == 0:
			wrong = append(wrong, ref+" is not written as S1:120, S1:120-128 or S1:120,140")
		default:
			text, err := s.text(ctx, src)
			if err != nil {
				return err
			}
			if lines := text.Lines(); !lines.Has(cite.Lines) {
				wrong = append(wrong, fmt.Sprintf("%s does not exist (%s has %s)", ref, src.ID,
					english.Plural(lines.Len(), "line", "")))
			}
		}
	}
	if len(wrong) > 0 {
		all := strings.Join(wrong, "; ")
		return &loopstate.Error{Code: loopstate.CodeBadLines, Subject: argument, Value: loopstate.Shorten(all, maxWrongChars)}
	}
	return nil
}
