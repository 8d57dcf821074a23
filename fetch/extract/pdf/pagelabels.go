package pdf

import (
	"strconv"
	"strings"
	"unicode/utf16"

	"github.com/citeloop/citeloop/internal/sanitize"
)

// maxPageLabel bounds a page label, in bytes of UTF-16.
const maxPageLabel = 100

// label returns the label of a page in the file, or "".
func (l *pdfLibrary) label(doc uint64, index int) (string, error) {
	n, err := l.number("FPDF_GetPageLabel", doc, uint64(index), uint64(l.names), maxPageLabel)
	if err != nil || n <= 2 || n > maxPageLabel {
		return "", err
	}
	return strings.TrimSpace(sanitize.Visible(string(utf16.Decode(l.units(l.names, n/2-1))))), nil
}

// labels returns the page labels if they differ from the numbers.
func (f pdfFile) labels() []string {
	named := false
	labels := make([]string, len(f.pages))
	for i, p := range f.pages {
		labels[i] = p.label
		named = named || p.label != "" && p.label != strconv.Itoa(i+1)
	}
	if !named {
		return nil
	}
	return labels
}
