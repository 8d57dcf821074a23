package loopstate

import (
	"cmp"
	"fmt"
	"slices"
	"sort"
	"strings"
	"time"

	"github.com/citeloop/citeloop/internal/docid"
	"github.com/citeloop/citeloop/internal/text/lines"
)

// Source is a document whose text was read and stored. Only a source can be cited.
type Source struct {
	ID        string   `json:"source_id"`     // S1, S2, …
	Key       string   `json:"canonical_key"` // what is proven of the document's identity, see docid.Identify
	URL       string   `json:"url"`           // as requested
	FinalURL  string   `json:"final_url"`
	Title     string   `json:"title"`
	Authors   []string `json:"authors"`
	Publisher string   `json:"publisher,omitempty"`
	// what Publisher names: journal, proceedings; empty for a site, a publishing house, or if unknown
	Container string `json:"container,omitempty"`
	// Draft, Final, Withdrawn, …, in the document's own words
	DocStatus   string    `json:"status,omitempty"`
	PublishedAt string    `json:"published_at"`
	DOI         string    `json:"doi"`                   // proven
	ClaimedDOI  string    `json:"claimed_doi,omitempty"` // that the page states about itself, without proof
	DOIProof    string    `json:"doi_proof,omitempty"`   // who proved DOI if not the address: registry or library
	SourceType  string    `json:"source_type"`
	ContentType string    `json:"content_type"`
	Language    string    `json:"language,omitempty"`
	Chars       int       `json:"chars"` // code points of the stored text
	SHA256      string    `json:"sha256"`
	FetchedAt   time.Time `json:"fetched_at"`
	Round       int       `json:"round"` // in which it was read, from 1
	// how it was read, if not from the page itself: "unpaywall", "wayback", "browser"
	Via         string       `json:"via,omitempty"`
	Pasted      bool         `json:"pasted,omitempty"`          // the user pasted the text; citeloop did not fetch it
	DuplicateOf string       `json:"duplicate_of,omitempty"`    // the first source with the same or nearly the same text
	Flags       []string     `json:"flags,omitempty"`           // suspicious parts of the text, as "kind: what and where"
	Hidden      int          `json:"hidden_chars,omitempty"`    // code points without white space that the page hides; not in the text
	Invisible   int          `json:"invisible_chars,omitempty"` // removed characters that no reader sees and that can spell words
	Pages       Pages        `json:"pages,omitempty"`           // of a PDF
	Furniture   lines.Ranges `json:"furniture,omitempty"`       // lines of a page that surround its content, as "1-12,140"
	Capture     *Capture     `json:"capture,omitempty"`         // nil for pasted texts
	SameAs      string       `json:"-"`                         // input of a step: canonical key of the source whose text this one repeats

	// RobotsIgnored is set if robots.txt disallows the address and the user allowed reading it anyway.
	RobotsIgnored bool `json:"robots_ignored,omitempty"`

	Standing *Standing `json:"standing,omitempty"` // what was published about it later; nil: nobody has looked
	Reread   *Reread   `json:"reread,omitempty"`   // how it was found when it was read again last, if otherwise
}

// BadURL is an address without a source, and why.
type BadURL struct {
	URL    string `json:"url"`
	Reason string `json:"reason"`
	Round  int    `json:"round,omitempty"`
}

// MinSourceChars is the minimum length of a source. A shorter text is a 404 page, a paywall or an empty page.
const MinSourceChars = 200

// Capture records the response from which a source was read, so that others can check it. All copies of a source share it,
// and it never changes.
type Capture struct {
	Status    int      `json:"status,omitempty"`    // HTTP status; 0 for a file
	Redirects []string `json:"redirects,omitempty"` // redirecting addresses, the requested one first
	SHA256    string   `json:"sha256"`              // of the decoded body
	Bytes     int      `json:"bytes"`               // of that body
}

// Pages holds the start of each page of a text, in code points and ascending; an empty page starts where the next one
// does. It is nil for a text without pages. Pages are numbered from 1 by their order in the file; printed numbers may
// differ.
type Pages []int

// At returns the page of a code point, or 0 if the text has no pages.
func (p Pages) At(offset int) int {
	n := sort.SearchInts(p, offset+1) // of the pages that begin at or before it, and so without empty ones
	if n == 0 && len(p) > 0 {         // before the first page's text
		return 1
	}
	return n
}

// Kinds of flags of a source about its identity.
const (
	FlagClaimed = "claimed_identity" // the page states an identifier of itself that nothing proves
	FlagSame    = "same_identifier"  // another source has or states the identifier, with another text
)

// typedKeys are the kinds of keys that name a document and not an address.
var typedKeys = []string{"doi", "arxiv", "acl", "pmid", "pmcid"}

// keys returns the keys under which a source may be found, by its record alone, and whether its own is proven. One that is not, of a log
// that somebody else wrote, is not among them: the document that it names may be read later.
func (src Source) keys() (keys []string, proven bool) {
	in := docid.Reading{Asked: src.URL, Final: src.FinalURL, Claimed: cmp.Or(src.ClaimedDOI, src.DOI)}
	if src.Capture != nil {
		in.Redirects = src.Capture.Redirects
	}
	if src.DOIProof != "" || strings.HasPrefix(src.URL, "zotero:") {
		in.Proven = src.DOI
	}
	keys = docid.Identify(in).Keys
	kind, _, _ := strings.Cut(src.Key, ":")
	if slices.Contains(keys, src.Key) {
		return keys, true
	} else if slices.Contains(typedKeys, kind) {
		return keys, false
	}
	return append(keys, src.Key), true
}

// By returns who wrote a text, for a reader: its authors or publisher as the page names them, and the host that names them.
// Empty if it names nobody.
func (src Source) By() string {
	by := Shorten(cmp.Or(strings.Join(src.Authors[:min(len(src.Authors), 3)], ", "), src.Publisher), 60)
	if by == "" {
		return ""
	}
	host := cmp.Or(docid.Host(src.FinalURL), "the file")
	if src.Pasted {
		host = "the user's paste"
	}
	return fmt.Sprintf("%s (says %s)", by, host)
}

// flagSame flags two sources with different texts that have or state one DOI.
func flagSame(a, b *Source) {
	flag := func(src, other *Source, doi string) {
		src.flagOnce(FlagSame, fmt.Sprintf("doi:%s is also that of %s at %s, whose text differs; they may be different documents", doi,
			other.ID, Shorten(cmp.Or(docid.Host(other.FinalURL), other.FinalURL), 80)))
	}
	for _, doi := range []string{a.DOI, a.ClaimedDOI} {
		if doi != "" && (doi == b.DOI || doi == b.ClaimedDOI) && a.SHA256 != b.SHA256 && a.Origin() != b.Origin() {
			flag(a, b, doi)
			flag(b, a, doi)
		}
	}
}

// Origin returns the id of the source whose text this one repeats, or its own id: near copies of a text are one independent origin.
func (src Source) Origin() string { return cmp.Or(src.DuplicateOf, src.ID) }

// Origins counts the independent origins among the sources.
func (s *State) Origins() int {
	return len(keep(s.Sources, func(src Source) bool { return src.DuplicateOf == "" }))
}

// Read is the step that records what was read: it assigns ids to new sources. It omits a source whose key the loop already
// has; the caller finds that one with [State.SourceByAddress].
func (s *State) Read(sources []Source, bad []BadURL) (Read, error) {
	var p Read
	if c := s.running(); c.err != nil {
		return p, c.err
	}
	for _, src := range sources {
		p.Visited = append(p.Visited, src.URL)
		sameKey := func(other Source) bool { return other.Key == src.Key }
		if _, ok := s.SourceByKey(src.Key); ok || slices.ContainsFunc(p.Sources, sameKey) {
			continue
		}
		repeats := func(other Source) bool {
			return other.SHA256 == src.SHA256 || src.SameAs != "" && other.Key == src.SameAs
		}
		for _, known := range [][]Source{p.Sources, s.Sources} { // the first one of the loop counts
			if same, ok := first(known, repeats); ok {
				src.DuplicateOf = same.Origin()
			}
		}
		if src.ID, src.Round = fmt.Sprintf("S%d", len(s.Sources)+len(p.Sources)+1), s.Round+1; src.SourceType == "" {
			keys, _ := src.keys()
			found, _ := at(s.Evidence, s.index.evidence, keys...) // the hit knows the type of a page that does not state its own
			src.SourceType = found.SourceType
		}
		if src.Authors == nil {
			src.Authors = []string{}
		}
		p.Sources = append(p.Sources, src)
	}
	for _, b := range bad {
		p.Visited = append(p.Visited, b.URL)
		if !s.IsBad(b.URL) {
			p.Bad = append(p.Bad, b)
		}
	}
	return p, nil
}
