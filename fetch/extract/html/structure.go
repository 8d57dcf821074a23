package html

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// Rules of structure, which correct the choice of single blocks: a part that belongs to what is kept is kept with it.
const (
	maxLead          = 14   // blocks between the title and the first prose that is kept
	minLeadChars     = 60   // code points
	minLeadChance    = 0.15 // a lead is kept at a lower chance than other prose
	articleLead      = 0.5  // on a page that declares to be an article, where a line below the title may be a teaser
	minFoldChance    = 0.3  // and so is prose that unfolds
	minHeadingChance = 0.2  // a line that is a heading below the title and less likely is of something else
	mostOfKept       = 0.8  // of the characters that are kept
	nearName         = 4    // steps up to an element whose name says that a part is not content
	maxNoteTitle     = 40   // code points
)

// surroundings are the names of elements that hold no headings and no lead of the content.
var surroundings = []int{hintNav, hintFooter, hintRelated, hintComment, hintOverlay, hintSignup}

// keepTogether keeps the terms of definitions, lists below what announces them, the lead, and the headings of what is kept.
func (o *outline) keepTogether(kept []bool, chances []float32, page pageFeatures) {
	o.dropNotices(kept)
	o.keepAnswers(kept, chances)
	o.keepCode(kept)
	o.keepClaims(kept)
	lead := float32(minLeadChance)
	if page[atDeclared] > 0 {
		lead = articleLead
	}
	o.keepLead(kept, chances, lead)
	o.keepLists(kept)
	o.keepAnnounced(kept)
	o.keepUnfolding(kept)
	for i := len(kept) - 2; i >= 0; i-- { // from the end, so that a heading above a heading that is kept is kept too
		if !kept[i] && (o.isTermOfKept(i, kept) || o.isHeadingOfKept(i, kept, chances[i]) || o.isTitleOfNote(i, kept)) {
			kept[i] = true
		}
	}
}

// isHeadingOfKept reports a heading above a block that is kept and is not a heading of the same level.
func (o *outline) isHeadingOfKept(i int, kept []bool, chance float32) bool {
	level := o.headingLevel(i)
	if level == 0 || !kept[i+1] || o.blocks[i].chars > maxHeading || o.named(i, surroundings) {
		return false
	}
	if next := o.headingLevel(i + 1); next > 0 && next <= level {
		return false
	}
	about := phraseClass(strings.ToLower(o.blocks[i].text))
	return about == aboutReviews || about == 0 && (level == 1 || chance >= minHeadingChance)
}

func (o *outline) named(i int, hints []int) bool {
	near := &o.regions[o.blocks[i].inner].near
	for _, h := range hints {
		if near[h] <= nearName {
			return true
		}
	}
	return false
}

// isTermOfKept reports a term whose definition is kept.
func (o *outline) isTermOfKept(i int, kept []bool) bool {
	return kept[i+1] && o.around(i, atom.Dt) >= 0 && (o.around(i+1, atom.Dd) >= 0 || o.around(i+1, atom.Dt) >= 0)
}

// isTitleOfNote reports the title of a note or warning of which the text is kept.
func (o *outline) isTitleOfNote(i int, kept []bool) bool {
	inNote := func(i int) bool { return hasNamedParent(o.regions[o.blocks[i].inner].node, noteNames) }
	return kept[i+1] && o.blocks[i].chars <= maxNoteTitle && inNote(i) && inNote(i+1)
}

// around is the nearest element of a kind around a block, at most four steps up, or -1.
func (o *outline) around(i int, kind atom.Atom) int {
	for r, steps := o.blocks[i].region, 0; r >= 0 && steps < 4; r, steps = o.regions[r].parent, steps+1 {
		if o.regions[r].node.DataAtom == kind {
			return r
		}
	}
	return -1
}

// keepLists keeps a list between two blocks of the same text, and one that the line before it announces with a colon.
func (o *outline) keepLists(kept []bool) {
	lists := o.outerLists()
	for i := 0; i < len(lists); i++ {
		list := lists[i]
		if list < 0 {
			continue
		}
		end := i
		for end < len(lists) && lists[end] == list {
			end++
		}
		if i > 0 && kept[i-1] {
			direct := o.beside(list, i-1)
			announced := strings.HasSuffix(o.blocks[i-1].text, ":") && (direct || o.beside(o.wrapper(list), i-1))
			between := direct && end < len(kept) && kept[end] && o.beside(list, end)
			for k := i; k < end && (announced || between); k++ {
				kept[k] = true
			}
		}
		i = end - 1
	}
}

// wrapper returns the outermost element that holds nothing but a list, as in the pages that DocBook makes, or the list.
func (o *outline) wrapper(list int) int {
	for {
		around := o.regions[list].parent
		if around < 0 || o.regions[around].node.DataAtom != atom.Div {
			return list
		}
		for n := o.regions[around].node.FirstChild; n != nil; n = n.NextSibling {
			if n != o.regions[list].node && (n.Type != html.TextNode || strings.TrimSpace(n.Data) != "") {
				return list
			}
		}
		list = around
	}
}

// keepAnnounced keeps a paragraph right below a kept one that announces it with a colon, such as a formula.
func (o *outline) keepAnnounced(kept []bool) {
	for i := 1; i < len(kept); i++ {
		if kept[i] || !kept[i-1] || !strings.HasSuffix(o.blocks[i-1].text, ":") || o.named(i, surroundings) {
			continue
		}
		above, below := o.blocks[i-1].region, o.blocks[i].region
		kept[i] = o.regions[above].node.DataAtom == atom.P && o.regions[below].node.DataAtom == atom.P && o.beside(above, i)
	}
}

// outerLists are the outermost lists around the blocks; -1 for blocks in none.
func (o *outline) outerLists() []int {
	of := make([]int, len(o.regions))
	for i := range o.regions { // parents come before their children
		of[i] = -1
		switch o.regions[i].node.DataAtom {
		case atom.Ul, atom.Ol, atom.Dl:
			of[i] = i
		}
		if p := o.regions[i].parent; p >= 0 && of[p] >= 0 {
			of[i] = of[p]
		}
	}
	lists := make([]int, len(o.blocks))
	for i := range o.blocks {
		lists[i] = of[o.blocks[i].region]
	}
	return lists
}

// dropNotices leaves out banners about cookies: text about them in an element named for them. A page that says nothing
// else is a cookie wall, and keeps it.
func (o *outline) dropNotices(kept []bool) {
	var notices []int
	prose := false
	for i, keep := range kept {
		switch {
		case !keep:
		case o.isCookieNotice(i):
			notices = append(notices, i)
		default:
			prose = prose || o.blocks[i].isProse()
		}
	}
	for _, i := range notices {
		kept[i] = !prose
	}
}

func (o *outline) isCookieNotice(i int) bool {
	b := &o.blocks[i]
	if o.regions[b.inner].near[hintOverlay] > nearName || !strings.Contains(strings.ToLower(b.text), "cookie") {
		return false
	}
	for r, steps := b.inner, 0; r >= 0 && steps <= nearName; r, steps = o.regions[r].parent, steps+1 {
		n := o.regions[r].node
		if n.DataAtom != atom.Body && containsAny(strings.ToLower(attr(n, "class")+" "+attr(n, "id")), cookieNames) {
			return true
		}
	}
	return false
}

var cookieNames = []string{"cookie", "consent", "gdpr"}

// keepAnswers keeps prose in parts that unfold.
func (o *outline) keepAnswers(kept []bool, chances []float32) {
	for i := range kept {
		b := &o.blocks[i]
		prose := b.ends && b.chars >= minLeadChars && b.linked < 0.4
		if prose && chances[i] >= minFoldChance && o.regions[b.inner].near[hintFold] <= nearName && !o.named(i, surroundings) {
			kept[i] = true
		}
	}
}

// keepUnfolding keeps a <details> beside another that is kept: the questions of one list of questions.
func (o *outline) keepUnfolding(kept []bool) {
	parents := map[int]bool{}
	for i, keep := range kept {
		if d := o.around(i, atom.Details); keep && d >= 0 {
			parents[o.regions[d].parent] = true
		}
	}
	for i := range kept {
		if d := o.around(i, atom.Details); d >= 0 && parents[o.regions[d].parent] {
			kept[i] = true
		}
	}
}

// keepLead keeps prose between the title and the first prose that is kept.
func (o *outline) keepLead(kept []bool, chances []float32, least float32) {
	first := -1
	for i, keep := range kept {
		if keep && o.blocks[i].isProse() {
			first = i
			break
		}
	}
	title, level := -1, 0
	for i := first - 1; i >= max(0, first-maxLead); i-- {
		if l := o.headingLevel(i); l > 0 && (level == 0 || l <= level) {
			title, level = i, l
		}
	}
	if title < 0 {
		return
	}
	for i := title + 1; i < first; i++ {
		b := &o.blocks[i]
		if i == title+1 && defines(b.text, o.blocks[title].text) {
			kept[i] = true
		}
		if chances[i] >= least && b.chars >= minLeadChars && b.ends && b.linked < 0.4 && !o.named(i, surroundings) && !o.named(i, leadless) {
			kept[i] = true
		}
	}
}

// defines reports a line that repeats the title and says what it is: "LOCK — lock a table".
func defines(line, title string) bool {
	rest, ok := strings.CutPrefix(line, title)
	if rest = strings.TrimSpace(rest); !ok || title == "" || rest == "" {
		return false
	}
	for _, dash := range []string{"—", "–", "-", ":"} {
		if strings.HasPrefix(rest, dash) {
			return true
		}
	}
	return false
}

// keepCode keeps the code in the element around that which holds most of what is kept: a synopsis, an example.
func (o *outline) keepCode(kept []bool) {
	total := 0
	in := make([]int, len(o.regions))
	for i, keep := range kept {
		if keep {
			total += o.blocks[i].chars
			for r := o.blocks[i].region; r >= 0; r = o.regions[r].parent {
				in[r] += o.blocks[i].chars
			}
		}
	}
	home := 0
	for r := range in { // parents come before their children, so the last is the smallest
		if float64(in[r]) >= mostOfKept*float64(total) {
			home = r
		}
	}
	if p := o.regions[home].parent; p >= 0 && o.regions[p].node.DataAtom != atom.Body {
		home = p
	}
	for i := range kept {
		if !kept[i] && i >= o.regions[home].first && i < o.regions[home].last && o.around(i, atom.Pre) >= 0 && !o.named(i, surroundings) {
			kept[i] = true
		}
	}
}

// keepClaims keeps the claims of a patent, each of which counts although most are short and have no end of a sentence.
func (o *outline) keepClaims(kept []bool) {
	in := make([]bool, len(o.regions))
	for r := range o.regions { // parents come before their children
		x := &o.regions[r]
		in[r] = x.parent >= 0 && in[x.parent] || attr(x.node, "itemprop") == "claims" || hasWord(attr(x.node, "class"), "claim-text")
	}
	for i := range kept {
		kept[i] = kept[i] || in[o.blocks[i].region]
	}
}

// leadless are the names of elements beside a title that hold no lead.
var leadless = []int{hintPromo, hintSocial, hintCaption, hintMeta}
