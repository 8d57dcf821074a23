package words

import (
	"slices"
	"testing"
)

func TestCommon(t *testing.T) {
	for _, tt := range []struct {
		a, b string
		want [][2]int
	}{
		{"abc", "abc", [][2]int{{0, 0}, {1, 1}, {2, 2}}},
		{"ab", "aXab", [][2]int{{0, 2}, {1, 3}}}, // as late as possible
		{"abcd", "acXd", [][2]int{{0, 0}, {2, 1}, {3, 3}}},
		{"ab", "xy", nil},
		{"", "a", nil},
		{"a", "", nil},
	} {
		got := Common(len(tt.a), len(tt.b), func(i, j int) bool { return tt.a[i] == tt.b[j] })
		if !slices.Equal(got, tt.want) {
			t.Errorf("%q, %q: %v, want %v", tt.a, tt.b, got, tt.want)
		}
	}
}
