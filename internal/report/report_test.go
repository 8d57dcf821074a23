package report

import (
	"bytes"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var policyMeta = regexp.MustCompile(`content="default-src[^"]*"`)

var update = flag.Bool("update", false, "rewrite the golden files")

func render(t testing.TB, format string, d Document) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := Write(&b, format, d); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// textFormats are the formats of every loop; those of a comparison and of a systematic review have their own tests.
func textFormats() []string {
	return slices.DeleteFunc(Formats(), func(f string) bool { return f == Table || f == CSV })
}

func TestGolden(t *testing.T) {
	for _, f := range fixtures(t) {
		if !f.golden {
			continue
		}
		for _, format := range textFormats() {
			t.Run(f.name+"/"+format, func(t *testing.T) {
				// The style sheet is in its own file.
				got := bytes.Replace(render(t, format, f.doc), []byte(styleSheet()), []byte("/* page.css */"), 1)
				got = policyMeta.ReplaceAll(got, []byte(`content="(policy)"`))
				path := filepath.Join("testdata", f.name+Extension(format))
				if *update {
					if err := os.WriteFile(path, got, 0o644); err != nil {
						t.Fatal(err)
					}
				}
				want, err := os.ReadFile(path)
				if err != nil {
					t.Fatalf("%v (go test -update writes it)", err)
				}
				if diff := cmp.Diff(string(want), string(got)); diff != "" {
					t.Errorf("%s (-want +got):\n%s", path, diff)
				}
			})
		}
	}
}

func TestOutputIsDeterministic(t *testing.T) {
	for _, format := range textFormats() {
		a, b := hostile(t), hostile(t)
		if !bytes.Equal(render(t, format, a), render(t, format, b)) {
			t.Errorf("%s: two renderings of one document differ", format)
		}
	}
}

func TestUnknownFormat(t *testing.T) {
	var b bytes.Buffer
	err := Write(&b, "pdf", Document{})
	want := `unknown report format "pdf": use markdown, html, bibtex, csl-json, ris, json, table, csv`
	if err == nil || err.Error() != want {
		t.Errorf("got %q, want %q", err, want)
	}
	if b.Len() > 0 || Extension("pdf") != "" || ContentType("pdf") != "" {
		t.Error("an unknown format wrote something, or has an extension or a media type")
	}
}

func TestDraftIsMarkedInEveryFormat(t *testing.T) {
	for _, format := range textFormats() {
		if got := string(render(t, format, unverified(t))); !strings.Contains(got, "DRAFT") {
			t.Errorf("%s lacks DRAFT", format)
		}
		if got := string(render(t, format, english(t))); strings.Contains(got, "DRAFT") {
			t.Errorf("%s marks a verified report as DRAFT", format)
		}
	}
}

type failing struct{ err error }

func (f failing) Write([]byte) (int, error) { return 0, f.err }

func TestWriteReturnsTheWritersError(t *testing.T) {
	full := errors.New("disk full")
	if err := Write(failing{full}, HTML, english(t)); !errors.Is(err, full) {
		t.Errorf("got %v, want it to wrap %v", err, full)
	}
}

// A bracket that cites a source of the loop and a work that nothing leads to shows both: one as a link, one as it is written.
func TestMixedMarks(t *testing.T) {
	const said = "The tide rises twice a day"
	tides := source(1, 1, "Tides", "https://tides.example/a")
	for mark, want := range map[string]string{
		"[S1; Smith 2020]":   `[<a class="cite" href="#e1">S1:3</a>, <span class="cite nowhere">Smith 2020</span>]`,
		"[Smith 2020; S1:3]": `[<span class="cite nowhere">Smith 2020</span>, <a class="cite" href="#e1">S1:3</a>]`,
	} {
		d := placed(t, Document{Query: "tides", Text: said + " " + mark + ".", Sources: []Source{tides}, Sentences: []Sentence{{Text: said,
			Status: "grounded", Receipts: []Receipt{at("3", receipt(tides, 0, "", said, ""))}}}})
		if got := string(render(t, HTML, d)); !strings.Contains(got, want) {
			t.Errorf("%s: the page lacks %s:\n%s", mark, want, got)
		}
		if got := string(render(t, Markdown, d)); !strings.Contains(got, said+" "+mark) {
			t.Errorf("%s: the Markdown lacks the author's mark:\n%s", mark, got)
		}
	}
}
