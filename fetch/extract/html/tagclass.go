package html

import (
	"golang.org/x/net/html/atom"
	"strings"
)

const (
	tagH1 = 9
	tagH4 = 12 // and below
)

// tagClass numbers elements by what they usually hold, prose first, so that a question to the number can tell
// them apart.
func tagClass(a atom.Atom) float32 {
	switch a {
	case atom.P:
		return 1
	case atom.Blockquote:
		return 2
	case atom.Pre, atom.Code:
		return 3
	case atom.Figcaption, atom.Caption, atom.Figure:
		return 4
	case atom.Tr, atom.Td, atom.Th, atom.Table:
		return 5
	case atom.Dd:
		return 6
	case atom.Dt:
		return 7
	case atom.Li:
		return 8
	case atom.H1:
		return tagH1
	case atom.H2:
		return 10
	case atom.H3:
		return 11
	case atom.H4, atom.H5, atom.H6:
		return tagH4
	case atom.Section, atom.Article, atom.Main, atom.Body:
		return 13
	case atom.Strong, atom.B, atom.Em, atom.I:
		return 14
	case atom.Div:
		return 15
	case atom.Span:
		return 16
	case atom.Time:
		return 17
	case atom.Header, atom.Footer, atom.Nav, atom.Aside:
		return 18
	case atom.Form, atom.Label, atom.Fieldset, atom.Legend:
		return 19
	case atom.A:
		return 20
	case atom.Small:
		return 21
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

// aboutReviews is the place of reviews in phraseHints. Their heading tells them from what the seller says.
const aboutReviews = 17

// phraseClass is the kind of part that a heading announces, as a place in phraseHints: more to read, comments,
// newsletters, sharing, authors, advertisements, figures of a forum, reviews, tags. It is 0 for a subject of the
// page itself.
func phraseClass(low string) float32 {
	for _, k := range [...]int{4, 5, 3, 2, 10, 8, 16, aboutReviews, 12} {
		if containsAny(low, phraseHints[k]) {
			return float32(k)
		}
	}
	return 0
}

func containsAny(s string, words []string) bool {
	for _, w := range words {
		if strings.Contains(s, w) {
			return true
		}
	}
	return false
}
