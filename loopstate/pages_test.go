package loopstate

import "testing"

func TestPages(t *testing.T) {
	tests := []struct {
		name        string
		pages       Pages
		start, end  int
		first, last int
	}{
		{"no pages", nil, 10, 20, 0, 0},
		{"one page", Pages{0}, 10, 20, 1, 1},
		{"the first page", Pages{0, 100, 200}, 0, 50, 1, 1},
		{"up to a page's end", Pages{0, 100, 200}, 90, 100, 1, 1},
		{"from a page's beginning", Pages{0, 100, 200}, 100, 110, 2, 2},
		{"over a page's end", Pages{0, 100, 200}, 90, 101, 1, 2},
		{"over three pages", Pages{0, 100, 200}, 99, 300, 1, 3},
		{"the last page", Pages{0, 100, 200}, 250, 260, 3, 3},
		{"after an empty page", Pages{0, 100, 100, 200}, 100, 120, 3, 3},
		{"an empty first page", Pages{0, 0, 90}, 0, 5, 2, 2},
		{"before the first page", Pages{3, 90}, 0, 5, 1, 1},
		{"nothing", Pages{0, 100}, 100, 100, 2, 2},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			first, last := tt.pages.Span(tt.start, tt.end)
			if first != tt.first || last != tt.last {
				t.Errorf("Span(%d, %d) = %d, %d, want %d, %d", tt.start, tt.end, first, last, tt.first, tt.last)
			}
		})
	}
}
