package index

import (
	"fmt"
	"strings"
	"testing"
)

// Each part of the comparison decides between documents that are equal in the others.
func TestFindCompares(t *testing.T) {
	filler := func(n int) string {
		return strings.Repeat("\n\nBread is baked in the morning and sold before noon in the market square of the town.", n)
	}
	tests := []struct {
		name, query   string
		first, second Document
	}{
		{"a second passage", "pump well",
			Document{Title: "a", Text: filler(12) + "\n\nA pump is at the well." + filler(12) + "\n\nA pump is at the well."},
			Document{Title: "a", Text: filler(12) + "\n\nA pump is at the well; a pump, a well." + filler(13)}},
		{"the beginning", "pump well",
			Document{Title: "a", Text: "A pump is at the well." + filler(30)},
			Document{Title: "a", Text: filler(30) + "\n\nA pump is at the well."}},
		{"all words in a passage", "the pump lifts water from the deep well",
			Document{Title: "a", Text: filler(20) + "\n\nThe pump lifts water from the deep well."},
			Document{Title: "a", Text: filler(20) + "\n\nThe pump lifts." + filler(2) + "\n\nWater from the deep well."}},
		{"the whole document", "pump well",
			Document{Title: "a", Text: "A pump is at the well." + filler(12) + "\n\nA pump is at the well." + filler(12) + "\n\nA pump is at the well."},
			Document{Title: "a", Text: "A pump is at the well." + filler(12) + "\n\nA pump is at the well." + filler(13)}},
		{"the whole title", "oil pump",
			Document{Title: "Oil pump", Text: filler(20) + "\n\nAn oil pump."},
			Document{Title: "Oil lamp", Text: filler(20) + "\n\nAn oil pump."}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			segment := segmentOf(t, func(b *Builder) {
				add(t, b, "a-second.md", tt.second)
				add(t, b, "z-first.md", tt.first)
				for i := range 20 {
					add(t, b, fmt.Sprintf("other%d.md", i), Document{Title: "bread", Text: filler(20)})
				}
			})
			hits, damaged := Find([]Part{{Segment: segment}}, Parse(tt.query), 2)
			if damaged != nil || len(hits) == 0 || hits[0].About.Path != "z-first.md" {
				t.Errorf("%v, %v", damaged, paths(hits))
			}
		})
	}
}
