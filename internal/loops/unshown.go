package loops

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/citeloop/citeloop/internal/grounding"
	"github.com/citeloop/citeloop/internal/grounding/citing"
	"github.com/citeloop/citeloop/loopstate"
)

// FlagNeverShown is the kind of a flag about a supported claim whose passage no answer had shown before the check: the host
// did not make the claim from reading. It is a warning and does not change the verdict.
const FlagNeverShown = "passage_never_shown"

// maxShownChars bounds the shown text that is searched for other support: the text of 400 answers.
const maxShownChars = 10_000_000

// flagUnshown flags claims that rest on passages of which less than half was shown, unless shown parts of their sources
// support them as well.
func (s *Service) flagUnshown(ctx context.Context, v *Verification) error {
	var suspects []int
	wanted := map[string]bool{}
	for i, c := range v.Claims {
		if c.Status == grounding.Unsupported || c.Passage == nil || v.state.wasShown(*c.Passage) {
			continue
		}
		suspects = append(suspects, i)
		for _, cite := range c.Asked {
			wanted[cite.SourceID] = true
		}
	}
	if len(suspects) == 0 {
		return nil
	}
	read, err := s.shownParts(ctx, v, wanted)
	if err != nil {
		return err
	}
	for _, i := range suspects {
		c := &v.Claims[i]
		if err := ctx.Err(); err != nil {
			return err
		}
		if again := read.Check(grounding.Claim{Text: c.Text, Citations: c.Asked, Given: c.Given}); again.Status == grounding.Grounded || again.Status == c.Status {
			continue
		}
		p := *c.Passage
		n := v.state.shown[p.SourceID].Of(loopstate.Span{p.Start, p.End})
		c.Flags = append(c.Flags, fmt.Sprintf("%s: %d of the %d characters of %s from %d on that support it were shown before; read the rest", FlagNeverShown, n, p.End-p.Start, p.SourceID, p.Start))
	}
	return nil
}

// wasShown reports whether at least half of a passage was shown.
func (st verifiedState) wasShown(e grounding.Evidence) bool {
	return 2*st.shown[e.SourceID].Of(loopstate.Span{e.Start, e.End}) >= e.End-e.Start
}

// shownParts returns a checker of the shown parts of some sources.
func (s *Service) shownParts(ctx context.Context, v *Verification, ids map[string]bool) (*grounding.Checker, error) {
	var texts []grounding.Source
	left := maxShownChars
	for _, id := range slices.Sorted(maps.Keys(ids)) { // deterministic
		src, spans := v.state.sources[id], v.state.shown[id]
		if left -= spans.Chars(); len(spans) == 0 || left < 0 {
			continue
		}
		text, err := s.text(ctx, src)
		if err != nil {
			return nil, err
		}
		runes := []rune(text)
		var parts []string
		for _, p := range spans {
			parts = append(parts, string(runes[min(p[0], len(runes)):min(p[1], len(runes))]))
		}
		texts = append(texts, citing.Source(src, strings.Join(parts, "\n\n")))
	}
	return grounding.NewChecker(texts), nil
}
