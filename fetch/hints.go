package fetch

import (
	"strings"

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

const farHint = 15

type hintDistances [numHints]uint8

var noHints = func() (d hintDistances) {
	for i := range d {
		d[i] = farHint
	}
	return d
}()

func (d hintDistances) deeper() hintDistances {
	for i := range d {
		if d[i] < farHint {
			d[i]++
		}
	}
	return d
}

var hintWords = []struct {
	word string
	hint uint64
}{
	{"nav", 1 << hintNav}, {"menu", 1 << hintNav}, {"breadcrumb", 1 << hintNav}, {"skip", 1 << hintNav}, {"toolbar", 1 << hintNav},
	{"header", 1 << hintHeader}, {"masthead", 1 << hintHeader}, {"topbar", 1 << hintHeader}, {"banner", 1 << hintHeader},
	{"footer", 1 << hintFooter}, {"bottom", 1 << hintFooter}, {"copyright", 1 << hintFooter}, {"legal", 1 << hintFooter}, {"disclaimer", 1 << hintFooter},
	{"sidebar", 1 << hintAside}, {"side-", 1 << hintAside}, {"aside", 1 << hintAside}, {"rail", 1 << hintAside}, {"secondary", 1 << hintAside}, {"-right", 1 << hintAside},
	{"main", 1 << hintMain}, {"primary", 1 << hintMain},
	{"article", 1 << hintArticle}, {"story", 1 << hintArticle}, {"entry", 1 << hintArticle}, {"blog", 1 << hintArticle}, {"single", 1 << hintArticle},
	{"articlebody", 1 << hintBody}, {"article-body", 1 << hintBody}, {"article__body", 1 << hintBody}, {"article_body", 1 << hintBody}, {"article-content", 1 << hintBody}, {"article__content", 1 << hintBody}, {"post-content", 1 << hintBody}, {"post-body", 1 << hintBody}, {"post__content", 1 << hintBody}, {"entry-content", 1 << hintBody}, {"entry_content", 1 << hintBody}, {"story-body", 1 << hintBody}, {"rich-text", 1 << hintBody}, {"richtext", 1 << hintBody}, {"wysiwyg", 1 << hintBody}, {"prose", 1 << hintBody}, {"markdown", 1 << hintBody}, {"article-text", 1 << hintBody}, {"bodytext", 1 << hintBody}, {"body-text", 1 << hintBody}, {"body-copy", 1 << hintBody},
	{"content", 1 << hintContent}, {"text", 1 << hintContent}, {"body", 1 << hintContent}, {"paragraph", 1 << hintContent},
	{"comment", 1 << hintComment}, {"disqus", 1 << hintComment}, {"respond", 1 << hintComment},
	{"share", 1 << hintSocial}, {"sharing", 1 << hintSocial}, {"social", 1 << hintSocial}, {"follow", 1 << hintSocial}, {"facebook", 1 << hintSocial}, {"twitter", 1 << hintSocial},
	{"related", 1 << hintRelated}, {"recommend", 1 << hintRelated}, {"recirc", 1 << hintRelated}, {"popular", 1 << hintRelated}, {"trending", 1 << hintRelated}, {"most-read", 1 << hintRelated}, {"readmore", 1 << hintRelated}, {"read-more", 1 << hintRelated}, {"similar", 1 << hintRelated}, {"also", 1 << hintRelated}, {"latest", 1 << hintRelated}, {"upsell", 1 << hintRelated}, {"next", 1 << hintRelated}, {"teaser", 1 << hintRelated}, {"outbrain", 1 << hintRelated}, {"taboola", 1 << hintRelated}, {"more-", 1 << hintRelated},
	{"promo", 1 << hintPromo}, {"advert", 1 << hintPromo}, {"sponsor", 1 << hintPromo}, {"cta", 1 << hintPromo}, {"offer", 1 << hintPromo}, {"ads", 1 << hintPromo}, {"ad-", 1 << hintPromo}, {"affiliate", 1 << hintPromo}, {"donat", 1 << hintPromo},
	{"newsletter", 1 << hintSignup}, {"subscri", 1 << hintSignup}, {"signup", 1 << hintSignup}, {"sign-up", 1 << hintSignup}, {"login", 1 << hintSignup}, {"register", 1 << hintSignup}, {"paywall", 1 << hintSignup},
	{"meta", 1 << hintMeta}, {"date", 1 << hintMeta}, {"time", 1 << hintMeta}, {"byline", 1 << hintMeta}, {"publish", 1 << hintMeta}, {"info", 1 << hintMeta}, {"count", 1 << hintMeta},
	{"author", 1 << hintAuthor}, {"user", 1 << hintAuthor}, {"avatar", 1 << hintAuthor}, {"profile", 1 << hintAuthor}, {"bio", 1 << hintAuthor}, {"contributor", 1 << hintAuthor},
	{"caption", 1 << hintCaption}, {"credit", 1 << hintCaption}, {"gallery", 1 << hintCaption}, {"image", 1 << hintCaption}, {"photo", 1 << hintCaption}, {"media", 1 << hintCaption}, {"video", 1 << hintCaption}, {"carousel", 1 << hintCaption}, {"slide", 1 << hintCaption}, {"swiper", 1 << hintCaption},
	{"widget", 1 << hintWidget}, {"module", 1 << hintWidget}, {"panel", 1 << hintWidget}, {"box", 1 << hintWidget}, {"block", 1 << hintWidget},
	{"modal", 1 << hintOverlay}, {"popup", 1 << hintOverlay}, {"cookie", 1 << hintOverlay}, {"consent", 1 << hintOverlay}, {"gdpr", 1 << hintOverlay}, {"overlay", 1 << hintOverlay}, {"dialog", 1 << hintOverlay}, {"notice", 1 << hintOverlay}, {"alert", 1 << hintOverlay}, {"tooltip", 1 << hintOverlay}, {"drawer", 1 << hintOverlay}, {"hidden", 1 << hintOverlay}, {"sr-only", 1 << hintOverlay}, {"screen-reader", 1 << hintOverlay}, {"drop", 1 << hintOverlay}, {"flyout", 1 << hintOverlay}, {"toast", 1 << hintOverlay}, {"cart", 1 << hintOverlay},
	{"product", 1 << hintProduct}, {"pdp", 1 << hintProduct}, {"buy", 1 << hintProduct},
	{"review", 1 << hintReview}, {"rating", 1 << hintReview}, {"testimonial", 1 << hintReview},
	{"price", 1 << hintPrice}, {"shipping", 1 << hintPrice},
	{"post", 1 << hintPost}, {"thread", 1 << hintPost}, {"topic", 1 << hintPost}, {"message", 1 << hintPost}, {"reply", 1 << hintPost}, {"answer", 1 << hintPost}, {"question", 1 << hintPost}, {"bbp", 1 << hintPost},
	{"card", 1 << hintCard}, {"tile", 1 << hintCard}, {"item", 1 << hintCard}, {"grid", 1 << hintCard}, {"list", 1 << hintCard}, {"result", 1 << hintCard}, {"collection", 1 << hintCard},
	{"hero", 1 << hintHero}, {"jumbotron", 1 << hintHero}, {"intro", 1 << hintHero}, {"lead", 1 << hintHero}, {"standfirst", 1 << hintHero}, {"summary", 1 << hintHero}, {"excerpt", 1 << hintHero}, {"dek", 1 << hintHero}, {"subtitle", 1 << hintHero},
	{"faq", 1 << hintFold}, {"accordion", 1 << hintFold}, {"tab", 1 << hintFold}, {"collaps", 1 << hintFold},
	{"pagination", 1 << hintPager}, {"pager", 1 << hintPager}, {"paging", 1 << hintPager}, {"filter", 1 << hintPager}, {"sort", 1 << hintPager}, {"facet", 1 << hintPager}, {"language", 1 << hintPager},
	{"toc", 1 << hintTOC}, {"table-of-contents", 1 << hintTOC}, {"contents", 1 << hintTOC}, {"anchor", 1 << hintTOC},
	{"search", 1 << hintSearch}, {"form", 1 << hintForm}, {"button", 1 << hintForm}, {"btn", 1 << hintForm}, {"action", 1 << hintForm}, {"control", 1 << hintForm},
	{"title", 1 << hintTitle}, {"headline", 1 << hintTitle}, {"heading", 1 << hintTitle},
	{"tag", 1 << hintTag}, {"categor", 1 << hintTag}, {"label", 1 << hintTag}, {"badge", 1 << hintTag}, {"keyword", 1 << hintTag},
	{"spec", 1 << hintSpec}, {"description", 1 << hintSpec}, {"detail", 1 << hintSpec}, {"feature", 1 << hintSpec}, {"attribute", 1 << hintSpec},
	{"footnote", 1 << hintNotes}, {"reference", 1 << hintNotes}, {"reflist", 1 << hintNotes}, {"citation", 1 << hintNotes}, {"signature", 1 << hintNotes},
}

// hintsOf are the hints that an element gives itself; class is what its style is told by.
func (o *outline) hintsOf(n *html.Node) (own uint64, class string) {
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
	words, ok := o.hints[key]
	if !ok {
		low := strings.ToLower(key)
		for _, h := range hintWords {
			if words&h.hint == 0 && strings.Contains(low, h.word) {
				words |= h.hint
			}
		}
		if len(o.hints) < 20_000 {
			o.hints[key] = words
		}
	}
	return own | words, class
}
