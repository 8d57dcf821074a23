package loops

import (
	"context"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"github.com/citeloop/citeloop/fetch"
	"github.com/citeloop/citeloop/fetch/address"
	"github.com/citeloop/citeloop/fetch/extract/document"
	"github.com/citeloop/citeloop/internal/docid"
	"github.com/citeloop/citeloop/internal/sanitize"
	"github.com/citeloop/citeloop/loopstate"
)

// MaxPastedChars bounds a text that the user pastes, in code points. A long book has about 2 million.
const MaxPastedChars = 2_000_000

// PageOutcome is the result of one address.
type PageOutcome struct {
	loopstate.Source              // without an ID if it is not stored
	Status           fetch.Status // read, or why not
	Reason           string
	Text             string // the whole text, if read
	AccessRestricted bool   // restricted, but the user may be able to open it
	File             string // path of a file with the same lines on the user's machine, or ""
	missing          bool   // the address leads nowhere
}

// ReadInput is a request for the text of addresses. Without a loop, nothing is stored.
type ReadInput struct {
	Loop    string
	URLs    []string
	Text    string                        // pasted by the user, instead of fetching the one address
	Title   string                        // of Text
	Query   string                        // what the host looks for; the loop's question, if it has none
	Done    func(i int, page PageOutcome) // called when an address is done; may be nil
	atCheck bool                          // a check reads them: a link in its draft has to lead to them
}

// MaxURLs bounds the addresses of one call: about what 25 seconds can read politely.
const MaxURLs = 20

// checkURLs returns the addresses of a request, each once; relative links are looked for in the user's folders.
func (s *Service) checkURLs(in ReadInput) (out []string, err error) {
	if err := loopstate.CheckCount("addresses", len(in.URLs), MaxURLs); err != nil {
		return nil, err
	}
	for i, u := range in.URLs {
		subject := fmt.Sprintf("addresses[%d]", i)
		if in.Text == "" {
			u = s.inCorpus(u)
		}
		switch u = address.Redact(u); { // a password is neither used nor kept
		case u == "":
			return nil, &loopstate.Error{Code: loopstate.CodeNotAddress, Subject: subject}
		case len(u) > loopstate.MaxURLChars:
			return nil, &loopstate.Error{Code: loopstate.CodeTooLong, Subject: subject, Got: int64(len(u)), Limit: loopstate.MaxURLChars,
				Unit: "bytes"}
		case !slices.Contains(out, u):
			out = append(out, u)
		}
	}
	if len(out) == 0 && in.Text == "" {
		return nil, &loopstate.Error{Code: loopstate.CodeMissing, Subject: "address"}
	}
	return out, nil
}

func outcomeOf(asked string, p fetch.Page) PageOutcome {
	o := PageOutcome{Status: p.Status, Reason: p.Reason, AccessRestricted: p.AccessRestricted(), missing: p.Missing(),
		Source: loopstate.Source{
			URL: asked, FinalURL: p.FinalURL, Title: p.Title, Authors: p.Authors, Publisher: p.Publisher, Container: p.Container,
			DocStatus: p.DocStatus, PublishedAt: p.PublishedAt, DOI: p.DOI,
			SourceType: p.SourceType, ContentType: p.ContentType, Language: p.Language, Chars: p.Chars, Hidden: p.HiddenChars,
			Invisible: p.Invisible, FetchedAt: p.FetchedAt.UTC(), Via: p.Via,
			RobotsIgnored: p.RobotsIgnored, Pages: p.Pages, Furniture: p.Furniture, Capture: captureOf(p.Capture),
		}}
	if o.FinalURL == "" {
		o.FinalURL = asked
	}
	if o.Authors == nil {
		o.Authors = []string{}
	}
	o.identify(p)
	if p.Status == fetch.StatusRead {
		o.Text = p.Text
		o.SHA256 = loopstate.HashText([]byte(p.Text)).String()
		o.Flags = flagsOf(o.Source, p)
		if o.Title == "" {
			o.Title = o.FinalURL
		}
	}
	return o
}

// identify sets what is proven of a page's identity, and what it only claims.
func (o *PageOutcome) identify(p fetch.Page) {
	in := docid.Reading{Asked: o.URL, Final: o.FinalURL, Claimed: p.DOI, Proven: p.ProvenDOI}
	if o.Capture != nil {
		in.Redirects = o.Capture.Redirects
	}
	id := docid.Identify(in)
	o.Key, o.DOI, o.ClaimedDOI = id.Key, id.DOI, id.Claimed
	if o.DOI != "" && p.ProvenDOI != "" {
		o.DOIProof = p.ProvenBy
	}
	if o.SourceType == "" && strings.HasPrefix(o.Key, "doi:") {
		o.SourceType = document.TypeOfDOI(o.DOI)
	}
}

// ownKey sets the key of a page to that of its address, if the page is a source under other addresses only: a link in a draft has
// to lead to it.
func (o *PageOutcome) ownKey(st *loopstate.State) {
	_, direct := st.SourceByAddress(o.URL, "")
	if _, known := st.SourceByKey(o.Key); known && !direct {
		o.Key = docid.AddressKey(o.URL)
	}
}

// sameHost reports whether two sources come from one site, or one of them from no host.
func sameHost(a, b loopstate.Source) bool {
	return docid.SameSite(a.FinalURL, b.FinalURL) || docid.Host(a.FinalURL) == "" && docid.Host(b.FinalURL) == ""
}

// transient reports whether a later read may succeed, so that the address is not bad.
func transient(status fetch.Status) bool {
	return status == fetch.StatusTimeout || status == fetch.StatusError
}

// captureOf converts the capture of a page for the log.
func captureOf(c *fetch.Capture) *loopstate.Capture {
	if c == nil {
		return nil
	}
	return &loopstate.Capture{Status: c.Status, Redirects: c.Redirects, SHA256: hex.EncodeToString(c.SHA256[:]), Bytes: c.Bytes}
}

// Suspicious words of a text are flagged on its source and on claims that rest on them. They are not removed: a paper about
// prompt injection is a valid source.

// maxTextFlags bounds the phrases of one text with a flag.
const maxTextFlags = 8

const (
	// flagInvisible is the kind of a flag about removed characters that no reader sees.
	flagInvisible = "invisible_text"
	// flagHidden is the kind of a flag about removed elements that address a model.
	flagHidden = "hidden_text"
)

// flagsOf returns the flags of a page. A DOI that it states about itself without proof is one.
func flagsOf(src loopstate.Source, p fetch.Page) []string {
	flags := textFlags(src, p.Text)
	if p.HiddenOrders > 0 {
		flags = append(flags, fmt.Sprintf("%s: removed %d characters that the page hides; %d phrases of them address a model", flagHidden,
			p.HiddenChars, p.HiddenOrders))
	}
	if doi := loopstate.Shorten(src.ClaimedDOI, 100); doi != "" {
		flags = append(flags, fmt.Sprintf("%s: the page says that it is doi:%s; nothing proves it, fetch https://doi.org/%s for that "+
			"document",
			loopstate.FlagClaimed, doi, doi))
	}
	return flags
}

// textFlags returns the flags of words in a text or the title of its source that address a model, and of removed
// characters.
func textFlags(src loopstate.Source, text string) []string {
	flags := sanitize.InjectionFlags(sanitize.FindInjections(text), maxTextFlags)
	if places := sanitize.FindInjections(src.Title); len(places) > 0 {
		flags = append(flags, fmt.Sprintf("%s: %s in the title", sanitize.InjectionFlag, places[0].Kind))
	}
	if src.Invisible > 0 {
		flags = append(flags, fmt.Sprintf("%s: removed %d invisible characters from the text", flagInvisible, src.Invisible))
	}
	return flags
}

// suspicions returns the flags of a passage of a source: it has or touches words that address a model, or its source has such
// words elsewhere.
func (s *Service) suspicions(ctx context.Context, src loopstate.Source, start, end int) ([]string, error) {
	if !slices.ContainsFunc(src.Flags, func(flag string) bool { return strings.HasPrefix(flag, sanitize.InjectionFlag) }) {
		return nil, nil
	}
	text, err := s.text(ctx, src)
	if err != nil {
		return nil, err
	}
	if found := sanitize.InjectionsAt(text.String(), start, end); len(found) > 0 {
		return []string{fmt.Sprintf("%s: %s", sanitize.InjectionFlag, found[0].Kind)}, nil
	}
	return []string{sanitize.InjectionFlag + ": elsewhere in this source"}, nil
}
