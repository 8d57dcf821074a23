package pdf

import (
	"encoding/binary"
	"math"
	"net/url"
	"strings"

	"github.com/citeloop/citeloop/fetch/extract/document"
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
func (l *pdfLibrary) links(doc, page uint64) ([]pdfLink, error) {
	if !l.module.Memory().WriteUint64Le(l.scratch, 0) {
		return nil, nil
	}
	var links []pdfLink
	for range maxPDFLinks {
		ok, err := l.number("FPDFLink_Enumerate", page, uint64(l.scratch), uint64(l.scratch+4))
		if err != nil || ok == 0 {
			return links, err
		}
		raw, whole := l.module.Memory().Read(l.scratch+4, 4)
		if !whole {
			return links, nil
		}
		link := binary.LittleEndian.Uint32(raw)
		place, _ := l.module.Memory().Read(l.scratch, 4)
		position := binary.LittleEndian.Uint32(place)
		to, err := l.address(doc, uint64(link))
		if err != nil {
			return nil, err
		}
		if to != "" {
			if ok, err = l.number("FPDFLink_GetAnnotRect", uint64(link), uint64(l.scratch)); err != nil {
				return nil, err
			}
			if v := l.floats(); ok != 0 { // left, top, right, bottom
				links = append(links, pdfLink{box{math.Min(v[0], v[2]), math.Min(v[1], v[3]), math.Max(v[0], v[2]), math.Max(v[1], v[3])}, to})
			}
		}
		if !l.module.Memory().WriteUint32Le(l.scratch, position) {
			return links, nil
		}
	}
	return links, nil
}

// address returns the web address of a link, or "".
func (l *pdfLibrary) address(doc, link uint64) (string, error) {
	action, err := l.call("FPDFLink_GetAction", link)
	if err != nil || action == 0 {
		return "", err
	}
	n, err := l.number("FPDFAction_GetURIPath", doc, action, uint64(l.names), maxPDFNameBytes)
	if err != nil || n < 2 || n > maxPDFNameBytes {
		return "", err
	}
	raw, whole := l.module.Memory().Read(l.names, uint32(n-1))
	if !whole {
		return "", nil
	}
	to, err := url.Parse(strings.TrimSpace(string(raw)))
	if err != nil || to.Scheme != "http" && to.Scheme != "https" && to.Scheme != "mailto" {
		return "", nil //nolint:nilerr // an invalid address is not a link
	}
	to.User = nil
	return sanitize.Visible(to.String()), nil
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

// references returns the sites and papers that the file links to.
func (f pdfFile) references() []document.Reference {
	var m document.Links
	for _, p := range f.pages {
		for i, w := range p.words {
			if w.link == "" || i > 0 && p.words[i-1].link == w.link {
				continue
			}
			text := w.text
			for _, next := range p.words[i+1:] {
				if next.link != w.link || len(text) > document.MaxReferenceChars {
					break
				}
				text += " " + next.text
			}
			m.Refer(w.link, func() string { return text })
		}
	}
	return m.References
}
