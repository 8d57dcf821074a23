package pdf

import (
	"encoding/binary"
	"net/url"
	"strings"

	"github.com/citeloop/citeloop/internal/sanitize"
)

// maxPDFLinks bounds the links of a page; an index has some 300.
const maxPDFLinks = 2_000

// pdfLink is an area of a page with a link.
type pdfLink struct {
	box box
	to  string
}

// links returns the web links of a page.
func (l *pdfLibrary) links(doc, page uint64) (links []pdfLink) {
	position := uint32(0) // of PDFium in the list
	for range maxPDFLinks {
		l.module.Memory().WriteUint32Le(l.scratch, position)
		if l.number("FPDFLink_Enumerate", page, uint64(l.scratch), uint64(l.scratch+4)) == 0 {
			break
		}
		position = binary.LittleEndian.Uint32(l.read(l.scratch, 4))
		link := uint64(binary.LittleEndian.Uint32(l.read(l.scratch+4, 4)))
		if to := l.address(doc, link); to != "" && l.number("FPDFLink_GetAnnotRect", link, uint64(l.scratch)) != 0 {
			links = append(links, pdfLink{boxOf(l.floats()), to})
		}
	}
	return links
}

// address returns the web address of a link, or "".
func (l *pdfLibrary) address(doc, link uint64) string {
	action := l.call("FPDFLink_GetAction", link)
	if action == 0 {
		return ""
	}
	n := l.number("FPDFAction_GetURIPath", doc, action, uint64(l.names), maxPDFNameBytes)
	if n < 2 || n > maxPDFNameBytes {
		return ""
	}
	to, err := url.Parse(strings.TrimSpace(string(l.read(l.names, n-1))))
	if err != nil || to.Scheme != "http" && to.Scheme != "https" && to.Scheme != "mailto" {
		return ""
	}
	to.User = nil
	return sanitize.Visible(to.String())
}

// linked sets the addresses of words inside links.
func linked(words []pdfWord, links []pdfLink) {
	if len(links) == 0 {
		return
	}
	for i := range words {
		w := &words[i]
		x, y := (w.box.x0+w.box.x1)/2, (w.box.y0+w.box.y1)/2
		for _, link := range links {
			if link.box.x0 <= x && x <= link.box.x1 && link.box.y0 <= y && y <= link.box.y1 {
				w.link = link.to
				break
			}
		}
	}
}
