package loops

import (
	"fmt"
	"slices"

	"github.com/citeloop/citeloop/internal/grounding"
	"github.com/citeloop/citeloop/internal/grounding/citing"
	"github.com/citeloop/citeloop/loopstate"
)

// resolve sets the claims and the sources that they cite.
func (v *Verification) resolve(st *loopstate.State, in VerifyInput) error {
	library := citing.Library{Loop: st}
	var claims []citing.Claim
	var dead []citing.Dead
	if v.draft {
		draft := grounding.ParseDraft(in.Draft)
		text := library.Read(draft)
		claims, v.Uncited, v.Own, dead = text.Claims, text.Uncited, text.Own, text.Dead
		v.Flags = append(v.Flags, listMismatches(st, draft)...)
	} else {
		for i, c := range in.Claims {
			text, err := loopstate.CheckText(fmt.Sprintf("claims[%d].text", i), c.Text, loopstate.MaxTextChars)
			if err != nil {
				return err
			}
			c.Text, c.Citations = text, slices.Clone(c.Citations)
			if len(c.Citations) == 0 {
				v.Uncited = append(v.Uncited, c)
			}
			claims = append(claims, c)
		}
		dead = library.Follow(claims)
	}
	for _, c := range claims {
		v.Claims = append(v.Claims, VerifiedClaim{Claim: c})
	}
	for _, x := range dead {
		if x.Claim == "" {
			x.Claim = fmt.Sprintf("(no sentence: line %d)", x.Line)
		}
		v.Hallucinated = append(v.Hallucinated, loopstate.Hallucinated{Claim: x.Claim, Citation: x.Written(), Why: x.Problem})
	}
	if v.draft {
		drifts, stated := driftOf(recordedClaims(st), v.Claims)
		for _, x := range drifts {
			v.Flags = append(v.Flags, x.String())
		}
		v.stated = stated
	}
	return nil
}

// listMismatches compares the reference list of a draft with the sources: it flags wrong titles, and ids with the address
// of another source.
func listMismatches(st *loopstate.State, draft grounding.Draft) []string {
	var out []string
	for _, entry := range draft.References {
		if entry.URL == "" {
			continue
		}
		src, ok := st.SourceByAddress(entry.URL, "")
		if named, is := st.SourceByID(entry.Number); is && (!ok || named.ID != src.ID) {
			out = append(out, fmt.Sprintf("address_mismatch: the reference list gives %s the address %s (line %d), but %s was read at %s", entry.Number, entry.URL, entry.Line, named.ID, named.FinalURL))
			continue
		}
		if ok && !entry.SameTitle(src.Title) {
			out = append(out, fmt.Sprintf("title_mismatch: the reference list calls %s %q (line %d), its page is titled %q", src.ID, shorten(entry.Title, 100), entry.Line, shorten(src.Title, 100)))
		}
	}
	return out
}
