package jats

import (
	"net/url"
	"strings"

	"golang.org/x/net/html"

	"github.com/citeloop/citeloop/fetch/extract/document"
	"github.com/citeloop/citeloop/fetch/extract/xmltree"
	"github.com/citeloop/citeloop/internal/datafile"
	"github.com/citeloop/citeloop/internal/docid"
)

// citationTags are the elements of a cited work, in all versions of the format.
var citationTags = datafile.Words("mixed-citation element-citation nlm-citation citation")

// cited returns the cited works in the order of the article's lists.
func cited(article *html.Node) (works []document.Reference) {
	for n := range article.Descendants() {
		if !citationTags[n.Data] || len(works) == document.MaxReferences {
			continue
		}
		if r := reference(n); r.Text != "" || r.URL != "" {
			works = append(works, r)
		}
	}
	return works
}

func reference(n *html.Node) (r document.Reference) {
	title := document.First(textAt(n, "article-title"), textAt(n, "chapter-title"), textAt(n, "source"), words(n))
	r.Text = document.Shorten(title, document.MaxReferenceChars)
	for d := range n.Descendants() {
		switch {
		case d.Type != html.ElementNode:
		case d.Data == "pub-id" && xmltree.Attr(d, "pub-id-type") == "doi":
			r.DOI = docid.NormalizeDOI(words(d))
		case d.Data == "pub-id" && xmltree.Attr(d, "pub-id-type") == "pmid" && r.URL == "":
			if id := words(d); id != "" && strings.Trim(id, "0123456789") == "" {
				r.URL = "https://pubmed.ncbi.nlm.nih.gov/" + id + "/"
			}
		case d.Data == "ext-link" || d.Data == "uri":
			u, err := url.Parse(document.First(xmltree.Attr(d, "href"), words(d)))
			if err != nil || u.Scheme != "http" && u.Scheme != "https" {
				continue
			}
			if host := strings.ToLower(u.Hostname()); r.DOI == "" && (host == "doi.org" || host == "dx.doi.org") {
				r.DOI = docid.NormalizeDOI(u.String())
			} else if r.URL == "" {
				u.User = nil
				r.URL = u.String()
			}
		}
	}
	if r.DOI != "" {
		r.URL = "https://doi.org/" + r.DOI
	}
	return r
}
