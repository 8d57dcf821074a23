package index

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Of documents with equal passages, the one with more text on the subject comes first. Search alone ranks them equally.
func TestFindComparesWholeDocuments(t *testing.T) {
	const passage = "The pump of the mill lifts water from the river."
	filler := strings.Repeat("\n\nBread is baked in the morning and sold before noon in the market square.", 12)
	put := func(parts ...[]string) []Part {
		var out []Part
		for _, names := range parts {
			out = append(out, Part{Segment: segmentOf(t, func(b *Builder) {
				for _, name := range names {
					text := passage + filler
					if name == "subject.md" {
						text = passage + strings.Repeat("\n\nA pump in the mill needs oil, and the mill has one pump for each well.", 12)
					}
					add(t, b, name, Document{Title: name, Text: text})
				}
			})})
		}
		return out
	}
	var others []string
	for i := range 8 {
		others = append(others, fmt.Sprintf("a%d.md", i))
	}
	whole := put(append(others, "subject.md"))
	cut := put(others[:3], append(others[3:], "subject.md"))
	q := Parse("pump mill")
	one, damaged := Find(whole, q, 4)
	if damaged != nil || len(one) != 4 || one[0].About.Path != "subject.md" {
		t.Fatalf("%v, %v", damaged, paths(one))
	}
	many, _ := Find(cut, q, 4)
	if diff := cmp.Diff(paths(one), paths(many)); diff != "" {
		t.Errorf("in several segments (-one +many):\n%s", diff)
	}
	if hits, _ := Find(whole, Parse("path:subject"), 4); len(hits) != 1 {
		t.Errorf("a query of fields alone finds %v", paths(hits))
	}
	if hits, _ := Find(whole, q, 0); hits != nil {
		t.Errorf("no documents were asked for: %v", paths(hits))
	}
}
