package passages

import (
	"slices"
	"strings"
	"testing"
)

func TestRelatedWordsFindPassages(t *testing.T) {
	ix := NewIndex()
	ix.Add("limits", Split("The maximum length of a name is 63 bytes.", 200))
	ix.Add("boats", Split("The ferry leaves the quay at noon.", 200))
	ix.Add("exact", Split("A name may be big.", 200))
	got := found(ix.Search("how big may a name become", 3))
	if want := []string{"exact@0", "limits@0"}; !slices.Equal(got, want) {
		t.Errorf("found %q, want %q: the word itself before a related one", got, want)
	}
	if got := ix.Search("how big is it", 3); len(got) != 2 || got[1].Doc != "limits" {
		t.Errorf("found %v, want the passage with a related word as second", got)
	}
	if got := ix.Search("Warum ist der Hafen am Abend für die Fischer der Stadt big und wie wird er von den Schiffen genutzt", 3); slices.ContainsFunc(got, func(h Hit) bool { return h.Doc == "limits" }) {
		t.Errorf("a German query finds %v by an English relation", got)
	}
}

// The file has one line a word, in lower case, without the word itself or a repetition.
func TestRelatedFile(t *testing.T) {
	heads := map[string]bool{}
	for line := range strings.Lines(relatedFile) {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		word, others, ok := strings.Cut(line, ": ")
		list := strings.Fields(others)
		if !ok || len(list) == 0 || line != strings.ToLower(line) || strings.Contains(word, " ") || slices.Contains(list, word) {
			t.Errorf("invalid line: %q", line)
		}
		if heads[word] {
			t.Errorf("two lines for %q", word)
		}
		heads[word] = true
		if slices.Sort(list); len(slices.Compact(list)) != len(strings.Fields(others)) {
			t.Errorf("a word is listed twice: %q", line)
		}
	}
}
