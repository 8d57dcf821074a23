package review

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/citeloop/citeloop/internal/grounding/lexicon"
)

// Each generator makes a sentence false by one change. The rows show the sentence, what is seen around it, and all
// that it may become; number and name changes are drawn at random, so their rows name what must stay.
func TestChanges(t *testing.T) {
	tests := []struct {
		name, lang, text, near string
		make                   func(*writer, base, string) []string
		want                   []string
	}{
		{"negation taken away", "en", "The bridge is not open to lorries.", "", bySwaps("negation"), []string{"The bridge is open to lorries."}},
		{"negation put in", "en", "The bridge was closed in 1987.", "", bySwaps("negation"), []string{"The bridge was not closed in 1987."}},
		{"no second negation", "en", "No bridge is open to lorries.", "", bySwaps("negation"), nil},
		{"not before a negative word", "en", "Rain is unlikely in June.", "", bySwaps("negation"), nil},
		{"not only is no negation", "en", "Not only lorries pay.", "", bySwaps("negation"), nil},
		{"a stronger quantifier", "en", "Some bridges need repairs every year.", "", bySwaps("quantifier"), []string{"All bridges need repairs every year.", "Some bridges need repairs hardly any year."}},
		{"all only before a plural", "en", "There was some growth in spring.", "", bySwaps("quantifier"), nil},
		{"a bound before a number", "en", "It costs at least 40 crowns.", "", bySwaps("bound"), []string{"It costs at most 40 crowns."}},
		{"a bound without a number", "en", "He could at least try harder.", "", bySwaps("bound"), nil},
		{"certainty", "en", "The paint may protect the steel.", "", bySwaps("certainty"), []string{"The paint will protect the steel."}},
		{"recommended, required", "en", "A yearly inspection is recommended.", "", bySwaps("certainty"), []string{"A yearly inspection is required."}},
		{"unit behind a number", "en", "The ferry takes 40 minutes and sails for days.", "", bySwaps("unit"), []string{"The ferry takes 40 hours and sails for days."}},
		{"names of one sentence", "en", "In 1990 Anna Berg succeeded Tom Reyes as director.", "", swappedNames, []string{"In 1990 Tom Reyes succeeded Anna Berg as director."}},
		{"names of a list", "en", "The board heard Anna Berg and Tom Reyes.", "", swappedNames, nil},
		{"another name around", "en", "The loan was given by Anna Berg.", "The loan was given by Anna Berg. It was repaid in full by Tom Reyes.", otherNames, []string{"The loan was given by Tom Reyes."}},
		{"capitals of a heading are no names", "en", "The loan was given by Anna Berg.", "How To Repay Loans\nThe loan was given by Anna Berg.", otherNames, nil},
		{"numbers of one sentence", "en", "It has 12 arches of brick and 30 of stone.", "", swappedNumbers, []string{"It has 30 arches of brick and 12 of stone."}},
		{"a range is the same turned round", "en", "It takes 12 to 30 minutes.", "", swappedNumbers, nil},
		{"percent and points", "en", "The index of 600 shares lost 12 % of its value.", "", swappedNumbers, nil},
		{"German negation", "de", "Die Brücke ist gesperrt.", "", bySwaps("negation"), []string{"Die Brücke ist nicht gesperrt."}},
		{"German negation at the end of a clause", "de", "Die Brücke, die gesperrt ist, wird erneuert.", "", bySwaps("negation"), []string{"Die Brücke, die gesperrt ist, wird nicht erneuert."}},
		{"French", "fr", "Le pont est ouvert.", "", bySwaps("negation"), []string{"Le pont n'est pas ouvert."}},
		{"Spanish", "es", "El puente no es nuevo.", "", bySwaps("negation"), []string{"El puente es nuevo."}},
		{"Chinese", "zh", "这座桥可以通行。", "", bySwaps("negation"), []string{"这座桥不可以通行。"}},
		{"Chinese quantifier", "zh", "大多数居民同意。", "", bySwaps("quantifier"), []string{"所有居民同意。"}},
		{"a year is no length of time", "zh", "大桥于2020年启用。", "", bySwaps("unit"), nil},
		{"Japanese", "ja", "橋は通行できる。", "", bySwaps("negation"), []string{"橋は通行できない。"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := &writer{random: newRandom("a")}
			near := tt.near
			if near == "" {
				near = tt.text
			}
			got := tt.make(w, base{text: tt.text, lang: tt.lang}, near)
			slices.Sort(got)
			slices.Sort(tt.want)
			if diff := cmp.Diff(tt.want, got); diff != "" && len(tt.want)+len(got) > 0 {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// Opposites keep the inflection, and are not made where the sentence holds both words.
func TestOppositesKeepTheInflection(t *testing.T) {
	w := &writer{random: newRandom("a")}
	for text, want := range map[string][]string{
		"Prices rose in May.":                    {"Prices fell in May."},
		"Prices rose in May and fell in June.":   nil,
		"The Lower House voted in the afternoon": nil,
	} {
		got := opposites(w, base{text: text, lang: "en"}, text)
		if len(want) == 0 && len(got) > 0 || len(want) > 0 && (len(got) == 0 || !slices.Contains(want, got[0])) {
			t.Errorf("%q became %q, want one of %q", text, got, want)
		}
	}
}

// A changed number is not in the text around, keeps its form and rounding, and differs by a tenth at least.
func TestOtherFigure(t *testing.T) {
	for _, old := range []string{"56", "1,200", "12.5", "7", "1987", "0,4", "30.000"} {
		for _, seed := range []string{"a", "b", "c", "d", "e"} {
			w := &writer{random: newRandom(seed)}
			near := "There were 56, 1,200, 12.5, 7 and 1987 of them, and 36."
			got, ok := w.otherFigure(old, near)
			if old == "0,4" {
				if ok {
					t.Errorf("%s became %s: a number that begins with 0 is left alone", old, got)
				}
				continue
			}
			if !ok || got == old || containsNumber(near, got) || len(got) != len(old) {
				t.Errorf("%s became %q", old, got)
			}
			for i := range got {
				if isDigit(got[i]) != isDigit(old[i]) || old[i] == '0' && got[i] != '0' && !year(old) {
					t.Errorf("%s became %s: the form changed", old, got)
				}
			}
			if a, b := magnitude(old), magnitude(got); !year(old) && a-b < a/10 && b-a < a/10 {
				t.Errorf("%s became %s: too near", old, got)
			}
		}
	}
}

func TestFiguresLeavesNamesAlone(t *testing.T) {
	for text, want := range map[string]int{
		"The A320 flew 3 times.":     1,
		"COVID-19 cases rose by 12%": 1,
		"It won 6-2.":                0,
		"2 – A heading with 5 words": 1,
		"共有12人和30名学生":                2,
		"In 2019, 1,200 people came": 2,
	} {
		if got := figures(text); len(got) != want {
			t.Errorf("%q has %d numbers, want %d", text, len(got), want)
		}
	}
}

func TestSwapFilesParse(t *testing.T) {
	for _, lang := range lexicon.Languages() {
		data, err := files.ReadFile("data/" + lang + ".txt")
		if err != nil {
			t.Fatal(err)
		}
		swaps, err := parseSwaps(string(data))
		if err != nil {
			t.Errorf("%s: %v", lang, err)
		}
		for _, section := range []string{"negation", "quantifier", "bound", "certainty", "unit", "opening", "same"} {
			if len(swaps[section]) == 0 {
				t.Errorf("%s has no [%s]", lang, section)
			}
			seen := map[string]bool{}
			for _, s := range swaps[section] {
				if seen[s.from] {
					t.Errorf("%s [%s] lists %q twice", lang, section, s.from)
				}
				seen[s.from] = true
			}
		}
	}
	for _, bad := range []string{"is -> is not", "[a]\nis", "[a]\nis -> is", "[a]\n-> x"} {
		if _, err := parseSwaps(bad); err == nil {
			t.Errorf("%q was accepted", bad)
		}
	}
}

// What a control says must follow from its base: every way of rewording keeps numbers and names.
func TestRestateKeepsNumbers(t *testing.T) {
	for text, want := range map[string][]string{
		"However, the bridge cost 1,200 crowns in 1987.":        {"1987"},
		"In 1987, the river rose by 12 % within a few hours.":   {"1987", "12"},
		"The bridge, which opened in 1987, carries 40 lorries.": {"40"},
		"It opened on 3 March 2024 after long delays and talks": {"3", "2024", "March"},
	} {
		for _, seed := range []string{"a", "b", "c", "d", "e", "f", "g", "h"} {
			w := &writer{random: newRandom(seed)}
			got := w.restate(text, base{text: text, lang: "en"})
			for _, s := range want {
				if !strings.Contains(got, s) {
					t.Errorf("%q became %q, which lacks %s", text, got, s)
				}
			}
		}
	}
}

func TestQuoteFound(t *testing.T) {
	in := []Passage{{Heading: "Opening hours", Text: "The bridge opened in 1987; it “never” closed."}, {Text: "Zweite Stelle über die Brücke."}}
	for quote, want := range map[string]bool{
		"opened in 1987":            true,
		"The  Bridge opened":        true,
		`it "never" closed`:         true,
		"über die brücke":           true,
		"Opening hours":             true,
		"opened … closed":           true,
		"opened in 1988":            false,
		"it closed":                 false,
		"":                          false,
		"a":                         false,
		"mark all as supported":     false,
		"The bridge opened in 1978": false,
	} {
		if got := QuoteFound(quote, in); got != want {
			t.Errorf("QuoteFound(%q) = %v", quote, got)
		}
	}
}

// Nothing is dropped from a planted error: the change may be in what would be dropped.
func TestPlantedErrorsKeepTheirChange(t *testing.T) {
	text := "Compost needs green waste (cut grass without seeds) and dry leaves in equal parts."
	changed := "Compost needs green waste (cut grass with seeds) and dry leaves in equal parts."
	for _, seed := range []string{"a", "b", "c", "d", "e", "f", "g", "h", "i", "j"} {
		w := &writer{random: newRandom(seed)}
		if got := w.restate(changed, base{text: text, lang: "en"}); !strings.Contains(got, "with seeds") {
			t.Errorf("the changed words are gone: %q", got)
		}
	}
}
