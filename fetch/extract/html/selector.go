package html

import (
	"slices"
	"strings"

	"golang.org/x/net/html"
)

// chain is a selector of elements inside each other, as "aside p.note" or "#box > i".
type chain struct {
	links []link // the element itself first, then those around it
	hides hiding
}

// link is one element of a chain.
type link struct {
	tag, id string
	classes []string
	child   bool // the next link must be its parent, not just around it
}

// maxLinks bounds the elements of one selector.
const maxLinks = 6

// parseChain reads a selector of tags, classes and ids, separated by spaces and ">". Anything else is not read.
func parseChain(selector string) (chain, bool) {
	var c chain
	words := strings.Fields(strings.ReplaceAll(selector, ">", " > "))
	slices.Reverse(words)
	for _, word := range words {
		if word == ">" {
			if len(c.links) == 0 {
				return chain{}, false
			}
			c.links[len(c.links)-1].child = true
			continue
		}
		l, ok := parseLink(word)
		if !ok || len(c.links) == maxLinks {
			return chain{}, false
		}
		c.links = append(c.links, l)
	}
	if len(c.links) == 0 || c.links[len(c.links)-1].child {
		return chain{}, false
	}
	return c, true
}

func parseLink(word string) (l link, ok bool) {
	for i := 0; i < len(word); {
		kind := word[i]
		if kind == '.' || kind == '#' {
			i++
		}
		end := i
		for end < len(word) && isNameByte(word[end]) {
			end++
		}
		if end == i {
			return link{}, false
		}
		switch name := word[i:end]; {
		case kind == '.':
			l.classes = append(l.classes, name)
		case kind == '#':
			l.id = name
		default:
			l.tag = strings.ToLower(name)
		}
		i = end
	}
	return l, true
}

// matches reports whether the chain selects an element. Where a link may be any element around the one before, the
// nearest that fits is taken. steps bounds the comparisons of a page; when none is left, nothing is selected.
func (c *chain) matches(n *html.Node, steps *int) bool {
	child := true // the first link must be n itself
	for i := range c.links {
		for ; ; n = n.Parent {
			if n == nil || *steps <= 0 {
				return false
			}
			*steps--
			if c.links[i].matches(n) {
				break
			}
			if child {
				return false
			}
		}
		child, n = c.links[i].child, n.Parent
	}
	return true
}

func (l *link) matches(n *html.Node) bool {
	if n.Type != html.ElementNode || l.tag != "" && l.tag != n.Data || l.id != "" && l.id != strings.TrimSpace(attr(n, "id")) {
		return false
	}
	if len(l.classes) == 0 {
		return true
	}
	have := strings.Fields(attr(n, "class"))
	return !slices.ContainsFunc(l.classes, func(class string) bool { return !slices.Contains(have, class) })
}
