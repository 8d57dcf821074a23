package html

import (
	"context"
	"net/url"
	"strings"
	"testing"

	"github.com/citeloop/citeloop/fetch/extract/document"
	"github.com/citeloop/citeloop/fetch/extract/html/css"
)

// longText is long enough to be a source.
var longText = strings.Repeat("The tide tables of the harbour were printed every year until 1931. ", 8)

// article is a page whose text is longText.
var article = "<!doctype html><html lang=en><title>Tide tables</title><body><article><h1>Tide tables</h1><p>" + longText + "</p></article>"

// readPage reads a page that came from an address, or from none when that is empty.
func readPage(t testing.TB, src, at string) document.Document {
	t.Helper()
	var base *url.URL
	if at != "" {
		u, err := url.Parse(at)
		if err != nil {
			t.Fatal(err)
		}
		base = u
	}
	x, err := written(t.Context(), src, base)
	if err != nil {
		t.Fatal(err)
	}
	return x.Document
}

// textOf is the text of a piece of HTML, all that it shows.
func textOf(src string) string {
	doc := parseTree(src)
	prune(doc, css.Read(doc, nil))
	return BlockText(doc)
}

// A page with more than a tree may have is read as far as that goes, and says so.
func TestReadSaysWhatIsLeftOut(t *testing.T) {
	t.Parallel()
	d := readPage(t, `<p>a<p title="`+strings.Repeat("a ", maxFlatToken/2+9)+`">b`, "")
	if !strings.Contains(d.Partial, "or one of more than 8 MB") || d.Text != "a" {
		t.Errorf("partial %q, text %.20q", d.Partial, d.Text)
	}
	if d := readPage(t, strings.Repeat("<p>a</p>", 100), ""); d.Partial != "" {
		t.Errorf("partial %q", d.Partial)
	}
	if _, whole, _ := parseWithin(t.Context(), strings.Repeat("<p>a</p>", maxFlatNodes/2+10)); whole {
		t.Error("a page of more than a million nodes is whole")
	}
}

// Of too many attributes, and of a tag that is too long, a part is read; the text stays.
func TestAttributesAreBounded(t *testing.T) {
	t.Parallel()
	many := "<p hidden" + strings.Repeat(` a="x > y"`, maxTagAttributes) + " lang=de>gone</p>"
	for name, page := range map[string]string{
		"of a tag":  many,
		"of a page": strings.Repeat("<i a b c d e></i>", maxParsedAttributes/5+7) + many,
	} {
		doc := parseTree(page + "<p>stays")
		count := 0
		for n := range doc.Descendants() {
			count += len(n.Attr)
			if len(n.Attr) > maxTagAttributes || len(n.Attr) > 5 && !hasAttr(n, "hidden") {
				t.Errorf("%s: %d attributes of one tag", name, len(n.Attr))
			}
		}
		if count > maxPageAttributes || !strings.HasSuffix(BlockText(doc), "stays") {
			t.Errorf("%s: %d attributes", name, count)
		}
	}
}

// An article that only scripts show is read from the linked data; one that the page shows is not there twice.
func TestArticleOfLinkedData(t *testing.T) {
	t.Parallel()
	data := `<script type="application/ld+json">{"@type":"NewsArticle","articleBody":"` + longText + `"}</script>`
	for name, shown := range map[string]string{"an application": "<div id=app>Loading</div>", "a page": "<p>" + longText} {
		if n := strings.Count(readPage(t, data+shown, "").Text, longText[:40]); n != strings.Count(longText, longText[:40]) {
			t.Errorf("%s: %d times", name, n)
		}
	}
}

// Sections of a page without a declared region are content together, and so is a list with a longer item.
func TestSectionsAreContent(t *testing.T) {
	t.Parallel()
	section := func(name, text string) string {
		return `<div class="sect1"><h2>` + name + `</h2><div class="sectionbody">` + text + `</div></div>`
	}
	page := `<html><head><title>arden(1)</title></head><body><div id="header"><h1>arden(1)</h1><h2>NAME</h2><div><p>arden - keep a ` +
		`lock</p></div></div><div id="content">` +
		section("SYNOPSIS", "<pre>arden [-v]</pre>") +
		section("COMMANDS", "<ul><li>open</li><li>close a gate that was left open by its keeper in a storm</li></ul>") +
		section("DISCUSSION", prosePieces(8)) + `</div></body></html>`
	x, err := written(t.Context(), page, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"# arden(1)", "## NAME\n\narden - keep a lock", "arden [-v]", "- open\n- close a gate", "## DISCUSSION"} {
		if !strings.Contains(x.Content(), want) {
			t.Errorf("%q is no content of\n%s", want, x.Content())
		}
	}
}

// written reads a page and writes its lines.
func written(ctx context.Context, src string, base *url.URL) (document.Extraction, error) {
	x, err := Read(ctx, src, base)
	x.Write()
	return x, err
}
