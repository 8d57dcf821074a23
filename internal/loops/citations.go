package loops

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/citeloop/citeloop/internal/grounding"
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

// resolveDraft finds the claims of a draft and the sources that their marks lead to. Marks that lead to nothing
// that was read are reported wherever they stand, on a claim, a question or in a heading; links only on claims,
// for elsewhere they need not be citations.
func (v *Verification) resolveDraft(st *loopstate.State, draft grounding.Draft) {
	r := draftResolver{st: st, draft: draft}
	for i := range draft.Sentences {
		sentence := &draft.Sentences[i]
		vc := VerifiedClaim{Claim: sentence.Text, sentence: sentence}
		if sentence.IsClaim && len(sentence.Markers) == 0 {
			for _, m := range sentence.Covering {
				if src, _ := r.source(m); src.ID != "" { // a mark that leads nowhere is reported with the sentence it stands on
					vc.cite(src.ID, "")
				}
			}
			if len(vc.citations) == 0 {
				v.Uncited = append(v.Uncited, uncited(sentence))
				continue
			}
			vc.covered = true
		}
		for _, m := range sentence.Markers {
			src, why := r.source(m)
			vc.markers = append(vc.markers, markerTo{m, src.ID})
			if src.ID == "" && (sentence.IsClaim || !isLink(m)) {
				v.Hallucinated = append(v.Hallucinated, loopstate.Hallucinated{Claim: sentence.Text, Citation: m.Raw, Why: why})
			}
			if src.ID != "" {
				vc.cite(src.ID, "")
			}
		}
		if sentence.IsClaim {
			vc.quote(sentence.Quotes)
			v.Claims = append(v.Claims, vc)
		}
	}
	for _, m := range draft.Strays {
		if src, why := r.source(m); src.ID == "" && !isLink(m) {
			v.Hallucinated = append(v.Hallucinated, loopstate.Hallucinated{Claim: fmt.Sprintf("(no sentence: line %d)", m.Line), Citation: m.Raw, Why: why})
		}
	}
	v.Flags = append(v.Flags, r.listMismatches()...)
	for _, d := range driftOf(st.CurrentClaims(), v.Claims) {
		v.Flags = append(v.Flags, d.String())
	}
}

func uncited(s *grounding.DraftSentence) UncitedSentence {
	return UncitedSentence{Text: s.Text, Line: s.Line, Column: s.Column, start: s.Start, end: s.End}
}

// uncover takes back what the marks at the end of a paragraph do not cover: a sentence before them that none of
// their sources grounds cites nothing.
func (v *Verification) uncover() {
	kept := v.Claims[:0:0]
	for _, c := range v.Claims {
		if c.covered && c.Status != grounding.Grounded {
			v.Uncited = append(v.Uncited, uncited(c.sentence))
			continue
		}
		kept = append(kept, c)
	}
	v.Claims = kept
	slices.SortStableFunc(v.Uncited, func(a, b UncitedSentence) int { return cmp.Compare(a.start, b.start) })
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

func isLink(m grounding.Marker) bool {
	return m.Kind == grounding.MarkerLink || m.Kind == grounding.MarkerURL
}

// draftResolver finds the sources that the marks of a draft lead to.
type draftResolver struct {
	st    *loopstate.State
	draft grounding.Draft
}

// source is what a mark leads to; without an id, why says what is wrong. An id is a source, a number leads
// through the reference list, and without a list to the source of that number.
func (r *draftResolver) source(m grounding.Marker) (src loopstate.Source, why string) {
	ref := CitationRef{}
	switch entry, listed := r.draft.Entry(m); {
	case m.Kind == grounding.MarkerID:
		ref.SourceID = m.Target
	case m.Kind == grounding.MarkerDOI:
		ref.URL = "doi:" + strings.TrimPrefix(m.Target, "doi:")
	case isLink(m):
		ref.URL = m.Target
	case listed && entry.URL == "":
		return r.titled(entry)
	case listed:
		ref.URL = entry.URL
	case len(r.draft.References) > 0 || m.Kind != grounding.MarkerNumber && m.Kind != grounding.MarkerFootnote:
		return src, "the reference list has no entry for " + m.Target
	default:
		ref.SourceID = "S" + m.Target
	}
	if src, ok := resolve(r.st, ref); ok {
		return src, ""
	}
	if ref.SourceID != "" {
		return src, "no source of this loop has the id " + ref.SourceID + ": it was never read"
	}
	return src, ref.URL + " was never read in this loop; fetch it with this state_id first"
}

// titled finds the one source whose title an entry without an address has.
func (r *draftResolver) titled(entry grounding.Reference) (found loopstate.Source, why string) {
	for _, src := range r.st.Sources {
		if !entry.Names(src.Title) {
			continue
		}
		if found.ID != "" {
			return loopstate.Source{}, fmt.Sprintf("the entry %q of the reference list has no address, and both %s and %s have that title; write the address", shorten(entry.Title, 60), found.ID, src.ID)
		}
		found = src
	}
	if found.ID == "" {
		return found, fmt.Sprintf("the entry %q of the reference list has no address, and nothing that was read has that title", shorten(entry.Title, 60))
	}
	return found, ""
}

// listMismatches compares the reference list with what was read: titles that are not the source's, and ids that
// are listed with the address of another source.
func (r *draftResolver) listMismatches() []string {
	var out []string
	for _, entry := range r.draft.References {
		if entry.URL == "" {
			continue
		}
		src, ok := resolve(r.st, CitationRef{URL: entry.URL})
		if named, is := r.st.SourceByID(entry.Number); is && (!ok || named.ID != src.ID) {
			out = append(out, fmt.Sprintf("address_mismatch: the reference list gives %s the address %s (line %d), but %s was read at %s", entry.Number, entry.URL, entry.Line, named.ID, named.FinalURL))
			continue
		}
		if ok && !entry.SameTitle(src.Title) {
			out = append(out, fmt.Sprintf("title_mismatch: the reference list calls %s %q (line %d), its page is titled %q", src.ID, shorten(entry.Title, 100), entry.Line, shorten(src.Title, 100)))
		}
	}
	return out
}
