package html

import (
	"net/url"
	"strings"
)

// pageFacts are what is known of a page beside its tree.
type pageFacts struct {
	declared bool   // it says to be one article
	kind     int    // of its linked data, one of the kinds below
	root     bool   // it is the first page of a site
	words    uint64 // which of pathHints are in its address
	title    string // lower case
	body     string // the article's text in its linked data, lower case, white space collapsed
}

const (
	kindNone = iota
	kindArticle
	kindPage
	kindProduct
	kindThread
)

func (m *pageMeta) facts(base *url.URL) pageFacts {
	f := pageFacts{declared: m.declaresArticle(), title: strings.ToLower(m.title + " " + m.heading), body: m.linked.body}
	switch {
	case m.linked.product:
		f.kind = kindProduct
	case isThread(m.linked.kind):
		f.kind = kindThread
	case m.linked.rank == rankArticle:
		f.kind = kindArticle
	case m.linked.rank == rankPage:
		f.kind = kindPage
	}
	if own := m.ownAddress(base); own != nil {
		address := strings.ToLower(own.Host + own.Path)
		for i, w := range pathHints {
			if strings.Contains(address, w) {
				f.words |= 1 << i
			}
		}
		f.root = strings.Trim(own.Path, "/") == ""
	}
	return f
}

// pathHints are words of addresses, those of threads first, then those of shops, then of documentation.
var pathHints = []string{
	"forum", "thread", "topic", "community", "discuss",
	"product", "/p/", "shop", "collection", "categor",
	"docs", "reference",
}

const (
	pathThread = 0x1f
	pathShop   = 0x1f << 5
	pathDocs   = 3 << 10
)
