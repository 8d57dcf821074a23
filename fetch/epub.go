package fetch

import (
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"net/url"
	"path"
	"strings"

	"github.com/citeloop/citeloop/loopstate"
)

// maxChapters bounds the spine of a book. Chosen: converters that cut by pages make some 1,500.
const maxChapters = 3_000

// extractEPUB reads a book: the chapters in the order of its spine, each as a page of HTML.
func extractEPUB(ctx context.Context, a *archive, base *url.URL) (extraction, error) {
	container, err := a.read("META-INF/container.xml")
	if err != nil {
		return extraction{}, damaged("EPUB", err)
	}
	root := ""
	if err := xmlWalk(container, func(e xml.StartElement) {
		if e.Name.Local == "rootfile" && root == "" {
			root = xmlAttr(e, "full-path")
		}
	}, func(xml.EndElement) {}, func(string) {}); err != nil {
		return extraction{}, err
	}
	if a.files["META-INF/encryption.xml"] != nil && a.files["META-INF/rights.xml"] != nil {
		return extraction{}, fmt.Errorf("%w: the EPUB is protected against copying", ErrUnsupported)
	}
	opf, err := a.read(root)
	if err != nil {
		return extraction{}, damaged("EPUB", err)
	}
	var x extraction
	chapters, err := spine(opf)
	if err != nil {
		return extraction{}, err
	}
	identifiers, err := coreProperties(opf, &x.Document)
	if err != nil {
		return extraction{}, err
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
			return extraction{}, err
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
			return extraction{}, err
		}
		part := extractHTML(decodeText(chapter, "application/xhtml+xml", typeHTML), nil)
		if part.Text = strings.TrimSpace(part.Text); part.Text == "" {
			continue
		}
		if text.Len() > 0 {
			text.WriteString("\n\n")
		}
		// What readability takes for a repetition of the page's title is the heading of a chapter here.
		if part.Title != "" && !strings.Contains(firstLine(part.Text), part.Title) && !strings.EqualFold(part.Title, x.Title) {
			text.WriteString(part.Title + "\n\n")
		}
		text.WriteString(part.Text)
	}
	x.Text = text.String()
	x.ContentType, x.Chars = typeEPUB, codePoints(x.Text)
	return x, nil
}

// spine lists the chapters of a package document in reading order.
func spine(opf []byte) ([]string, error) {
	type item struct{ href, kind, properties string }
	items := map[string]item{}
	var order []string
	err := xmlWalk(opf, func(e xml.StartElement) {
		switch e.Name.Local {
		case "item":
			if len(items) < maxArchiveFiles {
				items[xmlAttr(e, "id")] = item{xmlAttr(e, "href"), xmlAttr(e, "media-type"), xmlAttr(e, "properties")}
			}
		case "itemref":
			if len(order) < maxArchiveFiles && xmlAttr(e, "linear") != "no" {
				order = append(order, xmlAttr(e, "idref"))
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
		return fmt.Errorf("%w: the %s is damaged: %w", ErrUnsupported, kind, err)
	}
	return err
}
