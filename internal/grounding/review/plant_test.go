package review

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/citeloop/citeloop/internal/grounding"
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
		{"a stronger quantifier", "en", "Some bridges need repairs every year.", "", bySwaps("quantifier"), []string{"All bridges need repairs every year."}},
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
		{"no negation before a number", "en", "Their mean stay was 31 hours.", "", bySwaps("negation"), nil},
		{"no negation before another adverb", "en", "The homes are still lit.", "", bySwaps("negation"), nil},
		{"no negation of a time", "en", "It opened three years after the dome was finished.", "", bySwaps("negation"), nil},
		{"yet needs its negation", "en", "The board has not decided yet.", "", bySwaps("negation"), nil},
		{"German negation not before an adverbial", "de", "Das ist nach Ansicht der Forscher offen.", "", bySwaps("negation"), nil},
		{"German nie beside immer", "de", "Salz kommt immer in den Teig, nie in den Ansatz.", "", bySwaps("negation"), nil},
		{"a quantifier before a number", "de", "Die Fähre fährt alle 20 Minuten.", "", bySwaps("quantifier"), nil},
		{"French toujours also means still", "fr", "On raconte souvent cette histoire.", "", bySwaps("quantifier"), []string{"On raconte rarement cette histoire."}},
		{"no negation after whether", "en", "The setting says whether the bridge is open.", "", bySwaps("negation"), nil},
		{"only some", "en", "It is open only some days.", "", bySwaps("quantifier"), nil},
		{"all three", "en", "In all three cases the toll is paid.", "", otherNumbers, nil},
		{"capitals for show are not swapped", "en", "See the ALTER TABLE clauses of ENABLE RULE.", "", swappedNames, nil},
		{"article", "en", "An earlier report on the bridge was kept.", "", bySwaps("opposite"), []string{"A later report on the bridge was kept."}},
		{"article with its capital", "en", "They saw a later report.", "", bySwaps("opposite"), []string{"They saw an earlier report."}},
		{"no negation before a doubt", "en", "The bridge was probably closed.", "", bySwaps("negation"), nil},
		{"the end of a number word", "es", "Hay cincuenta y cinco escuelas.", "", otherNumbers, nil},
		{"opposites", "en", "Prices rose by a tenth in May.", "", bySwaps("opposite"), []string{"Prices fell by a tenth in May."}},
		{"no opposite where both are", "en", "Prices rose by a tenth in May and fell by a fifth in June.", "", bySwaps("opposite"), nil},
		{"an opposite in a name", "en", "The Northern Tower opened.", "", bySwaps("opposite"), nil},
		{"an opposite in a phrase", "en", "The university gave up research and offered repairs free of charge.", "", bySwaps("opposite"), []string{"The university gave up research and offered repairs for a fee."}},
		{"a comparison under a negation", "en", "No ship waited longer than three days.", "", bySwaps("opposite"), nil},
		{"a rate", "en", "The boats sail twice a day.", "", bySwaps("rate"), []string{"The boats sail three times a day.", "The boats sail twice a week."}},
		{"every Wednesday is no rate", "zh", "每周三下午免费量血压。", "", bySwaps("rate"), nil},
		{"May is a month", "en", "The bridge opened in May.", "", bySwaps("certainty"), nil},
		{"a place is no person", "en", "It was seen at Marrick Quay.", "It was seen at Marrick Quay. The chair of the board is Ines Halvard.", otherNames, nil},
		{"another place", "en", "It was seen at Marrick Quay.", "It was seen at Marrick Quay. The boats leave for the islands at Corran Head.", otherNames, []string{"It was seen at Corran Head."}},
		{"a bound", "en", "It costs at least 40 crowns.", "", otherNumbers, nil},
		{"more than", "en", "No ship waited longer than three days.", "", otherNumbers, nil},
		{"a range", "en", "Pinch the nose for 10 to 15 minutes.", "", otherNumbers, nil},
		{"a number of a name", "fr", "La Lirel 17 plaît aux clients.", "", otherNumbers, nil},
		{"what two cannot", "en", "Two ships cannot pass the lock.", "", otherNumbers, nil},
		{"an amount said twice", "en", "It holds two hours (2 h) of sound.", "", bySwaps("unit"), nil},
		{"several times", "en", "It happens several times in one voyage.", "", bySwaps("quantifier"), nil},
		{"a fraction", "fr", "Les deux tiers du prix ont été payés.", "", otherNumbers, nil},
		{"o'clock", "zh", "每天中午12点到下午3点尽量不要出门。", "", swappedNumbers, nil},
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
		for _, section := range []string{"negation", "opposite", "quantifier", "bound", "rate", "certainty", "unit", "same", "frame", "frame named"} {
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
	for _, bad := range []string{"is -> is not", "[a]\nis", "[a]\nis -> is", "[a]\n-> x", "[a]\nis <->"} {
		if _, err := parseSwaps(bad); err == nil {
			t.Errorf("%q was accepted", bad)
		}
	}
}

func testWriter(seed, text string) *writer {
	checker := grounding.NewChecker([]grounding.Source{{ID: "S1", Publisher: "Port Courier", Text: text}})
	return &writer{random: newRandom(seed), texts: NewTexts(checker, func(string) string { return text })}
}

var seeds = strings.Split("abcdefghijklmnop", "")

// What a control says must follow from its base: every way of rewording keeps numbers and names.
func TestRewordingKeepsNumbers(t *testing.T) {
	for text, want := range map[string][]string{
		"However, the bridge cost 14,200 crowns in 1987.":       {"14,200", "1987"},
		"In 1987, the river rose by 42 % within a few hours.":   {"1987", "42"},
		"The bridge, which opened in 1987, carries 40 lorries.": {"40"},
		"It opened on 3 March 2024 after long delays and talks": {"3", "2024", "March"},
		"Boats leave every 20 minutes, but not at night there.": {"20 minutes"},
	} {
		for _, seed := range seeds {
			w, b := testWriter(seed, text), base{text: text, lang: "en", at: grounding.Evidence{SourceID: "S1"}}
			got := w.reword(w.trim(b), b, 0)
			for _, s := range want {
				if !strings.Contains(got, s) {
					t.Errorf("%q became %q, which lacks %s", text, got, s)
				}
			}
		}
	}
}

// Each row shows one way of rewording; an empty want means that the sentence stays.
func TestRewordings(t *testing.T) {
	tests := []struct {
		name, lang, text string
		make             rewording
		want             string
	}{
		{"clause first", "en", "The service stopped in winter because the pontoon had cracks.", moveClause, "Because the pontoon had cracks, the service stopped in winter."},
		{"clause last", "en", "If an adult is with them, children travel free.", moveClause, "Children travel free if an adult is with them."},
		{"clause last in French", "fr", "Lorsque le pont a fermé en mai, les bateaux ont attendu.", moveClause, "Les bateaux ont attendu lorsque le pont a fermé en mai."},
		{"a clause without a subject", "en", "The set of tables made when first defining the store is not meant to stay.", moveClause, ""},
		{"once every already", "en", "A boat leaves at least once every 20 minutes.", all, "A boat leaves a minimum of once every 20 minutes."},
		{"only if", "en", "The library pays for repairs only if the fault was reported.", moveClause, ""},
		{"a negation would cover the clause", "en", "The boats were not stopped because the river rose.", moveClause, ""},
		{"opening last", "en", "In 2010, the river rose above the quay.", moveOpening, "The river rose above the quay in 2010."},
		{"what is thought of what", "en", "In a letter, the author thinks that six years are enough.", moveOpening, ""},
		{"names joined by and", "en", "The bridge was designed by Maria Holt and Jonas Berg.", otherOrder, "The bridge was designed by Jonas Berg and Maria Holt."},
		{"names in an order", "en", "Gold and silver went to Maria Holt and Jonas Berg respectively.", otherOrder, ""},
		{"digits", "en", "The lens has 9 inches.", otherDigits, "The lens has nine inches."},
		{"letters", "en", "It took three weeks.", otherDigits, "It took 3 weeks."},
		{"digits of a date", "en", "It opened on 3 June.", otherDigits, ""},
		{"letters of a fraction", "fr", "Elle a payé deux tiers.", otherDigits, ""},
		{"date", "en", "It opened on 3 June 2024.", otherDateForm, "It opened on June 3, 2024."},
		{"date of the other form", "en", "It opened on June 3, 2024.", otherDateForm, "It opened on 3 June 2024."},
		{"an addition", "en", "Most traders at the quay want the ferry back, but the club is against it.", dropTail, "Most traders at the quay want the ferry back."},
		{"a condition is no addition", "en", "The library lends the tools to all the members, unless they owe a fee.", dropTail, ""},
		{"words", "en", "The company was founded near the quay.", all, "The company was established close to the quay."},
		{"words before a number", "en", "It needs about 50 minutes.", all, "It needs roughly 50 minutes."},
		{"about without a number", "en", "They worry about storms.", all, ""},
		{"every before a number", "en", "Boats leave every 20 minutes.", all, "Boats leave once every 20 minutes."},
		{"every in a share", "en", "It struck three in every 100 boats.", all, ""},
		{"due to a verb", "en", "The tour is due to end soon.", all, ""},
		{"due to a cause", "en", "It closed due to the storm.", all, "It closed because of the storm."},
		{"German", "de", "Die Forscher brauchen dafür wenigstens zwei Jahre.", all, "Die Wissenschaftler benötigen dafür mindestens zwei Jahre."},
		{"French", "fr", "Le port est souvent fermé.", all, "Le port est fréquemment fermé."},
		{"Spanish", "es", "Los vecinos apoyan el puente.", all, "Los residentes respaldan el puente."},
		{"Chinese", "zh", "居民不需要申请。", all, "住户无需提出申请。"},
		{"Japanese", "ja", "住民によると橋は新しい。", all, "居住者によれば橋は新しい。"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, ok := tt.make(testWriter("a", tt.text), tt.text, base{text: tt.text, lang: tt.lang, at: grounding.Evidence{SourceID: "S1"}})
			if tt.want == "" && ok || tt.want != "" && got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

// all takes every listed equivalent.
func all(w *writer, text string, b base) (string, bool) { return byEquivalents(w, text, b, 0) }

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
	changed := "Compost needs green waste (cut grass with seeds) and dry leaves in equal parts."
	for _, seed := range seeds {
		if got := testWriter(seed, changed).reword(changed, base{text: changed, lang: "en", at: grounding.Evidence{SourceID: "S1"}}, 1); !strings.Contains(got, "with seeds") {
			t.Errorf("the changed words are gone: %q", got)
		}
	}
}

// Only another name in brackets is left out: a condition in them decides whether the sentence is true.
func TestDropAside(t *testing.T) {
	for text, want := range map[string]string{
		"The Port Authority (PAA) owns the crane.":            "The Port Authority owns the crane.",
		"A rebuild (without the new crane) closes the quay.":  "",
		"A list of FROM (MINVALUE) TO (MAXVALUE) is allowed.": "",
		"The quay (built in 1904) sank.":                      "",
		"The old harbour (now the North Basin) is closed.":    "",
	} {
		got, ok := dropAside(nil, text, base{lang: "en"})
		if ok != (want != "") || ok && got != want {
			t.Errorf("%s became %q, %v, want %q", text, got, ok, want)
		}
	}
}

// A base in the language of a claim's texts is nearer to the claim than one in another; an unknown language is not farther.
func TestDistanceByLanguage(t *testing.T) {
	w := &writer{shared: &pool{}}
	german := base{lang: "de", shape: shape{lang: "de"}}
	same := w.distance(german, shape{lang: "de"}, 0)
	for _, row := range []struct {
		lang    string
		farther bool
	}{{"en", true}, {"", false}} {
		if got := w.distance(german, shape{lang: row.lang}, 0); (got > same) != row.farther || got < same {
			t.Errorf("language %q: distance %d, of the same language %d", row.lang, got, same)
		}
	}
}
