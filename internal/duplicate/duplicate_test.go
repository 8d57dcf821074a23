package duplicate

import (
	"fmt"
	"strings"
	"testing"
)

func TestShingles(t *testing.T) {
	base := "The harbour of the small town was rebuilt after the storm, and the ferries returned to it in the following spring with " +
		"new timetables."
	tests := []struct {
		name, a, b  string
		least, most float64
	}{
		{"same words, other typography", base, strings.ToUpper(base) + "!!", 1, 1},
		{"one word changed", base + " " + strings.Repeat(base+" Filler sentence here. ", 3),
			base + " " + strings.Repeat(base+" Filler sentence now. ", 3), 0.5, 0.99},
		{"unrelated", base, "Bread is baked at dawn by people who like the quiet hours of the day.", 0, 0},
		{"Chinese", "港口在风暴之后重建，渡轮于次年春天恢复。",
			"港口在风暴之后重建，渡轮于次年春天恢复!", 1, 1},
		{"empty", "", base, 0, 0},
		{"short", "Two words", "two words", 1, 1},
		{"a digit", "The harbour of the small town was rebuilt after the storm of 1901.",
			"THE HARBOUR of the small town was rebuilt after the storm of 1902!", 0.8, 0.8},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			a, b := Shingles(tt.a), Shingles(tt.b)
			got := jaccard(a, b, len(a)+len(b))
			if got < tt.least || got > tt.most {
				t.Errorf("Jaccard is %.3f, want %.2f to %.2f", got, tt.least, tt.most)
			}
			for _, limit := range []float64{0.1, 0.5, 0.85, 0.99} {
				if Alike(a, b, limit) != (got > limit) {
					t.Errorf("with Jaccard %.3f, Alike above %.2f is %v", got, limit, got <= limit)
				}
			}
		})
	}
}

func TestShinglesAreBounded(t *testing.T) {
	var a, b strings.Builder
	for i := range 40_000 {
		fmt.Fprintf(&a, "w%d ", i)
		fmt.Fprintf(&b, "w%d ", i+4_000) // nine tenths in common: Jaccard 36/44
	}
	x, y := Shingles(a.String()), Shingles(b.String())
	if len(x) > maxShingles || len(y) > maxShingles {
		t.Fatalf("%d and %d shingles", len(x), len(y))
	}
	if got := jaccard(x, y, len(x)+len(y)); got < 0.78 || got > 0.86 {
		t.Errorf("Jaccard is estimated as %.3f, truly 0.818", got)
	}
}
