package bibliography

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestPeople(t *testing.T) {
	for _, tc := range []struct {
		in   string
		want person
	}{
		{"Jane Doe", person{family: "Doe", given: "Jane"}},
		{"C. A. R. Hoare", person{family: "Hoare", given: "C. A. R."}},
		{"Doe, Jane Q.", person{family: "Doe", given: "Jane Q."}},
		{"Ludwig van Beethoven", person{family: "van Beethoven", given: "Ludwig"}},
		{"Álvaro Núñez-O’Neill", person{family: "Núñez-O’Neill", given: "Álvaro"}},
		{"World Health Organization", person{literal: "World Health Organization"}},
		{"The Go Authors", person{literal: "The Go Authors"}},
		{"Reuters", person{literal: "Reuters"}},
		{"王小明", person{literal: "王小明"}},
		{"University of Oxford, Department of Physics", person{literal: "University of Oxford, Department of Physics"}},
		{"Jane Doe123", person{literal: "Jane Doe123"}},
	} {
		if got, _ := personOf(tc.in); got != tc.want {
			t.Errorf("personOf(%q) = %+v, want %+v", tc.in, got, tc.want)
		}
	}
}

func TestCiteKeys(t *testing.T) {
	of := func(id, author, year, title string) Work {
		return Work{ID: id, Authors: []string{author}, Published: year, Title: title}
	}
	works := []Work{
		of("S1", "Jane Müller", "2024-05", "On the nature of things"), of("S2", "Müller, Jane", "2024", "Nature itself"),
		of("S3", "Jane Müller", "2024", "Nature again"),
		of("S4", "王小明", "2020", "标题"), of("S5", "", "2023", "The Tarnholm gauge"),
		of("S6", "World Health Organization", "2021", "On it"),
		of("S7", "Søren Großmann-Łaś", "", "x"), of("", "", "", ""),
		of("S8", "Kate Halloran", "2022", "A"), of("S9", "Mary Muller", "2024", "B"),
	}
	want := []string{"muller2024", "muller2024a", "muller2024b", "source2020", "tarnholm2023", "world2021", "grossmannlas", "source",
		"halloran2022", "muller2024c"}
	if diff := cmp.Diff(want, keysOf(works)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	slices.Reverse(works) // another order of first citation
	slices.Reverse(want)
	if diff := cmp.Diff(want, keysOf(works)); diff != "" {
		t.Errorf("in another order (-want +got):\n%s", diff)
	}
}

func TestRISDate(t *testing.T) {
	for want, date := range map[string][3]int{"2024/05/01/": {2024, 5, 1}, "2024/05//": {2024, 5, 0}, "2024///": {2024, 0, 0},
		"0980///": {980, 0, 7}} {
		if got := risDate(date[0], date[1], date[2]); got != want {
			t.Errorf("%v is %q, want %q", date, got, want)
		}
	}
}
