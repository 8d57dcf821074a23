package sanitize

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// data is a folder outside of the repository, with texts of third parties.
const data = "../../../shared/data"

// TestRecallOnBIPIA measures how many attack texts of microsoft/BIPIA are found. Five kinds ask a plain question ("How do solar
// panels work?"): no phrase distinguishes them from ordinary text, so they are not counted.
func TestRecallOnBIPIA(t *testing.T) {
	t.Parallel()
	b, err := os.ReadFile(data + "/injections/text_attack_train.json")
	if err != nil {
		t.Skip("the attack texts are not here")
	}
	var attacks map[string][]string
	if err := json.Unmarshal(b, &attacks); err != nil {
		t.Fatal(err)
	}
	for _, question := range []string{"Information Retrieval", "Content Creation", "Learning and Tutoring", "Language Translation",
		"Programming Help"} {
		delete(attacks, question)
	}
	found, all := 0, 0
	for kind, texts := range attacks {
		for _, text := range texts {
			if all++; len(FindInjections("The harbour is dredged in spring. "+text+" The boat is the town's own.")) > 0 {
				found++
			} else {
				t.Logf("missed: %s: %s", kind, text)
			}
		}
	}
	if t.Logf("%d of %d", found, all); 10*found < 9*all {
		t.Errorf("fewer than 90 %% of the orders are found")
	}
}

// TestOrdinaryPages measures how many ordinary pages are flagged: of each fourth one, or of all with CITELOOP_TEST_LONG.
func TestOrdinaryPages(t *testing.T) {
	t.Parallel()
	files, _ := filepath.Glob(data + "/extraction/*/gold.jsonl")
	more, _ := filepath.Glob(data + "/grounding/*/sources.jsonl")
	if len(files) == 0 {
		t.Skip("the pages are not here")
	}
	flagged, all := 0, 0
	for _, name := range slices.Concat(files, more) {
		f, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		lines := bufio.NewScanner(f)
		lines.Buffer(nil, 64<<20)
		for n := 0; lines.Scan(); n++ {
			if n%4 > 0 && os.Getenv("CITELOOP_TEST_LONG") == "" {
				continue
			}
			var row struct{ ID, Text string }
			if err := json.Unmarshal(lines.Bytes(), &row); err != nil {
				t.Fatal(err)
			}
			all++
			if places := FindInjections(row.Text); len(places) > 0 {
				flagged++
				t.Logf("%s: %v", row.ID, places)
			}
		}
		if err := lines.Err(); err != nil {
			t.Fatal(err)
		}
	}
	if t.Logf("%d of %d", flagged, all); 2000*flagged > all {
		t.Errorf("more than one ordinary text in 2,000 is flagged")
	}
}
