package jats

import (
	"net/url"
	"strings"

	"golang.org/x/net/html"

	"github.com/citeloop/citeloop/fetch/extract/document"
	"github.com/citeloop/citeloop/internal/docid"
)

// citationTags are the elements of a cited work, in all versions of the format.
var citationTags = map[string]bool{"mixed-citation": true, "element-citation": true, "nlm-citation": true, "citation": true}

// cited returns the cited works in the order of the article's lists.
func cited(article *html.Node) []document.Reference {
	var out []document.Reference
	for n := range article.Descendants() {
		if len(out) == document.MaxReferences {
			break
		}
		if n.Type != html.ElementNode || !citationTags[n.Data] || within(n, citationTags) {
			continue
		}
		var r document.Reference
		r.Text = document.Shorten(document.First(words(child(n, "article-title")), words(child(n, "chapter-title")), words(child(n, "source")), words(n)), document.MaxReferenceChars)
		for d := range n.Descendants() {
			switch {
			case d.Type != html.ElementNode:
			case d.Data == "pub-id" && attr(d, "pub-id-type") == "doi":
				r.DOI = docid.NormalizeDOI(words(d))
			case d.Data == "pub-id" && attr(d, "pub-id-type") == "pmid" && r.URL == "":
				if id := words(d); id != "" && strings.Trim(id, "0123456789") == "" {
					r.URL = "https://pubmed.ncbi.nlm.nih.gov/" + id + "/"
				}
			case d.Data == "ext-link" || d.Data == "uri":
				to := document.First(attr(d, "href"), words(d))
				u, err := url.Parse(to)
				if err != nil || u.Host == "" {
					continue
				}
				if host := strings.ToLower(u.Hostname()); r.DOI == "" && (host == "doi.org" || host == "dx.doi.org") {
					r.DOI = docid.NormalizeDOI(to)
				} else if r.URL == "" && (u.Scheme == "http" || u.Scheme == "https") {
					u.User = nil
					r.URL = u.String()
				}
			}
		}
		if r.DOI != "" {
			r.URL = "https://doi.org/" + r.DOI
		}
		if r.Text != "" || r.URL != "" {
			out = append(out, r)
		}
	}
	return out
}

// citation returns a cited work on one line: as it is written, or from its parts in the order of medical journals.
func citation(n *html.Node) []*html.Node {
	if isWritten(n) {
		return inline(n)
	}
	var line strings.Builder
	put := func(before, s, after string) {
		if s == "" {
			return
		}
		if line.Len() > 0 {
			line.WriteString(before)
		}
		line.WriteString(s + after)
	}
	var people []string
	for d := range n.Descendants() {
		switch {
		case d.Type != html.ElementNode || len(people) > 200:
		case d.Data == "name" && d.Parent.Data != "name-alternatives", d.Data == "string-name":
			people = append(people, document.First(strings.TrimSpace(words(child(d, "surname"))+" "+words(child(d, "given-names"))), words(d)))
		case d.Data == "collab":
			people = append(people, words(d))
		}
	}
	put("", strings.Join(people, ", "), ".")
	put(" ", words(child(n, "article-title")), ".")
	put(" ", words(child(n, "chapter-title")), ".")
	put(" ", words(child(n, "source")), "")
	put(" ", words(child(n, "publisher-name")), "")
	put(" ", words(child(n, "year")), "")
	put("; ", words(child(n, "volume")), "")
	if issue := words(child(n, "issue")); issue != "" {
		put("", "("+issue+")", "")
	}
	pages := words(child(n, "fpage"))
	if last := words(child(n, "lpage")); pages != "" && last != "" && last != pages {
		pages += "–" + last
	}
	put(": ", document.First(pages, words(child(n, "elocation-id"))), "")
	put("", ".", "")
	out := []*html.Node{text(line.String())}
	for d := range n.Descendants() {
		switch {
		case d.Type != html.ElementNode:
		case d.Data == "pub-id":
			out = append(append(out, text(" ")), identifier(d)...)
		case d.Data == "ext-link" || d.Data == "uri":
			to := document.First(attr(d, "href"), words(d))
			out = append(out, text(" "), link(to, text(document.First(words(d), to))))
		}
	}
	return out
}

// identifier returns the number of a cited work, with the name of its registry if no word precedes it.
func identifier(n *html.Node) []*html.Node {
	id, before := words(n), ""
	if p := n.PrevSibling; p != nil && p.Type == html.TextNode {
		before = strings.ToLower(strings.TrimRight(p.Data, " "))
	}
	lead := func(word, after string) string {
		if strings.HasSuffix(strings.TrimSuffix(before, ":"), strings.ToLower(word)) {
			return ""
		}
		return word + after
	}
	switch attr(n, "pub-id-type") {
	case "doi":
		if doi := docid.NormalizeDOI(id); doi != "" {
			return []*html.Node{link("https://doi.org/"+doi, text(lead("doi", ":")+doi))}
		}
	case "pmid":
		return []*html.Node{text(lead("PMID", " ") + id)}
	case "pmcid", "pmc":
		return []*html.Node{text(lead("PMCID", " ") + id)}
	}
	return []*html.Node{text(id)}
}

// isWritten reports whether a citation has punctuation between its parts.
func isWritten(n *html.Node) bool {
	for c := range n.ChildNodes() {
		if c.Type == html.TextNode && strings.TrimSpace(c.Data) != "" {
			return true
		}
	}
	return false
}
