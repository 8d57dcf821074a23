package html

import (
	"encoding/json"
	"strings"

	"github.com/citeloop/citeloop/fetch/extract/document"
	"github.com/citeloop/citeloop/internal/docid"
)

// linkedData is what a page's JSON-LD says about the document that the page is.
type linkedData struct {
	rank      int // of the object that was believed: an article above a page, a page above anything
	kind      string
	headline  string
	authors   []string
	published string
	modified  string
	licence   string
	publisher string
	language  string
	doi       string
	notFree   bool
	article   string // the longest text of an article
}

// How much an object is worth believing about the page.
const (
	rankPage    = 1
	rankArticle = 2
)

const (
	maxLinkedScripts = 20
	maxLinkedObjects = 2_000
)

// read takes in one script. What is not JSON is left out, as browsers and search engines do.
func (l *linkedData) read(script string) {
	script = strings.TrimSuffix(strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(script), "<!--")), "-->")
	var v any
	if json.Unmarshal([]byte(script), &v) != nil {
		return
	}
	left := maxLinkedObjects
	l.visit(v, &left)
}

// visit looks at the objects that describe the page: the top level, lists, @graph and mainEntity. It does
// not descend further, because what is deeper (related articles, comments, products) is something else.
func (l *linkedData) visit(v any, left *int) {
	if *left--; *left < 0 {
		return
	}
	switch v := v.(type) {
	case []any:
		for _, item := range v {
			l.visit(item, left)
		}
	case map[string]any:
		l.take(v)
		l.visit(v["@graph"], left)
		l.visit(v["mainEntity"], left)
	}
}

func (l *linkedData) take(o map[string]any) {
	if free, ok := o["isAccessibleForFree"]; ok && (free == false || strings.EqualFold(text(free), "false")) {
		l.notFree = true
	}
	if body := text(o["articleBody"]); len(body) > len(l.article) {
		l.article = body
	}
	kind, rank := articleKind(o["@type"])
	published := document.First(text(o["datePublished"]), text(o["dateCreated"]), text(o["uploadDate"]))
	if rank > 0 && rank <= l.rank { // an object beside the one that is believed says what that one leaves open
		l.published = document.First(l.published, published)
		l.modified = document.First(l.modified, text(o["dateModified"]))
	}
	if rank <= l.rank {
		return
	}
	l.rank, l.kind = rank, kind
	l.headline = document.First(text(o["headline"]), text(o["name"]))
	l.published = document.First(published, l.published)
	l.modified = document.First(text(o["dateModified"]), l.modified)
	l.licence = document.First(text(o["license"]), idOf(o["license"]))
	l.publisher = text(o["publisher"])
	l.language = text(o["inLanguage"])
	l.authors = personNames(o["author"], nil)
	if len(l.authors) == 0 {
		l.authors = personNames(o["creator"], nil)
	}
	l.doi = ""
	for _, key := range []string{"identifier", "@id", "sameAs", "url"} {
		if d := doiOf(o[key]); d != "" {
			l.doi = d
			break
		}
	}
}

// articleKind is the type of an object and how much it is worth believing: 0 for what is not the document.
func articleKind(v any) (string, int) {
	best, rank := "", 0
	for _, t := range strs(v) {
		t = strings.TrimPrefix(strings.TrimPrefix(t, "http://schema.org/"), "https://schema.org/")
		r := 0
		switch {
		case strings.HasSuffix(t, "Article"), t == "BlogPosting", t == "Report", t == "Thesis", t == "Book", t == "Dataset",
			t == "DiscussionForumPosting", t == "QAPage", t == "Recipe":
			r = rankArticle
		case strings.HasSuffix(t, "Page"), t == "VideoObject", t == "PodcastEpisode", t == "AudioObject":
			r = rankPage
		}
		if r > rank {
			best, rank = t, r
		}
	}
	return best, rank
}

// isThread reports a kind of document that many people wrote by turns.
func isThread(kind string) bool { return kind == "DiscussionForumPosting" || kind == "QAPage" }

// personNames reads an author in all the forms in use: a string, an object with a name, a list of either.
func personNames(v any, to []string) []string {
	switch v := v.(type) {
	case string:
		return append(to, v)
	case map[string]any:
		if n := text(v["name"]); n != "" {
			return append(to, n)
		}
		if n := strings.TrimSpace(text(v["givenName"]) + " " + text(v["familyName"])); n != "" {
			return append(to, n)
		}
	case []any:
		for _, item := range v {
			if len(to) >= document.MaxAuthors {
				break
			}
			if _, list := item.([]any); !list {
				to = personNames(item, to)
			}
		}
	}
	return to
}

// doiOf finds a DOI in an identifier: text that is one, or a PropertyValue.
func doiOf(v any) string {
	switch v := v.(type) {
	case string:
		low := strings.ToLower(v)
		if strings.HasPrefix(low, "10.") || strings.HasPrefix(low, "doi:") || strings.Contains(low, "doi.org/") {
			return docid.NormalizeDOI(v)
		}
	case map[string]any:
		return doiOf(document.First(text(v["value"]), text(v["@value"]), text(v["@id"])))
	case []any:
		for _, item := range v {
			if _, list := item.([]any); list {
				continue
			}
			if d := doiOf(item); d != "" {
				return d
			}
		}
	}
	return ""
}

// text is the plain text of a value: a string, the name of an object, the first of a list.
func text(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case map[string]any:
		for _, key := range []string{"name", "@value", "headline", "alternateName"} {
			if s, ok := v[key].(string); ok {
				return s
			}
		}
	case []any:
		if len(v) > 0 {
			if _, list := v[0].([]any); !list {
				return text(v[0])
			}
		}
	}
	return ""
}

func strs(v any) []string {
	switch v := v.(type) {
	case string:
		return []string{v}
	case []any:
		var out []string
		for _, item := range v {
			if s, ok := item.(string); ok {
				out = append(out, s)
			}
		}
		return out
	}
	return nil
}

// idOf is the address of an object that is only referred to.
func idOf(v any) string {
	if o, ok := v.(map[string]any); ok {
		return document.First(text(o["@id"]), text(o["url"]))
	}
	return ""
}
