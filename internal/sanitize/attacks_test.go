package sanitize

import (
	"encoding/json"
	"os"
	"slices"
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
	t.Parallel()
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
