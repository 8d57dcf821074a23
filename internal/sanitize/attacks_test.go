package sanitize

import (
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// attacks reads the attack texts of microsoft/BIPIA by kind. They are third-party texts in a folder outside the
// repository.
func attacks(t *testing.T) map[string][]string {
	t.Helper()
	b, err := os.ReadFile("../../../shared/data/injections/text_attack_train.json")
	if err != nil {
		t.Skip("the attack texts are not here")
	}
	var out map[string][]string
	if err := json.Unmarshal(b, &out); err != nil {
		t.Fatal(err)
	}
	return out
}

// TestRecallOnBIPIA measures how many attack texts are found. Five kinds ask a plain question ("How do solar panels
// work?"): no phrase distinguishes them from ordinary text, so they are counted separately.
func TestRecallOnBIPIA(t *testing.T) {
	questions := []string{"Information Retrieval", "Content Creation", "Learning and Tutoring", "Language Translation", "Programming Help"}
	found, all := [2]int{}, [2]int{}
	for kind, texts := range attacks(t) {
		part, n := 0, 0
		if slices.Contains(questions, kind) {
			part = 1
		}
		for _, text := range texts {
			if len(FindInjections("The harbour is dredged in spring. "+text+" The boat is the town's own.")) > 0 {
				n++
			} else if part == 0 {
				t.Logf("missed: %s: %s", kind, text)
			}
		}
		all[part] += len(texts)
		found[part] += n
		t.Logf("%-28s %d of %d", kind, n, len(texts))
	}
	t.Logf("orders: %d of %d; questions: %d of %d", found[0], all[0], found[1], all[1])
	if 10*found[0] < 9*all[0] {
		t.Errorf("fewer than 90 %% of the orders are found")
	}
}

var documentation = flag.String("documentation", "", "folder of ordinary documentation to search for phrases that address a model")

// TestDocumentation measures how many files of a folder are flagged, such as Debian's documentation.
func TestDocumentation(t *testing.T) {
	if *documentation == "" {
		t.Skip("takes a minute: name a folder with -documentation=/usr/share/doc")
	}
	all, flagged := 0, 0
	err := filepath.WalkDir(*documentation, func(path string, d os.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() || !slices.Contains([]string{".html", ".txt", ".md", ".rst", ""}, filepath.Ext(path)) {
			return nil
		}
		b, err := os.ReadFile(path)
		if err != nil || len(b) < 200 {
			return nil
		}
		all++
		text := strings.ToValidUTF8(string(b[:min(len(b), 1<<20)]), " ")
		if places := FindInjections(text); len(places) > 0 {
			flagged++
			r := []rune(text)
			for _, p := range places[:min(len(places), 3)] {
				t.Logf("%s %s %q", path, p.Kind, string(r[p.Start:p.End]))
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d of %d files are flagged", flagged, all)
	if 2000*flagged > all {
		t.Errorf("more than one in 2,000")
	}
}
