package jats

import (
	"cmp"
	"net/url"
	"strings"

	"golang.org/x/net/html"

	"github.com/citeloop/citeloop/fetch/extract/document"
	"github.com/citeloop/citeloop/fetch/extract/xmltree"
	"github.com/citeloop/citeloop/internal/datafile"
	"github.com/citeloop/citeloop/internal/docid"
)

// about is the metadata of an article.
func about(article *html.Node, base *url.URL) document.Document {
	var d document.Document
	journal, meta := xmltree.Child(article, "front", "journal-meta"), xmltree.Child(article, "front", "article-meta")
	titles := xmltree.Child(meta, "title-group")
	if d.Title = textAt(titles, "article-title"); d.Title != "" {
		if sub := textAt(titles, "subtitle"); sub != "" {
			d.Title += ": " + sub
		}
	}
	for group := range xmltree.Children(meta, "contrib-group") {
		for c := range xmltree.Children(group, "contrib") {
			if kind := xmltree.Attr(c, "contrib-type"); kind == "" || kind == "author" {
				d.Authors = document.AddAuthor(d.Authors, person(c))
			}
		}
	}
	if d.Publisher = document.First(textAt(journal, "journal-title-group", "journal-title"), textAt(journal,
		"journal-title")); d.Publisher != "" {
		d.Container = document.Journal
	} else {
		d.Publisher = textAt(journal, "publisher", "publisher-name")
	}
	d.PublishedAt = published(meta)
	for id := range xmltree.Children(meta, "article-id") {
		switch v := strings.TrimSpace(words(id)); xmltree.Attr(id, "pub-id-type") {
		case "doi":
			d.DOI = docid.NormalizeDOI(v)
		case "pmid":
			if strings.Trim(v, "0123456789") == "" && len(v) <= 8 {
				d.PMID = v
			}
		case "arxiv":
			if key, ok := strings.CutPrefix(docid.CanonicalKey("https://arxiv.org/abs/"+v, ""), "arxiv:"); ok {
				d.ArXiv = key
			}
		}
	}
	d.Language = document.Language(xmltree.Attr(article, "lang"))
	d.Licence = licence(meta)
	d.SourceType = document.SourceType(d, base, document.Says{Journal: journal != nil})
	return d
}

// person returns the name of a contributor, given name first, or of a group.
func person(c *html.Node) string {
	if name := cmp.Or(xmltree.Child(c, "name"), xmltree.Child(c, "name-alternatives", "name")); name != nil {
		return strings.TrimSpace(textAt(name, "given-names") + " " + textAt(name, "surname"))
	}
	return document.First(textAt(c, "string-name"), textAt(c, "name-alternatives", "string-name"),
		textAt(c, "collab"), textAt(c, "collab-alternatives", "collab"))
}

// published returns the day of the publication on the web, or else the first one that is stated.
func published(meta *html.Node) string {
	var others []string
	for date := range xmltree.Children(meta, "pub-date") {
		stated := day(date)
		switch document.First(xmltree.Attr(date, "date-type"), xmltree.Attr(date, "pub-type"), xmltree.Attr(date, "publication-format")) {
		case "epub", "pub", "electronic", "epreprint", "epub-ppub":
			if stated != "" {
				return stated
			}
		}
		others = append(others, stated)
	}
	return document.FirstDate(others...)
}

// day returns a date from its parts.
func day(date *html.Node) string {
	if iso := document.Date(xmltree.Attr(date, "iso-8601-date")); iso != "" {
		return iso
	}
	year, month, day := textAt(date, "year"), textAt(date, "month"), textAt(date, "day")
	if strings.Trim(month, "0123456789") != "" { // a name
		return document.Date(strings.TrimSpace(strings.TrimSpace(day+" "+month) + " " + year))
	}
	return document.DateOf(year, month, day)
}

// licence returns the address of the article's licence, or else its text.
func licence(meta *html.Node) string {
	l := xmltree.Child(meta, "permissions", "license")
	if l == nil {
		return ""
	}
	stated := document.First(textAt(l, "license_ref"), xmltree.Attr(l, "href"))
	for d := range l.Descendants() {
		if to := xmltree.Attr(d, "href"); stated == "" && strings.Contains(to, "creativecommons.org/") {
			stated = to
		}
	}
	return document.Title(document.First(stated, words(l)))
}

// words returns the text of an element on one line, without notes and references to them.
func words(n *html.Node) string {
	var b strings.Builder
	collect(n, aside, &b)
	return document.Title(b.String())
}

// textAt is the text of the first element on a path of names, or "".
func textAt(n *html.Node, path ...string) string { return words(xmltree.Child(n, path...)) }

// aside are the elements whose words do not belong to the text around them.
var aside = datafile.Words("fn xref label tex-math object-id alt-text long-desc email")

// collect writes the texts of an element without those of some in it. n may be nil.
func collect(n *html.Node, without map[string]bool, b *strings.Builder) {
	if n == nil {
		return
	}
	for c := range n.ChildNodes() {
		if c.Type == html.TextNode {
			b.WriteString(c.Data)
		} else if !without[c.Data] {
			collect(c, without, b)
		}
	}
}
