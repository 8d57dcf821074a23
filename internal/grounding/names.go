package grounding

import (
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/citeloop/citeloop/internal/grounding/passages"
	"github.com/citeloop/citeloop/internal/grounding/wordlist"
)

// absentName returns a name of the claim of which the documents have no trace: none of its words, no form of
// them (Australia for Australian), no abbreviation and nothing that it abbreviates. Names that belong together
// ("Order of the British Empire", the words of one title in quotation marks) leave a trace together.
func (m *comparison) absentName() (string, bool) {
	list := m.claim.names
	for first := 0; first < len(list); {
		last := first
		for last+1 < len(list) && m.claim.joined(list[last], list[last+1]) {
			last++
		}
		if group := list[first : last+1]; !m.groupTraced(group) {
			return m.claim.text[list[first].start : list[last].start+len(list[last].text)], true
		}
		first = last + 1
	}
	return "", false
}

// groupTraced reports whether at least half of the names that belong together left a trace. One that common words
// make up ("University" of Bern) is asked only where there is no other.
func (m *comparison) groupTraced(group []name) bool {
	asked, traced := 0, 0
	for _, n := range group {
		if len(group) > 1 && !m.hasTelling(n) {
			continue
		}
		asked++
		if m.nameTraced(n) {
			traced++
		}
	}
	return 2*traced >= asked
}

// hasTelling reports whether a name has a word that stands for it and no other.
func (m *comparison) hasTelling(n name) bool {
	return slices.ContainsFunc(n.terms, func(i int) bool {
		low := passages.Fold(m.claim.terms[i].surface)
		return !isPlain(low) && !isAbbreviatedCountry(low) && !isGeneric(low)
	})
}

func (m *comparison) nameTraced(n name) bool {
	if n.subject && m.short() || m.abbreviated(n) || m.claim.explains(n) {
		return true
	}
	telling, generic := 0, 0
	for _, i := range n.terms {
		surface := m.claim.terms[i].surface
		switch low := passages.Fold(surface); {
		case isPlain(low) || isAbbreviatedCountry(low):
			continue
		case isGeneric(low):
			generic++
			if m.present.has(i) {
				generic = -maxClaimNames
			}
			continue
		}
		telling++
		if m.present.has(i) || m.traced(surface) {
			return true
		}
	}
	return telling == 0 && generic < 2 // common words with capitals name nothing
}

// isAbbreviatedCountry: texts leave these out, or write them otherwise ("nationwide").
func isAbbreviatedCountry(low string) bool {
	return low == "us" || low == "u.s" || low == "usa" || low == "uk" || low == "u.k"
}

var genericWords = sync.OnceValue(func() map[string]bool { return wordlist.Set("names", "") })

func isGeneric(word string) bool { return genericWords()[word] }

// joined reports whether two names are parts of one: "of" or the like is between them, or both are in
// one pair of quotation marks.
func (c reading) joined(a, b name) bool {
	between := c.text[a.start+len(a.text) : b.start]
	switch strings.ToLower(strings.TrimSpace(between)) {
	case "of", "of the", "for", "for the", "de", "de la", "del", "von", "van", "van der", "&", "'s", "’s":
		return true
	}
	const longestTitle = 60 // bytes that may be between two words of one title
	return len(between) <= longestTitle && !strings.ContainsAny(between, "\"“”") && c.quoted(a.start)
}

// quoted reports whether byte i of the claim is in quotation marks.
func (c reading) quoted(i int) bool {
	before := c.text[:i]
	if open := strings.LastIndex(before, "“"); open >= 0 && !strings.Contains(before[open:], "”") {
		return strings.Contains(c.text[i:], "”")
	}
	if strings.Count(before, "\"")%2 == 1 {
		return strings.Contains(c.text[i:], "\"")
	}
	for _, mark := range []string{" '", " ‘"} { // a title in single marks; an apostrophe has no space before it
		open := strings.LastIndex(before, mark)
		if open < 0 {
			continue
		}
		rest := before[open+len(mark):]
		for _, end := range []string{"' ", "',", "’ ", "’,"} {
			if at := strings.Index(rest, end); at >= 0 && !strings.HasSuffix(rest[:at], "n") { // Fallin'
				return false
			}
		}
		return strings.ContainsAny(c.text[i:], "'’")
	}
	return false
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
	surface = strings.TrimRight(strings.TrimSuffix(strings.TrimSuffix(surface, "'s"), "’s"), "'’")
	low := passages.Fold(surface)
	if utf8.RuneCountInString(low) < 3 && strings.ToUpper(surface) != surface {
		return true // too short to say
	}
	if bare, ok := strings.CutSuffix(surface, "s"); ok && len(bare) > 1 && strings.ToUpper(bare) == bare { // PCs
		surface, low = bare, passages.Fold(bare)
	}
	const least = 5 // letters by which two forms of one name begin alike: Canad-a, Canad-ian
	stem := low
	if n := len(low); n > least {
		stem = firstBytes(low, max(least, n-3))
	}
	others := aliasesOf(low)
	for _, d := range m.docs {
		if beginsWord(d.folded(), stem) {
			return true
		}
		for _, o := range others {
			if containsWord(d.folded(), o) {
				return true
			}
		}
		if strings.ToUpper(surface) == surface && d.spells(strings.ReplaceAll(surface, ".", "")) {
			return true
		}
	}
	return false
}

// abbreviated reports whether the documents write a name of several words by its initials.
func (m *comparison) abbreviated(n name) bool {
	if len(n.terms) < 2 || len(n.terms) > 8 {
		return false
	}
	initials := ""
	for _, i := range n.terms {
		r, _ := utf8.DecodeRuneInString(m.claim.terms[i].surface)
		initials += string(r)
	}
	return slices.ContainsFunc(m.docs, func(d *document) bool { return containsInitials(d.Text, initials) })
}

// containsInitials reports whether a text has initials as a word of its own, plural or not.
func containsInitials(text, initials string) bool {
	for from := 0; ; {
		end, ok := wordFrom(text, initials, from)
		if !ok {
			return false
		}
		if end < len(text) && text[end] == 's' {
			end++
		}
		if end == len(text) || !letterOrDigit(text[end]) {
			return true
		}
		from = end
	}
}

// beginsWord reports whether a word of a folded text begins with w.
func beginsWord(text, w string) bool {
	_, ok := wordFrom(text, w, 0)
	return ok
}

// containsWord reports whether a folded text has the word w, or, if w is not short, one that begins with it.
func containsWord(text, w string) bool {
	const short = 4
	for from := 0; ; {
		end, ok := wordFrom(text, w, from)
		if !ok || len(w) > short || end == len(text) || !letterOrDigit(text[end]) {
			return ok
		}
		from = end
	}
}

// wordFrom finds the next word that begins with w; end is where w ends in it.
func wordFrom(text, w string, from int) (end int, ok bool) {
	for {
		i := strings.Index(text[from:], w)
		if i < 0 {
			return 0, false
		}
		i += from
		from = i + len(w)
		if i == 0 || !letterOrDigit(text[i-1]) {
			return from, true
		}
	}
}

func letterOrDigit(c byte) bool { return isLetter(c) || digitByte(c) }
