package extract

import (
	"archive/zip"
	"bytes"
	"compress/zlib"
	"context"
	"fmt"
	"log/slog"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// maxPeak is the most memory that reading one input of up to 20 MB may take, the program itself included.
const maxPeak = 500 << 20

// size is the size of the largest inputs, in bytes.
const size = 20_000_000

// filled repeats a text up to size bytes, between a beginning and an end.
func filled(begin, repeated, end string) []byte {
	return []byte(begin + strings.Repeat(repeated, (size-len(begin)-len(end))/len(repeated)) + end)
}

// pdfOf is a PDF whose first object is the catalog and whose second is the page tree.
func pdfOf(objects ...string) []byte {
	var b bytes.Buffer
	b.WriteString("%PDF-1.7\n")
	for i, o := range objects {
		fmt.Fprintf(&b, "%d 0 obj\n%s\nendobj\n", i+1, o)
	}
	fmt.Fprintf(&b, "trailer\n<< /Root 1 0 R /Size %d >>\n", len(objects)+1)
	return b.Bytes()
}

const (
	pdfCatalog = "<< /Type /Catalog /Pages 2 0 R >>"
	pdfPages   = "<< /Type /Pages /Count 1 /Kids [3 0 R] >>"
	pdfPage    = "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> /XObject " +
		"<< /X 6 0 R >> >> >>"
	pdfFont = "<< /Type /Font /Subtype /Type1 /BaseFont /Times-Roman >>"
)

func pdfStream(dictionary, content string) string {
	return fmt.Sprintf("<< %s /Length %d >>\nstream\n%s\nendstream", dictionary, len(content), content)
}

func deflate(s string) string {
	var b bytes.Buffer
	w := zlib.NewWriter(&b)
	_, _ = w.Write([]byte(s))
	_ = w.Close()
	return b.String()
}

// forms is a page with a chain of forms, each of which draws the next one so many times.
func forms(depth, times int) []byte {
	objects := []string{pdfCatalog, pdfPages, pdfPage, pdfStream("", "/X Do"), pdfFont}
	for i := range depth {
		content := "BT /F1 10 Tf (x) Tj ET " + strings.Repeat("/X Do ", times)
		objects = append(objects, pdfStream(fmt.Sprintf(
			"/Type /XObject /Subtype /Form /BBox [0 0 612 792] /Resources << /Font << /F1 5 0 R >> /XObject << /X %d 0 R >> >>", 7+i%depth),
			content))
	}
	return pdfOf(append(objects, pdfStream("/Type /XObject /Subtype /Form /BBox [0 0 612 792]", "0 0 1 1 re f"))...)
}

// hostile are inputs made to take much memory, by name: their type and how to make them.
var hostile = map[string]struct {
	kind string
	body func() []byte
}{
	"PDF, forms in each other":   {"application/pdf", func() []byte { return forms(40, 3) }},
	"PDF, a long chain of forms": {"application/pdf", func() []byte { return forms(60_000, 1) }},
	"PDF, a form that draws itself": {"application/pdf", func() []byte {
		return pdfOf(pdfCatalog, pdfPages, pdfPage, pdfStream("", strings.Repeat("/X Do ", 100_000)), pdfFont,
			pdfStream("/Type /XObject /Subtype /Form /BBox [0 0 612 792] /Resources << /XObject << /X 6 0 R >> >>",
				strings.Repeat("/X Do ", 1000)))
	}},
	"PDF, a packed page": {"application/pdf", func() []byte {
		content := deflate(strings.Repeat("BT /F1 10 Tf 1 1 Td (abcdefghij klmnop) Tj ET\n", 4_000_000))
		return pdfOf(pdfCatalog, pdfPages, pdfPage, pdfStream("/Filter /FlateDecode", content), pdfFont)
	}},
	"PDF, packed many times": {"application/pdf", func() []byte {
		content := strings.Repeat("q Q ", 40_000_000)
		for range 3 {
			content = deflate(content)
		}
		return pdfOf(pdfCatalog, pdfPages, pdfPage, pdfStream("/Filter [/FlateDecode /FlateDecode /FlateDecode]", content), pdfFont)
	}},
	"PDF, object streams": {"application/pdf", func() []byte {
		var index, objects strings.Builder
		for i := range 600_000 {
			fmt.Fprintf(&index, "%d %d ", 10+i, objects.Len())
			objects.WriteString("[[[]]] ")
		}
		content := deflate(index.String() + objects.String())
		return pdfOf(pdfCatalog, pdfPages, pdfPage, pdfStream("", "BT /F1 10 Tf (x) Tj ET"), pdfFont,
			pdfStream(fmt.Sprintf("/Type /ObjStm /Filter /FlateDecode /N 600000 /First %d", index.Len()), content))
	}},
	"PDF, a deep page tree": {"application/pdf", func() []byte {
		objects := []string{pdfCatalog}
		for i := range 200_000 {
			objects = append(objects, fmt.Sprintf("<< /Type /Pages /Count 1 /Kids [%d 0 R] >>", i+3))
		}
		return pdfOf(append(objects, "<< /Type /Page /MediaBox [0 0 9 9] >>")...)
	}},
	"PDF, a wide page tree": {"application/pdf", func() []byte {
		return pdfOf(pdfCatalog, "<< /Type /Pages /Count 500000 /Kids ["+strings.Repeat("3 0 R ", 500_000)+"] >>", pdfPage,
			pdfStream("", "BT /F1 10 Tf (x) Tj ET"), pdfFont)
	}},
	"JATS, elements": {"application/xml", func() []byte {
		return filled("<article><front><article-meta/></front><body>", "<p/>", "</body></article>")
	}},
	"JATS, paragraphs": {"application/xml", func() []byte {
		return filled("<article><front><article-meta/></front><body>", "<p>a <b>c</b></p>", "</body></article>")
	}},
	"JATS, attributes": {"application/xml", func() []byte {
		return filled("<article><front><article-meta/></front><body><p ", `a="" `, "></p></body></article>")
	}},
	"JATS, references": {"application/xml", func() []byte {
		return filled("<article><front><article-meta/></front><body><p>x</p></body><back><ref-list>",
			"<ref><mixed-citation>a</mixed-citation></ref>", "</ref-list></back></article>")
	}},
	"mail, parts in each other": {"message/rfc822", func() []byte {
		var b strings.Builder
		for i := range 9 {
			fmt.Fprintf(&b, "Content-Type: multipart/mixed; boundary=b%d\n\n--b%d\n", i, i)
		}
		b.WriteString("Content-Type: text/plain\n\n")
		return filled(b.String(), "word ", "")
	}},
	"mail, many parts": {"message/rfc822", func() []byte {
		return filled("Content-Type: multipart/mixed; boundary=b\n\n", "--b\n\nx\n", "--b--\n")
	}},
	"mail, fields": {"message/rfc822", func() []byte { return filled("Subject: x\n", "X: y\n", "\ntext") }},
	"mail, HTML":   {"message/rfc822", func() []byte { return filled("Content-Type: text/html\n\n", "<p>a<b>", "") }},
	"DOCX, paragraphs": {"application/zip", func() []byte {
		return zipped("word/document.xml", string(filled(`<w:document xmlns:w="w">`, "<w:p><w:r><w:t>a</w:t></w:r></w:p>",
			"</w:document>")))
	}},
	"DOCX, attributes": {"application/zip", func() []byte {
		return zipped("word/document.xml", string(filled(`<w:document xmlns:w="w"><w:p `, `a="" `, "/></w:document>")))
	}},
	"DOCX, tables in tables": {"application/zip", func() []byte {
		return zipped("word/document.xml", string(filled(`<w:document xmlns:w="w">`, "<w:tbl><w:tr><w:tc><w:p/></w:tc></w:tr></w:tbl>",
			"</w:document>")))
	}},
	"EPUB, a chapter of elements": {"application/epub+zip", func() []byte {
		return zipped("META-INF/container.xml", `<container><rootfiles><rootfile full-path="b.opf"/></rootfiles></container>`,
			"b.opf", `<package><manifest><item id="a" href="a.xhtml" media-type="application/xhtml+xml"/></manifest><spine><itemref `+
				`idref="a"/></spine></package>`,
			"a.xhtml", string(filled("", "<p>a<i>b</i>", ""))[:size-2000])
	}},
	"EPUB, items": {"application/epub+zip", func() []byte {
		return zipped("META-INF/container.xml", `<container><rootfiles><rootfile full-path="b.opf"/></rootfiles></container>`,
			"b.opf", string(filled(`<package><manifest>`, `<item id="a" href="b"/>`, `</manifest></package>`))[:size-2000])
	}},
	"zip, names": {"application/zip", func() []byte {
		var b bytes.Buffer
		w := zip.NewWriter(&b)
		for i := range 170_000 {
			_, _ = w.CreateHeader(&zip.FileHeader{Name: fmt.Sprint(i)})
		}
		_ = w.Close()
		return b.Bytes()
	}},
	"HTML, elements":             {"text/html", func() []byte { return filled("", "<p>a<b>c</b>", "") }},
	"HTML, lists in lists":       {"text/html", func() []byte { return filled("", "<ul><li>", "") }},
	"HTML, elements in elements": {"text/html", func() []byte { return filled("", "<div>", "") }},
	"HTML, a table":              {"text/html", func() []byte { return filled("<table>", "<tr><td>1<td>2 cm<td>high</tr>", "") }},
	"HTML, attributes":           {"text/html", func() []byte { return filled("<p ", "a b c=d ", ">") }},
}

// severalPDFs are read at a time, by the row of that name.
var severalPDFs = []string{"PDF, a long chain of forms", "PDF, a packed page", "PDF, packed many times", "PDF, object streams",
	"PDF, a deep page tree", "PDF, a wide page tree"}

// TestPeak reads each hostile input in a process of its own, and then six PDFs at a time, and looks at the most memory that
// it took.
func TestPeak(t *testing.T) {
	if name := os.Getenv("EXTRACT_PEAK"); name != "" {
		e := New(Config{CacheDir: os.Getenv("EXTRACT_CACHE"), MaxDecoded: 20 << 20, Logger: slog.New(slog.DiscardHandler)})
		ctx, cancel := context.WithTimeout(t.Context(), time.Hour) // if it hangs
		defer cancel()
		var all sync.WaitGroup
		for _, file := range strings.Split(os.Getenv("EXTRACT_BODIES"), ";") {
			body, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			all.Go(func() {
				_, err := e.Extract(ctx, os.Getenv("EXTRACT_PEAK"), body, nil)
				t.Logf("error: %v", err)
			})
		}
		all.Wait()
		t.Logf("peak: %d kB", peakOf(t))
		return
	}
	if slowdown > 1 || os.Getenv("CITELOOP_TEST_LONG") == "" {
		t.Skip("measures memory for a minute: set CITELOOP_TEST_LONG=1, without the race detector")
	}
	cache := filepath.Join(os.TempDir(), "citeloop-test-wazero") // of compiled code, the same in every run
	atOnce := make(chan struct{}, 2)                             // each child may take maxPeak
	peak := func(name, kind string, bodies ...func() []byte) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			atOnce <- struct{}{}
			defer func() { <-atOnce }()
			var files []string
			for i, body := range bodies { // made here, so that making them does not count
				files = append(files, filepath.Join(t.TempDir(), fmt.Sprint("body", i)))
				if err := os.WriteFile(files[i], body(), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			child := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestPeak$", "-test.v")
			child.Env = append(os.Environ(), "EXTRACT_PEAK="+kind, "EXTRACT_CACHE="+cache, "EXTRACT_BODIES="+strings.Join(files, ";"))
			out, err := child.CombinedOutput()
			if err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			_, measured, _ := strings.Cut(string(out), "peak: ")
			measured, _, _ = strings.Cut(measured, " kB")
			peak, err := strconv.Atoi(measured)
			if err != nil {
				t.Fatalf("no peak in\n%s", out)
			}
			peak <<= 10
			_, said, _ := strings.Cut(string(out), "error: ")
			said, _, _ = strings.Cut(said, "\n")
			if strings.Contains(string(out), "could not be started") {
				t.Errorf("nothing was read:\n%s", out)
			}
			t.Logf("%d MB, %s of processor time, %.90s", peak>>20, child.ProcessState.UserTime().Round(100*time.Millisecond), said)
			if peak > maxPeak {
				t.Errorf("the peak is %d MB, the limit %d MB", peak>>20, maxPeak>>20)
			}
		})
	}
	for _, name := range slices.Sorted(maps.Keys(hostile)) {
		peak(name, hostile[name].kind, hostile[name].body)
	}
	var bodies []func() []byte
	for _, name := range severalPDFs {
		bodies = append(bodies, hostile[name].body)
	}
	peak("PDFs, several at a time", "application/pdf", bodies...)
	deep := hostile["PDF, a deep page tree"].body
	peak("PDFs, deep page trees at a time", "application/pdf", deep, deep, deep)
}

// peakOf returns the most resident memory of this process, in kB. The peak that a parent learns of its child includes that of
// the parent's own process when it started the child.
func peakOf(t *testing.T) int {
	t.Helper()
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(status), "VmHWM:")
	field, _, _ := strings.Cut(strings.TrimSpace(rest), " ")
	n, err := strconv.Atoi(field)
	if err != nil {
		t.Fatalf("no VmHWM in %s", status)
	}
	return n
}
