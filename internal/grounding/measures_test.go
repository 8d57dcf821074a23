package grounding

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestMeasures(t *testing.T) {
	tests := []struct {
		claim, text string
		want        bool
	}{
		{"5 km", "5,000 metres", true},
		{"5km", "5 kilometers", true},
		{"2.5 kg", "2,500 grams", true},
		{"5 kg", "5 km", false},
		{"300 m", "300 metres", true},
		{"£5m", "5 million pounds", true},
		{"$3bn", "3 billion dollars", true},
		{"10k runners", "10,000 runners", true},
		{"90 minutes", "1.5 hours", true},
		{"90 min", "two hours", false},
		{"over 50 years", "over five decades", true},
		{"50 years", "five decades", true},
		{"200 years", "two centuries", true},
		{"36 eggs", "three dozen eggs", true},
		{"20 °C", "20 degrees Celsius", true},
		{"20 °C", "20 °F", false},
		{"5公里", "5 km", true},
		{"300米", "300 metres", true},
		{"4 MW", "4,000 kilowatts", true},
		{"60 mph", "60 miles per hour", true},
		{"12 sq km", "12 square kilometres", true},
		{"5 mornings", "5 m", true}, // what is not known as a unit excludes nothing
		{"nearly 300 boats", "200 boats", false},
		{"more than 40 boats", "more than 50 boats", false},
		{"more than 50 boats", "more than 50 boats", true},
		{"more than 1300 boats", "more than 1293 boats", true}, // the same figure, given more roundly
		{"more than 1293 boats", "more than 1300 boats", false},
		{"near 300 boats", "300 boats", true},
		{"近70%", "近69%", true},
		{"近69%", "近70%", false},
	}
	for _, tt := range tests {
		t.Run(tt.claim+" / "+tt.text, func(t *testing.T) {
			a, b := quantities(tt.claim), quantities(tt.text)
			if len(a) != 1 || len(b) != 1 {
				t.Fatalf("read %d and %d quantities, want one each", len(a), len(b))
			}
			if got := a[0].matches(b[0]); got != tt.want {
				t.Errorf("%s matches %s: %v, want %v", a[0].show(), b[0].show(), got, tt.want)
			}
		})
	}
}

func TestYearRanges(t *testing.T) {
	for text, want := range map[string][]string{
		"the 2018–19 season":      {"2018", "2019 season"},
		"in 1998/99":              {"1998", "1999"},
		"from 2018-12 to 12":      {"2018", "12", "12"}, // not later: a month, or two numbers
		"2018–19.5 boats":         {"2018", "19.5 boat"},
		"between 1999–01 and now": {"1999", "1"},
	} {
		var got []string
		for _, q := range quantities(text) {
			got = append(got, q.show())
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", text, diff)
		}
	}
}

// A unit belongs to its number: it is not one more word that the text could lack.
func TestUnitIsNotMissing(t *testing.T) {
	v := NewChecker([]Source{{ID: "S1", Text: "The tunnel below the harbour is 5,000 metres long and cost 3 million francs."}}).
		Check(Claim{Text: "The tunnel below the harbour is 5 km long.", Citations: cite("S1")})
	if v.Status != Grounded || len(v.Missing) != 0 {
		t.Errorf("%s, missing %q", v.Status, v.Missing)
	}
}
