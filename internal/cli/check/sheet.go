package check

import (
	_ "embed"
	"encoding/json"
	"html/template"
	"io"
	"path/filepath"
	"strings"

	"github.com/citeloop/citeloop/internal/textcheck"
	"github.com/citeloop/citeloop/loopstate"
)

//go:embed sheet.gohtml
var reviewSheet string

// sheetName returns the path of the sheet of a batch file: in the same folder, with another extension.
func sheetName(batch string) string {
	return strings.TrimSuffix(batch, filepath.Ext(batch)) + ".html"
}

// writeSheet writes a batch as a page for people, which needs no server: keys 1 to 4 answer, and the page saves the
// file for --review-in.
func writeSheet(w io.Writer, batch textcheck.ReviewBatch) error {
	page, err := template.New("sheet").Parse(reviewSheet)
	if err != nil {
		return err
	}
	items, err := json.Marshal(batch) // escapes < and >, so that no text ends the script
	if err != nil {
		return err
	}
	return page.Execute(w, struct {
		Batch   template.JS
		Answers []string
	}{template.JS(items), loopstate.ReviewAnswers()})
}
