package grounding

import (
	"slices"
	"strings"
	"testing"
)

func TestOriginsOfAClaim(t *testing.T) {
	const claim = "The ferry to Ellisford leaves every hour."
	fill := func(about string) string {
		return claim + " " + strings.Repeat("This page goes on about "+about+" and nothing else. ", 10)
	}
	for _, tt := range []struct {
		name   string
		a, b   []string // publications
		second string   // text of the second source
		want   int
	}{
		{"two publications", []string{"site a.example"}, []string{"site b.example"}, fill("bread"), 2},
		{"one site", []string{"site a.example"}, []string{"site a.example"}, fill("bread"), 1},
		{"one publisher on two sites", []string{"site a.example", "publisher x"}, []string{"site b.example", "publisher x"}, fill("bread"), 1},
		{"no publication known", nil, nil, fill("bread"), 2},
		{"a copy", []string{"site a.example"}, []string{"site b.example"}, fill("boats"), 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			v := NewChecker([]Source{{ID: "S1", Text: fill("boats"), Publication: tt.a}, {ID: "S2", Text: tt.second, Publication: tt.b}}).Check(Claim{Text: claim, Citations: cite("S1", "S2")})
			if v.Status != Grounded || v.IndependentOrigins != tt.want || slices.Contains(v.Flags, FlagSingleSource) != (tt.want == 1) {
				t.Errorf("%s with %d origins, flags %q; want %d", v.Status, v.IndependentOrigins, v.Flags, tt.want)
			}
		})
	}
}
