package report

import (
	"time"

	"github.com/citeloop/citeloop/internal/docid"
	"github.com/citeloop/citeloop/internal/sanitize"
	"github.com/citeloop/citeloop/loopstate"
)

// workKind is a kind of source, as the formats of bibliographies name it.
type workKind struct {
	bibtex, bibtexPublisher string // the type of an entry, and its field for the publisher
	csl                     string
	ris, risPublisher       string
}

var (
	preprint = workKind{"online", "organization", "article", "UNPB", "PB"}
	article  = workKind{"article", "journal", "article-journal", "JOUR", "T2"}
	paper    = workKind{"inproceedings", "booktitle", "paper-conference", "CPAPER", "T2"}
	book     = workKind{"book", "publisher", "book", "BOOK", "PB"}
	webPage  = workKind{"online", "organization", "webpage", "ELEC", "PB"}
	otherDoc = workKind{"misc", "organization", "document", "GEN", "PB"}
)

// work is a source as bibliographies need it. Its texts are on one line.
type work struct {
	kind              workKind
	key               string
	title, publisher  string
	people            []person
	year, month, day  int // of publication; 0 if unknown
	doi, arxiv, link  string
	language, keyword string
	fetched           time.Time
	pages             []pageSpan
	lines             string
	notes             []string // about the whole source
	sha256            string
	zotero            string // address of the item in the user's Zotero library
}

// works prepares the sources of a document, the cited ones first.
func works(d Document) []work {
	keys, cited, cites := citeKeys(d.Sources), citedPages(d), citedLines(d)
	out := make([]work, len(d.Sources))
	for i, s := range d.Sources {
		w := work{key: keys[i], kind: otherDoc, title: s.title(), publisher: sanitize.Line(s.Publisher), people: people(s.Authors), doi: docid.NormalizeDOI(s.DOI), arxiv: arxivID(s),
			link: sanitize.Link(s.address()), language: languageOf(s.Language), keyword: "read", fetched: s.FetchedAt.UTC(), pages: cited[s.ID], lines: cites[s.ID].String(), sha256: sanitize.Line(s.SHA256), zotero: docid.ZoteroItem(s.URL)}
		w.year, w.month, w.day = loopstate.DateParts(s.PublishedAt)
		switch { // by what is known: a DOI alone does not say of what
		case w.arxiv != "":
			w.kind = preprint
		case s.Container == "journal":
			w.kind = article
		case s.Container == "proceedings":
			w.kind = paper
		case s.ContentType == "application/epub+zip":
			w.kind = book
		case w.link != "" && w.doi == "":
			w.kind = webPage
		}
		if s.Number > 0 {
			w.keyword = "cited"
		}
		if d.Unverified {
			w.notes = append(w.notes, "From a DRAFT that was not verified")
		}
		if file := s.file(); file != "" {
			w.notes = append(w.notes, "File: "+file)
		}
		if w.doi == "" && s.ClaimedDOI != "" {
			w.notes = append(w.notes, "DOI that the text states: "+docid.NormalizeDOI(s.ClaimedDOI))
		}
		if s.Pasted {
			w.notes = append(w.notes, "Text pasted by the user")
		}
		out[i] = w
	}
	return out
}
