package html

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/citeloop/citeloop/internal/sanitize"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// pageBlock is the smallest part of a page that is kept or left out as a whole: a run of text between two
// borders of blocks, a row of a table, or a preformatted block.
type pageBlock struct {
	texts  []*html.Node // in order
	text   string       // what they say, white space collapsed
	region int          // the block element around it, in outline.regions
	inner  int          // the innermost element that holds all of it
	table  int          // the table of values whose row it is, in outline.regions; -1 = none

	chars  int     // code points
	words  int     //
	linked float32 // share of the characters that are links
	stops  int     // marks that end sentences
	commas int
	digits int
	upper  int
	ends   bool // with such a mark
	style  uint64
	seen   uint64 // hash of the text
}

// region is an element of a page, and what lies in it.
type region struct {
	node     *html.Node
	parent   int // -1 for the root
	depth    int
	near     hintDistances // steps to the nearest element around it with this hint, itself included
	style    uint64        // of its tag and class
	first    int           // blocks of it are first … last-1
	last     int
	chars    int
	linked   int // characters in links
	long     int // characters in blocks that are prose
	children int // elements that have text
	alike    int // elements beside it with the same style, itself included
	alikeLen int // their characters
}

// outline is a page as blocks in order, and the elements around them.
type outline struct {
	regions []region
	blocks  []pageBlock
	chars   int
	linked  int
	long    int

	hints hintCache
}

// outlineOf divides a pruned tree.
func outlineOf(doc *html.Node) *outline {
	o := &outline{hints: hintCache{}}
	w := outliner{outline: o, at: -1, table: -1}
	w.walk(doc)
	w.flush()
	if o.tooLarge() {
		for i := range o.blocks {
			o.chars += o.blocks[i].chars
		}
		return o
	}
	for i := range o.blocks {
		s := &o.blocks[i]
		o.chars += s.chars
		linked := int(s.linked*float32(s.chars) + 0.5)
		o.linked += linked
		prose := 0
		if s.isProse() {
			prose = s.chars
		}
		o.long += prose
		for b := s.region; b >= 0; b = o.regions[b].parent {
			x := &o.regions[b]
			if x.chars == 0 {
				x.first = i
			}
			x.last = i + 1
			x.chars += s.chars
			x.linked += linked
			x.long += prose
		}
	}
	o.countAlike()
	return o
}

// tooLarge reports a page that is read without a choice of its blocks.
func (o *outline) tooLarge() bool { return len(o.blocks) > maxBlocks || len(o.regions) > maxRegions }

func (s *pageBlock) isProse() bool { return s.chars >= 100 && s.linked < 0.4 && s.stops > 0 }

// countAlike finds for every element how many beside it look the same: posts, items, rows.
func (o *outline) countAlike() {
	type key struct {
		parent int
		style  uint64
	}
	type group struct{ n, chars int }
	groups := map[key]group{}
	for i := range o.regions {
		b := &o.regions[i]
		if b.chars == 0 {
			continue
		}
		if b.parent >= 0 {
			o.regions[b.parent].children++
		}
		k := key{b.parent, b.style}
		g := groups[k]
		g.n++
		g.chars += b.chars
		groups[k] = g
	}
	for i := range o.regions {
		b := &o.regions[i]
		if b.chars == 0 {
			continue
		}
		g := groups[key{b.parent, b.style}]
		b.alike, b.alikeLen = g.n, g.chars
	}
}

// outliner walks a tree and divides it as a blockWriter would write it.
type outliner struct {
	*outline
	at    int       // the element that the walk is in
	block int       // the block that it is in
	link  int       // depth of links
	table int       // the table of values that it is in, whose rows are one block each; -1 = none
	row   bool      // in such a row
	pre   bool      // in preformatted text
	cur   pageBlock // what is being collected
	live  bool      // it has text
	buf   []byte    // its text
	inA   int       // its characters in links
	space bool      // white space was seen that separates what comes next
	broke bool      // the last thing was a line break
}

func (w *outliner) walk(n *html.Node) {
	if w.tooLarge() { // nothing will be chosen by it
		return
	}
	switch n.Type {
	case html.TextNode:
		w.text(n)
		return
	case html.DocumentNode:
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			w.walk(c)
		}
		return
	case html.ElementNode:
	default:
		return
	}
	if isUnread(n) {
		return
	}
	if n.DataAtom == atom.Br {
		if w.broke && !w.row && !w.pre {
			w.flush()
		}
		w.broke, w.space = true, true
		return
	}
	outer := w.at
	blocky := (isBlock(n.DataAtom) || displayed(n)) && !w.row && !w.pre
	if blocky {
		w.flush()
	}
	w.open(n)
	outerBlock, outerRow, outerPre := w.block, w.row, w.pre
	if blocky {
		w.block = w.at
	}
	switch n.DataAtom {
	case atom.A:
		if attr(n, "href") != "" {
			w.link++
			defer func() { w.link-- }()
		}
	case atom.Pre, atom.Listing, atom.Xmp, atom.Plaintext:
		w.pre = true
	case atom.Table:
		outerTable := w.table
		if w.table = w.at; isLayout(n) {
			w.table = -1
		}
		defer func() { w.table = outerTable }()
	case atom.Tr:
		w.row = w.row || w.table >= 0
	}
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		w.walk(c)
	}
	if blocky {
		w.flush()
	}
	if w.row && (n.DataAtom == atom.Td || n.DataAtom == atom.Th) || w.row && isBlock(n.DataAtom) {
		w.space = true
	}
	w.block, w.row, w.pre = outerBlock, outerRow, outerPre
	w.at = outer
}

func (w *outliner) open(n *html.Node) {
	b := region{node: n, parent: w.at}
	if w.at >= 0 {
		p := &w.regions[w.at]
		b.depth = p.depth + 1
		b.near = p.near.deeper()
	} else {
		b.near = noHints()
	}
	own, class := w.hints.hintsOf(n)
	for h := range numHints {
		if own&(1<<h) != 0 {
			b.near[h] = 0
		}
	}
	b.style = styleOf(n, class)
	w.at = len(w.regions)
	w.regions = append(w.regions, b)
}

func (w *outliner) text(n *html.Node) {
	data := n.Data
	chars := 0
	for i := 0; i < len(data); {
		r, size := rune(data[i]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRuneInString(data[i:])
		}
		if unicode.IsSpace(r) {
			w.space = true
			i += size
			continue
		}
		if sanitize.IsInvisible(r) {
			i += size
			continue
		}
		if w.space && len(w.buf) > 0 {
			w.buf = append(w.buf, ' ')
			chars++
			w.cur.words++
		}
		w.space = false
		w.buf = append(w.buf, data[i:i+size]...)
		chars++
		switch {
		case r == '.' || r == '!' || r == '?' || r == 0x3002 || r == 0xff01 || r == 0xff1f || r == 0x2026:
			w.cur.stops++
		case r == ',' || r == 0xff0c || r == 0x3001:
			w.cur.commas++
		case '0' <= r && r <= '9':
			w.cur.digits++
		case 'A' <= r && r <= 'Z' || r >= 0x80 && unicode.IsUpper(r):
			w.cur.upper++
		case r >= 0x3040 && r <= 0x9fff && chars%2 == 0:
			w.cur.words++
		}
		i += size
	}
	if chars == 0 {
		if len(data) > 0 {
			w.space = true
		}
		return
	}
	w.broke = false
	if !w.live {
		w.live = true
		w.cur.region, w.cur.inner, w.cur.table = w.block, w.at, w.table
	} else if w.cur.inner != w.at {
		w.cur.inner = w.block
	}
	w.cur.texts = append(w.cur.texts, n)
	w.cur.chars += chars
	if w.link > 0 {
		w.inA += chars
	}
}

func (w *outliner) flush() {
	if w.live {
		s := w.cur
		s.words++
		s.text = string(w.buf)
		s.linked = float32(w.inA) / float32(max(1, s.chars))
		last, _ := utf8.DecodeLastRuneInString(strings.TrimRight(s.text, `"'”’»)]`))
		s.ends = last == '.' || last == '!' || last == '?' || last == 0x3002 || last == ':' || last == 0x2026
		s.style = w.regions[s.inner].style
		if p := w.regions[s.inner].parent; p >= 0 {
			s.style = s.style*31 + w.regions[p].style
		}
		s.seen = hashString(s.text)
		w.blocks = append(w.blocks, s)
	}
	w.cur, w.live, w.buf, w.space, w.inA, w.broke = pageBlock{}, false, w.buf[:0], false, 0, false
}

func hashString(s string) uint64 {
	h := uint64(14695981039346656037)
	for i := 0; i < len(s); i++ {
		h = (h ^ uint64(s[i])) * 1099511628211
	}
	return h
}

func styleOf(n *html.Node, class string) uint64 {
	return hashString(n.Data)*31 + hashString(class)
}

// topRegion is the smallest region with most of the page's prose, or -1.
func (o *outline) topRegion() int {
	const most = 0.7
	best := -1
	for i := range o.regions {
		r := &o.regions[i]
		if o.long > 0 && float32(r.long) >= most*float32(o.long) && (best < 0 || r.chars <= o.regions[best].chars) {
			best = i
		}
	}
	return best
}

// homeRegion is the region whose own blocks, and those one step below, hold the most prose, or -1.
func (o *outline) homeRegion() int {
	sums := map[int]int{}
	best, most := -1, 0
	for i := range o.blocks {
		s := &o.blocks[i]
		if !s.isProse() {
			continue
		}
		r := s.region
		for range 2 {
			if r = o.regions[r].parent; r < 0 {
				break
			}
			sums[r] += s.chars
			if sums[r] > most {
				best, most = r, sums[r]
			}
		}
	}
	return best
}

// articleMarks says for each block how much of it the article holds.
func (o *outline) articleMarks(article *html.Node) []float32 {
	marks := make([]float32, len(o.blocks))
	if article == nil {
		return marks
	}
	held := map[uint64]bool{}
	for n := range article.Descendants() {
		if n.Type == html.TextNode {
			held[hashString(strings.TrimSpace(n.Data))] = true
		}
	}
	for i := range o.blocks {
		s := &o.blocks[i]
		in, all := 0, 0
		for _, t := range s.texts {
			d := strings.TrimSpace(t.Data)
			all += len(d)
			if held[hashString(d)] {
				in += len(d)
			}
		}
		marks[i] = ratio(in, all)
	}
	return marks
}

func cloneTree(n *html.Node) *html.Node {
	c := &html.Node{Type: n.Type, DataAtom: n.DataAtom, Data: n.Data, Namespace: n.Namespace}
	if len(n.Attr) > 0 {
		c.Attr = append([]html.Attribute(nil), n.Attr...)
	}
	for k := n.FirstChild; k != nil; k = k.NextSibling {
		c.AppendChild(cloneTree(k))
	}
	return c
}

// beside reports whether a block and a table have the same parent.
func (o *outline) beside(table, block int) bool {
	return o.regions[table].parent == o.regions[o.blocks[block].region].parent
}

const maxBlocks = 25_000 // pages with more are read whole or by readability alone; the largest of 751 gold pages has 7,000

// Elements of such pages: some 130 bytes each are kept. The largest of the gold pages has 34,000.
const maxRegions = 400_000

func ratio(a, b int) float32 {
	if b == 0 {
		return 0
	}
	return float32(a) / float32(b)
}

const maxHeading = 200 // code points; a longer one is a paragraph

// headingLevel is 1 to 6 for a block that is a heading, else 0.
func (o *outline) headingLevel(i int) int {
	for r, steps := o.blocks[i].region, 0; r >= 0 && steps < 2; r, steps = o.regions[r].parent, steps+1 {
		switch n := o.regions[r].node; n.DataAtom {
		case atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6:
			return int(n.Data[1] - '0')
		}
	}
	return 0
}
