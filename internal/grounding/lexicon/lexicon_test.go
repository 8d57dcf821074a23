package lexicon

import (
	"slices"
	"testing"
)

func TestEveryFileParses(t *testing.T) {
	for _, lang := range Languages() {
		if _, err := load(lang); err != nil {
			t.Errorf("%s: %v", lang, err)
		}
	}
}

func TestScan(t *testing.T) {
	text := "Prices rose by at least 5 % and the U.S. may follow, not lead; they told us so."
	want := map[string]Kind{"rose": Opposite, "at least": Bound, "U.S": Equivalent, "may": Certainty, "not": Negation}
	for _, m := range For("en").Scan(text) {
		if want[text[m.Start:m.End]] == m.Kind {
			delete(want, text[m.Start:m.End])
		}
		if text[m.Start:m.End] == "us" && m.Kind == Equivalent {
			t.Error("the pronoun us is taken for the country")
		}
	}
	for words, kind := range want {
		t.Errorf("%q was not found as %s", words, kind)
	}
}

func TestLookup(t *testing.T) {
	for _, c := range []struct {
		lang, words string
		want        Entry
	}{
		{"en", "Fails to", Entry{Kind: Negation, Class: "fail"}},
		{"en", "the majority of", Entry{Kind: Quantifier, Class: "share", Name: "most", Value: 5}},
		{"en", "no more than", Entry{Kind: Bound, Class: "limit", Name: "at-most"}},
		{"en", "might", Entry{Kind: Certainty, Class: "epistemic", Value: 1}},
		{"en", "kilometers", Entry{Kind: Unit, Class: "length", Name: "kilometre", Value: 1000}},
		{"en", "twice", Entry{Kind: Number, Class: "multiplier", Value: 2}},
		{"en", "four fifths", Entry{Kind: Number, Class: "fraction", Value: 0.8}},
		{"en", "provided that", Entry{Kind: Condition, Class: "if"}},
		{"de", "die meisten", Entry{Kind: Quantifier, Class: "share", Name: "most", Value: 5}},
		{"de", "pro Tag", Entry{Kind: Rate, Class: "day", Value: 1}},
		{"de", "ein Fünftel", Entry{Kind: Number, Class: "fraction", Value: 0.2}},
		{"de", "es sei denn", Entry{Kind: Condition, Class: "unless"}},
		{"fr", "à condition que", Entry{Kind: Condition, Class: "if"}},
		{"fr", "l’ensemble des", Entry{Kind: Quantifier, Class: "share", Name: "all", Value: 6}},
		{"fr", "jusqu'à", Entry{Kind: Relation, Class: "until"}},
		{"es", "por lo menos", Entry{Kind: Bound, Class: "limit", Name: "at-least"}},
		{"es", "rara vez", Entry{Kind: Negation, Class: "fail"}},
		{"zh", "如果", Entry{Kind: Condition, Class: "if"}},
		{"zh", "三分之一", Entry{Kind: Number, Class: "fraction", Value: 0.3333333333}},
		{"zh", "大多数", Entry{Kind: Quantifier, Class: "share", Name: "most", Value: 5}},
		{"ja", "毎日", Entry{Kind: Rate, Class: "day", Value: 1}},
		{"ja", "少なくとも", Entry{Kind: Bound, Class: "limit", Name: "at-least"}},
		{"ja", "キロメートル", Entry{Kind: Unit, Class: "length", Name: "kilometre", Value: 1000}},
	} {
		if !slices.Contains(For(c.lang).Lookup(c.words), c.want) {
			t.Errorf("%s %q: %v, want %v", c.lang, c.words, For(c.lang).Lookup(c.words), c.want)
		}
	}
	if For("pt") != nil || For("pt").Lookup("não") != nil || For("pt").Scan("não") != nil {
		t.Error("an unknown language has a lexicon")
	}
}

func TestOpposites(t *testing.T) {
	for _, c := range [][3]string{
		{"en", "rose", "fell"}, {"en", "increasing", "decreasing"}, {"en", "allows", "bans"}, {"en", "before", "after"},
		{"en", "denied", "allowed"}, {"en", "unsafe", "safe"}, {"en", "switched off", "switched on"}, {"en", "fewest", "most"},
		{"de", "stieg", "sank"}, {"de", "Anstieg", "Rückgang"}, {"de", "verboten", "erlaubt"}, {"de", "höher", "niedriger"},
		{"fr", "augmentait", "diminuait"}, {"fr", "interdite", "autorisée"}, {"fr", "plus", "moins"},
		{"es", "aumentó", "disminuyó"}, {"es", "prohibida", "permitida"}, {"es", "antes de", "después de"},
		{"zh", "上升", "下降"}, {"zh", "禁止", "允许"}, {"ja", "増加", "減少"}, {"ja", "高い", "低い"}, {"ja", "増えた", "減った"},
	} {
		if !For(c[0]).Opposed(c[1], c[2]) {
			t.Errorf("%s: %s and %s are not opposed", c[0], c[1], c[2])
		}
	}
	if l := For("en"); !l.Opposed("rose", "falling") || l.Opposed("rose", "climbed") || l.Opposed("rose", "table") {
		t.Error("Opposed does not see inflections, or sees too much")
	}
}

func TestOppositesAreSymmetric(t *testing.T) {
	least := map[string]int{"en": 600, "de": 240, "fr": 240, "es": 240, "zh": 200, "ja": 200}
	for _, lang := range Languages() {
		l := For(lang)
		against := map[string]bool{} // pairs of lemmas
		for _, f := range l.forms {
			for _, lemma := range f.lemmas {
				for _, other := range f.against {
					against[lemma+"|"+other] = true
				}
			}
		}
		for form, f := range l.forms {
			for _, other := range f.against {
				if !slices.ContainsFunc(f.lemmas, func(lemma string) bool { return against[other+"|"+lemma] }) {
					t.Errorf("%s: %s has the opposite %s and not the reverse", lang, form, other)
				}
			}
		}
		if n := len(l.forms); n < least[lang] {
			t.Errorf("%s: %d forms", lang, n)
		}
	}
}

// A class that says "all" and one that says "none" must not share a phrase.
func TestNoPhraseInConflictingClasses(t *testing.T) {
	for _, lang := range Languages() {
		l := For(lang)
		for _, kind := range []Kind{Quantifier, Bound, Rate, Calendar, Number} {
			meaning := map[string]Entry{}
			for _, p := range l.phrases[kind] {
				key := p.entry.Class + " " + Fold(p.text)
				if other, known := meaning[key]; known && other != p.entry && !(kind == Bound && p.entry.Class == "approximate") && kind != Quantifier {
					t.Errorf("%s: %q is %v and %v", lang, p.text, other, p.entry)
				}
				if other, known := meaning[key]; known && kind == Quantifier && max(other.Value, p.entry.Value)-min(other.Value, p.entry.Value) > 1 {
					t.Errorf("%s: %q is %v and %v", lang, p.text, other, p.entry)
				}
				meaning[key] = p.entry
			}
		}
	}
}

func TestNeutralPhrasesHideNegation(t *testing.T) {
	for lang, text := range map[string]string{
		"en": "It is not only cheap.", "de": "Das ist nicht nur billig.", "fr": "C'est non seulement utile.",
		"es": "No solo es útil.", "zh": "价格不仅低", "ja": "安いだけでなく便利だ",
	} {
		for _, m := range For(lang).Scan(text) {
			if m.Kind == Negation {
				t.Errorf("%s: %q is a negation in %q", lang, text[m.Start:m.End], text)
			}
		}
	}
	for lang, text := range map[string]string{
		"en": "It isn't cheap.", "de": "Das ist nicht billig.", "fr": "Ce n'est pas utile.", "es": "No es útil.", "zh": "价格不低", "ja": "安くない",
	} {
		if !slices.ContainsFunc(For(lang).Scan(text), func(m Match) bool { return m.Kind == Negation }) {
			t.Errorf("%s: no negation in %q", lang, text)
		}
	}
}

func TestParserRefusesBadLines(t *testing.T) {
	for name, c := range map[string]struct {
		kind Kind
		data string
	}{
		"entry before a section":    {Negation, "not"},
		"open section":              {Negation, "[not"},
		"empty phrase":              {Negation, "[not]\nnot,, never"},
		"twice":                     {Negation, "[not]\nnot, not"},
		"bad value":                 {Unit, "[length]\nmetre one: m"},
		"pair without bar":          {Opposite, "[word]\nup down"},
		"sides of different length": {Opposite, "[word]\nup | down under"},
		"paradigm without stem":     {"paradigms", "[verb]\n*: s"},
	} {
		l := &Lexicon{lang: "en", root: new(node), phrases: map[Kind][]phrase{}, forms: map[string]*form{}}
		if err := l.read(c.kind, c.data, map[string][]paradigm{}); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

func TestScanIsStable(t *testing.T) {
	text := "Most of the 12 firms planned to cut exports by at least a fifth before May unless demand rose, according to the report."
	first := For("en").Scan(text)
	again, err := load("en")
	if err != nil || !slices.Equal(first, again.Scan(text)) {
		t.Errorf("two reads of the data differ: %v", err)
	}
}
