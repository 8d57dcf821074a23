package html

import (
	"strings"
	"sync"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// A hint is what the tag, role, class or id of an element says about its content.
const (
	hintNav = iota
	hintHeader
	hintFooter
	hintAside
	hintMain
	hintArticle
	hintBody // of an article, by itemprop or by the names in use
	hintContent
	hintComment
	hintSocial
	hintRelated
	hintPromo
	hintSignup
	hintMeta
	hintAuthor
	hintCaption
	hintWidget
	hintOverlay
	hintProduct
	hintReview
	hintPrice
	hintPost // of a thread
	hintCard
	hintHero
	hintFold
	hintPager
	hintTOC
	hintSearch
	hintTitle
	hintTag
	hintForm
	hintList
	hintTable
	hintQuote
	hintFigure
	hintHeading
	hintSpec
	hintNotes
	numHints
)

// farHint is the distance of a hint that is not there, or further away than matters.
const farHint = 15

// hintDistances are steps to the nearest element around with each hint.
type hintDistances [numHints]uint8

func noHints() (d hintDistances) {
	for i := range d {
		d[i] = farHint
	}
	return d
}

func (d hintDistances) deeper() hintDistances {
	for i := range d {
		if d[i] < farHint {
			d[i]++
		}
	}
	return d
}

// hintWords are parts of classes and ids in use, by what they say.
var hintWords = [numHints][]string{
	hintNav:     {"nav", "menu", "breadcrumb", "skip", "toolbar"},
	hintHeader:  {"header", "masthead", "topbar", "banner"},
	hintFooter:  {"footer", "bottom", "copyright", "legal", "disclaimer"},
	hintAside:   {"sidebar", "side-", "aside", "rail", "secondary", "-right"},
	hintMain:    {"main", "primary"},
	hintArticle: {"article", "story", "entry", "blog", "single"},
	hintBody:    {"articlebody", "article-body", "article__body", "article_body", "article-content", "article__content", "post-content", "post-body", "post__content", "entry-content", "entry_content", "story-body", "rich-text", "richtext", "wysiwyg", "prose", "markdown", "article-text", "bodytext", "body-text", "body-copy"},
	hintContent: {"content", "text", "body", "paragraph"},
	hintComment: {"comment", "disqus", "respond"},
	hintSocial:  {"share", "sharing", "social", "follow", "facebook", "twitter"},
	hintRelated: {"related", "recommend", "recirc", "popular", "trending", "most-read", "readmore", "read-more", "similar", "also", "latest", "upsell", "next", "teaser", "outbrain", "taboola", "more-"},
	hintPromo:   {"promo", "advert", "sponsor", "cta", "offer", "ads", "ad-", "affiliate", "donat"},
	hintSignup:  {"newsletter", "subscri", "signup", "sign-up", "login", "register", "paywall"},
	hintMeta:    {"meta", "date", "time", "byline", "publish", "info", "count"},
	hintAuthor:  {"author", "user", "avatar", "profile", "bio", "contributor"},
	hintCaption: {"caption", "credit", "gallery", "image", "photo", "media", "video", "carousel", "slide", "swiper"},
	hintWidget:  {"widget", "module", "panel", "box", "block"},
	hintOverlay: {"modal", "popup", "cookie", "consent", "gdpr", "overlay", "dialog", "notice", "alert", "tooltip", "drawer", "hidden", "sr-only", "screen-reader", "drop", "flyout", "toast", "cart"},
	hintProduct: {"product", "pdp", "buy"},
	hintReview:  {"review", "rating", "testimonial"},
	hintPrice:   {"price", "shipping"},
	hintPost:    {"post", "thread", "topic", "message", "reply", "answer", "question", "bbp"},
	hintCard:    {"card", "tile", "item", "grid", "list", "result", "collection"},
	hintHero:    {"hero", "jumbotron", "intro", "lead", "standfirst", "summary", "excerpt", "dek", "subtitle"},
	hintFold:    {"faq", "accordion", "tab", "collaps"},
	hintPager:   {"pagination", "pager", "paging", "filter", "sort", "facet", "language"},
	hintTOC:     {"toc", "table-of-contents", "contents", "anchor"},
	hintSearch:  {"search"},
	hintForm:    {"form", "button", "btn", "action", "control"},
	hintTitle:   {"title", "headline", "heading"},
	hintTag:     {"tag", "categor", "label", "badge", "keyword"},
	hintSpec:    {"spec", "description", "detail", "feature", "attribute"},
	hintNotes:   {"footnote", "reference", "reflist", "citation", "signature"},
}

// maxHintKeys bounds how many different classes are remembered.
const maxHintKeys = 20_000

// hintCache are hints by class and id, each of which is looked at once.
type hintCache map[string]uint64

// hintsOf are the hints that an element gives itself; class is what its style is told by.
func (cache hintCache) hintsOf(n *html.Node) (own uint64, class string) {
	var id, role, prop string
	for _, a := range n.Attr {
		switch a.Key {
		case "class":
			class = a.Val
		case "id", "data-testid", "data-component":
			id += " " + a.Val
		case "role":
			role = a.Val
		case "itemprop":
			prop = a.Val
		}
	}
	switch n.DataAtom {
	case atom.Body, atom.Html:
		return 0, class // the classes of a whole page say nothing about a part of it
	case atom.Nav:
		own = 1 << hintNav
	case atom.Header:
		own = 1 << hintHeader
	case atom.Footer:
		own = 1 << hintFooter
	case atom.Aside:
		own = 1 << hintAside
	case atom.Main:
		own = 1 << hintMain
	case atom.Article:
		own = 1 << hintArticle
	case atom.Form, atom.Fieldset, atom.Label:
		own = 1 << hintForm
	case atom.Ul, atom.Ol, atom.Dl:
		own = 1 << hintList
	case atom.Table:
		own = 1 << hintTable
	case atom.Blockquote:
		own = 1 << hintQuote
	case atom.Figure, atom.Figcaption:
		own = 1 << hintFigure
	case atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6:
		own = 1 << hintHeading
	case atom.Time:
		own = 1 << hintMeta
	case atom.Details, atom.Summary:
		own = 1 << hintFold
	}
	switch role {
	case "navigation", "menu", "menubar", "tablist":
		own |= 1 << hintNav
	case "banner":
		own |= 1 << hintHeader
	case "contentinfo":
		own |= 1 << hintFooter
	case "complementary":
		own |= 1 << hintAside
	case "main":
		own |= 1 << hintMain
	case "article":
		own |= 1 << hintArticle
	case "dialog", "alertdialog", "alert":
		own |= 1 << hintOverlay
	case "search":
		own |= 1 << hintSearch
	case "listitem":
		own |= 1 << hintCard
	}
	switch prop {
	case "articleBody", "text", "reviewBody", "description":
		own |= 1 << hintBody
	case "author":
		own |= 1 << hintAuthor
	case "comment":
		own |= 1 << hintComment
	}
	if class == "" && id == "" {
		return own, class
	}
	key := class + id
	words, ok := cache[key]
	if !ok {
		low := strings.ToLower(key)
		have := lettersIn(low)
		for _, w := range hintLetters() {
			if w.letters&^have == 0 && strings.Contains(low, w.word) {
				words |= 1 << w.hint
			}
		}
		if len(cache) < maxHintKeys {
			cache[key] = words
		}
	}
	return own | words, class
}

// hintLetter is a word of a hint, with its letters: most names lack one of them.
type hintLetter struct {
	hint    int
	word    string
	letters uint32
}

var hintLetters = sync.OnceValue(func() (all []hintLetter) {
	for h, words := range hintWords {
		for _, w := range words {
			all = append(all, hintLetter{h, w, lettersIn(w)})
		}
	}
	return all
})

// lettersIn is the set of the small Latin letters in s.
func lettersIn(s string) (set uint32) {
	for i := range len(s) {
		if c := s[i] - 'a'; c < 26 {
			set |= 1 << c
		}
	}
	return set
}
