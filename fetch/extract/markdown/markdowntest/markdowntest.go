// Package markdowntest checks the map between a document's text and its Markdown.
package markdowntest

import (
	"strings"

	"github.com/citeloop/citeloop/fetch/extract/document"
)

// TB is the part of testing.TB that the checks use.
type TB interface {
	Helper()
	Fatalf(format string, args ...any)
}

// CheckRuns fails the test when a run is not the same in both, or out of order, or a word of the text is in
// none.
func CheckRuns(t TB, d *document.Document) {
	t.Helper()
	text := []rune(d.Text)
	CheckPieces(t, d)
	at := 0
	for _, r := range d.Runs {
		if got := d.TextOffset(d.MarkdownOffset(r.Text)); got != r.Text {
			t.Fatalf("the place %d leads back to %d", r.Text, got)
		}
		if between := strings.Trim(string(text[at:r.Text]), " \n|-"); between != "" && !strings.ContainsAny(between, "[]0123456789*†↩^•") {
			t.Fatalf("%q of the text is not in the Markdown %q", between, d.Markdown)
		}
		at = r.Text + r.Chars
	}
}

// CheckPieces checks what holds for any input: the piece that a run names is the same in both.
func CheckPieces(t TB, d *document.Document) {
	t.Helper()
	text, markdown := []rune(d.Text), []rune(d.Markdown)
	atText, atMarkdown := 0, 0
	for _, r := range d.Runs {
		if r.Text < atText || r.Markdown < atMarkdown || r.Text+r.Chars > len(text) || r.Markdown+r.Chars > len(markdown) {
			t.Fatalf("run %+v is out of order or out of bounds in %q and %q", r, d.Text, d.Markdown)
		}
		if a, b := string(text[r.Text:r.Text+r.Chars]), string(markdown[r.Markdown:r.Markdown+r.Chars]); a != b {
			t.Fatalf("run %+v is %q in the text and %q in the Markdown", r, a, b)
		}
		atText, atMarkdown = r.Text+r.Chars, r.Markdown+r.Chars
	}
}
