package html

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/citeloop/citeloop/internal/lazyregexp"
)

// bodyText is the text of a whole page without what surrounds its content: navigation, footers,
// side columns, banners. It serves the pages that are no articles (documentation, listings, forums), where
// readability keeps one part of many.
func bodyText(doc *html.Node) string {
	root := contentRoot(doc)
	if root == nil {
		return blockText(doc)
	}
	w := blockWriter{frame: true}
	w.children(root)
	w.flush(0)
	return strings.Trim(w.out.String(), "\n")
}

// contentRoot is the page's own statement of where its content is, when there is exactly one, else its body.
func contentRoot(doc *html.Node) *html.Node {
	var body *html.Node
	var mains []*html.Node
	var walk func(n *html.Node)
	walk = func(n *html.Node) {
		if n.DataAtom == atom.Body && body == nil {
			body = n
		}
		if n.DataAtom == atom.Main || attr(n, "role") == "main" {
			mains = append(mains, n)
			return
		}
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			if c.Type == html.ElementNode {
				walk(c)
			}
		}
	}
	walk(doc)
	if len(mains) == 1 {
		return mains[0]
	}
	return body
}

var frameNames = lazyregexp.New(`(?i)(^|[-_\s])(cookies?|consent|gdpr|newsletter|breadcrumbs?|sidebar|share|sharing|social|popup|modal|skip-link|skip-to|navbar|navigation|nav|menu|footer|site-footer|site-header|masthead|advert|advertisement|ads?|promo|pagination|pager|toc|related|recommended|toolbar|login|signup|sign-in)($|[-_\s])`)

// isFrame reports an element that surrounds content.
func isFrame(n *html.Node) bool {
	switch n.DataAtom {
	case atom.Nav, atom.Footer, atom.Aside:
		return true
	case atom.Header:
		return !within(n, atom.Article, atom.Main)
	case atom.Body, atom.Html, atom.Main, atom.Article, atom.H1, atom.H2, atom.H3:
		return false
	}
	switch attr(n, "role") {
	case "navigation", "banner", "contentinfo", "complementary", "search", "dialog", "alertdialog", "alert", "menu", "menubar", "toolbar":
		return true
	}
	return frameNames.MatchString(attr(n, "class")) || frameNames.MatchString(attr(n, "id"))
}
