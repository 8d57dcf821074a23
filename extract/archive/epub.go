package archive

import (
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"net/url"
	"path"
	"strings"
	"unicode/utf8"

	"github.com/citeloop/citeloop/extract/charset"
	"github.com/citeloop/citeloop/extract/document"
	"github.com/citeloop/citeloop/extract/html"
	"github.com/citeloop/citeloop/extract/xmlread"
	"github.com/citeloop/citeloop/loopstate"
)

// maxChapters bounds the spine of a book. Chosen: converters that cut by pages make some 1,500.
const maxChapters = 3_000

// EPUB reads a book: the chapters in the order of its spine, each as a page of HTML. All of it may unpack to
// maxBytes.
func EPUB(ctx context.Context, body []byte, maxBytes int64) (document.Extraction, error) {
	a, err := openArchive(body, maxBytes)
	if err != nil {
		return document.Extraction{}, err
	}
	return readEPUB(ctx, a)
}

func readEPUB(ctx context.Context, a *archive) (document.Extraction, error) {
	container, err := a.read("META-INF/container.xml")
	if err != nil {
		return document.Extraction{}, damaged("EPUB", err)
	}
	root := ""
	if err := xmlread.Walk(container, func(e xml.StartElement) {
		if e.Name.Local == "rootfile" && root == "" {
			root = xmlread.Attr(e, "full-path")
		}
	}, func(xml.EndElement) {}, func(string) {}); err != nil {
		return document.Extraction{}, err
	}
	if a.files["META-INF/encryption.xml"] != nil && a.files["META-INF/rights.xml"] != nil {
		return document.Extraction{}, fmt.Errorf("%w: the EPUB is protected against copying", document.ErrUnsupported)
	}
	opf, err := a.read(root)
	if err != nil {
		return document.Extraction{}, damaged("EPUB", err)
	}
	var x document.Extraction
	chapters, err := spine(opf)
	if err != nil {
		return document.Extraction{}, err
	}
	identifiers, err := coreProperties(opf, &x.Document)
	if err != nil {
		return document.Extraction{}, err
	}
	for _, id := range identifiers {
		if d := loopstate.NormalizeDOI(strings.TrimPrefix(strings.ToLower(id), "urn:doi:")); d != "" && strings.Contains(strings.ToLower(id), "10.") {
			x.DOI = d
			break
		}
	}
	var text strings.Builder
	for i, href := range chapters {
		if err := ctx.Err(); err != nil {
			return document.Extraction{}, err
		}
		if i == maxChapters {
			x.Partial = fmt.Sprintf("only the first %d of %d parts were read", maxChapters, len(chapters))
			break
		}
		name := path.Join(path.Dir(root), href)
		chapter, err := a.read(name)
		if errors.Is(err, errNotInArchive) {
			continue
		}
		if err != nil {
			return document.Extraction{}, err
		}
		part, err := html.Read(ctx, charset.Decode(chapter, "application/xhtml+xml", document.TypeHTML), nil)
		if err != nil {
			return document.Extraction{}, err
		}
		if part.Text = strings.TrimSpace(part.Text); part.Text == "" {
			continue
		}
		if text.Len() > 0 {
			text.WriteString("\n\n")
		}
		// What readability takes for a repetition of the page's title is the heading of a chapter here.
		if part.Title != "" && !strings.Contains(document.FirstLine(part.Text), part.Title) && !strings.EqualFold(part.Title, x.Title) {
			text.WriteString(part.Title + "\n\n")
		}
		text.WriteString(part.Text)
	}
	x.Text = text.String()
	x.ContentType, x.Chars = document.TypeEPUB, utf8.RuneCountInString(x.Text)
	return x, nil
}

// spine lists the chapters of a package document in reading order.
func spine(opf []byte) ([]string, error) {
	type item struct{ href, kind, properties string }
	items := map[string]item{}
	var order []string
	err := xmlread.Walk(opf, func(e xml.StartElement) {
		switch e.Name.Local {
		case "item":
			if len(items) < maxArchiveFiles {
				items[xmlread.Attr(e, "id")] = item{xmlread.Attr(e, "href"), xmlread.Attr(e, "media-type"), xmlread.Attr(e, "properties")}
			}
		case "itemref":
			if len(order) < maxArchiveFiles && xmlread.Attr(e, "linear") != "no" {
				order = append(order, xmlread.Attr(e, "idref"))
			}
		}
	}, func(xml.EndElement) {}, func(string) {})
	var out []string
	seen := map[string]bool{}
	for _, id := range order {
		it := items[id]
		href, err := url.PathUnescape(it.href)
		if err != nil || href == "" || seen[href] || strings.Contains(it.properties, "nav") || it.kind != "application/xhtml+xml" && it.kind != "text/html" {
			continue
		}
		seen[href] = true
		out = append(out, href)
	}
	return out, err
}

func damaged(kind string, err error) error {
	if errors.Is(err, errNotInArchive) {
		return fmt.Errorf("%w: the %s is damaged: %w", document.ErrUnsupported, kind, err)
	}
	return err
}
