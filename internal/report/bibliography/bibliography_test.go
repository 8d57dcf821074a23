package bibliography

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

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
	of := func(id, author, year, title string) Item {
		item := Item{Source: id, Issued: Date(year), Title: title}
		if author != "" {
			item.Author = []Name{NameOf(author)}
		}
		return item
	}
	items := []Item{
		of("S1", "Jane Müller", "2024-05", "On the nature of things"), of("S2", "Müller, Jane", "2024", "Nature itself"),
		of("S3", "Jane Müller", "2024", "Nature again"),
		of("S4", "王小明", "2020", "标题"), of("S5", "", "2023", "The Tarnholm gauge"),
		of("S6", "World Health Organization", "2021", "On it"),
		of("S7", "Søren Großmann-Łaś", "", "x"), of("", "", "", ""),
		of("S8", "Kate Halloran", "2022", "A"), of("S9", "Mary Muller", "2024", "B"),
	}
	want := []string{"muller2024", "muller2024a", "muller2024b", "source2020", "tarnholm2023", "world2021", "grossmannlas", "source",
		"halloran2022", "muller2024c"}
	keys := func() (out []string) {
		for _, item := range WithKeys(items) {
			out = append(out, item.ID)
		}
		return out
	}
	if diff := cmp.Diff(want, keys()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	slices.Reverse(items) // another order of first citation
	slices.Reverse(want)
	if diff := cmp.Diff(want, keys()); diff != "" {
		t.Errorf("in another order (-want +got):\n%s", diff)
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
