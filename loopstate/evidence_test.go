package loopstate

import (
	"testing"
)

func TestDateParts(t *testing.T) {
	for in, want := range map[string][3]int{
		"2024": {2024}, "2024-03": {2024, 3}, "2024-03-09": {2024, 3, 9}, "2024-13": {2024}, "2024-02-40": {2024, 2}, "2024-3": {2024},
		"": {}, "24": {}, "around 1900": {}, "-001": {},
	} {
		year, month, day := DateParts(in)
		if got := [3]int{year, month, day}; got != want {
			t.Errorf("DateParts(%q) = %v, want %v", in, got, want)
		}
	}
}

func TestRecentSince(t *testing.T) {
	for asOf, want := range map[string]string{"2026-03-01": "2024-09-01", "2024-02-29": "2022-08-29", "": "", "2026": ""} {
		if got := RecentSince(asOf); got != want {
			t.Errorf("%s: %s, want %s", asOf, got, want)
		}
	}
}
