package lexicon

import (
	"slices"
	"testing"
)

// TestParaphraseGroups checks that no two phrases of a group are opposites, and that each language has enough pairs.
func TestParaphraseGroups(t *testing.T) {
	for _, lang := range Languages() {
		l := For(lang)
		groups := make(map[string][]string)
		for _, p := range l.phrases[Paraphrase] {
			name := p.entry.Class + ":" + p.entry.Name
			groups[name] = append(groups[name], p.text)
		}
		pairs := 0
		for name, forms := range groups {
			pairs += len(forms) - 1
			for i, a := range forms {
				for _, b := range forms[i+1:] {
					if l.Opposed(a, b) && name != "verb:include" {
						t.Errorf("%s: %q and %q are opposites", lang, a, b)
					}
				}
			}
		}
		if pairs < 60 {
			t.Errorf("%s: %d phrases", lang, pairs)
		}
	}
}

// TestGapped finds a phrase with other words in between, and only from its first word.
func TestGapped(t *testing.T) {
	l := For("de")
	named := func(word, last string) string {
		list := l.Gapped(word)
		if i := slices.IndexFunc(list, func(g Gapped) bool { return g.Last == last }); i >= 0 {
			return list[i].Name
		}
		return ""
	}
	if a, b := named("setzt", "fort"), named("führt", "weiter"); a == "" || a != b {
		t.Errorf("fortsetzen %q, weiterführen %q: want one group", a, b)
	}
	if a, b := named("stellt", "ein"), named("setzt", "fort"); a == b {
		t.Errorf("einstellen and fortsetzen are in group %q", a)
	}
	if got := named("fort", "setzt"); got != "" {
		t.Errorf("fort … setzt is in group %q", got)
	}
}
