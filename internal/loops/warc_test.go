package loops_test

import (
	"bytes"
	"compress/gzip"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/citeloop/citeloop/fetch"
	"github.com/citeloop/citeloop/internal/loops"
	"github.com/citeloop/citeloop/loopstate"
)

// withCaptures returns a loop with a page and its body, a page without a stored body, a file with its body, a PDF, and two
// pasted texts.
func withCaptures(t *testing.T) (*harness, string) {
	t.Helper()
	h, loop, _, _ := captured(t)
	h.web.put("file:///papers/harbour%20log.html", "Harbour log", "The harbour froze in 1929.")
	h.web.capture("file:///papers/harbour%20log.html", "<p>The harbour froze in 1929.", true)
	h.web.put("https://example.org/paper.pdf", "Paper", "The channel is 9 metres deep.")
	for url, change := range map[string]func(*fetch.Page){
		"file:///papers/harbour%20log.html": func(p *fetch.Page) {
			p.Capture.Status, p.Capture.Header, p.Capture.Accept, p.Capture.Redirects = 0, nil, "", nil
		},
		"https://example.org/paper.pdf": func(p *fetch.Page) {
			p.ContentType, p.Pages, p.Authors, p.Title = "application/pdf", []int{0, 10, 20}, []string{"Ada Quay", "Ben Pier"}, "Depths\r\nWARC-Type: response"
		},
	} {
		p := h.web.pages[url]
		change(&p)
		h.web.pages[url] = p
	}
	h.read(loop, "file:///papers/harbour%20log.html", "https://example.org/paper.pdf")
	long := strings.Repeat("The minutes name the harbour master. ", 10)
	for _, in := range []loops.ReadInput{{Loop: loop, Text: long, Title: "Minutes"}, {Loop: loop, URLs: []string{"https://example.org/müll einer"}, Text: long + "More.", Title: "More minutes"}} {
		if _, err := h.Read(t.Context(), in); err != nil {
			t.Fatal(err)
		}
	}
	return h, loop
}

func exportWARC(t *testing.T, h *harness, loop string, packed bool) []byte {
	t.Helper()
	var out bytes.Buffer
	got, err := h.ExportWARC(t.Context(), loop, &out, packed)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(loops.Captured{Sources: 6, Bodies: 2}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	return out.Bytes()
}

// warcRecords returns the headers of an uncompressed file's records. Package warc tests the records.
func warcRecords(file []byte) (records []map[string]string) {
	for _, part := range strings.Split(string(file), "\r\n\r\nWARC/1.1\r\n") {
		head, block, _ := strings.Cut(strings.TrimPrefix(part, "WARC/1.1\r\n"), "\r\n\r\n")
		r := map[string]string{"block": strings.TrimSuffix(block, "\r\n\r\n")}
		for _, line := range strings.Split(head, "\r\n") {
			name, value, _ := strings.Cut(line, ": ")
			r[name] = value
		}
		records = append(records, r)
	}
	return records
}

func TestExportWARC(t *testing.T) {
	h, loop := withCaptures(t)
	file := exportWARC(t, h, loop, false)
	sources, err := h.Sources(t.Context(), loop)
	if err != nil {
		t.Fatal(err)
	}
	type line struct{ Type, Target, Refers string } // Refers is the type of the referenced record
	var got []line
	types := map[string]string{}
	for _, r := range warcRecords(file) {
		types[r["WARC-Record-ID"]] = r["WARC-Type"]
		refers := r["WARC-Refers-To"] + r["WARC-Concurrent-To"]
		if refers != "" && types[refers] == "" {
			t.Errorf("%s refers to %s, which is not before it", r["WARC-Record-ID"], refers)
		}
		got = append(got, line{r["WARC-Type"], r["WARC-Target-URI"], types[refers]})
	}
	tower, quay, log, pdf, pasted, odd := "https://example.org/tower", "https://example.org/quay", "file:///papers/harbour%20log.html", "https://example.org/paper.pdf", "urn:sha256:"+sources[4].SHA256, "https://example.org/m%C3%BCll%20einer"
	want := []line{
		{"warcinfo", "", ""},
		{"response", tower, ""}, {"request", tower, "response"}, {"conversion", tower, "response"}, {"metadata", tower, "response"},
		{"conversion", quay, ""}, {"metadata", quay, "conversion"},
		{"resource", log, ""}, {"conversion", log, "resource"}, {"metadata", log, "resource"},
		{"conversion", pdf, ""}, {"metadata", pdf, "conversion"},
		{"resource", pasted, ""}, {"metadata", pasted, "resource"},
		{"resource", odd, ""}, {"metadata", odd, "resource"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Fatalf("records (-want +got):\n%s", diff)
	}
	records := warcRecords(file)
	if r := records[1]; !strings.HasPrefix(r["block"], "HTTP/1.1 200 OK\r\nX-Archive-Orig-Content-Encoding: br\r\n") || !strings.HasSuffix(r["block"], towerBody) ||
		r["WARC-Date"] != "2023-11-14T22:13:20Z" || r["WARC-Payload-Digest"] != "sha256:"+sources[0].Capture.SHA256 {
		t.Errorf("the response: %q", r)
	}
	for i, at := range []int{3, 5, 8, 10, 12, 14} { // each text has the hash of the receipts
		if r := records[at]; r["WARC-Payload-Digest"] != "sha256:"+sources[i].SHA256 || utf8.RuneCountInString(r["block"]) != sources[i].Chars {
			t.Errorf("the text of %s: %q", sources[i].ID, r)
		}
	}
	if diff := cmp.Diff("title: Quay\r\nciteloop-source-id: S2\r\nciteloop-canonical-key: url:example.org/quay\r\nciteloop-asked-for: "+quay+"\r\nciteloop-content-type: text/html\r\n"+
		"citeloop-redirected-from: "+quay+"?from\r\nciteloop-text-sha256: "+sources[1].SHA256+"\r\nciteloop-text-characters: "+records[5]["Content-Length"]+"\r\n"+
		"citeloop-body-sha256: "+sources[1].Capture.SHA256+"\r\nciteloop-body-bytes: 30\r\nciteloop-http-status: 200\r\nciteloop-http-header: Content-Encoding: br\r\n"+
		"citeloop-http-header: Content-Type: text/html\r\nciteloop-http-header: Date: Tue, 14 Nov 2023 22:13:20 GMT\r\n", records[6]["block"]); diff != "" {
		t.Errorf("what is known of S2 (-want +got):\n%s", diff)
	}
	if b := records[11]["block"]; !strings.HasPrefix(b, "title: Depths WARC-Type: response\r\ncreator: Ada Quay\r\ncreator: Ben Pier\r\n") || !strings.Contains(b, "\r\nciteloop-page-starts: 0 10 20") {
		t.Errorf("what is known of the PDF: %q", b)
	}

	packed := exportWARC(t, h, loop, true)
	if !bytes.Equal(packed, exportWARC(t, h, loop, true)) {
		t.Error("the same loop gives two files")
	}
	z, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		t.Fatal(err)
	}
	if unpacked, err := io.ReadAll(z); err != nil || !bytes.Equal(unpacked, file) {
		t.Errorf("the packed file holds %d other bytes, %v", len(unpacked), err)
	}
}

func TestExportWARCRefuses(t *testing.T) {
	h := newHarness(t)
	_, err := h.ExportWARC(t.Context(), "nope", io.Discard, true)
	refusal(t, err, "loop", loopstate.CodeUnknownLoop)
}

// Without the body, the text is still exported.
func TestExportWARCWithoutABody(t *testing.T) {
	from, loop, _, _ := captured(t)
	archive := rewrite(t, exported(t, from, loop), func(name string, b []byte) []byte {
		switch {
		case strings.HasPrefix(name, "bodies/"):
			return nil
		case name == "manifest.json":
			return bytes.Replace(b, []byte(",\n  \"bodies\": 1"), nil, 1)
		}
		return b
	})
	to := newHarness(t)
	if _, err := importInto(to, archive); err != nil {
		t.Fatal(err)
	}
	got, err := to.ExportWARC(t.Context(), loop, io.Discard, true)
	if diff := cmp.Diff(loops.Captured{Sources: 2}, got); err != nil || diff != "" {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
}

// Webrecorder's warcio.js reads the file and verifies every digest.
func TestWARCIOReadsTheWARC(t *testing.T) {
	folder := os.Getenv("CITELOOP_TEST_WARCIO")
	if folder == "" {
		t.Skip("CITELOOP_TEST_WARCIO does not name the folder in which npm installed warcio")
	}
	h, loop := withCaptures(t)
	name := filepath.Join(t.TempDir(), "loop.warc.gz")
	if err := os.WriteFile(name, exportWARC(t, h, loop, true), 0o600); err != nil {
		t.Fatal(err)
	}
	out, err := exec.CommandContext(t.Context(), "node", filepath.Join("testdata", "warcio.mjs"), folder, name).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if got := strings.Count(string(out), "\n"); got != 16 {
		t.Errorf("it finds %d records, want 16:\n%s", got, out)
	}
	for _, want := range []string{"response https://example.org/tower 31 200\n", "resource file:///papers/harbour%20log.html 29\n"} {
		if !strings.Contains(string(out), want) {
			t.Errorf("it does not find %q:\n%s", want, out)
		}
	}
}
