package lexicon

import "testing"

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
