package references

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/citeloop/citeloop/internal/text/words"
)

// Names of the fields that are compared.
const (
	FieldTitle   = "title"
	FieldAuthors = "authors"
	FieldYear    = "year"
	FieldVenue   = "venue"
	FieldDOI     = "doi"
)

// Difference is a field in which an entry differs from all records of its work.
type Difference struct {
	Field    string `json:"field"`
	Listed   string `json:"listed"`
	Recorded string `json:"recorded"`
	From     string `json:"from"` // the service whose record is nearest
}

func (d Difference) String() string {
	return fmt.Sprintf("%s: listed %q, recorded %q (%s)", d.Field, d.Listed, d.Recorded, d.From)
}

// nearTitle is the likeness from which two titles are probably of one work: a word changed in a title of eight leaves .88.
const nearTitle = 0.8

// Likeness returns how like the title of a record is to that of an entry, from 0 to 1. 1 is the same title but for capitals,
// accents, punctuation and a missing subtitle.
func (e Entry) Likeness(r Record) float64 {
	have, want := titleWords(e.Title), titleWords(r.Title)
	if len(want) == 0 {
		return 0
	}
	if e.Text != "" && !r.Editions && strings.Contains(" "+strings.Join(titleWords(e.Text), " ")+" ", " "+strings.Join(want, " ")+" ") &&
		len(want) >= 3 {
		return 1
	}
	if len(have) == 0 {
		return 0
	}
	if slices.Equal(have, want) || strings.Join(have, "") == strings.Join(want, "") || onlySubtitle(e.Title, want) ||
		onlySubtitle(r.Title, have) {
		return 1
	}
	common := words.Common(len(have), len(want), func(i, j int) bool { return have[i] == want[j] })
	return min(0.99, 2*float64(len(common))/float64(len(have)+len(want)))
}

// onlySubtitle reports whether a title without its subtitle is the other one.
func onlySubtitle(title string, other []string) bool {
	main, _, ok := strings.Cut(title, ":")
	if !ok {
		main, _, ok = strings.Cut(title, " – ")
	}
	return ok && len(other) >= 3 && slices.Equal(titleWords(main), other)
}

// titleWords returns the words of a title, folded.
func titleWords(title string) []string {
	return strings.FieldsFunc(words.Fold(plainTeX(title)), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}

// Fits reports whether a record is probably of the work that an entry names: by its title, or by its identifier.
func (e Entry) Fits(r Record) bool {
	return e.Likeness(r) >= nearTitle || e.names(r) && e.Title == ""
}

// OtherWork is the distance in closeness from which a record with a like title is of another work (chosen).
const OtherWork = 0.5

// Closeness orders records with a title like that of the entry: its likeness, and a half for each of authors and year that
// agree or are not known.
func (e Entry) Closeness(r Record) float64 {
	out := e.Likeness(r)
	if e.SharesAuthor(r) {
		out += 0.5
	}
	if e.Year == 0 || r.Year == 0 || e.Year >= r.Year-1 && (r.Editions || e.Year <= r.Year+1) {
		out += 0.25
	}
	return out
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
// cites the other one, its year may be some years before or after.
func (e Entry) years(records []Record) (earliest, latest int) {
	preprints, articles := 0, 0
	for _, r := range records {
		if r.Year == 0 {
			continue
		}
		if earliest == 0 || r.Year < earliest {
			earliest = r.Year
		}
		if latest = max(latest, r.Year); r.Editions {
			latest = math.MaxInt
		}
		if r.isPreprint() {
			preprints++
		} else {
			articles++
		}
	}
	switch cites := isPreprint(e.Venue + " " + e.Text); {
	case preprints == 0 && cites && earliest > 0:
		earliest -= preprintYears
	case articles == 0 && !cites && e.Venue+e.Text != "":
		latest += preprintYears
	}
	if year, known := e.arxivYear(); known && year < earliest {
		earliest = year
	}
	return earliest, latest
}

// isPreprint reports a record of a preprint, and not of the article that it became.
func (r Record) isPreprint() bool {
	return isPreprint(r.Venue) || r.Venue == "" && r.ArXiv != "" || strings.HasPrefix(r.DOI, "10.48550/")
}

// arxivYear returns the year of an arXiv identifier, which begins with year and month since 2007.
func (e Entry) arxivYear() (year int, known bool) {
	if len(e.ArXiv) < 9 || e.ArXiv[4] != '.' {
		return 0, false
	}
	year, err := strconv.Atoi(e.ArXiv[:2])
	return 2000 + year, err == nil
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
	if e.Others && len(names) > 0 {
		names = append(names, "et al.")
	}
	return strings.Join(names, "; ")
}

// shortFamily is the length from which a family name is looked for across spaces and within words (chosen: Xinwang has a Wang).
const shortFamily = 6

// fullLists is the number of authors from which lists are cut, see channels/normal.
const fullLists = 50

// sameAuthors reports whether the authors are those of a record, in its order. A shortened list must be its beginning.
func sameAuthors(e Entry, r Record) bool {
	var recorded []Name
	for _, name := range r.Authors {
		recorded = append(recorded, NameOf(name))
	}
	if r.Editions && e.Text != "" {
		return anyAuthor(e, r)
	}
	if r.Editions { // in any order, and some may be missing on either side
		few, many := e.Authors, recorded
		if len(few) > len(many) {
			few, many = many, few
		}
		return !slices.ContainsFunc(few, func(n Name) bool { return !slices.ContainsFunc(many, n.same) })
	}
	if e.Text != "" { // every family name stands in the entry, of the first three where it says et al.
		text := " " + folded(e.Text) + " "
		for i, n := range recorded {
			if i >= 3 && (strings.Contains(text, " et al ") || strings.Contains(text, " others ") || len(recorded) >= fullLists) {
				break
			}
			family := familyOf(n)
			before, after, found := strings.Cut(text, " "+folded(n.Family)+" ")
			if !found {
				before, after, found = strings.Cut(text, " "+family+" ") // without van de
			}
			if found { // each name once: two may be called Wang
				text = before + " " + after
			} else if len(family) < shortFamily || !strings.Contains(strings.ReplaceAll(text, " ", ""), family) { // Mc Donald
				return i > 0 && (strings.Contains(text, " et al ") || strings.Contains(text, " others "))
			}
		}
		return true
	}
	if len(e.Authors) > len(recorded) && len(recorded) < fullLists || len(e.Authors) < len(recorded) && !e.Others {
		return false
	}
	for i := range min(len(e.Authors), len(recorded)) {
		if !e.Authors[i].same(recorded[i]) {
			return false
		}
	}
	return true
}
