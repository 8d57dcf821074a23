package lines

import "testing"

// A heading is named as GitHub names it, and its section ends before the next heading of its level.
func TestSection(t *testing.T) {
	text := New("# Otters\n\nThey swim.\n\n## Food & drink ##\n\nCrabs.\n\n### What's new?\n\nVoles.\n\n## Food & " +
		"drink\n\nWater.\n\n# Über_uns `x`-ray\n\nEnd.\n")
	for _, tt := range []struct {
		anchor string
		want   Range
	}{
		{"otters", Range{1, 16}}, {"food--drink", Range{5, 12}}, {"whats-new", Range{9, 12}}, {"food--drink-1", Range{13, 16}},
		{"über_uns-x-ray", Range{17, 19}},
		{"", Range{}}, {"food", Range{}}, {"food--drink-2", Range{}}, {"L3", Range{}},
	} {
		got, ok := text.Section(tt.anchor)
		if got != tt.want || ok != (tt.want != Range{}) {
			t.Errorf("#%s: %v, %v; want %v", tt.anchor, got, ok, tt.want)
		}
	}
}
