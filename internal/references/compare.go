package references

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode"

	"github.com/citeloop/citeloop/internal/lazyregexp"
	"github.com/citeloop/citeloop/internal/text/words"
)

// Names of the fields that are compared.
const (
	FieldTitle   = "title"
	FieldAuthors = "authors"
	FieldYear    = "year"
	FieldVenue   = "venue"
	FieldDOI     = "doi"
	FieldArXiv   = "arxiv"
	FieldPMID    = "pmid"
)

// Difference is a field in which an entry differs from all records of its work.
type Difference struct {
	Field    string `json:"field"`
	Listed   string `json:"listed"`
	Recorded string `json:"recorded"`
	From     string `json:"from"` // the service whose record is nearest
}

// nearTitle is the likeness from which two titles are probably of one work: a word changed in a title of eight leaves .88.
const nearTitle = 0.8

// longTitle is the length, in bytes, of a title of one or two words that stands in no text by chance: eight Chinese characters.
const longTitle = 24

// Likeness returns how like the title of a record is to that of an entry, from 0 to 1. 1 is the same title but for capitals,
// accents, punctuation and a missing subtitle.
func (e Entry) Likeness(r Record) float64 {
	have, want := titleWords(e.Title), titleWords(r.Title)
	if len(want) == 0 {
		return 0
	}
	if e.Text != "" && !r.Editions && strings.Contains(" "+strings.Join(titleWords(e.Text), " ")+" ", " "+strings.Join(want, " ")+" ") &&
		(len(want) >= 3 || len(strings.Join(want, "")) >= longTitle) {
		return 1
	}
	if strings.Join(have, "") == strings.Join(want, "") || onlySubtitle(e.Title, want) || onlySubtitle(r.Title, have) {
		return 1
	}
	common := words.Common(len(have), len(want), func(i, j int) bool { return have[i] == want[j] })
	return 2 * float64(len(common)) / float64(len(have)+len(want))
}

// titleEnd matches what divides a title from its subtitle.
var titleEnd = lazyregexp.New(`[:?!.]\s|\s[–—-]\s`)

// onlySubtitle reports whether a title without its subtitle is the other one.
func onlySubtitle(title string, other []string) bool {
	at := titleEnd.FindStringIndex(title)
	return at != nil && len(other) >= 3 && slices.Equal(titleWords(title[:at[0]]), other)
}

// titleWords returns the words of a title, folded.
func titleWords(title string) []string {
	title = strings.ReplaceAll(plainTeX(title), "&", " and ")
	return strings.FieldsFunc(asciiUmlauts(words.Fold(title)), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}

// Fits reports whether a record that was found for an entry is probably of the work that it names: by its title, or without one by its
// identifier.
func (e Entry) Fits(r Record) bool {
	return e.Likeness(r) >= nearTitle || e.Title == "" && (e.Text == "" || e.names(r))
}

// SharesAuthor reports whether entry and record have an author in common, or one of them names none.
func (e Entry) SharesAuthor(r Record) bool {
	return len(r.Authors) == 0 || len(e.Authors) == 0 && e.Text == "" || anyAuthor(e, r)
}

// anyAuthor reports whether entry and record have an author in common.
func anyAuthor(e Entry, r Record) bool {
	text := strings.ReplaceAll(folded(e.Text), " ", "")
	for _, name := range r.Authors {
		n := NameOf(name)
		if e.Text != "" && strings.Contains(text, familyOf(n)) || slices.ContainsFunc(e.Authors, n.sameFamily) {
			return true
		}
	}
	return false
}

// names reports whether entry and record have an identifier in common.
func (e Entry) names(r Record) bool {
	return e.DOI != "" && e.DOI == r.DOI || e.ArXiv != "" && e.ArXiv == r.ArXiv || e.PMID != "" && e.PMID == r.PMID
}

// Compare returns the fields in which an entry differs from every record of its work. Records of other works must not be
// among them. A field that no record has is not compared.
func Compare(e Entry, records []Record) (out []Difference) {
	earliest, latest := e.years(records)
	for _, field := range []struct {
		name, listed string
		recorded     func(Record) string
		same         func(Entry, Record) bool
	}{
		{FieldTitle, e.Title, func(r Record) string { return r.Title }, func(e Entry, r Record) bool { return e.Likeness(r) == 1 }},
		{FieldAuthors, e.people(), func(r Record) string { return strings.Join(r.Authors, "; ") }, sameAuthors},
		{FieldYear, number(e.Year), func(r Record) string { return number(r.Year) },
			func(e Entry, _ Record) bool { return e.Year >= earliest && e.Year <= latest }},
		{FieldVenue, e.Venue, func(r Record) string { return r.Venue }, sameVenue},
		{FieldDOI, e.DOI, func(r Record) string { return r.DOI }, func(e Entry, r Record) bool { return e.DOI == r.DOI }},
		{FieldArXiv, e.ArXiv, func(r Record) string { return r.ArXiv }, func(e Entry, r Record) bool { return e.ArXiv == r.ArXiv }},
		{FieldPMID, e.PMID, func(r Record) string { return r.PMID }, func(e Entry, r Record) bool { return e.PMID == r.PMID }},
	} {
		var nearest *Record // says what the field should be
		for _, r := range records {
			if field.listed == "" || field.recorded(r) == "" {
				continue
			}
			if field.same(e, r) {
				nearest = nil
				break
			}
			if nearest == nil || e.Likeness(r) > e.Likeness(*nearest) {
				nearest = &r
			}
		}
		if nearest != nil {
			out = append(out, Difference{field.name, field.listed, field.recorded(*nearest), nearest.From})
		}
	}
	return out
}

func number(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprint(n)
}

// preprintYears is the time in which a preprint becomes an article (chosen).
const preprintYears = 3

// years returns the span of the years in which an entry may have appeared: a preprint may be cited by its own year or that of
// the article, a book by that of any edition since the first. If services know only one of preprint and article, and the entry
// may be the other one, its year may be some years before or after.
func (e Entry) years(records []Record) (earliest, latest int) {
	known := slices.DeleteFunc(slices.Clone(records), func(r Record) bool { return r.Year == 0 })
	if len(known) == 0 {
		return 0, 0
	}
	earliest = math.MaxInt
	for _, r := range known {
		if earliest, latest = min(earliest, r.Year), max(latest, r.Year); r.Editions {
			latest = math.MaxInt
		}
	}
	cited := isPreprint(e.Venue + " " + e.Text)
	if (cited || e.ArXiv != "") && !slices.ContainsFunc(known, Record.isPreprint) {
		earliest -= preprintYears
	}
	if !cited && !slices.ContainsFunc(known, func(r Record) bool { return !r.isPreprint() }) {
		latest += preprintYears
	}
	return earliest, latest
}

// isPreprint reports a record of a preprint, and not of the article that it became.
func (r Record) isPreprint() bool {
	return isPreprint(r.Venue) || r.Venue == "" && r.ArXiv != "" || strings.HasPrefix(r.DOI, "10.48550/")
}

// people returns the authors in words, for a difference.
func (e Entry) people() string {
	if e.Text != "" {
		return e.Text
	}
	var names []string
	for _, n := range e.Authors {
		names = append(names, n.String())
	}
	return strings.Join(names, "; ")
}

// shortFamily is the length from which a family name is looked for across spaces and within words (chosen: Xinwang has a Wang).
const shortFamily = 6

// fullLists is the number of authors from which lists are cut, see channels/normal.
const fullLists = 50

// sameAuthors reports whether the authors are those of a record, in its order. A shortened list must be its beginning. Of a work with
// editions one author is enough, because some may be missing.
func sameAuthors(e Entry, r Record) bool {
	var recorded, persons []Name
	for _, name := range r.Authors {
		recorded = append(recorded, NameOf(name))
	}
	switch {
	case r.Editions:
		return e.SharesAuthor(r)
	case e.Text != "" && e.nameless(r):
		return true
	case e.Text != "":
		head := e.before(r)
		if head == "" {
			return e.mentions(recorded)
		}
		if at := shortened.FindStringIndex(head); at != nil {
			head, e.Others = head[:at[0]], true
		}
		e.Authors = []Name{{Family: head}}
	case e.sameList(recorded):
		return true
	}
	for _, n := range e.Authors { // where a name is a list of them
		persons = append(persons, n.list()...)
	}
	e.Authors = persons
	return e.sameList(recorded)
}

// sameList reports whether the authors are the recorded ones, or the first of them where the entry shortens them.
func (e Entry) sameList(recorded []Name) bool {
	n := min(len(e.Authors), len(recorded))
	if len(e.Authors) > n && n < fullLists || len(recorded) > n && !e.Others {
		return false
	}
	return slices.EqualFunc(e.Authors[:n], recorded[:n], Name.same)
}

// before returns what an entry of a text has before its title; "" if the title of a record is not surely where it seems to be.
func (e Entry) before(r Record) string {
	title := Entry{Title: e.Title}
	head, _, ok := strings.Cut(e.Text, e.Title)
	if !ok || title.Likeness(r) < nearTitle || folded(head) == "" {
		return ""
	}
	if _, behind, gost := strings.Cut(e.Text, " / "); gost && strings.Contains(behind, " // ") { // all are named there
		head, _, _ = strings.Cut(behind, " // ")
	}
	if at := noName.FindStringIndex(head); at != nil {
		head = head[:at[0]]
	}
	return strings.TrimFunc(head, notWord)
}

// nameless reports whether an entry of a text begins with its title, and goes on without authors.
func (e Entry) nameless(r Record) bool {
	head, rest, ok := strings.Cut(e.Text, e.Title)
	return ok && e.Title != "" && folded(head) == "" && !author.MatchString(strings.TrimLeftFunc(rest, notWord)) &&
		!anyAuthor(Entry{Text: rest}, r)
}

func notWord(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }

// noName matches what ends a list of names: a year, something in brackets, or the mark before a quoted title.
var noName = lazyregexp.New(`[\d(\["“”„«]|[\s(]['‘]`)

var shortened = lazyregexp.New(`(?i)\bet\.? al\b|\bothers\b|\bu\. ?a\.|и др\.|等`)

// mentions reports whether an entry of a text has every family name, or the first ones where it says et al.
func (e Entry) mentions(recorded []Name) bool {
	text := asciiUmlauts(" " + folded(e.Text) + " ")
	for i, n := range recorded {
		family := asciiUmlauts(familyOf(n))
		within := len(family) >= shortFamily && strings.Contains(strings.ReplaceAll(text, " ", ""), family)
		if !within && !strings.Contains(text, " "+family+" ") && !strings.Contains(text, " "+n.initialism()+" ") {
			return i > 0 && shortened.MatchString(e.Text)
		}
	}
	return true
}
