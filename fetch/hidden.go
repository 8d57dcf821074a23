package fetch

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// prune takes out of a tree what is not shown as text: scripts, styles, comments, and elements that the page
// hides. What a person cannot see must not be cited, and is where instructions for models are put.
func prune(n *html.Node) {
	for c := n.FirstChild; c != nil; {
		next := c.NextSibling
		if c.Type == html.CommentNode || c.Type == html.ElementNode && (isScripted(c) || isHidden(c)) {
			n.RemoveChild(c)
		} else {
			prune(c)
		}
		c = next
	}
}

func isScripted(n *html.Node) bool {
	switch n.DataAtom {
	case atom.Script:
		return !isLinkedData(n) // readability finds bylines by it
	case atom.Style, atom.Noscript, atom.Template:
		return true
	}
	return false
}

// isHidden reports an element that its own attributes hide. Style sheets are not read.
func isHidden(n *html.Node) bool {
	switch n.DataAtom {
	case atom.Html, atom.Head, atom.Body, atom.Main, atom.Article: // hidden until a script has run: still the page
		return false
	}
	for _, a := range n.Attr {
		switch a.Key {
		case "hidden":
			return a.Val != "until-found" // which the browser's search shows
		case "aria-hidden":
			if strings.EqualFold(a.Val, "true") {
				return true
			}
		case "style":
			if hidesByStyle(a.Val) {
				return true
			}
		}
	}
	return false
}

func hidesByStyle(style string) bool {
	for declaration := range strings.SplitSeq(strings.ToLower(style), ";") {
		name, value, _ := strings.Cut(declaration, ":")
		value = strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(value), "!important"))
		switch strings.TrimSpace(name) {
		case "display":
			if value == "none" {
				return true
			}
		case "visibility":
			if value == "hidden" || value == "collapse" {
				return true
			}
		}
	}
	return false
}

// cleanText drops the characters that are not seen and change what is: controls other than newline and tab,
// zero-width and bidirectional ones, tags, byte order marks, soft hyphens. A joiner stays where scripts need
// it: between letters that are not Latin, Greek or Cyrillic, and inside of emoji.
func cleanText(s string) string {
	if !strings.ContainsFunc(s, isInvisible) && utf8.ValidString(s) {
		return s
	}
	s = strings.ToValidUTF8(s, "\uFFFD")
	var b strings.Builder
	b.Grow(len(s))
	var before rune
	for i, r := range s {
		if !isInvisible(r) {
			b.WriteRune(r)
			before = r
			continue
		}
		if r == '\f' || r == '\v' {
			b.WriteByte('\n')
			continue
		}
		after, _ := utf8.DecodeRuneInString(s[i+utf8.RuneLen(r):])
		if (r == 0x200c || r == 0x200d) && joins(before) && joins(after) {
			b.WriteRune(r)
		}
	}
	return b.String()
}

func isInvisible(r rune) bool {
	switch {
	case r == '\n' || r == '\t':
		return false
	case r < 0x20 || r >= 0x7f && r < 0xa0:
		return true
	case r < 0xad:
		return false
	case r >= 0x0600 && r <= 0x0605 || r == 0x06dd || r == 0x070f || r == 0x08e2 || r == 0x110bd || r == 0x110cd:
		return false // format characters that are drawn
	}
	return unicode.Is(unicode.Cf, r)
}

func joins(r rune) bool {
	return r > 0x0590 && r != utf8.RuneError && (unicode.In(r, unicode.L, unicode.M, unicode.So))
}
