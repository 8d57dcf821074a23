package grounding

import (
	"os"
	"strings"
	"testing"
)

// TestParaphrases reads testdata/paraphrases.txt: close paraphrases are grounded, false sentences that look alike are not.
func TestParaphrases(t *testing.T) {
	data, err := os.ReadFile("testdata/paraphrases.txt")
	if err != nil {
		t.Fatal(err)
	}
	var source Source
	for line := range strings.Lines(string(data)) {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		if line[0] == '[' {
			_, title, _ := strings.Cut(line, "] ")
			source = Source{ID: "S1", Title: title}
			continue
		}
		mark, text := line[0], line[2:]
		if mark == '=' {
			source.Text = text
			continue
		}
		t.Run(text, func(t *testing.T) {
			checker := NewChecker([]Source{source})
			claim := Claim{Text: text, Citations: cite("S1")}
			v := checker.Check(claim)
			wrong := mark == '+' && v.Status != Grounded || mark == '~' && v.Status == Unsupported || mark == '-' && v.Status == Grounded
			if wrong {
				t.Errorf("%c %s: %s\n\t%s", mark, v.Status, v.Because, explain(checker, claim))
			}
		})
	}
}
