package jats

import (
	"cmp"
	"net/url"
	"strings"

	"golang.org/x/net/html"

	"github.com/citeloop/citeloop/fetch/extract/document"
	"github.com/citeloop/citeloop/internal/docid"
)

// about is the metadata of an article.
func about(article *html.Node, base *url.URL) document.Document {
	var d document.Document
	journal, meta := child(article, "front", "journal-meta"), child(article, "front", "article-meta")
	titles := child(meta, "title-group")
	if d.Title = words(child(titles, "article-title")); d.Title != "" {
		if sub := words(child(titles, "subtitle")); sub != "" {
			d.Title += ": " + sub
		}
	}
	for _, group := range all(meta, "contrib-group") {
		for _, c := range all(group, "contrib") {
			if kind := attr(c, "contrib-type"); kind == "" || kind == "author" {
				d.Authors = document.AddAuthor(d.Authors, person(c))
			}
		}
	}
	if d.Publisher = document.First(words(child(journal, "journal-title-group", "journal-title")), words(child(journal, "journal-title"))); d.Publisher != "" {
		d.Container = document.Journal
	} else {
		d.Publisher = words(child(journal, "publisher", "publisher-name"))
	}
	d.PublishedAt = published(meta)
	for _, id := range all(meta, "article-id") {
		switch v := strings.TrimSpace(words(id)); attr(id, "pub-id-type") {
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
	if lang := attr(article, "lang"); lang != "" {
		d.Language = document.Language(lang)
	}
	d.Licence = licence(meta)
	d.SourceType = document.SourceType(d, base, document.Says{Journal: journal != nil})
	return d
}

// person returns the name of a contributor, given name first, or of a group.
func person(c *html.Node) string {
	name := child(c, "name")
	name = cmp.Or(name, child(c, "name-alternatives", "name"))
	if name != nil {
		return strings.TrimSpace(words(child(name, "given-names")) + " " + words(child(name, "surname")))
	}
	return document.First(words(child(c, "string-name")), words(child(c, "name-alternatives", "string-name")), words(child(c, "collab")), words(child(c, "collab-alternatives", "collab")))
}

// published returns the day of the first publication: on the web, else in print, else any.
func published(meta *html.Node) string {
	best, bestRank := "", 0
	for _, date := range all(meta, "pub-date") {
		rank := map[string]int{"epub": 4, "pub": 4, "electronic": 4, "epreprint": 4, "epub-ppub": 4, "ppub": 3, "print": 3, "collection": 2}[document.First(attr(date, "date-type"), attr(date, "pub-type"), attr(date, "publication-format"))]
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
	if iso := document.Date(attr(date, "iso-8601-date")); iso != "" {
		return iso
	}
	year, month, day := words(child(date, "year")), words(child(date, "month")), words(child(date, "day"))
	if strings.Trim(month, "0123456789") != "" { // a name
		return document.Date(strings.TrimSpace(strings.TrimSpace(day+" "+month) + " " + year))
	}
	return document.DateOf(year, month, day)
}

// licence returns the address of the article's licence, or else its text.
func licence(meta *html.Node) string {
	for _, l := range all(child(meta, "permissions"), "license") {
		for _, v := range []string{words(child(l, "license_ref")), attr(l, "href"), linkIn(l), words(child(l, "license-p")), words(child(l, "p"))} {
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
		if to := attr(d, "href"); d.Type == html.ElementNode && strings.Contains(to, "creativecommons.org/") {
			return to
		}
	}
	return ""
}
