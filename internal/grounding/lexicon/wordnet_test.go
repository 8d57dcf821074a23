package lexicon

import (
	"slices"
	"testing"
)

func TestSynonyms(t *testing.T) {
	for _, c := range []struct {
		lang, word, other string
		want              bool
	}{
		{"en", "physicians", "doctor", true},
		{"en", "big", "large", true},
		{"en", "buys", "purchase", true},
		{"en", "realise", "realize", true},
		{"en", "annoying", "irritate", true},
		{"en", "banned", "prohibited", false},
		{"en", "rose", "fall", false},
		{"en", "two", "three", false},
		{"en", "kilometre", "mile", false},
		{"en", "safe", "unsafe", false},
		{"en", "dog", "cat", false},
		{"de", "ungefähr", "etwa", true},
	} {
		if got := For(c.lang).Synonyms(c.word); slices.Contains(got, c.other) != c.want {
			t.Errorf("%s: Synonyms(%s) = %v, %s among them should be %v", c.lang, c.word, got, c.other, c.want)
		}
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
