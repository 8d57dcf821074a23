package lexicon

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/citeloop/citeloop/internal/grounding/wordlist"
)

// form is a word form with opposites.
type form struct {
	lemmas  []string // of which it is a form
	against []string // lemmas of the opposites
}

// Opposed reports whether two words or phrases are opposites, in whatever inflection: "rose" and "falling" are.
func (l *Lexicon) Opposed(a, b string) bool {
	fa, fb := l.form(a), l.form(b)
	if fa == nil || fb == nil {
		return false
	}
	return slices.ContainsFunc(fa.against, func(lemma string) bool { return slices.Contains(fb.lemmas, lemma) })
}

func (l *Lexicon) form(words string) *form {
	if l == nil {
		return nil
	}
	words = Fold(words)
	if l.lang == "zh" {
		words = strings.Map(wordlist.Simplified, words)
	}
	return l.forms[words]
}

// paradigm inflects the words that have an ending. "e: - +s" adds; forms write the stem as "-".
type paradigm struct {
	ending string
	forms  []string
}

// parseParadigm reads "ending: form form"; "*" is any ending.
func parseParadigm(line string) (paradigm, error) {
	head, rest, ok := strings.Cut(line, ":")
	p := paradigm{ending: strings.TrimSpace(head), forms: strings.Fields(rest)}
	if !ok || p.ending == "" || len(p.forms) == 0 {
		return p, fmt.Errorf("bad paradigm %q", line)
	}
	if p.ending == "*" {
		p.ending = ""
	}
	for _, f := range p.forms {
		if strings.Count(f, "-") != 1 {
			return p, fmt.Errorf("a form of a paradigm needs one stem: %q", f)
		}
	}
	return p, nil
}

// inflect returns the forms of one side of a pair: as listed, or for a single word by the paradigm with the longest
// ending.
func inflect(words []string, ps []paradigm) ([]string, error) {
	if len(words) != 1 || len(ps) == 0 {
		return words, nil
	}
	ps = slices.Clone(ps)
	slices.SortStableFunc(ps, func(a, b paradigm) int { return cmp.Compare(len(b.ending), len(a.ending)) })
	for _, p := range ps {
		if stem, ok := strings.CutSuffix(words[0], p.ending); ok && stem != "" {
			out := make([]string, len(p.forms))
			for i, f := range p.forms {
				out[i] = strings.Replace(f, "-", stem, 1)
			}
			return out, nil
		}
	}
	return nil, fmt.Errorf("no paradigm for %q", words[0])
}

// addOpposites reads "forms | forms". Forms are separated by spaces; "_" is a space inside a form.
func (l *Lexicon) addOpposites(class, line string, ps []paradigm) error {
	left, right, ok := strings.Cut(line, "|")
	if !ok {
		return fmt.Errorf("a pair needs |: %q", line)
	}
	a, err := inflect(strings.Fields(left), ps)
	if err != nil {
		return err
	}
	b, err := inflect(strings.Fields(right), ps)
	if err != nil {
		return err
	}
	if len(a) == 0 || len(a) != len(b) {
		return fmt.Errorf("the sides have %d and %d forms: %q", len(a), len(b), line)
	}
	for i := range a {
		if err := l.addOpposite(class, a[i], b[i], a[0], b[0]); err != nil {
			return err
		}
		if err := l.addOpposite(class, b[i], a[i], b[0], a[0]); err != nil {
			return err
		}
	}
	return nil
}

func (l *Lexicon) addOpposite(class, word, opposite, lemma, against string) error {
	if Fold(word) == Fold(opposite) {
		return nil // equal inflections are not opposites
	}
	word = strings.ReplaceAll(word, "_", " ")
	lemma, against = class+" "+lemma, class+" "+against
	f := l.forms[Fold(word)]
	if f == nil {
		f = new(form)
		l.forms[Fold(word)] = f
		if err := l.add(word, Entry{Kind: Opposite, Class: class}); err != nil {
			return err
		}
	}
	f.lemmas = addNew(f.lemmas, lemma)
	f.against = addNew(f.against, against)
	return nil
}

func addNew(list []string, s string) []string {
	if slices.Contains(list, s) {
		return list
	}
	return append(list, s)
}
