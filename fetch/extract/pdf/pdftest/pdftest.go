// Package pdftest writes small PDFs for tests.
package pdftest

import (
	"bytes"
	"fmt"
	"strings"
)

// Doc is a small PDF: text in Times at places, and an information dictionary.
type Doc struct {
	Info    map[string]string
	Pages   []string // content streams
	Trailer string   // further entries
	Catalog string   // further entries of it
}

// Page adds a page of these operations.
func (d *Doc) Page(ops ...string) { d.Pages = append(d.Pages, strings.Join(ops, "\n")) }

// Show is the operation that shows a line at a place, in points from the lower left corner.
func Show(x, y, size int, s string) string {
	s = strings.NewReplacer(`\`, `\\`, "(", `\(`, ")", `\)`).Replace(s)
	return fmt.Sprintf("BT /F1 %d Tf %d %d Td (%s) Tj ET", size, x, y, s)
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
	tree := font + 2*len(d.Pages) + 1
	var kids strings.Builder
	for _, ops := range d.Pages {
		stream := object(fmt.Sprintf("<< /Length %d >>\nstream\n%s\nendstream", len(ops), ops))
		page := object(fmt.Sprintf("<< /Type /Page /Parent %d 0 R /MediaBox [0 0 612 792] "+
			"/Resources << /Font << /F1 %d 0 R >> >> /Contents %d 0 R >>", tree, font, stream))
		fmt.Fprintf(&kids, "%d 0 R ", page)
	}
	object(fmt.Sprintf("<< /Type /Pages /Count %d /Kids [%s] >>", len(d.Pages), kids.String()))
	root := object(fmt.Sprintf("<< /Type /Catalog /Pages %d 0 R %s >>", tree, d.Catalog))
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
