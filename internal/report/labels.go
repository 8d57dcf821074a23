package report

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"

	"github.com/citeloop/citeloop/internal/text/words"
)

// labelTable has a label a line: in English, German, French, Spanish, Chinese and Japanese, with tabs between.
//
//go:embed labels.tsv
var labelTable string

// languages are the columns of the table.
var languages = []string{"en", "de", "fr", "es", "zh", "ja"}

// labels are the labels in one language; the zero value has them in English. Sentences about the evidence are in English.
type labels struct {
	Language  string // of the text, "" if it is unknown
	Interface string // of the labels
	of        map[string]string
}

// labelsFor returns the labels for a text.
func labelsFor(text string) labels {
	w := labels{words.Language(text), languages[0], map[string]string{}}
	if i := slices.Index(languages, w.Language); i > 0 {
		w.Interface = w.Language
		for line := range strings.Lines(labelTable) {
			row := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
			w.of[row[0]] = row[i]
		}
	}
	return w
}

// T returns a label.
func (w labels) T(label string) string {
	if says, ok := w.of[label]; ok {
		return says
	}
	return label
}

// f returns a label with values.
func (w labels) f(label string, values ...any) string { return fmt.Sprintf(w.T(label), values...) }
