package lexicon

import (
	"slices"
	"testing"
)

func TestSynonyms(t *testing.T) {
	l := For("en")
	for _, c := range []struct {
		a, b          string
		strict, loose bool
	}{
		{"physicians", "doctor", true, true},
		{"big", "large", true, true},
		{"buys", "purchased", true, true},
		{"realise", "realized", true, true},
		{"annoying", "irritated", true, true},
		{"banned", "prohibited", false, false},
		{"rose", "fell", false, false},
		{"two", "three", false, false},
		{"kilometre", "mile", false, false},
		{"safe", "unsafe", false, false},
		{"dog", "cat", false, false},
	} {
		if got := l.SameMeaning(c.a, c.b, false); got != c.strict {
			t.Errorf("SameMeaning(%s, %s, strict) = %v", c.a, c.b, got)
		}
		if got := l.SameMeaning(c.b, c.a, true); got != c.loose {
			t.Errorf("SameMeaning(%s, %s, loose) = %v", c.b, c.a, got)
		}
	}
	if got := For("de").Synonyms("ungefähr", false); !slices.Contains(got, "etwa") {
		t.Errorf("German equivalents of ungefähr: %v", got)
	}
}

func TestDerived(t *testing.T) {
	l := For("en")
	for _, c := range [][2]string{{"decide", "decision"}, {"decided", "decisions"}, {"weaker", "weakening"}, {"weakened", "weakness"}, {"quickly", "quick"}} {
		if !l.Derived(c[0], c[1]) {
			t.Errorf("%s and %s are not related", c[0], c[1])
		}
	}
	for _, c := range [][2]string{{"decide", "decline"}, {"rise", "fall"}, {"port", "portrait"}} {
		if l.Derived(c[0], c[1]) {
			t.Errorf("%s and %s are related", c[0], c[1])
		}
	}
}

func TestBases(t *testing.T) {
	l := For("en")
	for form, want := range map[string]string{"rose": "rise", "children": "child", "weaker": "weak", "planned": "plan", "studies": "study", "went": "go"} {
		if !slices.Contains(l.Bases(form), want) {
			t.Errorf("Bases(%s) = %v, want %s among them", form, l.Bases(form), want)
		}
	}
}

func TestAntonyms(t *testing.T) {
	if got := For("en").Antonyms("wives"); !slices.Contains(got, "husband") {
		t.Errorf("Antonyms(wives) = %v", got)
	}
}

// Every word of the file is found under its own number, and every relation leads to a word.
func TestWordNetFile(t *testing.T) {
	n, ok := openNet(wordnet)
	if !ok || n.words < 30_000 {
		t.Fatalf("%d words", n.words)
	}
	for id := 0; id < n.words; id += 7 {
		w := n.word(id)
		if n.find(w) != id {
			t.Fatalf("word %d, %q, is found as %d", id, w, n.find(w))
		}
		for r := range relations {
			for _, other := range n.list(id, r) {
				if other >= n.words || n.word(other) == "" {
					t.Fatalf("%s leads to word %d", w, other)
				}
				if r != base && !slices.Contains(n.list(other, r), id) {
					t.Errorf("%s leads to %s and not back", w, n.word(other))
				}
			}
		}
	}
	for _, broken := range []string{"", "wordnet1", wordnet[:100]} {
		if _, ok := openNet(broken); ok && broken != "" && len(broken) < 100 {
			t.Errorf("a file of %d bytes is read", len(broken))
		}
	}
}
