package wordlist

import (
	"slices"
	"strings"
	"testing"
)

// Every list has lines, and no section of a list has a word twice or an empty one.
func TestListsAreSound(t *testing.T) {
	entries, err := files.ReadDir("data")
	if err != nil || len(entries) == 0 {
		t.Fatal(err, "no lists")
	}
	for _, f := range entries {
		name := strings.TrimSuffix(f.Name(), ".txt")
		seen := map[string][]string{}
		lines := Lines(name)
		if len(lines) == 0 {
			t.Errorf("%s: no lines", name)
		}
		for _, l := range lines {
			for _, w := range l.Words {
				if w == "" || slices.Contains(seen[l.Section], w) {
					t.Errorf("%s [%s]: %q is empty or listed twice", name, l.Section, w)
				}
				seen[l.Section] = append(seen[l.Section], w)
			}
		}
	}
}
