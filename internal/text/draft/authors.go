package draft

import (
	"slices"
	"strings"
	"unicode"

	"github.com/citeloop/citeloop/internal/lazyregexp"
	"github.com/citeloop/citeloop/internal/text/words"
)

// work is what a citation by author and year names, or what an entry is of.
type work struct {
	family string   // the first author's, folded
	also   []string // other names of the first author, of an entry: an acronym, a last name behind the first one
	year   string
	others []string // words of the other names, folded; of a citation with the initials of the first author
	joined string   // of a citation: a word of the last author, behind "and"
	count  int      // authors, as the signs between them say
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

// authorsOf reads the authors and year that an entry opens with: a dash stands for the authors of the entry before it.
func (r *reader) authorsOf(entry string) *work {
	if m := sameAuthors.FindStringSubmatch(entry); m != nil && len(r.References) > 0 {
		if before := r.References[len(r.References)-1].author; before != nil {
			w := *before
			w.year = m[1]
			return &w
		}
	}
	m := authorEntry.FindStringSubmatch(quotedTitle.ReplaceAllString(words.First(entry, 600), " "))
	if m == nil {
		return nil
	}
	w := worksOf("", m[1], m[2], m[3])[0]
	people := joins.Split(strings.TrimRight(m[1]+m[2], " .,(（"), -1)
	w.also = firstNames(m[1], people[0])
	if a := acronym.FindStringSubmatch(m[2]); a != nil {
		w.also = append(w.also, foldName(a[1]))
	}
	w.count = countPeople(people)
	return &w
}

// countPeople counts the authors of an entry. Initials belong to the name before them, as the given name in "Roer, Ida, and Berta Lind".
func countPeople(people []string) int {
	people = slices.DeleteFunc(people, func(s string) bool { return s == "" || initials.MatchString(s) })
	whole := func(s string) bool { return strings.Contains(strings.TrimSpace(s), " ") }
	if len(people) > 2 && !whole(people[0]) && !whole(people[1]) && slices.ContainsFunc(people[2:], whole) {
		return len(people) - 1
	}
	return len(people)
}

// firstNames are the names that a citation may have for the first author of an entry, besides its first word: of 田中太郎 it may be
// 田中, of Ben Moss it may be Moss, of García-Márquez García, of Müller Mueller, of the World Lock Council WLC.
func firstNames(first, whole string) (out []string) {
	letters := []rune(foldName(first))
	for n := 1; n < len(letters) && unicode.Is(unicode.Lo, letters[0]); n++ {
		out = append(out, string(letters[:n]))
	}
	if before, _, hyphen := strings.Cut(foldName(first), "-"); hyphen {
		out = append(out, before)
	}
	if plain := umlauts(strings.ToLower(first)); plain != strings.ToLower(first) {
		out = append(out, foldName(plain))
	}
	var short []rune
	parts := strings.Fields(whole)
	for _, part := range parts {
		if c := []rune(part)[0]; unicode.IsUpper(c) {
			short = append(short, unicode.ToLower(c))
		}
	}
	if len(parts) < 2 {
		return out
	}
	if last := parts[len(parts)-1]; unicode.IsUpper([]rune(last)[0]) && !initials.MatchString(last) {
		out = append(out, foldName(last))
		for n := min(3, len(short)); n <= len(short); n++ { // of Centers for Disease Control and Prevention also CDC
			out = append(out, string(short[:n]))
		}
	}
	return out
}

var umlauts = strings.NewReplacer("ä", "ae", "ö", "oe", "ü", "ue", "ß", "ss").Replace

// worksOf returns the works of a citation with several years: "2011a, b" are two.
func worksOf(given, first, others, years string) (out []work) {
	w := work{family: foldName(first), others: namesIn(given + " " + others), more: saysMore.MatchString(others)}
	w.count = len(joins.Split(strings.TrimSpace(saysMore.ReplaceAllString(others, "")), -1))
	if last := lastJoin.FindStringSubmatch(others); last != nil && !w.more {
		w.joined = last[1]
	}
	for _, year := range yearSplit.Split(years, -1) {
		if len(year) == 1 && len(out) > 0 {
			before := out[len(out)-1].year
			year = strings.TrimRight(before, "abcdefghijklmnopqrstuvwxyz") + year
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
		shared := 0
		for _, name := range w.others {
			if slices.Contains(entry.others, name) {
				shared++
			}
		}
		if !entry.more && w.joined != "" && !slices.ContainsFunc(namesIn(w.joined), entry.has) {
			continue
		}
		if score := 1000 + 10*shared - w.unlike(*entry); score > most {
			best, most = i+1, score
		}
	}
	return best
}

func (w work) has(name string) bool { return slices.Contains(w.others, name) }

// unlike is how far the numbers of authors in a citation and in an entry are apart; "et al." stands for at least two others.
func (w work) unlike(entry work) int {
	switch {
	case w.more && !entry.more:
		return max(0, 3-entry.count)
	case entry.more:
		return max(0, 3-w.count)
	}
	return min(max(w.count-entry.count, entry.count-w.count), 9)
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
