package main

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/citeloop/citeloop/bench/claimset"
)

func embeddedSet(t *testing.T) claimset.Set {
	t.Helper()
	s, err := claimset.Load(embedded)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestDataIsValid(t *testing.T) {
	if err := validate(embeddedSet(t)); err != nil {
		t.Error(err)
	}
}

func TestDataCoverage(t *testing.T) {
	s := embeddedSet(t)
	if len(s.Claims) < 300 {
		t.Errorf("%d claims, want at least 300", len(s.Claims))
	}
	languages := map[string]int{}
	for _, src := range s.Sources {
		languages[src.Lang]++
		words := len(strings.Fields(src.Text))
		if src.Lang == "zh" || src.Lang == "ja" {
			words = utf8.RuneCountInString(src.Text) / 2
		}
		if words < 150 || words > 400 {
			t.Errorf("%s: about %d words, want 150 to 400", src.ID, words)
		}
	}
	for lang, want := range map[string]int{"en": 7, "de": 3, "fr": 3, "es": 2, "zh": 3, "ja": 2} {
		if languages[lang] != want {
			t.Errorf("%d texts in %s, want %d", languages[lang], lang, want)
		}
	}
	kinds, spread := map[string]int{}, map[string][]string{}
	for _, c := range s.Claims {
		kinds[c.Kind]++
		if !slices.Contains(spread[c.Kind], c.Lang) {
			spread[c.Kind] = append(spread[c.Kind], c.Lang)
		}
	}
	for _, kind := range slices.Concat(trueKinds, falseKinds) {
		if kinds[kind] < 8 || len(spread[kind]) < 4 {
			t.Errorf("kind %s: %d claims in %v, want at least 8 in 4 languages", kind, kinds[kind], spread[kind])
		}
	}
}

func TestValidateFindsMistakes(t *testing.T) {
	for name, test := range map[string]struct {
		change func(*claimset.Set)
		want   string
	}{
		"duplicate claim":       {func(s *claimset.Set) { s.Claims[1].ID = "a" }, "duplicate claim id: a"},
		"duplicate source":      {func(s *claimset.Set) { s.Sources = append(s.Sources, s.Sources[0]) }, "duplicate source id"},
		"unknown source":        {func(s *claimset.Set) { s.Claims[0].SourceIDs = []string{"q"} }, "a: unknown source: q"},
		"two sources":           {func(s *claimset.Set) { s.Claims[0].SourceIDs = []string{"s", "s"} }, "a: 2 sources"},
		"same wording":          {func(s *claimset.Set) { s.Claims[1].Claim = s.Claims[0].Claim }, "b: same wording as a"},
		"no evidence":           {func(s *claimset.Set) { s.Claims[0].Evidence = "" }, "a: evidence is empty"},
		"invented evidence":     {func(s *claimset.Set) { s.Claims[0].Evidence = "Prices fell. [...] Wages fell." }, `a: evidence is not in the text: "Wages fell."`},
		"kind of a false claim": {func(s *claimset.Set) { s.Claims[0].Kind = "number" }, "a: unknown kind of a true claim: number"},
		"kind of a true claim":  {func(s *claimset.Set) { s.Claims[1].Kind = "near" }, "b: unknown kind of a false claim: near"},
		"base of a true claim":  {func(s *claimset.Set) { s.Claims[0].Base = "b" }, "a: a true claim has a base"},
		"unknown base":          {func(s *claimset.Set) { s.Claims[1].Base = "q" }, "b: base is not a true claim"},
		"false base":            {func(s *claimset.Set) { s.Claims[1].Base = "b" }, "b: base is not a true claim"},
		"other language":        {func(s *claimset.Set) { s.Claims[1].Lang = "x" }, "b: base is not a true claim"},
		"label":                 {func(s *claimset.Set) { s.Claims[0].Supported = 2 }, "a: supported is 2"},
		"balance":               {func(s *claimset.Set) { s.Claims = s.Claims[:1] }, "s: true claims minus false claims is 1"},
	} {
		t.Run(name, func(t *testing.T) {
			s := claimset.Set{
				Sources: []claimset.Source{{ID: "s", Lang: "en", Text: "Prices fell. Wages rose."}},
				Claims: []claimset.Claim{
					{ID: "a", Lang: "en", Claim: "Prices went down.", SourceIDs: []string{"s"}, Supported: 1, Kind: "paraphrase", Evidence: "Prices fell."},
					{ID: "b", Lang: "en", Claim: "Prices went up.", SourceIDs: []string{"s"}, Kind: "direction", Base: "a", Evidence: "Prices fell."},
				},
			}
			if err := validate(s); err != nil {
				t.Fatal(err)
			}
			test.change(&s)
			if err := validate(s); err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %v, want %q", err, test.want)
			}
		})
	}
}
