package draft

import (
	"slices"
	"strings"
	"unicode"

	"github.com/citeloop/citeloop/internal/lazyregexp"
	"github.com/citeloop/citeloop/internal/text/words"
)

// work is what a citation by author and year names, or what an entry is of. Names are folded.
type work struct {
	family string   // of the first author
	year   string   // "2021a", "n.d"
	names  []string // all words of the names; of a citation with the initials of the first author
	last   []string // of a citation: the words of the author behind "and"
	people int      // as the signs between them say; "et al." stands for two
	more   bool     // it says "et al."
}

func (w work) key() string { return w.family + " " + w.year }

var (
	// authorEntry opens the entry of a list of such: "Smith, J., & Ames, K. (2021). Title", "J. Smith and K. Ames, Title, 2021".
	authorEntry = lazyregexp.New(`^(?:\p{Lu}\.[ -]?){0,3}((?:` + particle + `){0,3}(?:\p{Lu}[\p{L}\p{M}'’-]+|` + caseless + `))` +
		`([ ,.，、،(（・·「『《][^\n]{0,300}?)[(（]?\b((?:1[5-9]|20)\d\d[a-z]?|n\.\s?d|forthcoming|in press)\b`)
	sameAuthors = lazyregexp.New(`^[-‐‑‒–—―_]{2,}[.,]?\s*[(（]?((?:1[5-9]|20)\d\d[a-z]?)\b`)
	quotedTitle = lazyregexp.New(`["“„«][^"“”„«»\n]{3,300}["”“»]`) // a year in it is not the work's
	particles   = lazyregexp.New(`^(?:` + particle + `)+`)
	saysMore    = lazyregexp.New(etAl + `|等|ほか|…|\.\.\.`)
	joins       = lazyregexp.New(`\s*(?:[,;，、・·/–&]\s*(?:` + andWord + `\s)?|\s` + andWord + `\s|[와과]\s)\s*`)
	lastJoin    = lazyregexp.New(`(?:&|\s` + andWord + `)\s+(.*)$`)
	initials    = lazyregexp.New(`^(?:\p{Lu}\p{M}*[.\s-]*){1,4}$`)
	acronym     = lazyregexp.New(`[\[(](\p{Lu}[\p{L}-]{1,9})[\])]`)
)

// listWork adds a work to those that a citation finds, by each name that a citation may have for its first author, with its year and
// without.
func (r *reader) listWork(i int) {
	w := r.References[i].author
	for _, name := range r.References[i].firsts {
		for _, key := range []string{name, work{family: name, year: w.year}.key()} {
			if !slices.Contains(r.works[key], i) {
				r.works[key] = append(r.works[key], i)
			}
		}
	}
}

// readAuthors reads the authors and year that an entry opens with: a dash stands for the authors of the entry before it.
func (r *reader) readAuthors(e *Reference, text string) {
	if m := sameAuthors.FindStringSubmatch(text); m != nil && len(r.References) > 0 {
		if before := r.References[len(r.References)-1]; before.author != nil {
			w := *before.author
			w.year = m[1]
			e.author, e.firsts = &w, before.firsts
			return
		}
	}
	m := authorEntry.FindStringSubmatch(quotedTitle.ReplaceAllString(words.First(text, 600), " "))
	if m == nil {
		return
	}
	people := joins.Split(strings.TrimRight(m[1]+m[2], " .,(（"), -1)
	w := worksOf("", m[1], m[2], m[3])[0]
	w.people = len(slices.DeleteFunc(people[1:], func(s string) bool { return s == "" || initials.MatchString(s) })) + 1
	e.author, e.firsts = &w, firstNames(m[1], people[0])
	if a := acronym.FindStringSubmatch(m[2]); a != nil {
		e.firsts = append(e.firsts, foldName(a[1]))
	}
}

// firstNames are the names that a citation may have for the first author of an entry: each word of the name; of 田中太郎 also
// 田中, of Müller Mueller, of the Centers for Disease Control and Prevention CDC.
func firstNames(first, whole string) []string {
	const shortest = 3 // letters of an acronym
	folded := foldName(first)
	out := append([]string{folded}, namesIn(whole)...)
	out = append(out, namesIn(umlauts(strings.ToLower(first)))...)
	letters := []rune(folded)
	for n := 1; n < len(letters) && unicode.Is(unicode.Lo, letters[0]); n++ {
		out = append(out, string(letters[:n]))
	}
	short := ""
	for _, part := range strings.Fields(whole) {
		if c := []rune(part)[0]; unicode.IsUpper(c) {
			short += strings.ToLower(string(c))
			if len(short) >= shortest {
				out = append(out, short)
			}
		}
	}
	return out
}

var umlauts = strings.NewReplacer("ä", "ae", "ö", "oe", "ü", "ue", "ß", "ss").Replace

// worksOf returns the works of a citation with several years: "2011a, b" are two.
func worksOf(given, first, others, years string) (out []work) {
	w := work{family: foldName(first), more: saysMore.MatchString(others)}
	w.names = append([]string{w.family}, namesIn(given+" "+others)...)
	w.people = len(joins.Split(strings.TrimSpace(saysMore.ReplaceAllString(others, "")), -1))
	if last := lastJoin.FindStringSubmatch(others); w.more {
		w.people = max(3, w.people)
	} else if last != nil {
		w.last = namesIn(last[1])
	}
	for _, year := range yearSplit.Split(years, -1) {
		if len(year) == 1 && len(out) > 0 {
			year = strings.TrimRight(out[len(out)-1].year, "abcdefghijklmnopqrstuvwxyz") + year
		}
		year, _, _ = strings.Cut(year, "/") // of the first edition
		w.year = strings.TrimSuffix(strings.ReplaceAll(strings.ToLower(year), " ", ""), ".")
		out = append(out, w)
	}
	return out
}

// namesIn are the words of names, folded.
func namesIn(s string) []string {
	return strings.FieldsFunc(words.Fold(s), func(c rune) bool { return !unicode.IsLetter(c) && !unicode.IsMark(c) })
}

// foldName folds a family name: case, accents, apostrophes and particles differ between a citation and the list.
func foldName(s string) string {
	s = strings.ReplaceAll(words.Fold(particles.ReplaceAllString(s, "")), "’", "'")
	return strings.TrimSuffix(strings.TrimSuffix(s, "'s"), "'")
}

// entryOfWork returns the index plus 1 of the entry of a work, 0 for none. Of several of one first author and year, it is the one with
// most of the other names, and of those the one with as many authors. One without the second author of "Roer and Berg" is none.
func (r *reader) entryOfWork(w work) int {
	best, most := 0, 0
	for _, i := range r.entriesOfFirst(w) {
		entry := r.References[i].author
		has := func(name string) bool { return slices.Contains(entry.names, name) }
		if !entry.more && len(w.last) > 0 && !slices.ContainsFunc(w.last, has) {
			continue
		}
		score := 1000 - min(9, max(w.people-entry.people, entry.people-w.people))
		for _, name := range w.names {
			if has(name) {
				score += 10
			}
		}
		if score > most {
			best, most = i+1, score
		}
	}
	return best
}

// entriesOfFirst are the entries of a first author and year. A name of a script without capitals may have others behind it:
// 李明和张华.
func (r *reader) entriesOfFirst(w work) []int {
	const joined = "和與与及とほ他等らや와과외·・"
	found := r.works[w.key()]
	letters := []rune(w.family)
	for n := 1; found == nil && n < len(letters) && unicode.Is(unicode.Lo, letters[0]); n++ {
		if strings.ContainsRune(joined, letters[n]) {
			found = r.works[work{family: string(letters[:n]), year: w.year}.key()]
		}
	}
	return found
}
