package html

import (
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/citeloop/citeloop/fetch/extract/document"
	"github.com/citeloop/citeloop/internal/lazyregexp"
)

// What is content and what is furniture is decided in four steps; docs/extraction.md shows each with an example.
//
//  1. The region that the page declares to be its content: an article, a main part. Where it declares none, the
//     smallest element with most of the prose.
//  2. Within it not what a tag, a role or a name says to be something else: navigation, asides, forms, related pages, comments.
//  3. Not lines of links alone outside of lists and tables, lists of links, and headings of which nothing is content.
//  4. A table, list, figure or accordion is content as a whole, or not at all.

// furnitureNames are the parts of classes and ids that name something else than content.
var furnitureNames = lazyregexp.New(`(?:^|[\s_-])(?:(?:site|main|top|side|sub|global|primary|secondary|mobile|page|footer|bottom)-?)?(?:` +
	`nav(?:bar|igation|box)?|menu(?:s|bar)?|bread-?crumbs?|sidebar|side-?bar|masthead|footer|copyright|toolbar|` +
	`skip(?:-?(?:link|nav|to)\w*)?|related|recommend\w*|recirc\w*|popular|trending|most-?(?:read|popular|viewed)|read-?more|similar|` +
	`up-?sells?|cross-?sells?|teasers?|outbrain|taboola|you-?may-?(?:also-?)?like|more-(?:from|stories|articles|news|posts)|` +
	`promos?|promotions?|advert\w*|ads?|sponsor\w*|affiliates?|donat\w*|banner|cta|newsletters?|` +
	`subscri\w*|sign-?up|log-?in|register|paywall|modal|pop-?up|popover|cookies?|consent|gdpr|overlay|dialog|tooltip|drawer|flyout|toast|` +
	`share\w*|sharing|social\w*|follow-?us|addthis|sharedaddy|pagination|pager|paging|filters?|facets?|search(?:-?(?:form|box|bar))?|` +
	`post-?navigation|nav-?links|author-?(?:bio|box|card|info)|about-?(?:the-?)?author|bio|tags?(?:-?(?:list|links|cloud))?|` +
	`caption[\w-]*|credits?` +
	`)(?:$|[\s_-])`)

// commentNames are those of what readers wrote below a page.
var commentNames = lazyregexp.New(`(?:^|[\s_-])(?:comments?(?:-?(?:list|area|section|form|wrapper|thread|body|content))?|disqus\w*|` +
	`respond|replies)(?:$|[\s_-])`)

// declaresOther reports an element that its tag, its role or its names call something else than content.
func (c *chooser) declaresOther(n *html.Node) bool {
	switch n.DataAtom {
	case atom.Nav, atom.Footer, atom.Aside, atom.Form, atom.Dialog, atom.Figcaption:
		return true
	case atom.Figure:
		for d := range n.Descendants() {
			if d.DataAtom == atom.Table || d.DataAtom == atom.Pre {
				return false
			}
		}
		return true
	case atom.Body, atom.Html, atom.Main, atom.H1, atom.Td, atom.Tr, atom.Tbody:
		return false
	}
	switch strings.ToLower(attr(n, "role")) {
	case "navigation", "menu", "menubar", "contentinfo", "complementary", "search", "dialog", "alertdialog", "banner", "toolbar":
		return true
	}
	names := namesOf(n)
	other, known := c.names[names]
	if !known && len(names) > 1 {
		other = furnitureNames.MatchString(names) || !c.thread && commentNames.MatchString(names)
		if len(c.names) < maxNames {
			c.names[names] = other
		}
	}
	return other
}

const maxNames = 20_000 // that are remembered

// namesOf are the classes and the id of an element.
func namesOf(n *html.Node) string { return strings.ToLower(attr(n, "class") + " " + attr(n, "id")) }

// mark turns what is not content into furniture.
func (p *page) mark(isArticle, thread bool) {
	if len(p.parts) == 0 || len(p.regions) >= maxRegions {
		return
	}
	c := chooser{page: p, keep: make([]bool, len(p.parts)), named: make([]bool, len(p.parts)), names: map[string]bool{},
		thread: thread, article: isArticle}
	root := c.root()
	c.within(root)
	c.links()
	c.whole()
	c.related()
	c.edges()
	c.headings(root)
	if c.thin() {
		c.within(0)
		c.whole()
		c.related()
		c.headings(0)
	}
	for i := range p.parts {
		if !c.keep[i] {
			p.parts[i].furnish()
		}
	}
}

// furnish makes a block furniture.
func (p *part) furnish() {
	if p.Kind == document.Item && p.Number == "" {
		p.Text = "- " + p.Text
	}
	p.Kind, p.Level, p.Begins = document.Furniture, 0, false
}

type chooser struct {
	*page
	keep    []bool
	names   map[string]bool // whether names call something else than content
	thread  bool
	article bool   // the page says that it is one
	named   []bool // blocks in what is named to be something else
	bad     int    // their characters
}

// bodyNames are the classes and ids in use for the text of an article.
var bodyNames = lazyregexp.New(`(?:^|[\s_-])(?:article|post|entry|story|blog|news|page|main)-*(?:body|content|text)|articlebody|` +
	`bodytext|body-copy|rich-?text|wysiwyg|prose|markdown-body|mw-parser-output`)

// root is the region that the page declares to be its content; 0 where it declares none that can be believed.
func (c *chooser) root() int {
	best := func(is func(n *html.Node) bool, within int) (at int) {
		for i := within + 1; i < len(c.regions); i++ {
			r := &c.regions[i]
			if r.chars > 0 && r.first >= c.regions[within].first && r.last <= c.regions[within].last && is(r.node) &&
				(at == 0 || c.weight(i) > c.weight(at)) {
				at = i
			}
		}
		return at
	}
	isMain := func(n *html.Node) bool { return n.DataAtom == atom.Main || attr(n, "role") == "main" }
	isBody := func(n *html.Node) bool { return hasWord(attr(n, "itemprop"), "articleBody") }
	isArticle := func(n *html.Node) bool { return n.DataAtom == atom.Article || attr(n, "role") == "article" }
	isNamed := func(n *html.Node) bool {
		return (n.DataAtom == atom.Div || n.DataAtom == atom.Section) && bodyNames.MatchString(namesOf(n))
	}
	main := best(isMain, 0)
	if c.weight(main) < c.weight(0)/3 {
		main = 0
	}
	for _, is := range []func(*html.Node) bool{isBody, isArticle, isNamed} {
		at := best(is, main)
		if at > 0 && 2*c.weight(at) > c.weight(main) && 3*c.weight(at) > c.weight(0) {
			return at
		}
	}
	if main == 0 {
		return c.densest()
	}
	return main
}

// weight is how much text a region holds that is not links.
func (c *chooser) weight(r int) int {
	x := &c.regions[r]
	return x.prose + (x.chars-x.linked-x.prose)/4
}

// mostProse is the share of a page's prose that its content has. Of .6, .75 and .9 the last has the best segment F1 on trafseg.
const mostProse = 0.9

// densest is the smallest element with most of the page's prose that is no section beside others, such as those of a manual page.
func (c *chooser) densest() (at int) {
	inner := 0
	for i := range c.regions { // an element comes before those in it
		r := &c.regions[i]
		if r.parent != inner || float64(r.prose) <= mostProse*float64(c.regions[0].prose) {
			continue
		}
		if c.hasTwin(i) {
			break
		}
		switch inner = i; r.node.DataAtom {
		case atom.Div, atom.Section, atom.Td:
			at = i
		}
	}
	return at
}

// hasTwin reports a section beside another one of the same kind: both begin with a heading. An article is alone.
func (c *chooser) hasTwin(i int) bool {
	r := &c.regions[i]
	class := attr(r.node, "class")
	if c.article || class == "" && r.node.DataAtom != atom.Section || c.parts[r.first].Kind != document.Heading {
		return false
	}
	for k := range c.regions {
		if x := &c.regions[k]; k != i && x.parent == r.parent && x.chars > 0 && x.node.DataAtom == r.node.DataAtom &&
			attr(x.node, "class") == class && 2*x.linked < x.chars && c.parts[x.first].Kind == document.Heading {
			return true
		}
	}
	return false
}

// within keeps what the root holds and no name says to be something else.
func (c *chooser) within(root int) {
	for i := c.regions[root].first; i < c.regions[root].last; i++ {
		c.keep[i] = true
	}
	bad := make([]bool, len(c.regions))
	for i := range c.regions {
		r := &c.regions[i]
		if r.parent >= 0 && bad[r.parent] {
			bad[i] = true
			continue
		}
		if r.chars == 0 || r.first <= c.regions[root].first && r.last >= c.regions[root].last {
			continue
		}
		bad[i] = c.declaresOther(r.node) && 2*c.weight(i) < c.weight(root)
	}
	c.bad = 0
	for i := range c.parts {
		if c.named[i] = bad[c.parts[i].region]; c.named[i] {
			c.keep[i] = false
			c.bad += c.parts[i].chars
		}
	}
}

// links drops lines of links alone, and lists of them.
func (c *chooser) links() {
	group := c.groups(atom.Ul, atom.Ol, atom.Dl, atom.Table)
	for i := range c.parts {
		p := &c.parts[i]
		if !c.keep[i] || p.Kind == document.Heading || p.chars == 0 {
			continue
		}
		if g := group[i]; g >= 0 {
			r := &c.regions[g]
			if 4*r.linked > 3*r.chars && r.chars < 60*(r.last-r.first) {
				c.keep[i] = false
			}
		} else if 5*p.linked > 4*p.chars && p.chars < 200 {
			c.keep[i] = false
		}
	}
}

// groups are the outermost elements of these kinds around each block, or -1.
func (c *chooser) groups(kinds ...atom.Atom) []int {
	of := make([]int, len(c.regions))
	for i := range c.regions { // parents come before their children
		of[i] = -1
		if slices.Contains(kinds, c.regions[i].node.DataAtom) {
			of[i] = i
		}
		if p := c.regions[i].parent; p >= 0 && of[p] >= 0 {
			of[i] = of[p]
		}
	}
	out := make([]int, len(c.parts))
	for i := range c.parts {
		out[i] = of[c.parts[i].region]
	}
	return out
}

// whole keeps all of a structure of which most is kept, and nothing of another.
func (c *chooser) whole() {
	group := c.groups(atom.Table, atom.Ul, atom.Ol, atom.Dl, atom.Figure, atom.Details)
	for from := 0; from < len(group); {
		to, kept, all := from, 0, 0
		for ; to < len(group) && group[to] == group[from]; to++ {
			if all += c.parts[to].chars; c.keep[to] {
				kept += c.parts[to].chars
			}
		}
		for i := from; i < to && group[from] >= 0; i++ {
			c.keep[i] = 2*kept > all
		}
		from = max(to, from+1)
	}
}

// headings keeps the title above what is kept, with sections between them, and drops headings below which nothing is kept.
func (c *chooser) headings(root int) {
	first := slices.Index(c.keep, true)
	for i := first - 1; i >= 0 && i > first-15; i-- {
		if c.parts[i].Kind == document.Heading && c.parts[i].Level == 1 {
			c.keep[i] = true
			for k := i + 1; k < first && !c.article; k++ {
				c.keep[k] = !c.named[k] && (c.parts[k].Kind == document.Heading || c.led(k))
			}
			break
		}
	}
	below := 7 // the level of the heading below, if nothing is kept between
	for i := len(c.parts) - 1; i >= 0; i-- {
		switch p := &c.parts[i]; {
		case !c.keep[i]:
		case p.Kind != document.Heading:
			below = 0
		case below > 0 && below <= p.Level && p.Level > 1:
			c.keep[i] = false
		default:
			below = p.Level
		}
	}
}

var relatedHeads = lazyregexp.New(`(?i)^\W*(?:related|recommended|you (?:may|might) (?:also )?(?:like|enjoy|be interested)|more ` +
	`(?:from|stories|articles|news|posts|on|in|like)|most (?:read|popular|viewed|recent)|popular|trending|read (?:more|next|also)|see ` +
	`also on|also (?:on|read)|latest (?:news|posts|stories|articles)|recent (?:posts|articles|comments)|similar|up next|what to read ` +
	`next|don't miss|share this|follow us|subscribe|newsletter|sign up|about the author|leave a (?:comment|reply)|comments?$|\d+ ` +
	`comments?|join the (?:conversation|discussion)|frequently bought|customers (?:also|who)|recently ` +
	`viewed|tags?:?$|categories:?$|advertisement|mehr zum thema|das könnte|ähnliche|lesen sie auch|você pode gostar|leia ` +
	`(?:também|mais)|veja também|relacionad|te puede interesar|lee también|à lire aussi|sur le même sujet|articles? ` +
	`(?:similaires|liés|récents))`)

// related drops headings that announce other pages, with what is below them.
func (c *chooser) related() {
	level, region := 0, 0
	for i := range c.parts {
		p := &c.parts[i]
		if p.Kind == document.Heading {
			if level > 0 && p.Level <= level {
				level = 0
			}
			if level == 0 && p.Level > 1 && p.chars < 60 && relatedHeads.MatchString(p.Text) {
				level, region = p.Level, c.regions[p.region].parent
			}
		}
		if level > 0 && i >= c.regions[max(0, region)].last {
			level = 0
		}
		if level > 0 {
			c.keep[i] = false
		}
	}
}

// thin reports a choice that leaves most of what no name says to be something else. Of a page that says to be an article
// only the article is content, so less is enough.
func (c *chooser) thin() bool {
	const share, ofArticle = 40, 15 // per cent
	kept := 0
	for i, k := range c.keep {
		if k {
			kept += 100 * c.parts[i].chars
		}
	}
	all := c.regions[0].chars - c.bad
	return kept < ofArticle*all || !c.article && kept < share*all
}

// led reports a block directly below the heading of a section.
func (c *chooser) led(i int) bool {
	return i > 0 && c.parts[i-1].Kind == document.Heading && c.parts[i-1].Level > 1
}

// edges drops short lines before the first prose and behind the last, such as bylines. What a heading of a section leads to stays, such
// as the name of a manual page.
func (c *chooser) edges() {
	first, last := -1, -1
	for i := range c.parts {
		if c.keep[i] && c.parts[i].isProse() {
			if first < 0 {
				first = i
			}
			last = i
		}
	}
	lists := c.groups(atom.Ul, atom.Ol, atom.Dl)
	long := map[int]bool{} // lists with a longer item, which are kept whole
	for i := range c.parts {
		if lists[i] >= 0 && c.parts[i].chars >= 40 && !c.article {
			long[lists[i]] = true
		}
	}
	short := func(i int) bool {
		p := &c.parts[i]
		return p.Kind == document.Paragraph && p.chars < 80 && !p.ends() || p.Kind == document.Item && !long[lists[i]]
	}
	for i := range c.parts {
		if (i < first || i > last && last >= 0) && short(i) && !c.led(i) {
			c.keep[i] = false
		}
	}
}
