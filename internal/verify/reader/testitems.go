package reader

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/citeloop/citeloop/internal/lazyregexp"
	"github.com/citeloop/citeloop/internal/seeded"
	"github.com/citeloop/citeloop/internal/text/quantity"
	"github.com/citeloop/citeloop/internal/text/words"
	"github.com/citeloop/citeloop/loopstate"
)

// How a false test item was made.
const (
	kindNumber = "number" // another figure or year
	kindName   = "name"   // another quoted name
	kindMoved  = "moved"  // beside the lines of another citation
)

// Bounds of what test items are made from (chosen).
const (
	maxBytes       = 1_200   // of a sentence, and of the block of a true one
	maxSourceBytes = 100_000 // of a source that true ones are taken from
	maxTrueOnes    = 200
)

func testItem(role, kind, claim, base string, beside []Passage) loopstate.ReviewItem {
	return loopstate.ReviewItem{Role: role, Kind: kind, Claim: claim, Base: base, Passages: beside}
}

// changed exchanges one figure, year or quoted name of a sentence for another of the same form, which the passages do not have. Only what
// the passages have is exchanged: of anything else nobody knows whether the change makes it false.
func (t *tests) changed(c loopstate.ReviewCandidate) (loopstate.ReviewItem, bool) {
	if c.Quoted || len(c.Claim) > maxBytes || !utf8.ValidString(c.Claim) {
		return loopstate.ReviewItem{}, false
	}
	near := textOf(c.Passages)
	for _, kind := range []string{kindNumber, kindName} {
		forms := otherNumbers(t.Random, c.Claim, near)
		if kind == kindName {
			forms = t.otherNames(c.Claim, near)
		}
		if len(forms) > 0 {
			return testItem(RolePlanted, kind, forms[t.Intn(len(forms))], c.Claim, c.Passages), true
		}
	}
	return loopstate.ReviewItem{}, false
}

// moved puts a sentence beside the passages of another citation, with which it shares no name and few words.
func (t *tests) moved(c loopstate.ReviewCandidate, bases []loopstate.ReviewCandidate) (loopstate.ReviewItem, bool) {
	if c.Quoted || len(c.Claim) > maxBytes {
		return loopstate.ReviewItem{}, false
	}
	claim := vocabularyOf(c.Claim)
	own := func(p Passage) bool { return slices.ContainsFunc(c.Passages, p.Within) }
	for _, other := range bases {
		if len(other.Passages) > 0 && !slices.ContainsFunc(other.Passages, own) && claim.strangeTo(t.terms(other.Passages)) {
			return testItem(RolePlanted, kindMoved, c.Claim, c.Claim, other.Passages), true
		}
	}
	return loopstate.ReviewItem{}, false
}

// terms returns the terms of passages. Those of a text are made once a batch: each sentence is compared with each text.
func (t *tests) terms(of []Passage) (out []map[string]bool) {
	for _, p := range of {
		have, ok := t.termsOf[p.Text]
		if !ok {
			have = map[string]bool{}
			for _, term := range words.Terms(p.Text) {
				have[term] = true
			}
			t.termsOf[p.Text] = have
		}
		out = append(out, have)
	}
	return out
}

// vocabulary has the terms of a sentence that are not function words.
type vocabulary struct {
	terms []string
	names []bool // whether it is a name or a figure
}

func vocabularyOf(sentence string) (out vocabulary) {
	language := words.Language(sentence)
	for _, field := range strings.Fields(sentence) {
		first, _ := utf8.DecodeRuneInString(strings.TrimLeft(field, `"'“„«(`))
		name := (unicode.IsUpper(first) || unicode.IsDigit(first)) && !strings.HasPrefix(sentence, field)
		for _, term := range words.Terms(field) {
			if !words.Function(language, term) {
				out.terms, out.names = append(out.terms, term), append(out.names, name)
			}
		}
	}
	return out
}

// strangeTo reports whether texts share no name or figure with a sentence, and few of its words.
func (v vocabulary) strangeTo(texts []map[string]bool) bool {
	const most = 0.25
	shared := 0
	for i, term := range v.terms {
		if slices.ContainsFunc(texts, func(have map[string]bool) bool { return have[term] }) {
			if shared++; v.names[i] {
				return false
			}
		}
	}
	return len(v.terms) > 2 && float64(shared) <= most*float64(len(v.terms))
}

// ofSources are true test items: sentences of the cited sources that read as claims do, beside their own block.
func (t *tests) ofSources(bases []loopstate.ReviewCandidate) (out []loopstate.ReviewItem) {
	read := map[string]bool{}
	for _, c := range bases {
		for _, p := range c.Passages {
			if read[p.SourceID] {
				continue
			}
			read[p.SourceID] = true
			size := 0
			for _, b := range t.Blocks(p.SourceID) {
				if size += len(b.Text); size > maxSourceBytes || len(out) >= maxTrueOnes {
					break
				}
				for _, s := range words.Sentences(b.Text) {
					if len(b.Text) <= maxBytes && usable(s.Text) && !t.author(s.Text) {
						out = append(out, testItem(RoleControl, "", s.Text, s.Text, []Passage{b}))
					}
				}
			}
		}
	}
	seeded.Shuffle(t.Random, out)
	return out
}

var (
	// whole matches a sentence without marks of quotations, tables, lists, code and links.
	whole = lazyregexp.New(`^(?:\p{Lu}|\p{Han}|\p{Hiragana}|\p{Katakana})[^\n\t|\[\]{}<>*_=\\?？` +
		"`" + `"“”„«»「」『』:;：；!—…]*[^\s.][.。]$`)
	// leaning matches the beginning of a sentence that may need the one before it.
	leaning = lazyregexp.New(`^(?:(?i:it|its|he|his|she|her|they|their|them|this|` +
		`that|these|those|such|both|there|here|then|so|but|and|however|also|i|we|my|our|you|your|` +
		`er|sie|es|sein|ihr|dies\pL*|das|il|elle|ils|elles|ce|cette|ces|lo|esto|este|esta|ellos)\b|[这那它他她其此该これそれ])`)
	// pronoun matches a beginning that says nothing without the sentence before it.
	pronoun = lazyregexp.New(`^(?:(?i:its?|he|his|she|her|they|theirs?|them|this|these|those|` +
		`er|sie|elles?|ils?|esto|ellos)\b|[它他她其]|これ|それ)`)
	figure     = lazyregexp.New(`\d+(?:[.,\x{00a0}\x{202f} ]\d{3})*(?:[.,]\d+)?`)
	fourDigits = lazyregexp.New(`\b\d{4}\b`)
	// namedNumber matches what makes the number after it a part of a name: Chapter 4, S&P 500.
	namedNumber = lazyregexp.New(`(?:[^.!?: ] \(?\p{Lu}[\p{L}.&]*|§) $`)
	quotedName  = lazyregexp.New("[“\"`]([^“”\"`\\n]{2,40})[”\"`]")
)

// Leans reports whether a sentence begins with a pronoun, so that it needs the one before it.
func Leans(sentence string) bool { return pronoun.MatchString(sentence) }

// usable reports whether a sentence of a source reads as a claim does: a whole statement of 45 to 340 bytes.
func usable(s string) bool {
	return len(s) >= 45 && len(s) <= 340 && whole.MatchString(s) && !leaning.MatchString(s) && !strings.Contains(s, "http") &&
		!strings.Contains(s, "...")
}

// otherNumbers replaces one number that the passages have by another, which they do not have and which is on the same side of the other
// numbers of the sentence. Bounds, ranges and numbers in names stay: what is at least 40 is at least 30.
func otherNumbers(r *seeded.Random, sentence, text string) (out []string) {
	language := words.Language(sentence)
	all, near := quantity.Read(language, sentence), quantity.Read(words.Language(text), text)
	for i, q := range all {
		start := len(string([]rune(sentence)[:q.Start]))
		year, m := q.Kind == quantity.Date || q.Year >= 1500, figure.FindStringIndex(q.Text)
		if year {
			m = fourDigits.FindStringIndex(q.Text)
		}
		if m == nil || loose(all, i) || namedNumber.MatchString(sentence[:start]) || loose(near, slices.IndexFunc(near, q.SameValue)) {
			continue
		}
		for range 6 {
			form := sentence[:start+m[0]] + otherFigure(r, q.Text[m[0]:m[1]], year) + sentence[start+m[1]:]
			read := quantity.Read(language, form)
			disordered := func(o quantity.Quantity) bool {
				return o != q && o.Kind == q.Kind && (q.Value < o.Value) != (read[i].Value < o.Value)
			}
			if len(read) == len(all) && (year || differs(q.Value, read[i].Value)) && !slices.ContainsFunc(all, disordered) &&
				!slices.ContainsFunc(near, read[i].SameValue) {
				out = append(out, form)
				break
			}
		}
	}
	return out
}

// loose reports whether another value may be as true as a quantity: it was not found, is a bound, or one end of a range,
// which stands close.
func loose(all []quantity.Quantity, i int) bool {
	const close = 5
	return i < 0 || all[i].Relation != quantity.Equal ||
		i > 0 && all[i].Start-all[i-1].End <= close || i+1 < len(all) && all[i+1].Start-all[i].End <= close
}

// differs reports whether b differs from a by a tenth at least, and is between half and twice of it.
func differs(a, b float64) bool { return (b <= 0.9*a || b >= 1.1*a) && b <= 2*a && a <= 2*b }

// otherFigure changes one digit, or a year to one up to nine years earlier. Form and rounding stay: 1,200 becomes 1,700, not 1,203.
func otherFigure(r *seeded.Random, old string, year bool) string {
	if n, err := strconv.Atoi(old); year && err == nil {
		return strconv.Itoa(n - 1 - r.Intn(9))
	}
	place := max(0, strings.IndexAny(strings.TrimRight(old, "0.,"), "23456789"))
	return old[:place] + strconv.Itoa(1+r.Intn(9)) + old[place+1:]
}

// otherNames replaces one name in quotation marks or code that the passages have by one of another sentence, which they do not have.
func (t *tests) otherNames(sentence, text string) (out []string) {
	m := quotedName.FindStringSubmatchIndex(sentence)
	if m == nil || !strings.Contains(text, sentence[m[2]:m[3]]) || strings.Count(sentence, sentence[m[2]:m[3]]) != 1 {
		return nil
	}
	old := sentence[m[2]:m[3]]
	for _, c := range t.all {
		for _, other := range quotedName.FindAllStringSubmatch(c.Claim, -1) {
			if name := other[1]; name != old && !strings.Contains(text, name) && strings.Contains(name, " ") == strings.Contains(old,
				" ") && !strings.Contains(name, old) {
				out = append(out, sentence[:m[2]]+name+sentence[m[3]:])
			}
		}
	}
	return out
}
