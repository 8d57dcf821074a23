package extract

import (
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

// hostile are inputs made to take much memory, by name: their type and how to make them.
var hostile = map[string]hostileBody{
	"PDF, a long chain of forms": {"application/pdf", func() []byte {
		objects := []string{pdfCatalog, pdfPages, pdfPage, pdfStream("", "/X Do"), pdfFont}
		for i := range 60_000 {
			objects = append(objects, pdfStream(fmt.Sprintf("/Type /XObject /Subtype /Form /BBox [0 0 612 792] /Resources << /Font "+
				"<< /F1 5 0 R >> /XObject << /X %d 0 R >> >>", 7+i), "BT /F1 10 Tf (x) Tj ET /X Do"))
		}
		return pdfOf(append(objects, pdfStream("/Type /XObject /Subtype /Form /BBox [0 0 612 792]", "0 0 1 1 re f"))...)
	}},
	"PDF, packed many times": {"application/pdf", func() []byte {
		content := strings.Repeat("q Q ", 40_000_000)
		for range 3 {
			content = deflate(content)
		}
		return pdfOf(pdfCatalog, pdfPages, pdfPage, pdfStream("/Filter [/FlateDecode /FlateDecode /FlateDecode]", content), pdfFont)
	}},
	"PDF, a deep page tree": {"application/pdf", func() []byte {
		objects := []string{pdfCatalog}
		for i := range 200_000 {
			objects = append(objects, fmt.Sprintf("<< /Type /Pages /Count 1 /Kids [%d 0 R] >>", i+3))
		}
		return pdfOf(append(objects, "<< /Type /Page /MediaBox [0 0 9 9] >>")...)
	}},
	"JATS, elements":   filled("application/xml", jatsBody, "<p/>", "</body></article>"),
	"JATS, attributes": filled("application/xml", jatsBody+"<p ", `a="" `, "></p></body></article>"),
	"JATS, references": filled("application/xml", jatsBody+"</body><back><ref-list>", jatsReference,
		"</ref-list></back></article>"),
	"mail, many parts": filled("message/rfc822", "Content-Type: multipart/mixed; boundary=b\n\n", "--b\n\nx\n", "--b--\n"),
	"mail, fields":     filled("message/rfc822", "Subject: x\n", "X: y\n", "\ntext"),
	"mail, HTML":       filled("message/rfc822", "Content-Type: text/html\n\n", "<p>a<b>", ""),
	"DOCX, paragraphs": packed(wordBody, "<w:p><w:r><w:t>a</w:t></w:r></w:p>", "</w:document>", "word/document.xml"),
	"DOCX, attributes": packed(wordBody+"<w:p ", `a="" `, "/></w:document>", "word/document.xml"),
	"EPUB, elements":   packed("", "<p>a<i>b</i>", "", "a.xhtml", bookFiles...),
	"EPUB, items": packed("<package><manifest>", `<item id="a" href="b"/>`, "</manifest></package>", "b.opf",
		bookFiles[:2:2]...),
	"zip, names":                 {"application/zip", func() []byte { return zipped(strings.Fields(numbered("%d - ", 170_000))...) }},
	"HTML, elements":             filled("text/html", "", "<p>a<b>c</b>", ""),
	"HTML, elements in elements": filled("text/html", "", "<div>", ""),
	"HTML, a table":              filled("text/html", "<table>", "<tr><td>1<td>2 cm<td>high</tr>", ""),
	"HTML, attributes":           filled("text/html", "<p ", "a b c=d ", ">"),
}

type hostileBody struct {
	kind string
	body func() []byte
}

const (
	jatsReference = "<ref><mixed-citation>a</mixed-citation></ref>"
	wordBody      = `<w:document xmlns:w="w">`
)

// filled repeats a text up to size bytes, between a beginning and an end.
func filled(kind, begin, repeated, end string) hostileBody {
	return hostileBody{kind, func() []byte {
		return []byte(begin + strings.Repeat(repeated, (size-len(begin)-len(end))/len(repeated)) + end)
	}}
}

// packed is such a text as the last file of an archive.
func packed(begin, repeated, end, name string, others ...string) hostileBody {
	content := filled("application/zip", begin, repeated, end).body
	return hostileBody{"application/zip", func() []byte { return zipped(append(others, name, string(content()))...) }}
}

// severalPDFs are read at a time, by the row of that name.
var severalPDFs = []string{"PDF, a long chain of forms", "PDF, packed many times", "PDF, a deep page tree"}

// TestPeak reads each hostile input in a process of its own, and then some PDFs at a time, and looks at the most memory that
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
	if os.Getenv("CITELOOP_TEST_LONG") == "" {
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
