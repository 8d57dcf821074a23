package pdf

import (
	"bytes"
	"compress/zlib"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/citeloop/citeloop/fetch/extract/document"
	"github.com/citeloop/citeloop/fetch/extract/pdf/pdftest"
)

// testPDF is one engine for all tests, because the library takes seconds to compile.
var testPDF = sync.OnceValue(func() *Engine {
	return New(testCacheDir(), slog.New(slog.DiscardHandler))
})

// testCacheDir is the same in every run, so that the library is compiled once.
func testCacheDir() string { return filepath.Join(os.TempDir(), "citeloop-test-wazero") }

func pdfDocument(t *testing.T, d *pdftest.Doc) document.Document {
	t.Helper()
	x, err := testPDF().Extract(t.Context(), d.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	return x.Document
}

func TestPDFParagraphs(t *testing.T) {
	t.Parallel()
	var d pdftest.Doc
	d.Page(
		pdftest.Show(72, 720, 18, "On the tides of a small harbour"),
		pdftest.Lines(72, 680, 12, 10,
			"The tide tables of the harbour were printed every year until 1931, when the print-",
			"ing house closed. A well-",
			"known collection keeps them all, and the well-known catalogue names each of them in full."),
		pdftest.Lines(84, 632, 12, 10, "A second paragraph begins with an indent, as all books have it, and it is as long as"),
		pdftest.Lines(72, 620, 12, 10, "two lines are, so that the margin on the left can be seen."),
		pdftest.Show(72, 590, 10, "A third is set off by space."),
	)
	got := pdfDocument(t, &d)
	want := "# On the tides of a small harbour\n\n" +
		"The tide tables of the harbour were printed every year until 1931, when the printing house closed. A well-known collection " +
		"keeps them all, and the well-known catalogue names each of them in full.\n\n" +
		"A second paragraph begins with an indent, as all books have it, and it is as long as two lines are, so that the margin on the " +
		"left can be seen.\n\n" +
		"A third is set off by space."
	if d := cmp.Diff(want, got.Text); d != "" {
		t.Errorf("text (-want +got):\n%s", d)
	}
	if got.Title != "On the tides of a small harbour" || !cmp.Equal(got.Pages, []int{0}) {
		t.Errorf("title %q, pages %v", got.Title, got.Pages)
	}
}

var (
	leftColumn = []string{
		"The left column begins here and goes", "down to the foot of the page without", "any regard for what is beside it, line",
		"after line, until it is at its end and",
		"the eye goes up to the other column.", "This is the sixth line of the left one."}
	rightColumn = []string{
		"The right column is read second, for", "it stands on the right, and nothing of", "it may come between two lines of the",
		"column on the left, however the file",
		"has put its lines one after the other.", "This is the last line of the page."}
)

// The left column is read before the right one for any order in the file, and lines across both keep their position.
func TestPDFColumns(t *testing.T) {
	t.Parallel()
	column := func(x int, text []string) string { return pdftest.Lines(x, 640, 12, 10, text...) }
	var mixed []string
	for i := range leftColumn {
		mixed = append(mixed, pdftest.Show(72, 640-12*i, 10, leftColumn[i]), pdftest.Show(320, 640-12*i, 10, rightColumn[i]))
	}
	title := pdftest.Show(150, 720, 18, "A title that stands across both of the columns")
	abstract := pdftest.Show(72, 690, 10, "The abstract also stands across both of the columns, from one margin to the other, as they do.")
	want := strings.Join(leftColumn, " ") + "\n\n" + strings.Join(rightColumn, " ")
	for name, ops := range map[string][]string{
		"in order":    {title, abstract, column(72, leftColumn), column(320, rightColumn)},
		"right first": {title, abstract, column(320, rightColumn), column(72, leftColumn)},
		"interleaved": append([]string{title, abstract}, mixed...),
		"title last":  {column(72, leftColumn), column(320, rightColumn), abstract, title},
	} {
		t.Run(name, func(t *testing.T) {
			var d pdftest.Doc
			d.Page(ops...)
			got := pdfDocument(t, &d)
			if d := cmp.Diff("# A title that stands across both of the columns\n\nThe abstract also stands across both of the "+
				"columns, from one margin to the other, as they do.\n\n"+want, got.Text); d != "" {
				t.Errorf("text (-want +got):\n%s", d)
			}
		})
	}
}

// A sentence continues from the foot of the right column to the left column of the next page.
func TestPDFColumnsAcrossPages(t *testing.T) {
	t.Parallel()
	var d pdftest.Doc
	for i := range 3 {
		left := append([]string{fmt.Sprintf("page %d and ends in its first line here.", i)}, leftColumn...)
		right := append(append([]string{}, rightColumn...), "This sentence continues on the following")
		d.Page(pdftest.Show(72, 760, 9, "Journal of Harbours 12 (2019)"), pdftest.Show(300, 40, 9, fmt.Sprint(101+i)),
			pdftest.Lines(72, 640, 12, 10, left...), pdftest.Lines(320, 640, 12, 10, right...))
	}
	text := pdfDocument(t, &d).Text
	for i := 1; i < 3; i++ {
		if want := fmt.Sprintf("This sentence continues on the following page %d and ends in its first line here.",
			i); !strings.Contains(text, want) {
			t.Errorf("%q is not in the text:\n%s", want, text)
		}
	}
}

// Headers, footers and page numbers are furniture, sentences continue across pages, and the start of each page is known.
func TestPDFPages(t *testing.T) {
	t.Parallel()
	var d pdftest.Doc
	words := strings.Fields("ebb flood spring neap slack high low")
	for i := 1; i <= 6; i++ {
		head := "Journal of Harbours 12 (2019)"
		if i%2 == 0 {
			head = "A. Writer and B. Other"
		}
		d.Page(pdftest.Show(72, 760, 9, head), pdftest.Show(300, 40, 9, fmt.Sprint(100+i)),
			pdftest.Lines(72, 700, 12, 10,
				fmt.Sprintf("and this page, of the %s tide, begins in the middle of a sentence that the page before", words[i]),
				fmt.Sprintf("has begun, and so there is no end of it at the foot, where we read that the %s water is the", words[i-1])))
	}
	got := pdfDocument(t, &d)
	if len(got.Pages) != 6 {
		t.Fatalf("pages %v", got.Pages)
	}
	for i, at := range got.Pages {
		if want := fmt.Sprintf("and this page, of the %s tide", words[i+1]); i > 0 && !strings.HasPrefix(string([]rune(got.Text)[at:]),
			want) {
			t.Errorf("page %d begins with %.40q, want %q", i+1, string([]rune(got.Text)[at:]), want)
		}
	}
	if strings.Contains(got.Content(), "\n") {
		t.Errorf("one sentence became more than one paragraph:\n%s", got.Text)
	}
	for _, furniture := range []string{"Journal of", "A. Writer", "101", "106"} {
		if strings.Contains(got.Content(), furniture) || !strings.Contains(got.Text, furniture) {
			t.Errorf("%q is in the text:\n%s", furniture, got.Text)
		}
	}
	// Numbers that do not count the pages are text.
	d = pdftest.Doc{}
	for i := range 4 {
		d.Page(pdftest.Lines(72, 700, 12, 10, fmt.Sprintf("Chapter with the number %d, which has a text of its own below it.", i), "1931"))
	}
	if got := pdfDocument(t, &d); strings.Count(got.Text, "1931") != 4 {
		t.Errorf("a year on each page was dropped: %s", got.Text)
	}
}

func TestPDFMetadata(t *testing.T) {
	t.Parallel()
	type info = map[string]string
	body := pdftest.Lines(72, 640, 12, 10, "The tide tables of the harbour were printed every year until 1931.")
	tests := []struct {
		name string
		info info
		ops  string // of the first page, before the body
		want document.Head
	}{
		{"information dictionary", info{"Title": "Tides of a harbour", "Author": "Ada Writer and Bo Other", "Keywords": "tides, tables",
			"CreationDate": "D:20190304120000Z", "Subject": "Tide tables"}, pdftest.Show(72, 700, 10, "A. Writer and B. Other"),
			document.Head{Title: "Tides of a harbour", Authors: []string{"Ada Writer", "Bo Other"}, Subject: "Tide tables",
				Keywords: "tides, tables"}},
		{"a title that is none", info{"Title": "Microsoft Word - draft_7.doc", "Author": "admin"},
			pdftest.Show(72, 720, 20, "What the tables say"), document.Head{Title: "What the tables say"}},
		{"DOI on the first page", nil, pdftest.Show(72, 760, 8, "https://doi.org/10.1234/Tide.7"), document.Head{DOI: "10.1234/tide.7"}},
		{"DOI in the reference list alone", nil, pdftest.Show(72, 600, 10, "References") + "\n" +
			pdftest.Show(72, 580, 10, "[1] B. Other, 2001, doi:10.9999/other"), document.Head{}},
		{"several authors", info{"Author": "Ada Writer, Bo Other; Smith, Jo; Dell Customer"},
			pdftest.Show(72, 700, 10, "A. Writer, B. Other, J. Smith"),
			document.Head{Authors: []string{"Ada Writer", "Bo Other", "Smith, Jo"}}},
		{"an account that the page does not name", info{"Author": "Office 14 Lab", "CreationDate": "D:20260101"}, "", document.Head{}},
		{"arXiv stamp", nil, "BT /F1 20 Tf 0 1 -1 0 30 200 Tm (arXiv:1701.00001v2 [cs.XX] 3 Jan 2017) Tj ET",
			document.Head{PublishedAt: "2017-01-03"}},
		{"an id of another preprint", nil, pdftest.Show(72, 700, 10, "as arXiv:1706.03762 shows"), document.Head{}},
	}
	for _, tt := range tests {
		got := pdfDocument(t, &pdftest.Doc{Info: tt.info, Pages: []string{tt.ops + "\n" + body,
			pdftest.Show(72, 700, 10, "doi:10.9999/other is what we cite")}}).Head
		if got.ContentType = ""; tt.want.Title == "" {
			got.Title = ""
		}
		if d := cmp.Diff(tt.want, got); d != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, d)
		}
	}
}

func TestPDFUnreadable(t *testing.T) {
	t.Parallel()
	good := pdftest.Doc{Pages: []string{pdftest.Show(72, 700, 10, "Some text")}}
	encrypted := good
	encrypted.Trailer = "/ID [<00112233445566778899aabbccddeeff> <00112233445566778899aabbccddeeff>] /Encrypt << /Filter /Standard /V " +
		"1 /R 2 /P -44 /O <" +
		strings.Repeat("ab", 32) + "> /U <" + strings.Repeat("cd", 32) + "> >>"
	loop := []byte("%PDF-1.4\n1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n2 0 obj\n<< /Type /Pages /Count 3 /Kids [2 0 R 2 0 " +
		"R 3 0 R] /Parent 2 0 R >>\nendobj\n3 0 obj\n<< /Type /Page /Parent 2 0 R /Contents 4 0 R >>\nendobj\n4 0 obj\n4 0 " +
		"R\nendobj\ntrailer\n<< /Root 1 0 R /Prev 0 >>\n")
	for name, tt := range map[string]struct {
		body   []byte
		reason string
	}{
		"no text":   {(&pdftest.Doc{Pages: []string{"0 0 100 100 re f", ""}}).Bytes(), "2 pages, and no text layer"},
		"encrypted": {encrypted.Bytes(), "password"},
		"garbage":   {append([]byte("%PDF-1.7\n"), bytes.Repeat([]byte{0xff, 0x00, 0x7f, '<'}, 10_000)...), "damaged"},
		"cut":       {good.Bytes()[:40], "damaged"},
		"a loop":    {loop, ""},
		"nested without end": {[]byte("%PDF-1.4\n1 0 obj\n<< /Type /Catalog /Pages " + strings.Repeat("<< /A ", 200_000) +
			"\ntrailer\n<< /Root 1 0 R >>\n"), ""},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := testPDF().Extract(t.Context(), tt.body)
			if !errors.Is(err, document.ErrUnsupported) || !strings.Contains(err.Error(), tt.reason) {
				t.Errorf("%v, want one that wraps ErrUnsupported and says %q", err, tt.reason)
			}
		})
	}
}

// A page that decompresses to more than the sandbox's memory ends its instance.
func TestPDFMemory(t *testing.T) {
	if os.Getenv("CITELOOP_TEST_LONG") == "" {
		t.Skip("unpacks half a gigabyte: set CITELOOP_TEST_LONG=1, without the race detector")
	}
	body := deflated(t, "BT /F1 10 Tf 1 1 Td (abcdefghij klmnop) Tj ET\n", 12_000_000)
	_, err := testPDF().Extract(t.Context(), body)
	if !errors.Is(err, document.ErrUnsupported) || !strings.Contains(err.Error(), "more memory than 96 MiB") {
		t.Errorf("%v", err)
	}
	good := pdftest.Doc{Pages: []string{pdftest.Show(72, 700, 10, "Some text")}}
	if got := pdfDocument(t, &good); got.Text != "Some text" {
		t.Errorf("afterwards: %q", got.Text)
	}
}

// deflated returns a page with a repeated line, compressed: half a gigabyte in a few megabytes.
func deflated(t *testing.T, line string, times int) []byte {
	t.Helper()
	const at = 1000 // lines at a time, to save memory
	var packed bytes.Buffer
	w, _ := zlib.NewWriterLevel(&packed, zlib.BestSpeed) // fails for an unknown level alone
	lines := []byte(strings.Repeat(line, at))
	for range times / at {
		_, _ = w.Write(lines)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return fmt.Appendf(nil, ""+
		"%%PDF-1.4\n1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n2 0 obj\n<< /Type /Pages /Count 1 /Kids [3 0 R] "+
		">>\nendobj\n3 0 obj\n<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> "+
		">>\nendobj\n5 0 obj\n<< /Type /Font /Subtype /Type1 /BaseFont /Times-Roman >>\nendobj\n"+
		"4 0 obj\n<< /Filter /FlateDecode /Length %d >>\nstream\n%s\nendstream\nendobj\ntrailer\n<< /Root 1 0 R >>\n",
		packed.Len(), packed.Bytes())
}

// A deadline interrupts PDFium, and the next document is not affected.
func TestPDFDeadline(t *testing.T) {
	good := pdftest.Doc{Pages: []string{pdftest.Show(72, 700, 10, "Some text")}}
	pdfDocument(t, &good) // so that the library is compiled
	var d pdftest.Doc
	d.Page(strings.Repeat("q Q 1 w 0 0 m 1 1 l n\n", 1_000_000))
	body := d.Bytes()
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	_, err := testPDF().Extract(ctx, body)
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("error %v", err)
	}
	if got := pdfDocument(t, &good); got.Text != "Some text" {
		t.Errorf("afterwards: %q", got.Text)
	}
}

// Concurrent documents wait for a free instance.
func TestConcurrentPDFs(t *testing.T) {
	t.Parallel()
	good := (&pdftest.Doc{Pages: []string{pdftest.Show(72, 700, 10, "Some text")}}).Bytes()
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			if x, err := testPDF().Extract(t.Context(), good); err != nil || x.Text != "Some text" {
				t.Errorf("%q, %v", x.Text, err)
			}
		})
	}
	wg.Wait()
}

func TestReadable(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"eﬃcient ﬂow": "efficient flow", "Poincar´e": "Poincaré", "Erd˝os": "Erdős", "¨Ubung": "Übung", "na¨ıve": "naïve",
		"5´ 20´´": "5´ 20´´", "plain": "plain",
	} {
		if got := readable(in); got != want {
			t.Errorf("readable(%q) = %q, want %q", in, got, want)
		}
	}
}

func FuzzPDF(f *testing.F) {
	f.Add((&pdftest.Doc{Info: map[string]string{"Title": "A"}, Pages: []string{pdftest.Show(72, 700, 10, "Some text")}}).Bytes())
	f.Add([]byte("%PDF-1.7\n"))
	f.Fuzz(func(t *testing.T, body []byte) {
		x, err := testPDF().Extract(t.Context(), body)
		if err == nil && x.Chars != utf8.RuneCountInString(x.Text) {
			t.Errorf("%d characters, counted %d", x.Chars, utf8.RuneCountInString(x.Text))
		}
		for i, at := range x.Pages {
			if at < 0 || at > x.Chars || i > 0 && at < x.Pages[i-1] {
				t.Fatalf("pages %v of %d characters", x.Pages, x.Chars)
			}
		}
	})
}

// Pages that were not read are counted, with the reason.
func TestPDFSaysWhyPagesAreMissing(t *testing.T) {
	t.Parallel()
	var d pdftest.Doc
	for range 3 {
		d.Page(pdftest.Show(72, 720, 12, "The tide tables of the harbour were printed every year until 1931."))
	}
	file, err := testPDF().readPDF(t.Context(), d.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	if got := file.document().Partial; got != "" || len(file.pages) != 3 {
		t.Errorf("a whole file has %d pages and says %q", len(file.pages), got)
	}
	for _, tt := range []struct {
		page, chars int
		last        time.Time
		want        string
	}{
		{0, maxPDFChars + 1, time.Unix(1, 0), ""},
		{1, 10, time.Time{}, ""},
		{1, 10, time.Now().Add(time.Hour), ""},
		{1, 10, time.Unix(1, 0), "the time allowed was over"},
		{maxPDFPages, 10, time.Time{}, "more are not read"},
		{1, maxPDFChars + 1, time.Time{}, "they have more than 20000000 characters"},
	} {
		if got := limitAt(tt.page, tt.chars, tt.last); got != tt.want {
			t.Errorf("page %d, %d characters, until %v: %q, want %q", tt.page, tt.chars, tt.last, got, tt.want)
		}
	}
	file.count, file.cut = 5, "the time allowed was over"
	if got, want := file.document().Partial, "only the first 3 of 5 pages were read: the time allowed was over"; got != want {
		t.Errorf("Partial %q, want %q", got, want)
	}
}
