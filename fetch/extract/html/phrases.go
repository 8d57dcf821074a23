package html

import "strings"

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

// phraseClass is the kind of part that a heading announces, as a place in phraseHints: more to read, comments,
// newsletters, sharing, authors, advertisements, figures of a forum, reviews, tags. It is 0 for a subject of the
// page itself.
func phraseClass(low string) float32 {
	for _, k := range [...]int{4, 5, 3, 2, 10, 8, 16, 17, 12} {
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
