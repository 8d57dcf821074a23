package jats

import (
	"cmp"
	"net/url"
	"strings"

	"golang.org/x/net/html"

	"github.com/citeloop/citeloop/fetch/extract/document"
	"github.com/citeloop/citeloop/fetch/extract/xmltree"
	"github.com/citeloop/citeloop/internal/docid"
)

// about is the metadata of an article.
func about(article *html.Node, base *url.URL) document.Document {
	var d document.Document
	journal, meta := xmltree.Child(article, "front", "journal-meta"), xmltree.Child(article, "front", "article-meta")
	titles := xmltree.Child(meta, "title-group")
	if d.Title = words(xmltree.Child(titles, "article-title")); d.Title != "" {
		if sub := words(xmltree.Child(titles, "subtitle")); sub != "" {
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
	if d.Publisher = document.First(words(xmltree.Child(journal, "journal-title-group", "journal-title")), words(xmltree.Child(journal, "journal-title"))); d.Publisher != "" {
		d.Container = document.Journal
	} else {
		d.Publisher = words(xmltree.Child(journal, "publisher", "publisher-name"))
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
	if lang := xmltree.Attr(article, "lang"); lang != "" {
		d.Language = document.Language(lang)
	}
	d.Licence = licence(meta)
	d.SourceType = document.SourceType(d, base, document.Says{Journal: journal != nil})
	return d
}

// person returns the name of a contributor, given name first, or of a group.
func person(c *html.Node) string {
	name := xmltree.Child(c, "name")
	name = cmp.Or(name, xmltree.Child(c, "name-alternatives", "name"))
	if name != nil {
		return strings.TrimSpace(words(xmltree.Child(name, "given-names")) + " " + words(xmltree.Child(name, "surname")))
	}
	return document.First(words(xmltree.Child(c, "string-name")), words(xmltree.Child(c, "name-alternatives", "string-name")), words(xmltree.Child(c, "collab")), words(xmltree.Child(c, "collab-alternatives", "collab")))
}

// published returns the day of the first publication: on the web, else in print, else any.
func published(meta *html.Node) string {
	best, bestRank := "", 0
	for date := range xmltree.Children(meta, "pub-date") {
		rank := map[string]int{"epub": 4, "pub": 4, "electronic": 4, "epreprint": 4, "epub-ppub": 4, "ppub": 3, "print": 3, "collection": 2}[document.First(xmltree.Attr(date, "date-type"), xmltree.Attr(date, "pub-type"), xmltree.Attr(date, "publication-format"))]
		if rank = max(rank, 1); rank <= bestRank {
			continue
		}
		if day := day(date); day != "" {
			best, bestRank = day, rank
		}
	}
	return best
}

// day returns a date from its parts.
func day(date *html.Node) string {
	if iso := document.Date(xmltree.Attr(date, "iso-8601-date")); iso != "" {
		return iso
	}
	year, month, day := words(xmltree.Child(date, "year")), words(xmltree.Child(date, "month")), words(xmltree.Child(date, "day"))
	if strings.Trim(month, "0123456789") != "" { // a name
		return document.Date(strings.TrimSpace(strings.TrimSpace(day+" "+month) + " " + year))
	}
	return document.DateOf(year, month, day)
}

// licence returns the address of the article's licence, or else its text.
func licence(meta *html.Node) string {
	for l := range xmltree.Children(xmltree.Child(meta, "permissions"), "license") {
		for _, v := range []string{words(xmltree.Child(l, "license_ref")), xmltree.Attr(l, "href"), linkIn(l), words(xmltree.Child(l, "license-p")), words(xmltree.Child(l, "p"))} {
			if v = document.Title(v); v != "" {
				return v
			}
		}
	}
	return ""
}

// linkIn returns the first link of an element to a licence.
func linkIn(n *html.Node) string {
	for d := range n.Descendants() {
		if to := xmltree.Attr(d, "href"); d.Type == html.ElementNode && strings.Contains(to, "creativecommons.org/") {
			return to
		}
	}
	return ""
}
