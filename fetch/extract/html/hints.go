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
	if n.DataAtom == atom.Body || n.DataAtom == atom.Html {
		return 0, class // the classes of a whole page say nothing about a part of it
	}
	own = tagHints()[n.DataAtom] | roleHints()[role] | propertyHints()[prop]
	if class == "" && id == "" {
		return own, class
	}
	key := class + id
	words, ok := cache[key]
	if !ok {
		words = wordsIn(strings.ToLower(key), namedHints())
		if len(cache) < maxHintKeys {
			cache[key] = words
		}
	}
	return own | words, class
}

// tagHints are the hints of elements by their tags.
var tagHints = sync.OnceValue(func() map[atom.Atom]uint64 {
	return hintsBy(func(name string) atom.Atom { return atom.Lookup([]byte(name)) }, map[int]string{
		hintNav: "nav", hintHeader: "header", hintFooter: "footer", hintAside: "aside", hintMain: "main", hintArticle: "article",
		hintForm: "form fieldset label", hintList: "ul ol dl", hintTable: "table", hintQuote: "blockquote",
		hintFigure: "figure figcaption", hintHeading: "h1 h2 h3 h4 h5 h6", hintMeta: "time", hintFold: "details summary",
	})
})

// roleHints and propertyHints are the hints of elements by their roles and item properties.
var (
	roleHints = sync.OnceValue(func() map[string]uint64 {
		return hintsBy(strings.Clone, map[int]string{
			hintNav: "navigation menu menubar tablist", hintHeader: "banner", hintFooter: "contentinfo", hintAside: "complementary",
			hintMain: "main", hintArticle: "article", hintOverlay: "dialog alertdialog alert", hintSearch: "search", hintCard: "listitem",
		})
	})
	propertyHints = sync.OnceValue(func() map[string]uint64 {
		return hintsBy(strings.Clone, map[int]string{
			hintBody: "articleBody text reviewBody description", hintAuthor: "author", hintComment: "comment",
		})
	})
)

func hintsBy[K comparable](key func(name string) K, names map[int]string) map[K]uint64 {
	all := map[K]uint64{}
	for hint, list := range names {
		for name := range strings.FieldsSeq(list) {
			all[key(name)] |= 1 << hint
		}
	}
	return all
}

var namedHints = sync.OnceValue(func() []listedWord { return listed(hintWords[:]) })

// listedWord is a word of one of up to 64 lists.
type listedWord struct {
	word string
	list int
}

func listed(lists [][]string) (all []listedWord) {
	for i, words := range lists {
		for _, word := range words {
			all = append(all, listedWord{word, i})
		}
	}
	return all
}

// wordsIn is the set of the lists of which a word is in s. Most texts lack the pair of bytes with which most words begin,
// which is found out for all words at once.
func wordsIn(s string, words []listedWord) (lists uint64) {
	var pairs [16]uint64
	pair := func(s string, i int) (place, bit uint) {
		hash := uint(s[i]) ^ uint(s[i+1])<<3
		return hash / 64 % uint(len(pairs)), hash % 64
	}
	for i := range len(s) - 1 {
		place, bit := pair(s, i)
		pairs[place] |= 1 << bit
	}
	for _, w := range words {
		if len(w.word) > 1 {
			if place, bit := pair(w.word, 0); pairs[place]&(1<<bit) == 0 {
				continue
			}
		}
		if lists&(1<<w.list) == 0 && strings.Contains(s, w.word) {
			lists |= 1 << w.list
		}
	}
	return lists
}
