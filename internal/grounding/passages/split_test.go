package passages

import (
	_ "embed"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

//go:embed testdata/sentences.txt
var splitTexts string

func TestSentencesInSixLanguages(t *testing.T) {
	for line := range strings.Lines(splitTexts) {
		language, marked, ok := strings.Cut(strings.TrimRight(line, "\n"), "\t")
		if !ok || strings.HasPrefix(language, "#") {
			continue
		}
		t.Run(language, func(t *testing.T) {
			var want []string
			for part := range strings.SplitSeq(marked, "¶") {
				want = append(want, strings.TrimSpace(part))
			}
			text := strings.ReplaceAll(marked, "¶", "")
			if diff := cmp.Diff(want, texts(Sentences(text))); diff != "" {
				t.Errorf("Sentences(%q) (-want +got):\n%s", text, diff)
			}
		})
	}
}
