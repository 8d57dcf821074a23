// Package pdftest writes small PDFs for tests.
package pdftest

import (
	"bytes"
	"fmt"
	"strings"
)

// Doc is a small PDF: Times as F1, Courier as F2, Times-Bold as F3, text at places, an information dictionary.
type Doc struct {
	Info    map[string]string
	Pages   []string // content streams
	Trailer string   // further entries
	XMP     string
	Catalog string         // further entries of it
	Links   map[int]string // annotations by page, as objects
}

// Page adds a page of these operations.
func (d *Doc) Page(ops ...string) { d.Pages = append(d.Pages, strings.Join(ops, "\n")) }

// Show is the operation that shows a line at a place, in points from the lower left corner.
func Show(x, y, size int, s string) string {
	s = strings.NewReplacer(`\`, `\\`, "(", `\(`, ")", `\)`).Replace(s)
	return fmt.Sprintf("BT /F1 %d Tf %d %d Td (%s) Tj ET", size, x, y, s)
}

// Set is the operation that shows a line in another font.
func Set(font string, x, y, size int, s string) string {
	return strings.Replace(Show(x, y, size, s), "/F1 ", "/"+font+" ", 1)
}

// Link is a link on a page, from x0 to x1 around the base line y.
func Link(x0, x1, y int, to string) string {
	return fmt.Sprintf("<< /Type /Annot /Subtype /Link /Rect [%d %d %d %d] /A << /S /URI /URI (%s) >> >>", x0, y-3, x1, y+9, to)
}

// Lines shows lines one below the other.
func Lines(x, y, lead, size int, text ...string) string {
	var ops []string
	for i, s := range text {
		ops = append(ops, Show(x, y-i*lead, size, s))
	}
	return strings.Join(ops, "\n")
}

// Bytes is the file.
func (d *Doc) Bytes() []byte {
	var b bytes.Buffer
	b.WriteString("%PDF-1.7\n%\xe2\xe3\xcf\xd3\n")
	var offsets []int
	object := func(body string) int {
		offsets = append(offsets, b.Len())
		fmt.Fprintf(&b, "%d 0 obj\n%s\nendobj\n", len(offsets), body)
		return len(offsets)
	}
	font := object("<< /Type /Font /Subtype /Type1 /BaseFont /Times-Roman /Encoding /WinAnsiEncoding >>")
	object("<< /Type /Font /Subtype /Type1 /BaseFont /Courier /Encoding /WinAnsiEncoding >>")
	bold := object("<< /Type /Font /Subtype /Type1 /BaseFont /Times-Bold /Encoding /WinAnsiEncoding >>")
	tree := bold + 2*len(d.Pages) + 1
	var kids strings.Builder
	for i, ops := range d.Pages {
		stream := object(fmt.Sprintf("<< /Length %d >>\nstream\n%s\nendstream", len(ops), ops))
		page := object(fmt.Sprintf("<< /Type /Page /Parent %d 0 R /MediaBox [0 0 612 792] /Resources << /Font << /F1 %d 0 R /F2 %d 0 "+
			"R /F3 %d 0 R >> >> /Contents %d 0 R /Annots [%s] >>", tree, font, font+1, bold, stream, d.Links[i]))
		fmt.Fprintf(&kids, "%d 0 R ", page)
	}
	object(fmt.Sprintf("<< /Type /Pages /Count %d /Kids [%s] >>", len(d.Pages), kids.String()))
	catalog := fmt.Sprintf("<< /Type /Catalog /Pages %d 0 R %s", tree, d.Catalog)
	if d.XMP != "" {
		catalog += fmt.Sprintf(" /Metadata %d 0 R", tree+1)
		object(fmt.Sprintf("<< /Type /Metadata /Subtype /XML /Length %d >>\nstream\n%s\nendstream", len(d.XMP), d.XMP))
	}
	root := object(catalog + " >>")
	trailer := fmt.Sprintf("/Size %d /Root %d 0 R %s", len(offsets)+2, root, d.Trailer)
	if len(d.Info) > 0 {
		var info strings.Builder
		for _, k := range []string{"Title", "Author", "CreationDate", "Subject", "Keywords"} {
			if v := d.Info[k]; v != "" {
				fmt.Fprintf(&info, "/%s (%s) ", k, strings.NewReplacer("(", `\(`, ")", `\)`).Replace(v))
			}
		}
		trailer += fmt.Sprintf(" /Info %d 0 R", object("<< "+info.String()+">>"))
	}
	start := b.Len()
	fmt.Fprintf(&b, "xref\n0 %d\n0000000000 65535 f \n", len(offsets)+1)
	for _, at := range offsets {
		fmt.Fprintf(&b, "%010d 00000 n \n", at)
	}
	fmt.Fprintf(&b, "trailer\n<< %s >>\nstartxref\n%d\n%%%%EOF\n", trailer, start)
	return b.Bytes()
}
