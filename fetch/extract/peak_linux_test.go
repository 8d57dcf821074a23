package extract

import (
	"bytes"
	"compress/zlib"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"
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

// TestPeak reads each hostile input, and then some PDFs at a time, in a process of its own, and looks at the most memory that it took.
func TestPeak(t *testing.T) {
	if kind := os.Getenv("EXTRACT_PEAK"); kind != "" {
		readTogether(t, kind, strings.Split(os.Getenv("EXTRACT_BODIES"), ";"))
		return
	}
	if os.Getenv("CITELOOP_TEST_LONG") == "" {
		t.Skip("measures memory for a minute: set CITELOOP_TEST_LONG=1, without the race detector")
	}
	atOnce := make(chan struct{}, 2) // each child may take maxPeak
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
			child.Env = append(os.Environ(), "EXTRACT_PEAK="+kind, "EXTRACT_BODIES="+strings.Join(files, ";"))
			out, err := child.CombinedOutput()
			if err != nil || strings.Contains(string(out), "could not be started") {
				t.Fatalf("nothing was read: %v\n%s", err, out)
			}
			kB, err := strconv.Atoi(regexp.MustCompile(`VmHWM:\s*(\d+)`).FindStringSubmatch(string(out) + "VmHWM: 0")[1])
			if t.Logf("%d MB", kB>>10); err != nil || kB == 0 || kB<<10 > maxPeak {
				t.Errorf("the peak is %d MB, the limit %d MB, %v", kB>>10, maxPeak>>20, err)
			}
		})
	}
	for name, input := range hostile {
		peak(name, input.kind, input.body)
	}
	peak("PDFs, several at a time", "application/pdf", hostile["PDF, a long chain of forms"].body, hostile["PDF, packed many times"].body,
		hostile["PDF, a deep page tree"].body)
	deep := hostile["PDF, a deep page tree"].body
	peak("PDFs, deep page trees at a time", "application/pdf", deep, deep, deep)
}

// readTogether reads files at the same time and logs the most resident memory of this process. The peak that a parent learns of its
// child includes that of the parent's own process when it started the child.
func readTogether(t *testing.T, kind string, files []string) {
	e := New(Config{CacheDir: filepath.Join(os.TempDir(), "citeloop-test-wazero"), MaxDecoded: 20 << 20, // the same in every run
		Logger: slog.New(slog.DiscardHandler)})
	var all sync.WaitGroup
	for _, file := range files {
		body, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		all.Go(func() {
			_, err := e.Extract(t.Context(), kind, body, nil)
			t.Logf("error: %v", err)
		})
	}
	all.Wait()
	status, err := os.ReadFile("/proc/self/status")
	t.Logf("%s, %v", status, err)
}
