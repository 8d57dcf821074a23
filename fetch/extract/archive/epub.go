package archive

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"path"
	"strings"

	xhtml "golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/citeloop/citeloop/fetch/extract/charset"
	"github.com/citeloop/citeloop/fetch/extract/document"
	"github.com/citeloop/citeloop/fetch/extract/html"
	"github.com/citeloop/citeloop/fetch/extract/limit"
	"github.com/citeloop/citeloop/fetch/extract/xmltree"
	"github.com/citeloop/citeloop/internal/docid"
	"github.com/citeloop/citeloop/internal/sanitize"
)

// maxLostName bounds the name of a chapter in a message.
const maxLostName = 60

// maxChapters bounds the spine of a book. Chosen: converters that split by pages make some 1,500.
const maxChapters = 3_000

// EPUB reads a book: all chapters in the order of its spine, each as a whole, because books have no frame around their
// content.
func EPUB(ctx context.Context, body []byte, maxBytes int64) (document.Extraction, error) {
	a, err := openArchive(body, maxBytes)
	if err != nil {
		return document.Extraction{}, err
	}
	container, err := a.tree("META-INF/container.xml")
	if err != nil {
		return document.Extraction{}, damaged("EPUB", err)
	}
	root := xmltree.Attr(xmltree.Child(container, "container", "rootfiles", "rootfile"), "full-path")
	if a.files["META-INF/encryption.xml"] != nil && a.files["META-INF/rights.xml"] != nil {
		return document.Extraction{}, fmt.Errorf("%w: the EPUB is protected against copying", document.ErrUnsupported)
	}
	opf, err := a.tree(root)
	if err != nil {
		return document.Extraction{}, damaged("EPUB", err)
	}
	var x document.Extraction
	chapters := spine(opf)
	identifiers := coreProperties(opf, &x.Document)
	for _, id := range identifiers {
		if d := docid.NormalizeDOI(strings.TrimPrefix(strings.ToLower(id), "urn:doi:")); d != "" &&
			strings.Contains(strings.ToLower(id), "10.") {
			x.DOI = d
			break
		}
	}
	book := html.Element(atom.Body)
	var lost []string // chapters that could not be read
	sheets := &bookSheets{archive: a, read: map[string]string{}, left: maxSheetBytes}
	for i, href := range chapters {
		if err := ctx.Err(); err != nil {
			return document.Extraction{}, err
		}
		if i == maxChapters {
			x.Partial = fmt.Sprintf("only the first %d of %d parts were read", maxChapters, len(chapters))
			break
		}
		name := path.Join(path.Dir(root), href)
		body, err := a.read(name)
		if errors.Is(err, limit.ErrTooLarge) {
			return document.Extraction{}, err
		}
		if err != nil { // the other chapters may be intact
			lost = append(lost, sanitize.Short(href, maxLostName))
			continue
		}
		section, hidden, err := chapterOf(ctx, name, charset.Decode(body, "application/xhtml+xml", document.TypeHTML), sheets)
		if err != nil {
			return document.Extraction{}, err
		}
		x.HiddenChars += hidden
		book.AppendChild(section)
	}
	if len(lost) > 0 && book.FirstChild == nil {
		return document.Extraction{}, fmt.Errorf("%w: no chapter of the EPUB could be read", document.ErrUnsupported)
	}
	if len(lost) > 0 {
		x.Partial = strings.TrimPrefix(x.Partial+"; ", "; ") + fmt.Sprintf("%d of %d chapters are missing or damaged: %s",
			len(lost), len(chapters), strings.Join(lost[:min(len(lost), 5)], ", "))
	}
	d, err := html.OfTrees(ctx, book, html.Elements(book)...)
	x.Blocks, x.Invisible = d.Blocks, d.Invisible
	return x, err
}

// chapterOf reads a part of a book. Its identifiers and links get names that are unique in the book, so that notes in other
// parts are found.
func chapterOf(ctx context.Context, name, src string, sheets *bookSheets) (section *xhtml.Node, hidden int, err error) {
	doc, hidden, err := html.Parse(ctx, src, func(href string) (string, bool) { return sheets.load(path.Join(path.Dir(name), href)) })
	if err != nil {
		return nil, 0, err
	}
	body := doc
	for n := range doc.Descendants() {
		if n.DataAtom == atom.Body {
			body = n
			break
		}
	}
	for n := range body.Descendants() {
		for i := range n.Attr {
			switch a := &n.Attr[i]; {
			case a.Key == "id" || a.Key == "name" && n.DataAtom == atom.A:
				a.Val = name + "#" + a.Val
			case a.Key == "href" && n.DataAtom == atom.A:
				a.Val = inBook(name, a.Val)
			}
		}
	}
	section = html.Element(atom.Section)
	html.Adopt(section, body)
	return section, hidden, nil
}

// maxSheetBytes bounds the style sheets that all chapters of a book read, each of them for itself. Chosen: a sheet of 40 kB
// in each of 1,500 chapters.
const maxSheetBytes = 60 << 20

// bookSheets reads the style sheets of a book.
type bookSheets struct {
	archive *archive
	read    map[string]string
	left    int
}

func (b *bookSheets) load(name string) (css string, ok bool) {
	css, ok = b.read[name]
	if !ok {
		body, _ := b.archive.read(name) // a missing sheet hides nothing
		css = string(body)
		b.read[name] = css
	}
	b.left -= len(css)
	if b.left < 0 {
		return "", false
	}
	return css, css != ""
}

// inBook returns the target of a link within the book, by the names of chapterOf. Web links do not change.
func inBook(name, href string) string {
	to, err := url.Parse(strings.TrimSpace(href))
	if err != nil || to.Scheme != "" || to.Host != "" {
		return href
	}
	if to.Path != "" {
		name = path.Join(path.Dir(name), to.Path)
	}
	if to.Fragment == "" {
		return "#" + name
	}
	return "#" + name + "#" + to.Fragment
}

// spine lists the chapters of a package document in reading order, and then those beside it, to which links lead, such as notes.
func spine(opf *xhtml.Node) []string {
	var chapters, beside []string
	items := map[string]*xhtml.Node{}
	for item := range xmltree.Children(xmltree.Child(opf, "package", "manifest"), "item") {
		items[xmltree.Attr(item, "id")] = item
	}
	seen := map[string]bool{}
	for ref := range xmltree.Children(xmltree.Child(opf, "package", "spine"), "itemref") {
		item := items[xmltree.Attr(ref, "idref")]
		kind := xmltree.Attr(item, "media-type")
		href, err := url.PathUnescape(xmltree.Attr(item, "href"))
		if err != nil || href == "" || seen[href] ||
			strings.Contains(xmltree.Attr(item, "properties"), "nav") || kind != "application/xhtml+xml" && kind != "text/html" {
			continue
		}
		seen[href] = true
		if xmltree.Attr(ref, "linear") == "no" {
			beside = append(beside, href)
		} else {
			chapters = append(chapters, href)
		}
	}
	return append(chapters, beside...)
}

func damaged(kind string, err error) error {
	if errors.Is(err, errNotInArchive) {
		return fmt.Errorf("%w: the %s is damaged: %w", document.ErrUnsupported, kind, err)
	}
	return err
}
