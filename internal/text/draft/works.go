package draft

import (
	"slices"
	"strings"
	"unicode"

	"github.com/citeloop/citeloop/internal/lazyregexp"
	"github.com/citeloop/citeloop/internal/text/words"
)

// work is what a citation by author and year names.
type work struct {
	family string // the first author's, folded
	year   string
	others []string // names of the other authors
}

func (w work) key() string { return w.family + " " + w.year }

// families are the names that a citation may have for the first author: of 田中太郎 it may be 田中.
func (w work) families() []string {
	out := []string{w.family}
	if wideLetters(w.family) > 0 || strings.ContainsFunc(w.family, func(c rune) bool { return unicode.Is(unicode.Hangul, c) }) {
		letters := []rune(w.family)
		for n := 1; n < len(letters); n++ {
			out = append(out, string(letters[:n]))
		}
	}
	return out
}

const (
	particle = `(?:(?i:van|von|de|der|den|del|della|di|da|dos|du|la|le|ten|ter|zu|zum|al|el|bin|ibn|st\.?) |d['’]|[Ll]['’])`
	aName    = `(?:\p{Lu}[\p{L}\p{M}'’-]+|` + caseless + `|[A-Z]{2,})`
	caseless = `\p{Lo}[\p{Lo}\p{Lm}\p{M}]{0,19}` // 王伟, 김철수, حسن
	moreName = `(?:(?:,? (?:and|&|und|y|et|e)|,| (?:of|for|on)(?: the)?)? (?:al\.?,?|u\. ?a\.|` + aName + `)|/` + aName + `)`
	names    = `((?:` + particle + `){0,3}` + aName + `)((?:` + moreName + `)*)`
	aYear    = `(?:(?:1[5-9]|20)\d\d(?:/(?:1[5-9]|20)\d\d)?[a-z]?|n\.\s?d\.?|forthcoming|in press)`
	years    = `(` + aYear + `(?:, ?(?:` + aYear + `|[a-z]\b))*)`
)

var (
	// authorEntry opens the entry of a list of such: "Smith, J., & Ames, K. (2021). Title".
	authorEntry = lazyregexp.New(`^((?:` + particle + `){0,3}(?:\p{Lu}[\p{L}\p{M}'’-]+|` + caseless + `))` +
		`([ ,.，、،(（][^\n]{0,300}?)[(（]?\b((?:1[5-9]|20)\d\d[a-z]?|n\.\s?d|forthcoming|in press)\b`)
	sameAuthors = lazyregexp.New(`^[-‐‑‒–—―_]{2,}[.,]?\s*[(（]?((?:1[5-9]|20)\d\d[a-z]?)\b`)
	// authorYear is one citation by authors and years: "Smith et al., 2021", "see Holt & Ames 2020a, b", "van der Berg, n.d.".
	authorYear = lazyregexp.New(`^(?:(?:see|cf\.|(?:[^,;]{1,60}, )?(?:as )?(?:cited|quoted) in|siehe|vgl\.)(?: also)?,? |e\.g\.,? )?` +
		`(?:\p{Lu}\. ?){0,3}` + names + `(?:[,،] ?\(?| \(?|\()` + years + `\)?(?:[,:] ?(?:(?:pp?|S)\.? ?)?[\divxlc][^;]*|, (?:ch|sec|` +
		`fig|§|para)[^;]*)?$`)
	// authorPage is one by authors and page, of a work whose first author has no other in the list: "Holt and Ames 12–14".
	authorPage = lazyregexp.New(`^(?:(?:see|qtd\. in) )?` + names + ` (?:pp?\. ?)?\d{1,3}(?:[-–]\d{1,4})?$`)
	// namesBefore is what stands before the year of a narrative citation: "Moss and Roer (1975)".
	namesBefore = lazyregexp.New(`^` + names + `(?:['’]s?)? \(` + years + `(?:[,:][^()]{0,30})?\)`)
	yearSplit   = lazyregexp.New(`, ?`)
	commaWorks  = lazyregexp.New(`(` + aYear + `), (` + aName + `)`)
	moreYears   = lazyregexp.New(`; ?(` + aYear + `)`) // "Holt, 2019a; 2019b"
	afterID     = lazyregexp.New(`(\bS\d{1,4}(?::` + linesPattern + `)?), (\p{Lu}\p{Ll})`)
	particles   = lazyregexp.New(`^(?:` + particle + `)+`)
)

// authorsOf reads the authors and year that an entry opens with: a dash stands for the authors of the entry before it.
func (r *reader) authorsOf(entry string) *work {
	if m := sameAuthors.FindStringSubmatch(entry); m != nil && len(r.References) > 0 {
		if before := r.References[len(r.References)-1].author; before != nil {
			return &work{family: before.family, year: m[1], others: before.others}
		}
	}
	m := authorEntry.FindStringSubmatch(words.First(entry, 600))
	if m == nil {
		return nil
	}
	return &worksOf(m[1], m[2], m[3])[0]
}

// worksOf returns the works of a citation with several years: "2011a, b" are two.
func worksOf(first, others, years string) (out []work) {
	for _, year := range yearSplit.Split(years, -1) {
		if len(year) == 1 && len(out) > 0 {
			before := out[len(out)-1].year
			year = strings.TrimRight(before, "abcdefghijklmnopqrstuvwxyz") + year
		}
		year, _, _ = strings.Cut(year, "/") // of the first edition
		year = strings.TrimSuffix(strings.ReplaceAll(strings.ToLower(year), " ", ""), ".")
		out = append(out, work{family: foldName(first), year: year, others: words.Terms(others)})
	}
	return out
}

// foldName folds a family name: case, accents, apostrophes and particles differ between a citation and the list.
func foldName(s string) string {
	s = strings.ReplaceAll(words.Fold(particles.ReplaceAllString(s, "")), "’", "'")
	return strings.TrimSuffix(strings.TrimSuffix(s, "'s"), "'")
}

// entryOfWork returns the index plus 1 of the entry of a work, 0 for none. Of several of one first author and year, it is the one with
// most of the other names.
func (r *reader) entryOfWork(w work) int {
	best, most := 0, -1
	entries := r.works[w.key()]
	if at := strings.IndexAny(w.family, "和与與及と、等ら"); entries == nil && at > 0 { // 李明和张华, 王伟等
		w.family = w.family[:at]
		entries = r.works[w.key()]
	}
	for _, i := range entries {
		n := 0
		for _, name := range w.others {
			if slices.Contains(r.References[i].author.others, name) {
				n++
			}
		}
		if n > most {
			best, most = i+1, n
		}
	}
	return best
}

// namedIn reads one citation by authors and years.
func (r *reader) namedIn(part string) (out []Marker) {
	if p := authorPage.FindStringSubmatch(part); p != nil && len(r.works[foldName(p[1])]) == 1 {
		i := r.works[foldName(p[1])][0]
		return []Marker{{Kind: MarkerAuthor, Target: r.References[i].author.key(), entry: i + 1}}
	}
	if a := authorYear.FindStringSubmatch(part); a != nil {
		for _, w := range worksOf(a[1], a[2], a[3]) {
			out = append(out, Marker{Kind: MarkerAuthor, Target: w.key(), entry: r.entryOfWork(w)})
		}
	}
	return out
}

// citedIn reads "Smith et al., 2021; Holt, 1902", "S1; Smith 2020" and "notes.md:3; @key": a list in several forms, one of which no prose
// has, or of works in a text whose list has works; nil if it is anything else. In round brackets are neither keys nor labels, nor files
// without lines.
func (r *reader) citedIn(list string, round bool) (out []Marker) {
	sure, forms := false, []func(string) []Marker{sourcesIn, func(s string) []Marker { return pathsIn(s, !round) }, r.namedIn}
	if !round {
		forms = append(forms, keyIn, r.labelsIn)
	}
	list = commaWorks.ReplaceAllString(moreYears.ReplaceAllString(list, ", $1"), "$1; $2")
	for part := range strings.SplitSeq(afterID.ReplaceAllString(list, "$1; $2"), ";") {
		var found []Marker
		for i := 0; found == nil && i < len(forms); i++ {
			found = forms[i](strings.TrimSpace(part))
		}
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

// dated reads the year of "王伟（2012）指出" and "김철수(2012)에 따르면": a name of a script without capitals, which the list has, ends what
// is before the bracket.
func (m *marker) dated(open int, inside string) []Marker {
	const longest = 12 // letters of a name
	if len(m.works) == 0 || !onlyYear.MatchString(inside) {
		return nil
	}
	for from := max(0, open-longest); from < open; from++ {
		w := work{family: foldName(m.plain(from, open)), year: inside[:4]}
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

// named matches a work that a sentence names by authors and year, as the list may not have it.
var named = lazyregexp.New(`(` + names + `)(?:,? \(?|,? )` + years + `(?:[,:][^()]{0,30})?\)`)

// NamedWork returns the first work that a sentence names by authors and year, as "Smith et al. (2020)"; "" for none.
func NamedWork(sentence string) string {
	m := named.FindStringSubmatch(sentence)
	if m == nil || !strings.Contains(sentence[:strings.Index(sentence, m[0])+len(m[0])], "(") {
		return ""
	}
	authors := strings.TrimRight(m[1], ",")
	for first, rest, _ := strings.Cut(authors, " "); rest != "" && words.Function("en", strings.ToLower(first)); { // "As Weber"
		authors = rest
		first, rest, _ = strings.Cut(rest, " ")
	}
	return authors + " (" + m[4] + ")"
}

// narrative reads "Moss (1974) writes …": the year is the citation, the name a part of the sentence. Only works of the list are cited so.
func (m *marker) narrative(i int) int {
	if len(m.works) == 0 || !unicode.IsUpper(m.glyphs[i].c) && !strings.ContainsRune("vdltzaebs", m.glyphs[i].c) {
		return 0
	}
	a := namesBefore.FindStringSubmatch(m.plain(i, min(len(m.glyphs), i+maxMarkRunes)))
	if a == nil {
		return 0
	}
	open, end := i+len([]rune(a[0][:strings.LastIndex(a[0], "(")])), i+len([]rune(a[0]))
	known := slices.DeleteFunc(m.namedIn(a[1]+a[2]+" "+a[3]), func(x Marker) bool { return x.entry == 0 })
	if !m.cite(open, end, false, known...) {
		return 0
	}
	return end
}
