package drawing

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/citeloop/citeloop/internal/translations"
)

func TestPeriods(t *testing.T) {
	of := func(dates ...string) (out []Dated) {
		for i, s := range dates {
			d := Dated{Cited: i%2 == 0, Index: i}
			_, _ = fmt.Sscanf(s, "%d-%d", &d.Year, &d.Month)
			out = append(out, d)
		}
		return out
	}
	for _, tt := range []struct {
		name    string
		sources []Dated
		asOf    string
		want    []string // name: cited + read
	}{
		{"none", nil, "2026-11-01", nil},
		{"months", of("2026-09", "2026-11", "2026-09"), "2026-11-01", []string{"2026-09: [0 2] []", "2026-10: [] []", "2026-11: [] [1]"}},
		{"years, since one month is not known", of("2025-03", "2024"), "2026-11-01", []string{"2024: [] [1]", "2025: [0] []", "2026: [] []"}},
		{"undated last", of("", "2026"), "", []string{"2026: [] [1]", "undated: [0] []"}},
		{"nothing but undated", of("", ""), "2026-11-01", []string{"undated: [0] [1]"}},
		{"two years a bar", of("1978-08", "2025"), "", []string{"1978–1979: [0] []", "…", "2024–2025: [] [1]"}},
		{"dates that cannot be", of("0000-01", "2024-13", "99999"), "nonsense", []string{"undated: [0 2] [1]"}},
		{"a thousand years", of("1086", "2001"), "", []string{"1050–1099: [0] []", "…", "2000–2049: [] [1]"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var got []string
			periods := Periods(tt.sources, tt.asOf)
			for i, p := range periods {
				if len(tt.want) == 3 && tt.want[1] == "…" && i > 0 && i < len(periods)-1 {
					if len(got) == 1 {
						got = append(got, "…")
					}
					continue
				}
				got = append(got, fmt.Sprintf("%s: %v %v", p.Name, append([]int{}, p.Cited...), append([]int{}, p.Read...)))
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if len(periods) > maxPeriods+1 {
				t.Errorf("%d periods", len(periods))
			}
		})
	}
}

func TestClip(t *testing.T) {
	for _, tc := range []struct {
		in      string
		columns int
		want    string
	}{{"abc", 3, "abc"}, {"abcd", 3, "ab…"}, {"通道的保证", 6, "通道…"}, {"通道", 4, "通道"}, {"e\u0301e\u0301e\u0301", 3, "e\u0301e\u0301e\u0301"}, {"", 4, ""}, {"ab cd", 4, "ab…"}} {
		if got := clip(tc.in, tc.columns); got != tc.want {
			t.Errorf("clip(%q, %d) = %q, want %q", tc.in, tc.columns, got, tc.want)
		}
	}
}

func TestTimeline(t *testing.T) {
	german := translations.Parse("undated\nde\tohne jedes Datum\n")["de"]
	svg := Timeline(german, Periods([]Dated{{Year: 2024, Cited: true}, {Year: 2026}, {Year: 2026, Index: 2}, {Index: 3}}, ""))
	got := elements(t, svg)
	for name, n := range map[string]int{"rect.new": 4, "rect.all": 4, "rect.none": 1, "line.rule": 1, "text.mid": 3, "text.mid soft": 4} {
		if got[name] != n {
			t.Errorf("%d of %s, want %d", got[name], name, n)
		}
	}
	for _, want := range []string{">2025<", ">ohne jedes Datum<", "2024: 1. 2026: 2. ohne jedes Datum: 1."} {
		if !strings.Contains(svg, want) {
			t.Errorf("lacks %s in %s", want, svg)
		}
	}
	if got := Timeline(german, nil); got != "" {
		t.Errorf("no sources are drawn: %s", got)
	}
}
