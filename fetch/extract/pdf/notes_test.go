package pdf

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/citeloop/citeloop/fetch/extract/pdf/pdftest"
)

// Notes at the foot of a page follow the paragraph that goes on over them. Each is a block of its own, also if a space
// follows its mark. Two pages have the same head and count on.
func TestPDFNotesAtTheFoot(t *testing.T) {
	t.Parallel()
	d := pdftest.Doc{Pages: []string{
		strings.Join([]string{
			pdftest.Show(72, 770, 9, "Journal of Harbours"),
			"BT /F1 10 Tf 72 720 Td (The tables were printed) Tj /F1 7 Tf 4 Ts (1) Tj /F1 10 Tf 0 Ts ( every year until the press) Tj " +
				"/F1 7 Tf 4 Ts (2) Tj 0 Ts ET",
			pdftest.Show(72, 708, 10, "that had printed them for eighty years, and which the town"),
			"BT /F1 6 Tf 72 95 Td (1) Tj ET", pdftest.Show(80, 91, 8, "In the archive of the town."),
			"BT /F1 6 Tf 72 84 Td (2) Tj ET", pdftest.Show(80, 80, 8, "Founded in 1871."),
			pdftest.Show(300, 40, 9, "17"),
		}, "\n"),
		strings.Join([]string{
			pdftest.Show(72, 770, 9, "Journal of Harbours"),
			pdftest.Show(72, 720, 10, "had paid for each table, closed its doors. The tables ended with it."),
			pdftest.Show(72, 690, 10, pdfProse),
			pdftest.Show(300, 40, 9, "18"),
		}, "\n"),
	}}
	got := pdfDocument(t, &d)
	want := "Journal of Harbours\n17\n\nThe tables were printed¹ every year until the press² that had printed them for eighty " +
		"years, and which the town had paid for each table, closed its doors. The tables ended with it.\n\n" +
		"1 In the archive of the town.\n\n2 Founded in 1871.\n\nJournal of Harbours\n18\n\n" + pdfProse
	if d := cmp.Diff(want, got.Text); d != "" {
		t.Errorf("text (-want +got):\n%s", d)
	}
}

// A note whose mark is not raised follows the paragraph, too, if its sentence goes on.
func TestPDFPlainNotesAtTheFoot(t *testing.T) {
	t.Parallel()
	got := pdfDocument(t, &pdftest.Doc{Pages: []string{
		pdftest.Lines(72, 132, 12, 10, pdfProse, "The tide tables that the town had bought, and which it had re-") + "\n" +
			pdftest.Show(72, 80, 8, "* See the book of the county."),
		pdftest.Lines(72, 720, 12, 10, "paired in the mill, were lost.", pdfProse)}})
	want := pdfProse + "\n\nThe tide tables that the town had bought, and which it had repaired in the mill, were lost.\n\n" +
		"* See the book of the county.\n\n" + pdfProse
	if got.Text != want {
		t.Errorf("text %q, want %q", got.Text, want)
	}
}

// Lines below the first one that two pages have in common are text.
func TestPDFTwoPagesWithTheSameItems(t *testing.T) {
	t.Parallel()
	page := func(n string) string {
		return strings.Join([]string{pdftest.Show(72, 760, 10, "Part "+n+" of the inquiry"),
			pdftest.Show(72, 740, 10, "1. What was seen from the quay?"),
			pdftest.Show(72, 700, 10, "Part "+n+" has an answer of its own, which is longer than the question.")}, "\n")
	}
	got := pdfDocument(t, &pdftest.Doc{Pages: []string{page("A"), page("B")}})
	if n := strings.Count(got.Text, "What was seen"); n != 2 {
		t.Errorf("the text has %d questions, want 2:\n%s", n, got.Text)
	}
}

// Characters that a font maps to nothing are marked, and the document says so.
func TestPDFUnmappedCharacters(t *testing.T) {
	t.Parallel()
	d := pdftest.Doc{Pages: []string{pdftest.Show(72, 700, 10, "The o\x02ce has ags."), pdftest.Show(72, 700, 10, pdfProse)}}
	const toNothing = "/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /X def /CMapType 2 def\n1 " +
		"begincodespacerange <00> <FF> endcodespacerange\n" +
		"1 beginbfchar <02> <0000> endbfchar\n1 beginbfrange <20> <7E> <0020> endbfrange endcmap CMapName currentdict /CMap " +
		"defineresource pop end end"
	body := strings.ReplaceAll(string(d.Bytes()), "/BaseFont /Times-Roman",
		"/BaseFont /Times-Roman /Encoding << /Type /Encoding /Differences [ 2 /ffi ] >> /ToUnicode 99 0 R")
	before, after, _ := strings.Cut(body, "xref") // whose places are wrong now, so that the file is repaired
	body = before + fmt.Sprintf("99 0 obj\n<< /Length %d >>\nstream\n%s\nendstream\nendobj\nxref", len(toNothing), toNothing) + after
	x, err := testPDF().Extract(t.Context(), []byte(body))
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(x.Text, "o\uFFFDce") || !strings.Contains(x.Partial, "1 character that") {
		t.Errorf("text %q, partial %q", x.Text, x.Partial)
	}
}
