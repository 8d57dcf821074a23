package bibliography

import "testing"

func TestPeople(t *testing.T) {
	for _, tc := range []struct {
		in   string
		want Name
	}{
		{"Jane Doe", Name{Family: "Doe", Given: "Jane"}},
		{"C. A. R. Hoare", Name{Family: "Hoare", Given: "C. A. R."}},
		{"Doe, Jane Q.", Name{Family: "Doe", Given: "Jane Q."}},
		{"Ludwig van Beethoven", Name{Family: "van Beethoven", Given: "Ludwig"}},
		{"Álvaro Núñez-O’Neill", Name{Family: "Núñez-O’Neill", Given: "Álvaro"}},
		{"World Health Organization", Name{Literal: "World Health Organization"}},
		{"The Go Authors", Name{Literal: "The Go Authors"}},
		{"Reuters", Name{Literal: "Reuters"}},
		{"王小明", Name{Literal: "王小明"}},
		{"University of Oxford, Department of Physics", Name{Literal: "University of Oxford, Department of Physics"}},
		{"Jane Doe123", Name{Literal: "Jane Doe123"}},
	} {
		if got := NameOf(tc.in); got != tc.want {
			t.Errorf("NameOf(%q) = %+v, want %+v", tc.in, got, tc.want)
		}
	}
}

func TestCiteKeys(t *testing.T) {
	for want, item := range map[string]Item{
		"muller2024s1":                  {Number: "S1", Issued: "2024-05", Author: []Name{NameOf("Jane Müller"), NameOf("A. Pike")}},
		"muller2024s12":                 {Number: "S12", Issued: "2024", Author: []Name{NameOf("Müller, Jane")}},
		"s4":                            {Number: "S4", Issued: "2020", Author: []Name{NameOf("王小明")}},
		"s5":                            {Number: "S5", Issued: "2023", Title: "The Tarnholm gauge"},
		"worldhealthorganization2021s6": {Number: "S6", Issued: "2021", Author: []Name{NameOf("World Health Organization")}},
		"grossmannlass7":                {Number: "S7", Author: []Name{NameOf("Søren Großmann-Łaś")}},
		"universityofoxforddepart2020s10": {Number: "S10", Issued: "2020",
			Author: []Name{NameOf("University of Oxford, Department of Physics")}},
	} {
		if got := item.Key(item.Number); got != want {
			t.Errorf("%+v has the key %q, want %q", item, got, want)
		}
	}
}

func TestRISDate(t *testing.T) {
	for want, date := range map[string]Date{"2024/05/01/": "2024-05-01", "2024/05//": "2024-05", "2024///": "2024", "0980///": "0980",
		"": ""} {
		if got := risDate(date); got != want {
			t.Errorf("%v is %q, want %q", date, got, want)
		}
	}
}
