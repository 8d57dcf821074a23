package report

import (
	_ "embed"
	"fmt"
	"strings"

	"github.com/citeloop/citeloop/internal/text/words"
)

// labelTable has a label a line: in English, German, French, Spanish, Chinese and Japanese, with tabs between.
//
//go:embed labels.tsv
var labelTable string

// labels are the labels in one language; the zero value has them in English. Sentences about the evidence are in English.
type labels struct {
	lang string
	of   map[string]string
}

// languages are the columns of the table.
func languages() []string { return []string{"en", "de", "fr", "es", "zh", "ja"} }

// labelsFor returns the labels for a text.
func labelsFor(text string) labels {
	lang := words.Language(text)
	w := labels{lang: lang}
	for i, l := range languages() {
		if l != lang || i == 0 {
			continue
		}
		w.of = map[string]string{}
		for line := range strings.Lines(labelTable) {
			if row := strings.Split(strings.TrimSuffix(line, "\n"), "\t"); len(row) > i {
				w.of[row[0]] = row[i]
			}
		}
	}
	return w
}

// page returns the language of the labels.
func (w labels) page() string {
	if w.of == nil {
		return "en"
	}
	return w.lang
}

// t returns a label.
func (w labels) t(label string) string {
	if says, ok := w.of[label]; ok {
		return says
	}
	return label
}

// f returns a label with values.
func (w labels) f(label string, values ...any) string { return fmt.Sprintf(w.t(label), values...) }
