package document_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/citeloop/citeloop/fetch/extract/document"
	"github.com/citeloop/citeloop/internal/text/lines"
)

func TestWrite(t *testing.T) {
	d := document.Document{Blocks: []document.Block{
		{Kind: document.Furniture, Text: "Home"},
		{Kind: document.Furniture, Text: "About\nus"},
		{Kind: document.Heading, Level: 2, Number: "Art. 4", Text: "Tides"},
		{Text: "First,\nthen"},
		{Kind: document.Item, Level: 1, Number: "3.", Text: "Flood", Begins: true},
		{Level: 1, Text: "more"},
		{Kind: document.Item, Level: 2, Text: "Ebb", Begins: true},
		{Kind: document.Row, Text: "Place | Low", Begins: true, Page: 2},
		{Kind: document.Row, Text: "Arden | 1"},
		{Kind: document.Row, Text: "Other", Begins: true},
		{Kind: document.Code, Text: "# x"},
		{Text: "  "},
		{Kind: document.Note, Number: "[1]", Text: "A note"},
		{Kind: document.Furniture, Text: "Terms"},
	}}
	d.Write()
	const want = "Home\nAbout\nus\n\n## Art. 4 Tides\n\nFirst,\nthen\n\n3. Flood\n  more\n  - Ebb\n\nPlace | Low\nArden | " +
		"1\n\nOther\n\n```\n# x\n```\n\n[1] A note\n\nTerms"
	if diff := cmp.Diff(want, d.Text); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(lines.Ranges{{First: 1, Last: 3}, {First: 25, Last: 25}}, d.Furniture); diff != "" {
		t.Error(diff)
	}
	if len(d.Pages) != 2 || d.Text[d.Pages[1]:][:5] != "Place" || d.Chars != len(d.Text) {
		t.Errorf("pages %v, %d characters of %d", d.Pages, d.Chars, len(d.Text))
	}
	if got := d.Content(); got != want[len("Home\nAbout\nus\n\n"):len(want)-len("\n\nTerms")] {
		t.Errorf("content %q", got)
	}
	text := lines.NewPage(d.Text, d.Furniture)
	if got := text.Outline(); len(got) != 1 || got[0].Line != 5 {
		t.Errorf("outline %v", got)
	}
	if got := text.Blocks(lines.Ranges{{First: 2, Last: 2}}); len(got) != 1 || got[0].Kind != lines.Furniture {
		t.Errorf("blocks of a line of furniture: %v", got)
	}
}
