package archive

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/citeloop/citeloop/fetch/extract/document"
	"github.com/citeloop/citeloop/fetch/extract/limit"
	"github.com/citeloop/citeloop/fetch/extract/xmltree"
	"github.com/citeloop/citeloop/internal/cputime"
)

// zipOf is an archive of pairs of names and contents, without compression.
func zipOf(t testing.TB, files ...string) []byte {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for i := 0; i+1 < len(files); i += 2 {
		f, err := w.CreateHeader(&zip.FileHeader{Name: files[i], Method: zip.Store})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := f.Write([]byte(files[i+1])); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// hostileBound is the limit for the slowest archive. A quadratic step would take minutes.
const hostileBound = 30 * time.Second

const (
	epubContainer = `<?xml version="1.0"?><container><rootfiles><rootfile full-path="OEBPS/book.opf" ` +
		`media-type="application/oebps-package+xml"/></rootfiles></container>`
	epubPackage = `<?xml version="1.0"?><package xmlns:dc="http://purl.org/dc/elements/1.1/"><metadata>
<dc:title>Tides &amp; harbours</dc:title><dc:creator>Ada Writer</dc:creator><dc:creator opf:role="ill" xmlns:opf="x">Illu ` +
		`Strator</dc:creator><dc:publisher>Harbour Press</dc:publisher><dc:subject>Tides</dc:subject><dc:subject>Harbours</dc:subject>
<dc:language>en-GB</dc:language><dc:date>2018-05-06T00:00:00Z</dc:date><dc:identifier>urn:doi:10.1234/Book.1</dc:identifier></metadata>
<manifest><item id="n" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/><item id="b" href="text/two%20b.xhtml" ` +
		`media-type="application/xhtml+xml"/>
<item id="a" href="text/one.xhtml" media-type="application/xhtml+xml"/><item id="x" href="../../../etc/passwd" ` +
		`media-type="application/xhtml+xml"/><item id="p" href="p.png" media-type="image/png"/></manifest>
<spine><itemref idref="n"/><itemref idref="a"/><itemref idref="p"/><itemref idref="b"/><itemref idref="x"/><itemref ` +
		`idref="missing"/><itemref idref="a"/></spine></package>`
)

func chapter(title, text string) string {
	return `<html xmlns="http://www.w3.org/1999/xhtml"><head><title>` + title + `</title></head><body><h1>` + title + `</h1><p>` + text +
		`</p></body></html>`
}

func epub(t testing.TB) []byte {
	return zipOf(t, "mimetype", document.TypeEPUB, "META-INF/container.xml", epubContainer, "OEBPS/book.opf", epubPackage,
		"OEBPS/nav.xhtml", chapter("Contents", "not this"), "OEBPS/text/two b.xhtml", chapter("Second chapter", "Neap tides are low."),
		"OEBPS/text/one.xhtml", chapter("First chapter", "Spring tides are high."), "../../etc/passwd", "secret", "OEBPS/p.png", "x")
}

func TestEPUB(t *testing.T) {
	x, err := epubOf(t.Context(), epub(t), 2<<20)
	if err != nil {
		t.Fatal(err)
	}
	got := x.Document
	text := "# First chapter\n\nSpring tides are high.\n\n# Second chapter\n\nNeap tides are low."
	want := document.Document{Head: document.Head{Title: "Tides & harbours", Authors: []string{"Ada Writer"}, Publisher: "Harbour Press",
		Subject: "Tides, Harbours", PublishedAt: "2018-05-06", DOI: "10.1234/book.1", Language: "en-GB"},
		Text: text, Chars: len(text), Partial: "1 of 3 chapters are missing or damaged: ../../../etc/passwd"}
	got.Blocks = nil
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("Extract (-want +got):\n%s", d)
	}
}

const docxBody = `<w:document xmlns:w="w" xmlns:m="m" xmlns:r="r"><w:body>
<w:p><w:pPr><w:pStyle w:val="Title"/></w:pPr><w:r><w:t>Tides of a harbour</w:t></w:r></w:p>
<w:p><w:pPr><w:pStyle w:val="H1"/></w:pPr><w:r><w:t>First </w:t></w:r><w:r><w:t>heading</w:t></w:r></w:p>
<w:p><w:r><w:t xml:space="preserve">The tables were printed ` +
	`</w:t></w:r><w:del><w:r><w:delText>never</w:delText></w:r></w:del><w:r><w:t>until 1931.</w:t></w:r><w:r><w:footnoteReference ` +
	`w:id="2"/></w:r></w:p>
<w:p><w:pPr><w:rPr><w:b/></w:rPr><w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr></w:pPr><w:r><w:t>ebb</w:t></w:r></w:p>
<w:p><w:pPr><w:numPr><w:ilvl w:val="1"/><w:numId w:val="1"/></w:numPr></w:pPr><w:r><w:t>low ebb</w:t></w:r></w:p>
<w:p><w:pPr><w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr></w:pPr><w:r><w:t>flood</w:t></w:r></w:p>
<w:tbl><w:tr><w:tc><w:p><w:r><w:t>Place</w:t></w:r></w:p></w:tc>
<w:tc><w:p><w:r><w:t>High</w:t></w:r></w:p></w:tc></w:tr>
<w:tr><w:tc><w:p><w:r><w:t>Mole</w:t></w:r></w:p></w:tc>
<w:tc><w:p><w:r><w:t>3.1</w:t></w:r></w:p><w:p><w:r><w:t>m</w:t></w:r></w:p></w:tc></w:tr></w:tbl>
<w:p><w:pPr><w:outlineLvl w:val="1"/></w:pPr><w:r><w:instrText>TOC</w:instrText><w:t>Second</w:t><w:br/><w:t>heading</w:t></w:r></w:p>
<w:p><w:r><w:t xml:space="preserve">It is </w:t></w:r><w:r><w:rPr><w:b/></w:rPr><w:t xml:space="preserve">very ` +
	`</w:t></w:r><w:r><w:rPr><w:b/></w:rPr><w:t>high</w:t></w:r><w:r><w:rPr><w:b w:val="0"/><w:i/></w:rPr><w:t ` +
	`xml:space="preserve"> there</w:t></w:r><w:r><w:t xml:space="preserve">, see </w:t></w:r><w:hyperlink ` +
	`r:id="l1"><w:r><w:t>the tables</w:t></w:r></w:hyperlink><w:r><w:t>.</w:t></w:r></w:p>
<w:p><w:pPr><w:pStyle w:val="Pre"/></w:pPr><w:r><w:t xml:space="preserve">a = [</w:t></w:r></w:p><w:p><w:pPr><w:pStyle ` +
	`w:val="Pre"/></w:pPr><w:r><w:t xml:space="preserve">  1]</w:t></w:r></w:p>
</w:body></w:document>`

func docx(t testing.TB) []byte {
	return zipOf(t, "[Content_Types].xml", "<Types/>", "word/document.xml", docxBody,
		"word/styles.xml", `<w:styles xmlns:w="w"><w:style w:styleId="H1"><w:name w:val="heading 1"/></w:style><w:style `+
			`w:styleId="Pre"><w:name w:val="HTML Preformatted"/></w:style></w:styles>`,
		"word/_rels/document.xml.rels", `<Relationships><Relationship Id="l1" Target="https://tides.example/" `+
			`TargetMode="External"/></Relationships>`,
		"word/numbering.xml", `<w:numbering xmlns:w="w"><w:abstractNum w:abstractNumId="7"><w:lvl w:ilvl="0"><w:numFmt `+
			`w:val="decimal"/></w:lvl><w:lvl w:ilvl="1"><w:numFmt w:val="bullet"/></w:lvl></w:abstractNum><w:num `+
			`w:numId="1"><w:abstractNumId w:val="7"/></w:num></w:numbering>`,
		"word/footnotes.xml", `<w:footnotes xmlns:w="w"><w:footnote w:type="separator" `+
			`w:id="0"><w:p><w:r><w:t>line</w:t></w:r></w:p></w:footnote><w:footnote w:id="2"><w:p><w:r><w:t>In the town's `+
			`archive.</w:t></w:r></w:p></w:footnote></w:footnotes>`,
		"docProps/core.xml", `<cp:coreProperties xmlns:cp="c" xmlns:dc="d" xmlns:dcterms="t"><dc:creator>Ada Writer; Bo `+
			`Other</dc:creator><dc:subject>Tide tables</dc:subject><cp:keywords>tides, `+
			`tables</cp:keywords><cp:contentStatus>Draft</cp:contentStatus><dcterms:created>2019-02-03T04:05:06Z</dcterms:created>`+
			`</cp:coreProperties>`)
}

func TestDOCX(t *testing.T) {
	x, err := docxOf(t.Context(), docx(t), 2<<20)
	if err != nil {
		t.Fatal(err)
	}
	got := x.Document
	want := "# Tides of a harbour\n\n# First heading\n\nThe tables were printed until 1931.[1]\n\n1. ebb\n  - low ebb\n2. " +
		"flood\n\nPlace | High\nMole | 3.1 m\n\n## Second heading\n\nIt is very high there, see the tables.\n\n```\na = [\n  " +
		"1]\n```\n\n[1] In the town's archive."
	if d := cmp.Diff(want, got.Text); d != "" {
		t.Errorf("text (-want +got):\n%s", d)
	}
	if got.Title != "Tides of a harbour" || len(got.Authors) > 0 || got.PublishedAt != "" ||
		got.Subject != "Tide tables" || got.Keywords != "tides, tables" || got.DocStatus != "Draft" {
		t.Errorf("metadata %+v", got)
	}
}

// The relations of a file say where its text is.
func TestDOCXMainPart(t *testing.T) {
	body := zipOf(t, "_rels/.rels", `<Relationships><Relationship Target="/word/document2.xml" `+
		`Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument"/></Relationships>`,
		`word\document2.xml`, `<w:document xmlns:w="w"><w:p><w:r><w:t>Tides</w:t></w:r></w:p></w:document>`)
	if x, err := docxOf(t.Context(), body, 2<<20); err != nil || x.Text != "Tides" || Format(body) != document.TypeDOCX {
		t.Errorf("%q, %v, format %q", x.Text, err, Format(body))
	}
}

// The properties of a file name the account and its day: the title page tells who wrote the text, and when.
func TestDOCXTitlePage(t *testing.T) {
	para := func(style, text string) string {
		return `<w:p><w:pPr><w:pStyle w:val="` + style + `"/></w:pPr><w:r><w:t>` + text + `</w:t></w:r></w:p>`
	}
	prose := para("", "The tables were printed every year until the year in which the harbour was closed to ships.")
	tests := []struct {
		name, creator, title, body string
		want                       document.Document
	}{
		{"a placeholder", "Un-named", "Word Document", para("Title", "Tides of a harbour") + prose,
			document.Document{Head: document.Head{Title: "Tides of a harbour"}}},
		{"the account of one of them", "Bo Other", "", para("Title", "Tides of a harbour") + para("Author", "Ada Writer") +
			para("Author", "Bo Other") + prose,
			document.Document{Head: document.Head{Title: "Tides of a harbour", Authors: []string{"Ada Writer", "Bo Other"}}}},
		{"the style for authors", "", "", para("Title", "Tides of a harbour") + para("Author", "Harbour Board") + prose,
			document.Document{Head: document.Head{Title: "Tides of a harbour", Authors: []string{"Harbour Board"}}}},
		{"an account that the page confirms", "Ada Writer", "Tides of a harbour", para("", "Tides of a harbour") +
			para("", "A. Writer, Harbour Board") + prose,
			document.Document{Head: document.Head{Title: "Tides of a harbour", Authors: []string{"Ada Writer"}}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			x, err := docxOf(t.Context(), zipOf(t, "word/document.xml", `<w:document xmlns:w="w"><w:body>`+tt.body+`</w:body></w:document>`,
				"docProps/core.xml", `<cp:coreProperties xmlns:cp="c" xmlns:dc="d" `+
					`xmlns:dcterms="t"><dc:creator>`+tt.creator+`</dc:creator><dc:title>`+tt.title+`</dc:title><dcterms:created>`+
					`2026-11-23T04:05:06Z</dcterms:created></cp:coreProperties>`), 2<<20)
			if err != nil {
				t.Fatal(err)
			}
			got := document.Document{Head: document.Head{Title: x.Title, Authors: x.Authors, PublishedAt: x.PublishedAt, DOI: x.DOI}}
			if len(got.Authors) == 0 {
				got.Authors = nil
			}
			if d := cmp.Diff(tt.want, got); d != "" {
				t.Errorf("(-want +got):\n%s", d)
			}
		})
	}
}

func TestArchivesThatAreRefused(t *testing.T) {
	deep := strings.Repeat("<w:p>", 100_000)
	expand := `<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">]><w:document ` +
		`xmlns:w="w"><w:p><w:r><w:t>before &b; after</w:t></w:r></w:p></w:document>`
	external := `<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]><w:document ` +
		`xmlns:w="w"><w:p><w:r><w:t>before</w:t></w:r></w:p><w:p><w:r><w:t>&a;</w:t></w:r></w:p></w:document>`
	var many []string
	for i := range maxArchiveFiles + 1 {
		many = append(many, fmt.Sprint(i), "")
	}
	tests := []struct {
		name   string
		body   []byte
		format string // the recognised format
		want   error  // when read as that, or as DOCX
	}{
		{"a bomb", zipOf(t, "word/document.xml", "<w:document><w:p>"+strings.Repeat(" ", 3<<20)), document.TypeDOCX, limit.ErrTooLarge},
		{"a bomb of parts", func() []byte {
			files := []string{"META-INF/container.xml", epubContainer}
			opf := `<package><manifest>`
			for i := range 9 {
				opf += fmt.Sprintf(`<item id="c%d" href="c%d" media-type="application/xhtml+xml"/>`, i, i)
			}
			opf += `</manifest><spine>`
			for i := range 9 {
				opf += fmt.Sprintf(`<itemref idref="c%d"/>`, i)
				files = append(files, fmt.Sprintf("OEBPS/c%d", i), "<p>"+strings.Repeat(" ", 1<<18))
			}
			return zipOf(t, append(files, "OEBPS/book.opf", opf+`</spine></package>`)...)
		}(), document.TypeEPUB, limit.ErrTooLarge},
		{"deep nesting", zipOf(t, "word/document.xml", deep), document.TypeDOCX, limit.ErrTooLarge},
		{"too many files", zipOf(t, append(many, "word/document.xml", docxBody)...), "", limit.ErrTooLarge},
		{"damaged", append([]byte("PK\x03\x04"), bytes.Repeat([]byte("x"), 500)...), "", document.ErrUnsupported},
		{"another archive", zipOf(t, "a.txt", "x"), "", document.ErrUnsupported},
		{"no package", zipOf(t, "META-INF/container.xml", epubContainer), document.TypeEPUB, document.ErrUnsupported},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			start := cputime.Used()
			if got := Format(tt.body); got != tt.format {
				t.Errorf("Format = %q, want %q", got, tt.format)
			}
			var err error
			if tt.format == document.TypeEPUB {
				_, err = epubOf(t.Context(), tt.body, 2<<20)
			} else {
				_, err = docxOf(t.Context(), tt.body, 2<<20)
			}
			if !errors.Is(err, tt.want) {
				t.Errorf("%v, want %v", err, tt.want)
			}
			if took := cputime.Used() - start; took > hostileBound {
				t.Errorf("took %s", took)
			}
		})
	}
	for name, body := range map[string]string{"entities": expand, "external entities": external} {
		d, err := docxOf(t.Context(), zipOf(t, "word/document.xml", body), 2<<20)
		if err == nil && (strings.Contains(d.Text, "aaaa") || strings.Contains(d.Text, "root:")) {
			t.Errorf("%s were expanded: %q", name, d.Text)
		}
	}
}

// FuzzDOCX fuzzes the content of the archive.
func FuzzDOCX(f *testing.F) {
	f.Add(docxBody)
	f.Add(`<w:p><m:oMath><m:rad><m:deg/><m:e><m:r><m:t>x+12</m:t></m:r></m:e></m:rad><m:nary><m:naryPr><m:chr ` +
		`m:val="∑"/></m:naryPr><m:sub/></m:nary><m:d/></m:oMath></w:p>`)
	f.Add(`<w:p><w:tbl><w:tr><w:tc></w:tbl></w:p>`)
	f.Fuzz(func(t *testing.T, body string) {
		root, _, err := xmltree.Parse([]byte(body))
		if err != nil {
			return
		}
		var d document.Document
		w := &docxWriter{docxStyles: readStyles(root), numbers: readNumbers(root), refs: map[string]string{}, d: &d}
		w.blocks(root)
		d.Write()
		coreProperties(root, &d)
		spine(root)
	})
}

// Notes in another part of a book, and elements that would be the frame of a page, are read.
func TestEPUBWhole(t *testing.T) {
	opf := `<package><manifest><item id="a" href="a.xhtml" media-type="application/xhtml+xml"/><item id="b" href="sub/b.xhtml" ` +
		`media-type="application/xhtml+xml"/><item id="n" href="notes.xhtml" media-type="application/xhtml+xml"/></manifest>
<spine><itemref idref="n" linear="no"/><itemref idref="a"/><itemref idref="b"/></spine></package>`
	page := func(title, body string) string {
		return `<html><head><title>` + title + `</title></head><body>` + body + `</body></html>`
	}
	got, err := epubOf(t.Context(), zipOf(t, "META-INF/container.xml", epubContainer, "OEBPS/book.opf", opf,
		"OEBPS/a.xhtml", page("Ebb", `<p>Short<sup><a href="notes.xhtml#n1">1</a></sup>.</p><ul `+
			`class="menu"><li>Tide</li></ul><footer>Set in Harbour.</footer><pre>x = 1</pre>`),
		"OEBPS/sub/b.xhtml", page("Flood", `<h1>Flood</h1><p>High<sup><a href="../notes.xhtml#n2">1</a></sup>, as <a `+
			`href="https://tides.example/">told</a>.</p><script>x()</script>`),
		"OEBPS/notes.xhtml", page("Notes", `<p id="n1">Of ebb.</p><p id="n2">Of flood.</p>`)), 2<<20)
	if err != nil {
		t.Fatal(err)
	}
	want := "Short[1].\n\n- Tide\n\nSet in Harbour.\n\n```\nx = 1\n```\n\n# Flood\n\nHigh[1], as told.\n\n[1] " +
		"Of ebb.\n\n[1] Of flood."
	if got.Text != want {
		t.Errorf("text\n%s\nwant\n%s", got.Text, want)
	}
}

// A damaged chapter is said, and the others are read.
func TestEPUBDamagedChapter(t *testing.T) {
	body := bytes.Replace(epub(t), []byte("Neap tides are low."), []byte("Neap tides are LOW."), 1) // its checksum is wrong now
	x, err := epubOf(t.Context(), body, 2<<20)
	if err != nil || !strings.Contains(x.Text, "Spring tides are high.") ||
		!strings.Contains(x.Partial, "2 of 3 chapters are missing or damaged: text/two b.xhtml") {
		t.Errorf("%v, text %q, partial %q", err, x.Text, x.Partial)
	}
}

func docxOf(ctx context.Context, body []byte, maxBytes int64) (document.Extraction, error) {
	x, err := DOCX(ctx, body, maxBytes)
	x.Write()
	return x, err
}

func epubOf(ctx context.Context, body []byte, maxBytes int64) (document.Extraction, error) {
	x, err := EPUB(ctx, body, maxBytes)
	x.Write()
	return x, err
}
