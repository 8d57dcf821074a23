package html

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/citeloop/citeloop/fetch/extract/document"
	"github.com/citeloop/citeloop/internal/docid"
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

const maxLinkedObjects = 2_000

// readLinked takes in one script. What is not JSON is left out, as browsers and search engines do.
func (m *pageMeta) readLinked(script string) {
	script = strings.TrimSuffix(strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(script), "<!--")), "-->")
	if json.Valid([]byte(script)) { // which bounds its depth
		left := maxLinkedObjects
		m.visit(gjson.Parse(script), &left)
	}
}

// visit looks at the objects that describe the page: the top level, lists, @graph and mainEntity. It does
// not descend further, because what is deeper (related articles, comments, products) is something else.
func (m *pageMeta) visit(v gjson.Result, left *int) {
	if *left--; *left < 0 || len(m.linked) > maxLinkedObjects {
		return
	}
	if v.IsArray() {
		for _, item := range v.Array() {
			m.visit(item, left)
		}
	}
	if !v.IsObject() {
		return
	}
	o := v.Map()
	if body := text(o["articleBody"]); len(body) > len(m.article) {
		m.article = body
	}
	m.notFree = m.notFree || strings.EqualFold(text(o["isAccessibleForFree"]), "false")
	if kind, rank := articleKind(texts(o["@type"])); rank > 0 {
		m.linked = append(m.linked, linkedObject{kind, rank, o})
	}
	m.visit(o["@graph"], left)
	m.visit(o["mainEntity"], left)
}

// believe takes over what the object says that is worth most; of those beside it, only the dates that it leaves open.
func (m *pageMeta) believe() {
	slices.SortStableFunc(m.linked, func(a, b linkedObject) int { return b.rank - a.rank })
	for i, o := range m.linked {
		v := o.values
		m.add("ld:published", document.First(text(v["datePublished"]), text(v["dateCreated"]), text(v["uploadDate"])))
		m.add("ld:modified", text(v["dateModified"]))
		if i > 0 {
			continue
		}
		m.add("ld:headline", text(v["headline"]), text(v["name"]))
		m.add("ld:licence", text(v["license"]), document.First(texts(v["license"], "@id", "url")...))
		m.add("ld:publisher", text(v["publisher"]))
		m.add("ld:language", text(v["inLanguage"]))
		m.add("ld:author", texts(v["author"], "name")...)
		m.add("ld:creator", texts(v["creator"], "name")...)
		for _, key := range []string{"identifier", "@id", "sameAs", "url"} {
			for _, id := range texts(v[key], "value", "@value", "@id") {
				if low := strings.ToLower(id); strings.HasPrefix(low, "10.") || strings.HasPrefix(low, "doi:") ||
					strings.Contains(low, "doi.org/") {
					m.add("ld:doi", docid.NormalizeDOI(id))
				}
			}
		}
	}
}

// kind is the type of the object that is believed, or "".
func (m *pageMeta) kind() string {
	if len(m.linked) == 0 {
		return ""
	}
	return m.linked[0].kind
}

func (m *pageMeta) rank() int {
	if len(m.linked) == 0 {
		return 0
	}
	return m.linked[0].rank
}

// articleKind is the type of an object and how much it is worth believing: 0 for what is not the document.
func articleKind(types []string) (kind string, rank int) {
	for _, t := range types {
		t = t[strings.LastIndexByte(t, '/')+1:] // http://schema.org/Article
		r := 0
		switch {
		case strings.HasSuffix(t, "Article"), t == "BlogPosting", t == "Report", t == "Thesis", t == "Book", t == "Dataset", isThread(t),
			t == "Recipe":
			r = rankArticle
		case strings.HasSuffix(t, "Page"), t == "VideoObject", t == "PodcastEpisode", t == "AudioObject":
			r = rankPage
		}
		if r > rank {
			kind, rank = t, r
		}
	}
	return kind, rank
}

// isThread reports a kind of document that many people wrote by turns.
func isThread(kind string) bool { return kind == "DiscussionForumPosting" || kind == "QAPage" }

// text is the plain text of a value.
func text(v gjson.Result) string {
	return document.First(texts(v, "name", "@value", "headline", "alternateName")...)
}

// texts are the plain texts of a value: a string, the first of these keys of an object, or those of a list.
func texts(v gjson.Result, keys ...string) (out []string) {
	switch {
	case v.IsArray():
		for _, item := range v.Array() {
			if !item.IsArray() && len(out) < document.MaxAuthors {
				out = append(out, texts(item, keys...)...)
			}
		}
	case v.IsObject():
		o := v.Map()
		for _, key := range keys {
			if s := o[key]; s.Type == gjson.String {
				return []string{s.Str}
			}
		}
	case v.Exists():
		return []string{v.String()}
	}
	return out
}
