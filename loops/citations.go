package loops

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/citeloop/citeloop/grounding"
	"github.com/citeloop/citeloop/loopstate"
)

// resolveClaims finds the source that each citation of a list of claims leads to.
func (v *Verification) resolveClaims(st *loopstate.State, claims []ClaimToCheck) error {
	for i, c := range claims {
		text := strings.TrimSpace(c.Claim)
		if text == "" {
			return &loopstate.ArgumentError{Argument: fmt.Sprintf("claims[%d].claim", i), Problem: "is empty", Next: "give one sentence that says something"}
		}
		if n := utf8.RuneCountInString(text); n > loopstate.MaxTextChars {
			return &loopstate.ArgumentError{Argument: fmt.Sprintf("claims[%d].claim", i), Problem: fmt.Sprintf("has %d characters, at most %d are taken", n, loopstate.MaxTextChars), Next: "split it into sentences, or send the text as draft"}
		}
		vc := VerifiedClaim{Claim: text}
		refs := c.Citations
		for _, id := range c.SourceIDs {
			refs = append(refs, CitationRef{SourceID: id})
		}
		if len(refs) == 0 {
			v.Uncited = append(v.Uncited, UncitedSentence{Text: text})
		}
		for _, ref := range refs {
			src, ok := resolve(st, ref)
			if !ok {
				v.hallucinated(text, ref)
				continue
			}
			vc.cite(src.ID, ref.Quote)
		}
		v.Claims = append(v.Claims, vc)
	}
	return nil
}

// cite adds a citation once; a quote makes it another one.
func (c *VerifiedClaim) cite(sourceID, quote string) {
	for i, have := range c.citations {
		if have.SourceID == sourceID && (have.Quote == quote || quote == "") {
			return
		}
		if have.SourceID == sourceID && have.Quote == "" {
			c.citations[i].Quote = quote
			return
		}
	}
	c.citations = append(c.citations, grounding.Citation{SourceID: sourceID, Quote: quote})
}

func resolve(st *loopstate.State, ref CitationRef) (loopstate.Source, bool) {
	if ref.SourceID != "" {
		return st.SourceByID(strings.TrimSpace(ref.SourceID))
	}
	if ref.URL != "" {
		return st.SourceByAddress(ref.URL, "")
	}
	return loopstate.Source{}, false
}

func (v *Verification) hallucinated(claim string, ref CitationRef) {
	h := loopstate.Hallucinated{Claim: claim, Citation: ref.SourceID, Why: "no source of this loop has this id: it was never read"}
	if ref.SourceID == "" {
		h.Citation, h.Why = ref.URL, "this address was never read in this loop; fetch it with this state_id, then cite the source_id"
		if ref.URL == "" {
			h.Citation, h.Why = "(empty)", "the citation names neither a source_id nor a url"
		}
	}
	v.Hallucinated = append(v.Hallucinated, h)
}

// resolveDraft finds the claims of a draft and the sources that their marks lead to.
func (v *Verification) resolveDraft(st *loopstate.State, draft grounding.Draft) {
	references := make(map[string]grounding.Reference, len(draft.References))
	for _, ref := range draft.References {
		if _, ok := references[ref.Number]; !ok {
			references[ref.Number] = ref
		}
	}
	for i := range draft.Sentences {
		sentence := &draft.Sentences[i]
		if !sentence.IsClaim {
			continue
		}
		if len(sentence.Markers) == 0 {
			v.Uncited = append(v.Uncited, UncitedSentence{Text: sentence.Text, Line: sentence.Line, Column: sentence.Column, start: sentence.Start, end: sentence.End})
			continue
		}
		vc := VerifiedClaim{Claim: sentence.Text, sentence: sentence}
		for _, m := range sentence.Markers {
			ref := citationOf(m, references)
			src, ok := resolve(st, ref)
			if !ok {
				v.Hallucinated = append(v.Hallucinated, loopstate.Hallucinated{Claim: sentence.Text, Citation: m.Raw, Why: whyUnresolved(m, ref)})
				vc.markers = append(vc.markers, markerTo{Marker: m})
				continue
			}
			vc.markers = append(vc.markers, markerTo{m, src.ID})
			vc.cite(src.ID, "")
		}
		vc.quote(sentence.Quotes)
		v.Claims = append(v.Claims, vc)
	}
}

// quote gives a sentence's quotes to its citations. With several sources it is not said which one is
// quoted, so each quote is looked for in all of them by the checker, under the first.
func (c *VerifiedClaim) quote(quotes []string) {
	if len(c.citations) == 0 {
		return
	}
	for _, q := range quotes {
		c.cite(c.citations[0].SourceID, q)
	}
}

// citationOf reads a mark: an id is a source, a number leads through the reference list, and without a list
// to the source of that number.
func citationOf(m grounding.Marker, references map[string]grounding.Reference) CitationRef {
	switch m.Kind {
	case "id":
		return CitationRef{SourceID: m.Target}
	case "number", "footnote":
		if ref, ok := references[m.Target]; ok {
			return CitationRef{URL: ref.URL}
		}
		if len(references) == 0 {
			return CitationRef{SourceID: "S" + m.Target}
		}
		return CitationRef{}
	case "doi":
		return CitationRef{URL: "doi:" + strings.TrimPrefix(m.Target, "doi:")}
	}
	return CitationRef{URL: m.Target}
}

func whyUnresolved(m grounding.Marker, ref CitationRef) string {
	switch {
	case ref.SourceID != "":
		return "no source of this loop has the id " + ref.SourceID + ": it was never read"
	case ref.URL != "":
		return ref.URL + " was never read in this loop; fetch it with this state_id first"
	}
	return "the reference list has no entry " + m.Target + " with an address"
}
