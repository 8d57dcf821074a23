package html

import (
	"cmp"
	"slices"
	"unicode/utf8"

	"github.com/citeloop/citeloop/fetch/extract/document"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// Reasons for which a part of a page is not in its text.
const (
	reasonNavigation    = "navigation"
	reasonAdvertisement = "advertisement"
	reasonRelated       = "related"
	reasonComments      = "comments"
	reasonNotice        = "notice" // a banner, a dialog
	reasonForm          = "form"
	reasonFooter        = "footer"
	reasonHidden        = "hidden"
	reasonScript        = "script"
	reasonOther         = "other"
)

// reasonHints are the names of elements that give a reason; of several around a block the nearest does, and of those
// equally near the first here.
var reasonHints = []struct {
	hint   int
	reason string
}{
	{hintPromo, reasonAdvertisement}, {hintOverlay, reasonNotice}, {hintRelated, reasonRelated}, {hintComment, reasonComments},
	{hintNav, reasonNavigation}, {hintPager, reasonNavigation}, {hintTOC, reasonNavigation}, {hintSearch, reasonNavigation}, {hintSocial, reasonNavigation},
	{hintFooter, reasonFooter}, {hintSignup, reasonForm}, {hintForm, reasonForm},
}

// maxReasonSteps is how far up an element gives the reason; one further away is around the content too.
const maxReasonSteps = 10

// mostlyLinks is the share of links in a block that makes it navigation when nothing else is known.
const mostlyLinks = 0.6

// leftOut counts what is not kept by reason, the most first. kept may be nil: then only what is hidden or script counts.
func (o *outline) leftOut(kept []bool, hidden, script int) []document.LeftOut {
	counts := map[string]*document.LeftOut{}
	count := func(reason string, blocks, chars int) {
		if chars == 0 {
			return
		}
		if counts[reason] == nil {
			counts[reason] = &document.LeftOut{Reason: reason}
		}
		counts[reason].Blocks += blocks
		counts[reason].Chars += chars
	}
	for i, keep := range kept {
		if !keep {
			count(o.reason(&o.blocks[i]), 1, o.blocks[i].chars)
		}
	}
	count(reasonHidden, 0, hidden)
	count(reasonScript, 0, script)
	var all []document.LeftOut
	for _, c := range counts {
		all = append(all, *c)
	}
	slices.SortFunc(all, func(a, b document.LeftOut) int {
		return cmp.Or(cmp.Compare(b.Chars, a.Chars), cmp.Compare(a.Reason, b.Reason))
	})
	return all
}

func (o *outline) reason(b *pageBlock) string {
	reason, nearest := reasonOther, uint8(maxReasonSteps+1)
	for _, r := range reasonHints {
		if steps := o.regions[b.inner].near[r.hint]; steps < nearest {
			reason, nearest = r.reason, steps
		}
	}
	if reason == reasonOther && b.linked >= mostlyLinks {
		return reasonNavigation
	}
	return reason
}

// scriptChars counts the code points of scripts and styles.
func scriptChars(doc *html.Node) int {
	count := 0
	for n := range doc.Descendants() {
		if n.Type == html.TextNode && n.Parent != nil && (n.Parent.DataAtom == atom.Script || n.Parent.DataAtom == atom.Style) {
			count += utf8.RuneCountInString(n.Data)
		}
	}
	return count
}
