package html

import (
	"net/url"
	"strings"

	"github.com/citeloop/citeloop/fetch/extract/document"
	"github.com/citeloop/citeloop/internal/lazyregexp"
)

// document is what is believed, the most specific statement first: the tags that publishers write for
// scholarly indexes, then linked data, then Open Graph, then the page's own elements.
func (m *pageMeta) document(base *url.URL) document.Document {
	var d document.Document
	d.Title = document.Title(document.First(
		m.first("citation_title", "dc.title", "dcterms.title", "prism.title"),
		m.first("og:title", "twitter:title"), m.linked.headline, m.title, m.front, m.heading))
	if d.Container = document.Journal; m.first("citation_journal_title", "prism.publicationname") == "" {
		d.Container = ""
		if m.first("citation_conference_title") != "" {
			d.Container = document.Proceedings
		}
	}
	d.Publisher = document.Title(document.First(
		m.first("citation_journal_title", "prism.publicationname", "citation_conference_title"),
		m.linked.publisher, m.first("og:site_name", "citation_publisher", "dc.publisher", "dcterms.publisher", "application-name")))
	d.Authors = m.authors()
	d.PublishedAt = document.FirstDate(append([]string{
		m.first("citation_publication_date"), m.first("citation_date", "prism.publicationdate"),
		m.first("article:published_time", "og:article:published_time"), m.linked.published,
		m.first("citation_online_date"), m.first("dc.date.issued", "dcterms.issued", "datepublished", "parsely-pub-date", "sailthru.date",
			"pubdate", "publish-date", "uploaddate"),
	}, m.published...)...)
	d.ModifiedAt = document.FirstDate(append([]string{
		m.first("article:modified_time", "og:updated_time", "og:article:modified_time"), m.linked.modified,
		m.first("dcterms.modified", "dc.date.modified", "last-modified", "datemodified", "revised"),
	}, m.modified...)...)
	d.DOI = m.doi()
	d.ArXiv, d.PMID = m.arxiv(base), m.pmid(base)
	d.Licence = m.statedLicence(base)
	d.References = m.citedReferences()
	d.Language = document.Language(document.First(m.lang, m.first("citation_language", "dc.language", "og:locale"), m.linked.language))
	d.CanonicalURL = document.CanonicalURL(m.canonical, base)
	d.SourceType = document.SourceType(d, base, m.says())
	return d
}

// complete adds the days that the page shows where it declares none, and last what its less certain marks say.
func (m *pageMeta) complete(d *document.Document, o *page, base *url.URL) {
	published, modified := o.shownDates(m.title, d.Language, m.ownAddress(base))
	d.PublishedAt = document.First(d.PublishedAt, published,
		document.FirstDate(append([]string{m.first("dc.date", "dcterms.date", "date")}, m.times...)...))
	d.ModifiedAt = document.First(d.ModifiedAt, modified)
}

// says is what the page says of its own kind.
func (m *pageMeta) says() document.Says {
	kind, ofArticle := m.linked.kind, m.first("og:type") == "article"
	return document.Says{
		Journal:  m.first("citation_journal_title", "citation_conference_title", "citation_issn") != "",
		News:     strings.HasSuffix(kind, "NewsArticle") || kind == "Reportage" || ofArticle && strings.Contains(kind, "News"),
		Practice: kind == "BlogPosting" || kind == "TechArticle" || isThread(kind) || ofArticle,
	}
}

func (m *pageMeta) authors() []string {
	var authors []string
	for _, name := range []string{"citation_author", "dc.creator", "dcterms.creator"} {
		for _, v := range m.names[name] {
			authors = document.AddAuthor(authors, v)
		}
		if len(authors) > 0 {
			return authors
		}
	}
	for _, v := range m.linked.authors {
		authors = document.AddAuthor(authors, v)
	}
	if len(authors) > 0 {
		return authors
	}
	for _, name := range []string{"author", "article:author", "parsely-author", "sailthru.author", "byl"} {
		for _, v := range m.names[name] {
			if !m.isGenerator(v) {
				authors = document.AddAuthor(authors, v)
			}
		}
		if len(authors) > 0 {
			return authors
		}
	}
	for _, v := range m.bylines {
		if !m.isGenerator(v) {
			authors = document.AddAuthor(authors, bylineStart.ReplaceAllString(v, ""))
		}
	}
	return authors
}

// bylineStart are the words before a name on the page itself.
var bylineStart = lazyregexp.New(`(?i)^(?:(?:written |posted |story |article )?by|von|par|por|door|di|af|av|autor(?:in)?:?|author:?)\s+`)

// isGenerator reports a name that the page also gives as the program that made it.
func (m *pageMeta) isGenerator(name string) bool {
	generator := strings.ToLower(m.first("generator"))
	name = strings.ToLower(strings.TrimSpace(name))
	return generator != "" && name != "" && strings.HasPrefix(generator, name)
}
