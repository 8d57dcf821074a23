package html

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/citeloop/citeloop/fetch/extract/html/css"
)

// The marks of what a style says of how a text is shown, as attributes for the writer. Other formats mark line breaks so, too.
const (
	markStruck = "~struck"
	markBox    = "~box"   // it is shown as a box of its own in its line
	MarkLines  = "~lines" // whether its line breaks are shown
)

// numbers are the values of the attribute type of a list, by the styles that mean the same.
var numbers = map[string]string{"decimal": "1", "lower-alpha": "a", "lower-latin": "a", "upper-alpha": "A", "upper-latin": "A",
	"lower-roman": "i", "upper-roman": "I", "none": "none"}

// boxClasses are those by which the common libraries of styles make a row or a grid of boxes.
var boxClasses = []string{"flex", "d-flex", "inline-flex", "grid", "d-grid", "items-center", "justify-between"}

// markStyle marks an element with what its style says. boxes reports that the elements in it are boxes, inBoxes that it is one.
func markStyle(n *html.Node, style css.Style, inBoxes, counts bool) (boxes bool) {
	mark := func(key, value string) { n.Attr = append(n.Attr, html.Attribute{Key: key, Val: value}) }
	boxes = style.Is("display", "flex", "inline-flex", "grid", "inline-grid", "-webkit-box")
	isBox := boxes || style.Is("display", "block", "list-item", "table", "table-row", "table-cell", "flow-root")
	if (isBox || inBoxes) && !isBlock(n.DataAtom) {
		mark(markBox, "")
	}
	if breaks := style.Value("white-space"); breaks != "" {
		mark(MarkLines, breaks)
	}
	if kind := numbers[style.Value("list-style")]; kind != "" && n.DataAtom == atom.Ol && (kind != "none" || !counts) {
		n.Attr = append([]html.Attribute{{Key: "type", Val: kind}}, n.Attr...)
	}
	if line := style.Value("line"); strings.Contains(line, "line-through") {
		mark(markStruck, "")
	} else if line != "" && isStruck(n) {
		rename(n, atom.Span) // its style says that it is not
	}
	return boxes || hasClass(n, boxClasses...)
}
