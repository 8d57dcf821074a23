package local

import (
	"bytes"
	"net/url"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// link is what a page says about another file of its folder: the texts around the links to it.
type link struct {
	to   string // path within the folder, without the ending of its format
	text string
}

// Limits of the links of a file. Chosen: the index of PostgreSQL's manual links to 1,000 files, and a longer text around a link
// speaks of more than its target.
const (
	maxLinkTargets = 2_000
	maxAroundLink  = 500   // bytes of the text around one link
	maxTargetText  = 2_000 // bytes of the texts around all links to one file
	maxBlockText   = 8_000 // bytes of a block
)

// linksOf collects the links of a file that is HTML by its name, each with the text of the paragraph, list item or table cell around it.
// A term of a list of definitions takes the definition after it along. Manuals link with the words that their readers ask with, also
// where the page itself has others.
func linksOf(rel string, body []byte) (out []link) {
	if !slices.Contains([]string{".html", ".htm", ".xhtml"}, strings.ToLower(path.Ext(rel))) {
		return nil
	}
	root, err := html.Parse(bytes.NewReader(body))
	if err != nil {
		return nil
	}
	at := map[string]int{}
	for n := range root.Descendants() {
		to, around := linkTarget(rel, n), blockAround(n)
		if to == "" || around == nil {
			continue
		}
		text := textOf(around)
		for next := around.NextSibling; around.DataAtom == atom.Dt && next != nil; next = next.NextSibling {
			if next.DataAtom == atom.Dd {
				text += " " + textOf(next)
				break
			}
		}
		text = strings.ToValidUTF8(near(text, textOf(n)), "")
		i, known := at[to]
		switch {
		case text == "":
		case !known && len(out) < maxLinkTargets:
			at[to] = len(out)
			out = append(out, link{to, text})
		case known && len(out[i].text)+len(text) <= maxTargetText && !strings.Contains(out[i].text, text):
			out[i].text += "\n" + text
		}
	}
	return out
}

// near returns the sentence of a long text that has the words of a link.
func near(text, words string) string {
	if at := strings.Index(text, words); len(text) > maxAroundLink && at >= 0 {
		if stop := strings.LastIndex(text[:at], ". "); stop >= 0 {
			text, at = text[stop+2:], at-stop-2
		}
		if stop := strings.Index(text[at:], ". "); stop >= 0 {
			text = text[:at+stop+1]
		}
	}
	return text[:min(len(text), maxAroundLink)]
}

// blockAround returns the block with text about its links that a node is in, or nil, such as in a list of pages alone.
func blockAround(n *html.Node) *html.Node {
	for ; n != nil; n = n.Parent {
		switch n.DataAtom {
		case atom.P, atom.Li, atom.Dt, atom.Dd, atom.Td, atom.Blockquote:
			return n
		case atom.Div, atom.Th, atom.Nav, atom.Pre, atom.Body, atom.H1, atom.H2, atom.H3, atom.H4:
			return nil
		}
	}
	return nil
}

// textOf returns the visible text of a block on one line, without that of lists inside it.
func textOf(block *html.Node) string {
	var b strings.Builder
	var walk func(*html.Node)
	walk = func(n *html.Node) {
		for c := n.FirstChild; c != nil && b.Len() < maxBlockText; c = c.NextSibling {
			switch c.DataAtom {
			case atom.Script, atom.Style, atom.Ul, atom.Ol, atom.Dl, atom.Table:
				continue
			case atom.P, atom.Br:
				b.WriteByte(' ')
			}
			if c.Type == html.TextNode {
				b.WriteString(c.Data)
			}
			walk(c)
		}
	}
	walk(block)
	return strings.Join(strings.Fields(strings.ToValidUTF8(b.String(), "")), " ")
}

// linkTarget returns the path within the folder of the file that a link leads to, without the ending of its format, or "" if a node
// is no link, or one to elsewhere or to the page itself.
func linkTarget(rel string, n *html.Node) string {
	at := slices.IndexFunc(n.Attr, func(a html.Attribute) bool { return n.DataAtom == atom.A && a.Key == "href" })
	if at < 0 {
		return ""
	}
	u, err := url.Parse(strings.TrimSpace(n.Attr[at].Val))
	if err != nil || u.Scheme != "" || u.Host != "" || u.Path == "" || strings.HasPrefix(u.Path, "/") {
		return ""
	}
	to := path.Join(path.Dir(rel), u.Path)
	if to == rel || !filepath.IsLocal(to) || to == "." {
		return ""
	}
	return withoutExtension(to)
}
