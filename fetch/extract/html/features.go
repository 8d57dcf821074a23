package html

import (
	"context"
	"math"
	"strings"
	"sync"

	"golang.org/x/net/html/atom"
)

// featureScan goes through the blocks of a page in order and writes a row of numbers for each: what the forest
// asks about. The order of the numbers is that of the methods in row; a change of either needs a new forest.
type featureScan struct {
	*outline
	facts     pageFacts
	page      pageFeatures
	inArticle []float32

	before     []int                   // characters before each block
	held       []float64               // characters of the article before each block
	styles     map[uint64]*styleTotals // what looks like a block, over the whole page
	seen       map[uint64]int          // how often a text occurs on the page
	prevProse  []int                   // blocks since the last that is prose, and until the next
	nextProse  []int
	firstH1    int // -1 when missing, like those below
	firstProse int
	lastProse  int
	firstHeld  int // of the article
	lastHeld   int
	top        int         // the smallest region with most of the prose
	upFromHome map[int]int // steps up from the region whose own blocks hold the most prose
	heading    headingAbove

	v []float32
}

// styleTotals is what blocks that look the same have in common.
type styleTotals struct {
	n, chars, linked, prose int
	article                 float32
}

// headingAbove is the last heading, or the last short line that announces what surrounds content.
type headingAbove struct {
	at     int // -1 before the first
	about  float32
	tag    float32
	linked float32
}

const (
	farProse     = 50 // blocks; further away is all the same
	farPlace     = 60 // likewise
	nowhere      = -100
	maxFeatures  = 200 // there are 167
	maxPhraseful = 250 // characters of a block whose words are looked at: longer ones are prose
)

// features calls each with a row for every block. The row is valid during the call. The error is the
// context's.
func (o *outline) features(ctx context.Context, facts pageFacts, page pageFeatures, inArticle []float32, each func(i int, row []float32)) error {
	f := o.scan(facts, page, inArticle)
	for i := range o.blocks {
		if i%256 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		each(i, f.row(i))
	}
	return nil
}

func (o *outline) scan(facts pageFacts, page pageFeatures, inArticle []float32) *featureScan {
	n := len(o.blocks)
	f := &featureScan{
		outline: o, facts: facts, page: page, inArticle: inArticle,
		before: make([]int, n+1), held: make([]float64, n+1), styles: map[uint64]*styleTotals{}, seen: map[uint64]int{},
		prevProse: make([]int, n), nextProse: make([]int, n),
		firstH1: -1, firstProse: -1, lastProse: -1, firstHeld: -1, lastHeld: -1,
		top: o.topRegion(), upFromHome: map[int]int{}, heading: headingAbove{at: -1},
		v: make([]float32, 0, maxFeatures),
	}
	for i := range o.blocks {
		s := &o.blocks[i]
		f.before[i+1] = f.before[i] + s.chars
		f.held[i+1] = f.held[i] + float64(inArticle[i])*float64(s.chars)
		f.seen[s.seen]++
		g := f.styles[s.style]
		if g == nil {
			g = new(styleTotals)
			f.styles[s.style] = g
		}
		g.n++
		g.chars += s.chars
		g.linked += int(s.linked * float32(s.chars))
		g.article += inArticle[i]
		f.prevProse[i] = farProse
		if f.lastProse >= 0 {
			f.prevProse[i] = min(farProse, i-f.lastProse)
		}
		if s.isProse() {
			g.prose++
			f.lastProse = i
			if f.firstProse < 0 {
				f.firstProse = i
			}
		}
		if inArticle[i] > 0.5 {
			f.lastHeld = i
			if f.firstHeld < 0 {
				f.firstHeld = i
			}
		}
		if f.firstH1 < 0 && f.tag(i) == atom.H1 {
			f.firstH1 = i
		}
	}
	next := -1
	for i := n - 1; i >= 0; i-- {
		f.nextProse[i] = farProse
		if next >= 0 {
			f.nextProse[i] = min(farProse, next-i)
		}
		if o.blocks[i].isProse() {
			next = i
		}
	}
	for r, k := o.homeRegion(), 0; r >= 0; r, k = o.regions[r].parent, k+1 {
		f.upFromHome[r] = k
	}
	return f
}

func (f *featureScan) row(i int) []float32 {
	f.v = f.v[:0]
	low := ""
	if s := &f.blocks[i]; s.chars <= maxPhraseful {
		low = strings.ToLower(s.text)
	}
	f.reading(i, low)
	f.hintsAround(i)
	f.regionsAround(i)
	f.record(i)
	f.place(i)
	f.neighbours(i)
	f.fromHome(i)
	f.underHeading(i)
	f.readabilitySays(i)
	f.lookalikes(i)
	f.v = append(f.v, f.page...)
	return f.v
}

func (f *featureScan) tag(i int) atom.Atom { return f.regions[f.blocks[i].region].node.DataAtom }

// reading is how the block itself reads.
func (f *featureScan) reading(i int, low string) {
	s := &f.blocks[i]
	f.log(s.chars)
	f.log(s.words)
	f.num(s.linked)
	f.share(s.chars, s.words)
	f.share(s.stops, s.words)
	f.share(s.commas, s.words)
	f.share(s.digits, s.chars)
	f.share(s.upper, s.chars)
	f.flag(s.ends)
	f.num(tagClass(f.tag(i)))
	f.num(tagClass(f.regions[s.inner].node.DataAtom))
	f.flag(strings.HasPrefix(s.text, "- ") || strings.HasPrefix(s.text, "• "))
	f.log(f.seen[s.seen])
	f.flag(len(low) > 10 && strings.Contains(f.facts.title, low))
	said := wordsIn(low, phrases())
	for list := range phraseHints {
		f.flag(said&(1<<list) != 0)
	}
	if f.facts.body == "" {
		f.num(-1)
		return
	}
	f.flag(strings.Contains(f.facts.body, strings.ToLower(s.text[:min(len(s.text), 40)])))
}

func (f *featureScan) hintsAround(i int) {
	in := &f.regions[f.blocks[i].inner]
	for _, steps := range in.near {
		f.num(float32(steps))
	}
	f.num(float32(in.depth))
}

// regionsAround are the four innermost regions that hold more than the one inside of them.
func (f *featureScan) regionsAround(i int) {
	r := f.blocks[i].region
	for range 4 {
		if r < 0 {
			f.log(f.chars)
			f.share(f.linked, f.chars)
			f.share(f.long, f.chars)
			f.num(1)
			f.log(len(f.blocks))
			continue
		}
		x := &f.regions[r]
		f.log(x.chars)
		f.share(x.linked, x.chars)
		f.share(x.long, x.chars)
		f.share(x.chars, f.chars)
		f.log(x.last - x.first)
		for r = x.parent; r >= 0 && f.regions[r].chars == x.chars; {
			r = f.regions[r].parent
		}
	}
}

// record is the item, post or card that the block is a part of: a region with others like it beside it.
func (f *featureScan) record(i int) {
	s := &f.blocks[i]
	r, steps := s.region, 0
	for r >= 0 && (f.regions[r].alike < 3 || f.regions[r].children < 2) {
		r = f.regions[r].parent
		steps++
	}
	if r >= 0 {
		x := &f.regions[r]
		f.log(x.alike)
		f.log(x.alikeLen / x.alike)
		f.share(x.alikeLen, f.chars)
		f.num(float32(min(steps, 10)))
		f.share(x.linked, x.chars)
		f.share(i-x.first, x.last-x.first)
	} else {
		f.v = append(f.v, 0, 0, 0, 20, 0, 0)
	}
	f.log(f.regions[s.region].alike)
}

func (f *featureScan) place(i int) {
	n := len(f.blocks)
	f.share(i, n)
	f.share(f.before[i], f.chars)
	f.log(i)
	f.log(n - i)
	for _, mark := range []int{f.firstH1, f.firstProse, f.lastProse, f.firstHeld, f.lastHeld} {
		if mark < 0 {
			f.num(nowhere)
		} else {
			f.num(float32(max(-farPlace, min(farPlace, i-mark))))
		}
	}
	f.num(float32(f.prevProse[i]))
	f.num(float32(f.nextProse[i]))
	f.flag(f.top >= 0 && i >= f.regions[f.top].first && i < f.regions[f.top].last)
}

func (f *featureScan) neighbours(i int) {
	for _, j := range [...]int{i - 2, i - 1, i + 1, i + 2} {
		if j < 0 || j >= len(f.blocks) {
			f.v = append(f.v, -1, -1, -1, -1, -1)
			continue
		}
		t := &f.blocks[j]
		f.log(t.chars)
		f.num(t.linked)
		f.num(tagClass(f.tag(j)))
		f.flag(t.style == f.blocks[i].style)
		f.num(f.inArticle[j])
	}
}

// fromHome is the way from the region that most prose lies in: up, then down.
func (f *featureScan) fromHome(i int) {
	up, down := 30, 0
	for r := f.blocks[i].region; r >= 0; r = f.regions[r].parent {
		if k, ok := f.upFromHome[r]; ok {
			up = k
			break
		}
		down++
	}
	f.num(float32(up))
	f.num(float32(min(down, 20)))
}

// underHeading is the heading above, and how far; then the block becomes that of what follows, if it is one.
func (f *featureScan) underHeading(i int) {
	h := &f.heading
	if h.at >= 0 {
		f.num(float32(min(i-h.at, 40)))
	} else {
		f.num(-1)
	}
	f.num(h.about)
	f.num(h.tag)
	f.num(h.linked)
	s := &f.blocks[i]
	if tag := tagClass(f.tag(i)); tag >= tagH1 && tag <= tagH4 {
		*h = headingAbove{i, phraseClass(strings.ToLower(s.text)), tag, s.linked}
	} else if s.chars <= 40 && s.stops == 0 {
		if about := phraseClass(strings.ToLower(s.text)); about > 0 {
			*h = headingAbove{i, about, 0, s.linked}
		}
	}
}

// readabilitySays is how much of the block, and of the regions around it, is in readability's article.
func (f *featureScan) readabilitySays(i int) {
	f.num(f.inArticle[i])
	r := f.blocks[i].region
	for range 3 {
		x := &f.regions[r]
		f.num(float32((f.held[x.last] - f.held[x.first]) / float64(max(1, x.chars))))
		if x.parent >= 0 {
			r = x.parent
		}
	}
}

func (f *featureScan) lookalikes(i int) {
	g := f.styles[f.blocks[i].style]
	f.log(g.n)
	f.log(g.chars / g.n)
	f.share(g.linked, g.chars)
	f.share(g.prose, g.n)
	f.num(g.article / float32(g.n))
}

func (f *featureScan) num(x float32)  { f.v = append(f.v, x) }
func (f *featureScan) log(n int)      { f.v = append(f.v, log1(n)) }
func (f *featureScan) share(a, b int) { f.v = append(f.v, ratio(a, b)) }
func (f *featureScan) flag(b bool)    { f.v = append(f.v, flagged(b)) }

func flagged(b bool) float32 {
	if b {
		return 1
	}
	return 0
}

func log1(n int) float32 { return float32(math.Log2(float64(n + 1))) }

// pageFeatures are the features that all blocks of a page share, in a fixed order.
type pageFeatures []float32

// Places in pageFeatures.
const (
	atArticleProse     = 12 // share of the page's prose that is in readability's article
	atArticlePureProse = 13 // share of prose in that article
	atDeclared         = 14
)

// oneArticle reports a page that is one article: by its own word, or because readability's article holds most
// of its prose and little else.
func (p pageFeatures) oneArticle() bool {
	return p[atDeclared] > 0 || p[atArticleProse] > articleProse && p[atArticlePureProse] > articlePureProse
}

func (o *outline) pageFeatures(facts pageFacts, inArticle []float32) pageFeatures {
	proseBlocks, held, heldProse := 0, 0, 0
	for i := range o.blocks {
		s := &o.blocks[i]
		prose := s.isProse()
		if prose {
			proseBlocks++
		}
		if inArticle[i] > 0.5 {
			held += s.chars
			if prose {
				heldProse += s.chars
			}
		}
	}
	articles, mains, h1, posts, cards := 0, 0, 0, 0, 0
	for i := range o.regions {
		r := &o.regions[i]
		switch r.node.DataAtom {
		case atom.Article:
			articles++
		case atom.Main:
			mains++
		case atom.H1:
			h1++
		}
		if r.near[hintPost] == 0 {
			posts++
		}
		if r.near[hintCard] == 0 {
			cards++
		}
	}
	return pageFeatures{
		log1(o.chars), log1(len(o.blocks)), ratio(o.linked, o.chars), ratio(o.long, o.chars),
		log1(proseBlocks), log1(articles), log1(mains), log1(h1), ratio(posts, len(o.regions)), ratio(cards, len(o.regions)),
		log1(held), ratio(held, o.chars), ratio(heldProse, o.long), ratio(heldProse, held),
		flagged(facts.declared), float32(facts.kind), flagged(facts.root),
		flagged(facts.words&pathThread != 0), flagged(facts.words&pathShop != 0), flagged(facts.words&pathDocs != 0),
		flagged(facts.body != ""),
	}
}

const (
	tagH1 = 9
	tagH4 = 12 // and below
)

// tagClasses number elements by what they usually hold, prose first, so that a question to the number can tell them apart.
var tagClasses = sync.OnceValue(func() map[atom.Atom]float32 {
	classes := map[atom.Atom]float32{}
	for i, tags := range []string{
		"p", "blockquote", "pre code", "figcaption caption figure", "tr td th table", "dd", "dt", "li", "h1", "h2", "h3", "h4 h5 h6",
		"section article main body", "strong b em i", "div", "span", "time", "header footer nav aside", "form label fieldset legend", "a", "small",
	} {
		for tag := range strings.FieldsSeq(tags) {
			classes[atom.Lookup([]byte(tag))] = float32(i + 1)
		}
	}
	return classes
})

// tagClass is the number of an element.
func tagClass(a atom.Atom) float32 {
	if class, ok := tagClasses()[a]; ok {
		return class
	}
	return 22
}

// phraseHints are words of what surrounds content, by what they are about. They are features, not rules: a
// block is not left out for a word.
var phraseHints = [][]string{
	{"©", "copyright", "all rights reserved", "alle rechte"},
	{"cookie", "consent", "gdpr", "datenschutz"},
	{"share", "tweet", "facebook", "whatsapp", "teilen", "partager", "compartir", "follow us", "twitter", "pinterest", "instagram"},
	{"newsletter", "subscribe", "sign up", "abonn", "suscr", "subscri", "your email", "inbox"},
	{"read more", "related", "weiterlesen", "mehr zum thema", "lire aussi", "see also", "you may also", "recommended", "more from", "leia", "lesen sie", "also read", "next article", "previous", "up next", "more stories", "trending", "most popular", "lire la suite", "view all", "see all", "learn more", "show more", "load more"},
	{"comment", "reply", "kommentar", "commentaire", "comentario", "respond", "antworten", "leave a"},
	{"log in", "login", "sign in", "register", "anmelden", "connexion", "account", "password", "logged in"},
	{"privacy", "terms of", "impressum", "disclaimer", "cookies policy", "conditions"},
	{"advert", "sponsor", "anzeige", "publicidad", "publicité", "promot", "affiliate", "commission"},
	{"photo", "image", "foto", "credit", "getty", "bild:", "picture", "source:", "quelle"},
	{"by ", "von ", "par ", "author", "written by", "posted by", "written", "editor"},
	{"updated", "published", "posted", "ago", "min read", "uhr", "published on", "last modified"},
	{"tags", "filed under", "categor", "schlagw", "topics"},
	{"$", "€", "£", "price", "add to cart", "buy", "shipping", "in stock", "quantity", "checkout", "warenkorb", "cart"},
	{"skip to", "jump to", "menu", "back to top", "search", "home", "contact"},
	{"click here", "download", "app store", "google play", "javascript", "browser"},
	{"likes", "views", "joined", "posts:", "member", "report", "quote", "upvote", "points", "permalink", "post #"},
	{"rating", "review", "stars", "out of 5", "verified", "helpful"},
}

var phrases = sync.OnceValue(func() []listedWord { return listed(phraseHints) })

// aboutReviews is the place of reviews in phraseHints. Their heading tells them from what the seller says.
const aboutReviews = 17

// phraseClass is the kind of part that a heading announces, as a place in phraseHints: more to read, comments,
// newsletters, sharing, authors, advertisements, figures of a forum, reviews, tags. It is 0 for a subject of the
// page itself.
func phraseClass(low string) float32 {
	said := wordsIn(low, phrases())
	for _, k := range [...]int{4, 5, 3, 2, 10, 8, 16, aboutReviews, 12} {
		if said&(1<<k) != 0 {
			return float32(k)
		}
	}
	return 0
}

const articleProse = 0.6 // share of the page's prose in readability's article that makes a page one

const articlePureProse = 0.5 // share of prose in that article
