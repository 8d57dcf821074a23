package fetch

import (
	"net/url"
	"strings"

	"codeberg.org/readeck/go-readability/v2"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// articleExtractor finds the part of a page that is its article. It may change doc. A nil node means that
// it found none.
type articleExtractor interface {
	article(doc *html.Node, base *url.URL) *html.Node
}

// readeck is the article extractor in use: a port of Mozilla's Readability.
type readeck struct{}

func (readeck) article(doc *html.Node, base *url.URL) (node *html.Node) {
	defer func() {
		if recover() != nil { // a page that the port cannot handle is read as its body
			node = nil
		}
	}()
	p := readability.NewParser()
	a, err := p.ParseAndMutate(doc, base)
	if err != nil || a.Node == nil {
		return nil
	}
	// The port renames elements by their names alone; blockText goes by atoms.
	for n := range a.Node.Descendants() {
		if n.Type == html.ElementNode {
			n.DataAtom = atom.Lookup([]byte(n.Data))
		}
	}
	return a.Node
}

// extractHTML reads a page: its metadata, its article by readability, and the whole body where readability
// finds too little of it.
func extractHTML(src string, base *url.URL) extraction {
	doc := parseTree(src)
	meta := readMeta(doc)
	x := extraction{Document: meta.document(base), notFree: meta.linked.notFree, needsScript: meta.noscript, forwardsTo: meta.refresh}
	prune(doc)
	whole := bodyText(doc)
	x.Text = whole
	if affordable(doc) {
		x.Text = better(articleText(readeck{}, doc, base), whole, meta.declaresArticle())
	}
	x.Text = cleanText(x.Text)
	if x.Title == "" {
		x.Title = titleText(firstLine(x.Text))
	}
	return x
}

func articleText(e articleExtractor, doc *html.Node, base *url.URL) string {
	if node := e.article(doc, base); node != nil {
		return blockText(node)
	}
	return ""
}

// The rule by which the whole body replaces the article, found on the gold pages (bench/README.md): on WCXB it
// raises the word F1 from .823 to .854, on AEB and trafseg, which hold articles alone, it loses nothing.
const (
	minArticleShare = 0.6 // of the body's text; an article with less is one part of a page with many
	minWholeShare   = 0.5 // of an article that is longer than the body without its frame
	minProse        = 400 // characters of prose that make an article believable in spite of its share
	minProseShare   = 0.5 // of the body's prose
	proseChars      = 140 // a block of at least this is prose; links, titles and cells are shorter
)

// better chooses between the article and the whole body. An article stands if the page declares to be one, if
// it is most of the page, or if it holds most of the page's prose: then the rest is teasers.
func better(article, whole string, declared bool) string {
	switch {
	case article == "":
		return whole
	case !declared && len(article) > len(whole) && float64(len(whole)) >= minWholeShare*float64(len(article)):
		return whole // readability gave up and kept the frame
	case declared, float64(len(article)) >= minArticleShare*float64(len(whole)):
		return article
	}
	if p := prose(article); p > minProse && float64(p) > minProseShare*float64(prose(whole)) {
		return article
	}
	return whole
}

// prose counts the bytes of blocks that are long enough to be prose and are no lists.
func prose(text string) int {
	n := 0
	for block := range strings.SplitSeq(text, "\n\n") {
		if len(block) >= proseChars && !strings.HasPrefix(block, "- ") && !strings.Contains(block, "\n- ") {
			n += len(block)
		}
	}
	return n
}

// affordable reports a tree that readability gets through in bounded time. It sums texts at every candidate
// and again for each of its four attempts, so its cost grows with the text times its depth.
func affordable(doc *html.Node) bool {
	nodes, cost := 0, 0
	var walk func(n *html.Node, depth int) bool
	walk = func(n *html.Node, depth int) bool {
		nodes++
		cost += len(n.Data) * depth
		if nodes > maxArticleNodes || cost > maxArticleCost {
			return false
		}
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			if !walk(c, depth+1) {
				return false
			}
		}
		return true
	}
	return walk(doc, 0)
}

const (
	maxArticleNodes = 400_000
	maxArticleCost  = 200 << 20 // bytes of text times depth
)
