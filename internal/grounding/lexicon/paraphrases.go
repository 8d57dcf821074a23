package lexicon

import (
	"fmt"
	"slices"
	"strings"
)

// addParaphrases reads a group of phrases with one meaning, separated by commas. A word is one form, forms with
// slashes between them, or with "^" before it a verb that the paradigms inflect. Around "…" a phrase has other words
// in between: "findet … statt".
func (l *Lexicon) addParaphrases(class, line string, verbs []paradigm) error {
	var forms []string
	for text := range strings.SplitSeq(line, ",") {
		list, err := wordForms(strings.Fields(text), verbs)
		if err != nil {
			return err
		}
		for _, form := range list {
			forms = addNew(forms, form)
		}
	}
	for _, form := range forms {
		if err := l.addParaphrase(form, Entry{Kind: Paraphrase, Class: class, Name: Fold(forms[0])}); err != nil {
			return err
		}
	}
	return nil
}

func (l *Lexicon) addParaphrase(form string, e Entry) error {
	head, tail, gap := strings.Cut(form, " … ")
	if !gap {
		return l.add(form, e)
	}
	g := Gapped{Last: Fold(tail), Name: e.Class + ":" + e.Name}
	if strings.Contains(head, " ") || strings.Contains(tail, " ") || slices.Contains(l.gapped[Fold(head)], g) {
		return fmt.Errorf("a phrase with a gap has one word on each side, once: %q", form)
	}
	l.gapped[Fold(head)] = append(l.gapped[Fold(head)], g)
	return nil
}

// wordForms returns all combinations of the forms of the words of a phrase.
func wordForms(words []string, verbs []paradigm) ([]string, error) {
	out := []string{""}
	for _, w := range words {
		forms := strings.Split(w, "/")
		if verb, ok := strings.CutPrefix(w, "^"); ok {
			var err error
			if forms, err = inflect([]string{verb}, verbs); err != nil {
				return nil, err
			}
		}
		var next []string
		for _, before := range out {
			for _, f := range forms {
				next = addNew(next, strings.TrimSpace(before+" "+f))
			}
		}
		out = next
	}
	return out, nil
}

// Gapped is the end of a phrase whose first and last word have others between them.
// Name is its class and the name of its group.
type Gapped struct{ Last, Name string }

// Gapped lists the ends of the phrases with a gap that begin with a word, given as [Fold] returns it.
func (l *Lexicon) Gapped(word string) []Gapped {
	if l == nil {
		return nil
	}
	return l.gapped[word]
}
