package html

import (
	"cmp"
	"net/url"
	"strings"

	"github.com/citeloop/citeloop/fetch/extract/document"
	"github.com/citeloop/citeloop/internal/docid"
	"github.com/citeloop/citeloop/internal/lazyregexp"
	"github.com/citeloop/citeloop/internal/sanitize"
)

// What is believed, the most specific statement first: the tags that publishers write for scholarly indexes, then linked data, then
// Open Graph, then the page's own elements.
const (
	titleFacts     = "citation_title dc.title dcterms.title prism.title og:title twitter:title ld:headline ld:name title h1"
	journalFacts   = "citation_journal_title prism.publicationname"
	publisherFacts = journalFacts + " citation_conference_title ld:publisher og:site_name citation_publisher dc.publisher " +
		"dcterms.publisher application-name"
	authorFacts = "citation_author dc.creator dcterms.creator ld:author ld:creator author article:author parsely-author sailthru.author " +
		"byl mark:author"
	publishedFacts = "citation_publication_date citation_date prism.publicationdate article:published_time og:article:published_time " +
		"ld:datepublished ld:datecreated ld:uploaddate citation_online_date dc.date.issued dcterms.issued datepublished " +
		"parsely-pub-date sailthru.date pubdate publish-date uploaddate"
	modifiedFacts = "article:modified_time og:updated_time og:article:modified_time ld:datemodified dcterms.modified dc.date.modified " +
		"last-modified datemodified revised"
	doiFacts = "citation_doi prism.doi bepress_citation_doi dc.identifier dcterms.identifier dc.identifier.doi doi ld:identifier " +
		"ld:@id ld:sameas ld:url"
	languageFacts = "html:lang citation_language dc.language og:locale ld:inlanguage"
	licenceFacts  = "link:license a:license link:licence a:licence link:dcterms.license dcterms.license dc.rights.license " +
		"citation_license ld:license dc.rights dcterms.rights"
	lateDates = "dc.date dcterms.date date" // believed only where the page shows none
)

// document is what is believed of what the page says.
func (m *pageMeta) document(base *url.URL) document.Document {
	var d document.Document
	d.Title = document.Title(m.first(titleFacts))
	switch {
	case m.first(journalFacts) != "":
		d.Container = document.Journal
	case m.first("citation_conference_title") != "":
		d.Container = document.Proceedings
	}
	d.Publisher = document.Title(m.first(publisherFacts))
	d.Authors = m.authors()
	d.PublishedAt = document.FirstDate(m.all(publishedFacts)...)
	d.ModifiedAt = document.FirstDate(m.all(modifiedFacts)...)
	for _, v := range m.all(doiFacts) {
		if isDOI.MatchString(v) {
			d.DOI = cmp.Or(d.DOI, docid.NormalizeDOI(v))
		}
	}
	if base != nil {
		m.add("address", base.Host+base.Path)
	}
	d.ArXiv = strings.ToLower(firstMatch(arxivID, append(m.all("citation_arxiv_id dc.identifier dcterms.identifier address"), d.DOI)))
	d.PMID = firstMatch(pmidText, append([]string{"pmid:" + m.first("citation_pmid")}, m.all("dc.identifier address")...))
	d.Licence = m.licence(base)
	d.Language = document.Language(m.first(languageFacts))
	d.CanonicalURL = document.CanonicalURL(m.first("link:canonical"), base)
	d.SourceType = document.SourceType(d, base, m.says())
	return d
}

// complete adds the days that the page shows where it declares none, and last what its less certain marks say.
func (m *pageMeta) complete(d *document.Document, o *page, base *url.URL) {
	published, modified := o.shownDates(m.first("title"), d.Language, m.ownAddress(base))
	d.PublishedAt = document.First(d.PublishedAt, published, document.FirstDate(m.all(lateDates)...))
	d.ModifiedAt = document.First(d.ModifiedAt, modified)
}

// says is what the page says of its own kind.
func (m *pageMeta) says() document.Says {
	kind, ofArticle := m.kind, m.first("og:type") == "article"
	return document.Says{
		Journal:  m.first("citation_journal_title citation_conference_title citation_issn") != "",
		News:     strings.HasSuffix(kind, "NewsArticle") || kind == "Reportage" || ofArticle && strings.Contains(kind, "News"),
		Practice: kind == "BlogPosting" || kind == "TechArticle" || isThread(kind) || ofArticle,
	}
}

// bylineStart are the words before a name on the page itself.
var bylineStart = lazyregexp.New(`(?i)^(?:(?:written |posted |story |article )?by|von|par|por|door|di|af|av|autor(?:in)?:?|author:?)\s+`)

// authors are those of the first fact that names some. What the page also gives as the program that made it is none.
func (m *pageMeta) authors() (authors []string) {
	generator := strings.ToLower(m.first("generator"))
	for fact := range strings.FieldsSeq(authorFacts) {
		for _, name := range m.facts[fact] {
			if fact == "mark:author" {
				name = bylineStart.ReplaceAllString(name, "")
			}
			if !strings.HasPrefix(generator, strings.ToLower(name)) {
				authors = document.AddAuthor(authors, name)
			}
		}
		if len(authors) > 0 {
			break
		}
	}
	return authors
}

// The identifiers of the page itself, as facts and its address have them.
var (
	isDOI   = lazyregexp.New(`(?i)^\s*(?:10\.|(?:info:)?doi\b)|doi\.org/`)
	arxivID = lazyregexp.New(`(?i)^(?:arxiv:|10\.48550/arxiv\.|(?:\w+\.)?arxiv\.org/(?:abs|pdf|html)/)?` +
		`(\d{4}\.\d{4,5}|[a-z-]+(?:\.[a-z]{2})?/\d{7})(?:v\d+)?(?:\.pdf)?$`)
	pmidText = lazyregexp.New(`(?i)^(?:(?:pmid:?\s*)+|pubmed\.ncbi\.nlm\.nih\.gov/)(\d{1,8})/?$`)
)

// firstMatch is what a pattern finds in the first of the values that it matches.
func firstMatch(pattern *lazyregexp.Regexp, values []string) string {
	for _, v := range values {
		if m := pattern.FindStringSubmatch(v); m != nil {
			return m[1]
		}
	}
	return ""
}

// licence is the address of the licence that the page states, or its name where it gives no address.
func (m *pageMeta) licence(base *url.URL) string {
	s := m.first(licenceFacts)
	u, err := url.Parse(s)
	if err == nil && base != nil && !strings.Contains(s, " ") &&
		(u.Scheme == "" && strings.HasPrefix(s, "/") || u.Scheme == "http" || u.Scheme == "https") {
		u = base.ResolveReference(u)
		u.User = nil
		return sanitize.Short(u.String(), document.MaxNameChars)
	}
	return document.Title(s)
}

// ownAddress is the address that the page declares, else the one it came from; nil when neither is on the web.
// A saved page has the same facts so as the one that it was saved from.
func (m *pageMeta) ownAddress(base *url.URL) *url.URL {
	declared := m.all("link:canonical og:url")
	if base != nil {
		declared = append(declared, base.String())
	}
	for _, s := range declared {
		if u, err := url.Parse(s); err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Host != "" {
			return u
		}
	}
	return nil
}
