package draft

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/citeloop/citeloop/internal/lazyregexp"
)

const (
	particle = `(?:(?i:van|von|de|der|den|del|della|di|da|dos|du|la|le|ten|ter|zu|zum|al|el|bin|ibn|st\.?|['’]t) |d['’]|[Ll]['’])`
	aName    = `(?:\p{Lu}[\p{L}\p{M}'’-]+|` + caseless + `|[A-Z]{2,})`
	caseless = `\p{Lo}[\p{Lo}\p{Lm}\p{M}]{0,19}` // 王伟, 김철수, حسن
	person   = `(?:\p{Lu}\. ?){0,3}(?:` + particle + `){0,3}` + aName
	andWord  = `(?:and|&|und|y|et|e|i|ve|och|og|en|a|ja|és|и|та|і|και)`
	etAl     = `(?:(?:et|e) (?:al|coll?)\.?|(?:и|та) (?:др|ін)\.?|u\. ?a\.|i in\.|a kol\.|vd\.|m\. ?fl\.|mfl\.|e\. ?a\.|y otros|` +
		`(?:and|et|ve) (?:others|colleagues|autres|diğerleri))`
	moreName = `(?:,? ` + etAl + `,?|(?:,? ` + andWord + `|,| (?:of|for|on)(?: the)?)? ` + person + `|[/–・·、] ?` + aName +
		`| \[\p{Lu}\p{L}{1,9}\])`
	names = `((?:` + particle + `){0,3}` + aName + `)((?:` + moreName + `)*)`
	aYear = `(?:(?:1[5-9]|20)\d\d(?:/(?:1[5-9]|20)\d\d)?[a-z]?|n\.\s?d\.?|forthcoming|in press)`
	years = `(` + aYear + `(?:, ?(?:` + aYear + `|[a-z]\b))*)`
)

var (
	// authorYear is one citation by authors and years: "Smith et al., 2021", "see Holt & Ames 2020a, b", "van der Berg, n.d.".
	authorYear = lazyregexp.New(`^(?:(?:see|cf\.|(?:[^,;]{1,60}, )?(?:as )?(?:cited|quoted) in|siehe|vgl\.)(?: also)?,? |e\.g\.,? )?` +
		`((?:\p{Lu}\. ?){0,3})` + names + `(?:[,،、] ?\(?| \(?|\()` + years + `\)?(?:[,:] ?(?:\pL{1,10}\.? ?)?[\divxlc][^;]*|` +
		`, (?:ch|sec|fig|§|para)[^;]*|, for \pL[^;]{0,40})?$`)
	// looseLead opens what names a work of the list, "data from Roer, 2020", or the place of something, "from Berlin, 2020".
	looseLead = lazyregexp.New(`^(?:\p{Ll}[\pL-]* ){0,3}(?:from|by|in|after|see|von|nach|aus|par) `)
	capitals  = lazyregexp.New(`(\p{Lu}{2,}); (\p{Lu}{2,})`) // "ROER; LIND, 2021"
	// authorPage is one by authors and page, of a work whose first author has no other in the list: "Holt and Ames 12–14".
	authorPage = lazyregexp.New(`^(?:(?:see|qtd\. in) )?` + names + ` (?:pp?\. ?)?\d{1,3}(?:[-–]\d{1,4})?$`)
	// namesBefore is a narrative citation: "Moss and Roer (1975)", with others behind it in "Moss (1975; see also Lind, 1980)".
	namesBefore = lazyregexp.New(`^` + names + `(?:['’]s?)? \(` + years + `(?:[,:][^();]{0,30})?(?:; ?([^()]{1,120}))?\)`)
	yearSplit   = lazyregexp.New(`, ?`)
	commaWorks  = lazyregexp.New(`(` + aYear + `), (` + aName + `[^;\d]{0,80}` + aYear + `)`)
	moreYears   = lazyregexp.New(`; ?(` + aYear + `)`) // "Holt, 2019a; 2019b"
)

// namedIn reads one citation by authors and years.
func (r *reader) namedIn(part string) (out []Marker) {
	if p := authorPage.FindStringSubmatch(part); p != nil && len(r.works[foldName(p[1])]) == 1 {
		i := r.works[foldName(p[1])][0]
		return []Marker{{Kind: MarkerAuthor, Target: r.References[i].author.key(), entry: i + 1}}
	}
	if a := authorYear.FindStringSubmatch(part); a != nil {
		for _, w := range worksOf(a[1], a[2], a[3], a[4]) {
			out = append(out, Marker{Kind: MarkerAuthor, Target: w.key(), entry: r.entryOfWork(w)})
		}
	}
	if lead := looseLead.FindString(part); out == nil && lead != "" {
		if out = r.namedIn(part[len(lead):]); !allListed(out) {
			return nil
		}
	}
	return out
}

// allListed reports whether every citation has its entry.
func allListed(found []Marker) bool {
	return !slices.ContainsFunc(found, func(x Marker) bool { return x.entry == 0 })
}

// formIn reads what names sources in one form. In round brackets are neither notes, keys nor labels, nor files without lines.
func (r *reader) formIn(text string, round bool) (found []Marker) {
	forms := []func(string) []Marker{sourcesIn, func(s string) []Marker { return pathsIn(s, !round) }, r.namedIn}
	if !round {
		forms = append([]func(string) []Marker{r.noteIn}, append(forms, keyIn, r.labelsIn)...)
	}
	for i := 0; found == nil && i < len(forms); i++ {
		found = forms[i](text)
	}
	return found
}

// citedIn reads "Smith et al., 2021; Holt, 1902", "S1; Smith 2020" and "notes.md:3; @key": a list in several forms, one of which no prose
// has, or of works in a text whose list has works; nil if it is anything else.
func (r *reader) citedIn(list string, round bool) (out []Marker) {
	sure := false
	list = moreYears.ReplaceAllString(list, ", $1")
	for range 2 { // they overlap
		list = commaWorks.ReplaceAllString(capitals.ReplaceAllString(list, "$1, $2"), "$1; $2")
	}
	for part := range strings.SplitSeq(list, ";") {
		found := r.formIn(strings.TrimSpace(part), round)
		if found == nil || len(out) > maxListed {
			return nil
		}
		out = append(out, found...)
		work := found[0].Kind == MarkerAuthor
		sure = sure || work && len(r.works) > 0 || !work && found[0].Kind != MarkerNumber
	}
	if !sure {
		return nil
	}
	return out
}

// tail cites the works that end a bracket of other things, which stay in the sentence: "(n = 40; Roer, 2020)".
func (m *marker) tail(inner, shut int) bool {
	for i, c := range m.text[inner:shut] {
		if c != ';' && c != '；' {
			continue
		}
		found := m.citedIn(narrow(m.text[inner+i+utf8.RuneLen(c):shut]), true)
		if len(found) > 0 && found[0].Kind == MarkerAuthor && allListed(found) {
			return m.cite(inner+i, shut, false, found...)
		}
	}
	return false
}

// dated reads the year of "王伟（2012）指出" and "김철수(2012)에 따르면": a name of a script without capitals, which
// the list has, ends what is before the bracket.
func (m *marker) dated(open int, inside string) []Marker {
	if len(m.works) == 0 || !onlyYear.MatchString(inside) {
		return nil
	}
	before := m.behind(open)
	for i := range before {
		w := work{family: foldName(before[i:]), year: inside[:4]}
		if withoutCase.MatchString(w.family) && m.entryOfWork(w) > 0 {
			return []Marker{{Kind: MarkerAuthor, Target: w.key(), entry: m.entryOfWork(w)}}
		}
	}
	return nil
}

var (
	onlyYear    = lazyregexp.New(`^(?:1[5-9]|20)\d\d(?:[,:].{0,30})?$`)
	withoutCase = lazyregexp.New(`^[\p{Lo}\p{M}]{2,}$`)
)

// narrative reads "Moss (1974) writes …": the year is the citation, the name a part of the sentence. Only works of the list are cited so.
func (m *marker) narrative(i int) int {
	if len(m.works) == 0 || !unicode.IsUpper(runeAt(m.text, i)) && !strings.ContainsRune("vdltzaebs", runeAt(m.text, i)) {
		return 0
	}
	a := namesBefore.FindStringSubmatch(m.ahead(i))
	if a == nil {
		return 0
	}
	open, end := i+strings.LastIndex(a[0], "("), i+len(a[0])
	known := slices.DeleteFunc(m.namedIn(a[1]+a[2]+" "+a[3]), func(x Marker) bool { return x.entry == 0 })
	if len(known) == 0 || !m.cite(open, end, false, append(known, m.citedIn(a[4], true)...)...) {
		return 0
	}
	return end
}
