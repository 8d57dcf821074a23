package grounding

import (
	"strings"
	"unicode/utf8"

	"github.com/citeloop/citeloop/passages"
)

// absentName returns a name of the claim of which the documents have no trace: none of its words, no form of
// them (Australia for Australian), no abbreviation and nothing that it abbreviates.
func (m *comparison) absentName() (string, bool) {
	for _, n := range m.claim.names {
		traced := n.subject && m.short()
		for _, i := range n.terms {
			if m.present.has(i) || m.traced(m.claim.terms[i].surface) {
				traced = true
				break
			}
		}
		if !traced && !m.abbreviated(n) && !m.claim.explains(n) {
			return n.text, true
		}
	}
	return "", false
}

// shortSentences: a text this short is an excerpt, which may never name what it is about (chosen).
const shortSentences = 8

func (m *comparison) short() bool {
	n := 0
	for _, d := range m.docs {
		n += len(d.sentences)
	}
	return n < shortSentences
}

// elsewhere returns a name that is missing from a passage that otherwise says the claim in its order: the
// documents have the name, but not there. What the claim is about may be missing, it is "she" or "the company".
func (m *comparison) elsewhere() (string, bool) {
	if len(m.windows) == 0 {
		return "", false
	}
	w := m.windows[0]
	for _, n := range m.claim.names {
		if n.subject {
			continue
		}
		own, has := 0.0, false
		for _, i := range n.terms {
			own += m.units[i].weight
			has = has || w.covers.has(i)
		}
		if has || own >= m.total {
			continue
		}
		if rest := w.weight * m.total / (m.total - own); rest >= restated && m.inOrder() >= restatedOrder {
			return n.text, true
		}
	}
	return "", false
}

const (
	// restated is the share of the rest of a claim, restatedOrder the share of its order, from which on a
	// passage says the same but for one name (fitted by hand on development data).
	restated      = 0.85
	restatedOrder = 0.5
)

// explains reports whether the claim itself gives a name as the abbreviation of words beside it: titanium
// dioxide (TiO2). Numerals such as II are part of names, not names.
func (c reading) explains(n name) bool {
	if strings.Trim(n.text, "IVX") == "" || strings.ContainsAny(n.text, "0123456789²³") {
		return true
	}
	if len(n.terms) > 1 {
		return false
	}
	before, after := c.text[:n.start], c.text[n.start+len(n.text):]
	return strings.HasSuffix(before, "(") && strings.HasPrefix(after, ")")
}

// traced reports whether the documents have a word in another form: the same beginning, or, for an
// abbreviation, the words that it stands for.
func (m *comparison) traced(surface string) bool {
	low := passages.Fold(surface)
	if utf8.RuneCountInString(low) < 3 && strings.ToUpper(surface) != surface {
		return true // too short to say
	}
	stem := low
	if n := len(low); n > 4 {
		stem = firstBytes(low, max(4, n-3))
	}
	for _, d := range m.docs {
		if strings.Contains(d.folded(), stem) {
			return true
		}
		if strings.ToUpper(surface) == surface && d.spells(strings.ReplaceAll(surface, ".", "")) {
			return true
		}
	}
	return false
}

// abbreviated reports whether the documents write a name of several words by its initials.
func (m *comparison) abbreviated(n name) bool {
	if len(n.terms) < 2 {
		return false
	}
	initials := ""
	for _, i := range n.terms {
		r, _ := utf8.DecodeRuneInString(m.claim.terms[i].surface)
		initials += string(r)
	}
	for _, d := range m.docs {
		if strings.Contains(d.Text, initials) {
			return true
		}
	}
	return false
}
