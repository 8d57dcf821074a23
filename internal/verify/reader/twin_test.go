package reader

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/citeloop/citeloop/internal/datafile"
	"github.com/citeloop/citeloop/internal/seeded"
	"github.com/citeloop/citeloop/internal/text/words"
)

// Each row shows a sentence, what is seen around it, and all that it may become by changes of a kind.
func TestChanges(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, language, text, kind string
		want                       []string
	}{
		{"negation taken away", "en", "The bridge is not open to lorries.", "negation", []string{"The bridge is open to lorries."}},
		{"negation put in", "en", "The bridge has been closed since.", "negation", []string{"The bridge has not been closed since."}},
		{"no second negation", "en", "No bridge will open to lorries.", "negation", nil},
		{"not only is no negation", "en", "Not only lorries can pay.", "negation", nil},
		{"yet needs its negation", "en", "The board has not decided yet.", "negation", nil},
		{"no negation before another adverb", "en", "The homes can still be lit.", "negation", nil},
		{"no negation after whether", "en", "The setting says whether the bridge can open.", "negation", nil},
		{"a quantifier", "en", "Most of the bridges need repairs.", "quantifier", []string{"Few of the bridges need repairs.", "Only a minority of the bridges need repairs."}},
		{"certainty", "en", "The paint may protect the steel.", "certainty", []string{"The paint will protect the steel."}},
		{"May is a month", "en", "It reopens in May help or not.", "certainty", nil},
		{"recommended, required", "en", "A yearly inspection is recommended.", "certainty", []string{"A yearly inspection is required."}},
		{"unit behind a number", "en", "The ferry takes 40 minutes and sails for days.", "unit", []string{"The ferry takes 40 hours and sails for days."}},
		{"an amount said twice", "en", "It holds two hours (2 h) of sound.", "unit", nil},
		{"opposites", "en", "Prices rose by a tenth in May.", "direction", []string{"Prices fell by a tenth in May.", "Prices went down by a tenth in May.", "Prices dropped by a tenth in May."}},
		{"no opposite where both are", "en", "Prices rose by a tenth and soon fell by a fifth.", "direction", nil},
		{"an opposite in a name", "en", "The Northern Tower opened.", "direction", nil},
		{"a comparison under a negation", "en", "No ship waited longer than three days.", "direction", nil},
		{"article", "en", "They saw an earlier report.", "direction", []string{"They saw a later report."}},
		{"German", "de", "Die Brücke ist nicht gesperrt.", "negation", []string{"Die Brücke ist gesperrt."}},
		{"a quantifier before a number", "de", "Die Fähre fährt oft 20 Minuten.", "quantifier", nil},
		{"French", "fr", "Le pont n'est pas ouvert.", "negation", []string{"Le pont est ouvert."}},
		{"Spanish", "es", "El puente no es nuevo.", "negation", []string{"El puente es nuevo."}},
		{"Chinese", "zh", "这座桥可以通行。", "negation", []string{"这座桥不可以通行。"}},
		{"a year is no length of time", "zh", "大桥于2020年启用。", "unit", nil},
		{"Japanese", "ja", "橋は通行できる。", "negation", []string{"橋は通行できない。"}},
		{"a bound stays", "en", "It costs at least 40 crowns.", "number", nil},
		{"more than", "en", "No ship waited longer than 3 days.", "number", nil},
		{"a range", "en", "Pinch the nose for 10 to 15 minutes.", "number", nil},
		{"a number of a name", "fr", "La Lirel 17 plaît aux clients.", "number", nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var got []string
			s := sentence{Random: seeded.New("a"), text: tt.text, language: tt.language, near: tt.text}
			all := swaps(s, tt.kind)
			if tt.kind == "number" {
				all = otherNumbers(s)
			}
			for _, made := range all {
				got = append(got, made.text)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// A changed number keeps its form, and a year goes back.
func TestOtherFigure(t *testing.T) {
	t.Parallel()
	for _, old := range []string{"56", "1,200", "12.5", "7", "2.74", "30.000", "31"} {
		for _, seed := range strings.Split("abcdefgh", "") {
			got := otherFigure(seeded.New(seed), old, false)
			if len(got) != len(old) {
				t.Errorf("%s became %q", old, got)
			}
			for i := range got {
				if strings.ContainsRune("0,.", rune(old[i])) != strings.ContainsRune("0,.", rune(got[i])) {
					t.Errorf("%s became %s: the form changed", old, got)
				}
			}
			if got := otherFigure(seeded.New(seed), "1987", true); got >= "1987" || got < "1978" {
				t.Errorf("1987 became %s", got)
			}
		}
	}
	for b, want := range map[float64]bool{50: true, 89: true, 95: false, 100: false, 115: true, 201: false} {
		if differs(100, b) != want {
			t.Errorf("differs(100, %v) is not %v", b, want)
		}
	}
}

// Only amounts and years are changed, and of a pending sentence only what the passages have.
func TestOtherNumbers(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		text, near string
		want       int
	}{
		{"The A320 flew 3 times.", "", 1},
		{"COVID-19 cases rose by 12%", "", 1},
		{"It won 6-2.", "", 0},
		{"共有12人参加了比赛，另有30名学生。", "", 2},
		{"The ship came on 3 June.", "", 0},
		{"See Chapter 4 and version 1.2.3.", "", 0},
		{"It opened in May 2019. It cost 40.", "", 2},
		{"It moved 240 tonnes.", "They moved 240 tonnes of sand.", 1},
		{"It moved 240 tonnes.", "They moved 310 tonnes of sand.", 0},
		{"It moved 240 tonnes.", "They moved 200 to 240 tonnes of sand.", 0},
		{"It moved 240 tonnes.", "They moved at least 240 tonnes of sand.", 0},
		{"It took 2 days.", "It took two days.", 1},
	} {
		s := sentence{Random: seeded.New("a"), text: row.text, near: row.near, language: words.Language(row.text), pending: row.near != ""}
		if got := otherNumbers(s); len(got) != row.want {
			t.Errorf("%q beside %q: %v, want %d", row.text, row.near, got, row.want)
		}
	}
}

func TestData(t *testing.T) {
	t.Parallel()
	for _, language := range languages {
		if _, err := files.ReadFile("data/" + language + ".txt"); err != nil {
			t.Fatal(err)
		}
		sections := tables()[language]
		for _, section := range []string{"negation", "direction", "quantifier", "certainty", "unit", "same"} {
			seen := map[datafile.Swap]bool{}
			for _, s := range sections[section] {
				if seen[s] || s.From == s.To || s.From == "" || s.To == "" {
					t.Errorf("%s [%s]: bad or repeated line of %q, %q", language, section, s.From, s.To)
				}
				seen[s] = true
			}
			if len(seen) == 0 {
				t.Errorf("%s has no [%s]", language, section)
			}
		}
		for _, section := range []string{"negative", "leaning", "speaking", "refuting"} {
			if len(sections[section]) == 0 || slices.ContainsFunc(sections[section], func(s datafile.Swap) bool { return s.To != "" }) {
				t.Errorf("%s [%s] is no list of words", language, section)
			}
		}
	}
}

func TestUsable(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"The ferry across the estuary resumes on 3 June after a break.":    true,
		"It resumes on 3 June after a break of no less than five months.":  false,
		"The ferry across the estuary resumes when we have mended it all.": false,
		"| The ferry | resumes | 3 June | after a break of five months |.": false,
		"2. The ferry across the estuary resumes on 3 June after a break.": false,
		"Ferry resumes.": false,
		"大桥启用后，重型车辆不得在夜间通行。":   true,
		"这座大桥启用后，重型车辆不得在夜间通行。": false,
	} {
		if usable(text) && !leans(text) != want {
			t.Errorf("usable(%q) is not %v", text, want)
		}
	}
}
