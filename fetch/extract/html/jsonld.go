package html

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/citeloop/citeloop/fetch/extract/document"
	"github.com/citeloop/citeloop/internal/lazyregexp"
)

// linkedObject is an object of a page's JSON-LD that describes the page.
type linkedObject struct {
	kind   string
	rank   int
	values map[string]gjson.Result
}

// How much an object is worth believing about the page: an article above a page.
const (
	rankPage    = 1
	rankArticle = 2
)

const (
	maxLinkedObjects = 5_000   // of a page
	maxLinkedBytes   = 1 << 20 // of one script; those of shops with all their products reach 300 kB
)

// readLinked takes in one script. What is not JSON is left out, as browsers and search engines do.
func (m *pageMeta) readLinked(script string) {
	script = strings.TrimSuffix(strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(script), "<!--")), "-->")
	if len(script) <= maxLinkedBytes && json.Valid([]byte(script)) { // which bounds its depth
		m.visit(gjson.Parse(script))
	}
}

// visit looks at the objects that describe the page: the top level, lists, @graph and mainEntity. It does
// not descend further, because what is deeper (related articles, comments, products) is something else.
func (m *pageMeta) visit(v gjson.Result) {
	if m.visited++; m.visited > maxLinkedObjects {
		return
	}
	if v.IsArray() {
		for _, item := range v.Array() {
			m.visit(item)
		}
	}
	if !v.IsObject() {
		return
	}
	o := v.Map()
	if body := document.First(texts(o["articleBody"], inNames)...); len(body) > len(m.article) {
		m.article = body
	}
	m.notFree = m.notFree || strings.EqualFold(o["isAccessibleForFree"].String(), "false")
	if kind, rank := articleKind(texts(o["@type"], inNames)); rank > 0 {
		m.linked = append(m.linked, linkedObject{kind, rank, o})
	}
	m.visit(o["@graph"])
	m.visit(o["mainEntity"])
}

// The keys that become facts, and where an object that is a value has its text.
const (
	dateKeys    = "datePublished dateCreated uploadDate dateModified"
	nameKeys    = "headline name publisher inLanguage author creator"
	addressKeys = "license identifier @id sameAs url"
	inNames     = "name @value headline alternateName"
	inAddresses = "value @value @id url name"
)

// believe takes over what the object says that is worth most; of those beside it, only the dates that it leaves open.
func (m *pageMeta) believe() {
	slices.SortStableFunc(m.linked, func(a, b linkedObject) int { return b.rank - a.rank })
	for i, o := range m.linked {
		m.addLinked(o, dateKeys, inNames)
		if i == 0 {
			m.kind, m.rank = o.kind, o.rank
			m.addLinked(o, nameKeys, inNames)
			m.addLinked(o, addressKeys, inAddresses)
		}
	}
}

func (m *pageMeta) addLinked(o linkedObject, keys, within string) {
	for key := range strings.FieldsSeq(keys) {
		m.add("ld:"+strings.ToLower(key), texts(o.values[key], within)...)
	}
}

var (
	articleTypes = lazyregexp.New(`(?:Article|^(?:BlogPosting|Report|Thesis|Book|Dataset|Recipe|DiscussionForumPosting|QAPage))$`)
	pageTypes    = lazyregexp.New(`(?:Page|^(?:VideoObject|PodcastEpisode|AudioObject))$`)
)

// articleKind is the type of an object and how much it is worth believing: 0 for what is not the document.
func articleKind(types []string) (kind string, rank int) {
	for _, t := range types {
		t = t[strings.LastIndexByte(t, '/')+1:] // http://schema.org/Article
		switch {
		case articleTypes.MatchString(t):
			return t, rankArticle
		case rank == 0 && pageTypes.MatchString(t):
			kind, rank = t, rankPage
		}
	}
	return kind, rank
}

// isThread reports a kind of document that many people wrote by turns.
func isThread(kind string) bool { return kind == "DiscussionForumPosting" || kind == "QAPage" }

// texts are the plain texts of a value: a string, the first of these keys of an object, or those of a list.
func texts(v gjson.Result, within string) (out []string) {
	switch {
	case v.IsArray():
		for _, item := range v.Array() {
			if !item.IsArray() && len(out) < document.MaxAuthors {
				out = append(out, texts(item, within)...)
			}
		}
	case v.IsObject():
		for key := range strings.FieldsSeq(within) {
			if s := v.Map()[key]; s.Type == gjson.String {
				return []string{s.Str}
			}
		}
	case v.Exists():
		out = []string{v.String()}
	}
	return out
}
