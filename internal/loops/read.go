package loops

import (
	"cmp"
	"context"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/citeloop/citeloop/fetch"
	"github.com/citeloop/citeloop/fetch/address"
	"github.com/citeloop/citeloop/fetch/extract/document"
	"github.com/citeloop/citeloop/internal/docid"
	"github.com/citeloop/citeloop/internal/sanitize"
	"github.com/citeloop/citeloop/internal/states"
	"github.com/citeloop/citeloop/loopstate"
)

// ReadInput is a request for the text of addresses. Without a loop, nothing is stored.
type ReadInput struct {
	Loop  string
	URLs  []string
	Text  string                        // pasted by the user, instead of fetching the one address
	Title string                        // of Text
	Done  func(i int, page PageOutcome) // called when an address is done; may be nil
	// Show returns which parts of each page's text the host will see, for the read ledger. Nil means whole texts. It is
	// called before the ids are known; the result of its last call counts.
	Show func(pages []PageOutcome) []loopstate.Spans
	// AskText asks the user for the text of the first restricted page, if Loop is set. It may be nil.
	AskText AskText
	Pasted  *PastedText // the user's text for a page of an earlier call; may be nil
	atCheck bool        // a check reads them, and shows nobody what it read
	Quiet   bool        // addresses that cannot be read leave no trace
	// Fetch reads the addresses that the loop has not read; nil means [Config.Reader].
	Fetch func(ctx context.Context, urls []string, each func(i int, p fetch.Page)) []fetch.Page
}

// PageOutcome is the result of one address.
type PageOutcome struct {
	loopstate.Source              // without an ID if it is not stored
	Status           fetch.Status // read, or why not
	Reason           string
	Text             string // the whole text, if read
	AccessRestricted bool   // restricted, but the user may be able to open it
	AskedFor         bool   // the user was asked for the text of this page
	File             string // path of a file with the same lines on the user's machine, or ""
	missing          bool   // the address leads nowhere
	body             []byte // the response, until it is stored
}

// MaxURLs bounds the addresses of one call: about what 25 seconds can read politely.
const MaxURLs = 20

// Read fetches addresses and, if in.Loop is set, stores each text as a source. It does not fetch an address again that the
// loop has already read. It waits at most [Config.ReadTime]; later pages are timeouts and can be requested again.
func (s *Service) Read(ctx context.Context, in ReadInput) ([]PageOutcome, error) {
	if in.Text == "" && len(in.URLs) <= MaxURLs {
		in.URLs = slices.Clone(in.URLs)
		for i, u := range in.URLs {
			in.URLs[i] = s.inCorpus(u)
		}
	}
	urls, err := checkURLs(in.URLs)
	if err != nil {
		return nil, err
	}
	if in.Text != "" {
		return s.paste(ctx, in, urls)
	}
	if len(urls) == 0 {
		return nil, &loopstate.Error{Code: loopstate.CodeMissing, Subject: "address"}
	}
	out := make([]PageOutcome, len(urls))
	todo, err := s.alreadyRead(ctx, in.Loop, urls, out)
	if err != nil {
		return nil, err
	}
	if in.Loop != "" && len(todo) > 0 { // before any request
		if err := s.checkSpace(ctx, "address", 0); err != nil {
			return nil, err
		}
	}
	s.lateLast(todo, urls)
	fresh := slices.Clone(todo)
	if h := in.Pasted; h != nil && slices.Contains(todo, h.At) {
		out[h.At] = s.pasted(cmp.Or(h.Title, urls[h.At]), h.Text, urls[h.At])
		todo = slices.DeleteFunc(todo, func(i int) bool { return i == h.At })
	}
	missing := make([]string, len(todo))
	for j, i := range todo {
		missing[j] = urls[i]
	}
	if in.Done != nil {
		for i := range out {
			if out[i].Status != "" {
				in.Done(i, out[i])
			}
		}
	}
	reading, cancel := context.WithTimeout(ctx, s.ReadTime)
	defer cancel()
	looks := s.newLooks(reading)
	read := in.Fetch
	if read == nil {
		read = s.Reader.ReadAll
	}
	if len(missing) > 0 {
		read(reading, missing, func(j int, p fetch.Page) {
			i := todo[j]
			out[i] = outcomeOf(missing[j], withReason(reading, p))
			out[i].AskedFor = out[i].AccessRestricted && s.questions.has(in.Loop, missing[j])
			s.noteLate(missing[j], transient(p.Status))
			if p.Status == fetch.StatusRead {
				looks.begin(out[i].Source)
			}
			if in.Done != nil {
				in.Done(i, out[i])
			}
		})
	}
	asked := s.askForText(ctx, in, out)
	timer := time.AfterFunc(lookTime, cancel)
	defer timer.Stop()
	for _, i := range todo {
		if found := looks.of(out[i].Source); found != nil && out[i].Status == fetch.StatusRead {
			out[i].SetStanding(found)
		}
	}
	if err := s.keep(ctx, in, out, fresh); err != nil {
		return out, err
	}
	return out, asked
}

func checkURLs(urls []string) ([]string, error) {
	if err := loopstate.CheckCount("addresses", len(urls), MaxURLs); err != nil {
		return nil, err
	}
	seen := map[string]bool{}
	var out []string
	for i, u := range urls {
		u = address.Redact(u) // a password is neither used nor kept
		if u == "" {
			return nil, &loopstate.Error{Code: loopstate.CodeNotAddress, Subject: fmt.Sprintf("addresses[%d]", i)}
		}
		if len(u) > loopstate.MaxURLChars {
			return nil, &loopstate.Error{Code: loopstate.CodeTooLong, Subject: fmt.Sprintf("addresses[%d]", i), Got: int64(len(u)), Limit: loopstate.MaxURLChars, Unit: "bytes"}
		}
		if !seen[u] {
			seen[u] = true
			out = append(out, u)
		}
	}
	return out, nil
}

// alreadyRead sets the outcomes of addresses that the loop has read, and returns the positions of the others.
func (s *Service) alreadyRead(ctx context.Context, loop string, urls []string, out []PageOutcome) (todo []int, err error) {
	known := make([]*loopstate.Source, len(urls))
	if loop != "" {
		err := s.view(ctx, loop, func(st *loopstate.State) error {
			for i, u := range urls {
				if src, ok := st.SourceByAddress(u, ""); ok {
					known[i] = &src
				} else if src, ok := st.SourceByID(u); ok { // named by its id
					known[i] = &src
				}
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	for i, src := range known {
		if src == nil {
			todo = append(todo, i)
			continue
		}
		text, err := s.text(ctx, *src)
		if err != nil {
			return nil, err
		}
		out[i] = PageOutcome{Source: *src, Status: fetch.StatusRead, Text: text}
	}
	return todo, nil
}

// Stored returns the stored text of an address. Its status is empty if the loop has not read it.
func (s *Service) Stored(ctx context.Context, loop, address string) (PageOutcome, error) {
	out := make([]PageOutcome, 1)
	_, err := s.alreadyRead(ctx, loop, []string{address}, out)
	return out[0], err
}

func outcomeOf(asked string, p fetch.Page) PageOutcome {
	o := PageOutcome{Status: p.Status, Reason: p.Reason, AccessRestricted: p.AccessRestricted(), missing: p.Missing(), Source: loopstate.Source{
		URL: asked, FinalURL: p.FinalURL, Title: p.Title, Authors: p.Authors, Publisher: p.Publisher, Container: p.Container, DocStatus: p.DocStatus, Subject: p.Subject, Keywords: p.Keywords, PublishedAt: p.PublishedAt, DOI: p.DOI,
		SourceType: p.SourceType, ContentType: p.ContentType, Language: p.Language, Chars: p.Chars, Hidden: p.HiddenChars, Invisible: p.Invisible, FetchedAt: p.FetchedAt.UTC(), Via: p.Via,
		RobotsIgnored: p.RobotsIgnored, Pages: p.Pages, Capture: captureOf(p.Capture),
	}}
	if p.Capture != nil {
		o.body = p.Capture.Body
	}
	if o.FinalURL == "" {
		o.FinalURL = asked
	}
	if o.Authors == nil {
		o.Authors = []string{}
	}
	o.identify(p)
	if p.Status == fetch.StatusRead {
		o.Text, o.TextBytes = p.Text, len(p.Text)
		o.SHA256 = loopstate.HashText([]byte(p.Text)).String()
		o.Flags = append(flagsOf(o.Source, p), claimFlags(o.Source)...)
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

// claimFlags returns a flag for the DOI that a page states about itself without proof.
func claimFlags(src loopstate.Source) []string {
	if src.ClaimedDOI == "" {
		return nil
	}
	return []string{fmt.Sprintf("%s: the page says that it is doi:%s; nothing proves it, fetch https://doi.org/%s for that document", loopstate.FlagClaimed, shorten(src.ClaimedDOI, 100), shorten(src.ClaimedDOI, 100))}
}

// keep appends the event of the texts that were read, with the texts and what is shown of them, and sets their ids.
func (s *Service) keep(ctx context.Context, in ReadInput, out []PageOutcome, fresh []int) error {
	show := in.Show
	switch {
	case in.atCheck:
		show = Unseen
	case show == nil:
		show = wholeTexts
	}
	spans := show(out)
	if in.Loop == "" {
		return nil
	}
	// Keep the texts even if the caller has cancelled: another call will need them.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), states.WriteTimeout)
	defer cancel()
	subject := "address"
	if in.Text != "" {
		subject = "text"
	}
	if err := s.checkTextSpace(ctx, subject, out, fresh); err != nil {
		return err
	}
	var sources []loopstate.Source
	var texts []string
	kept := map[string][]byte{} // texts and bodies by sha256
	var bad []loopstate.BadURL
	var from []int // positions of the sources in out
	for _, i := range fresh {
		o := &out[i]
		if o.Status != fetch.StatusRead {
			if !transient(o.Status) && !in.Quiet {
				bad = append(bad, loopstate.BadURL{URL: o.URL, Reason: string(o.Status) + ": " + o.Reason, AtCheck: in.atCheck})
			}
			continue
		}
		kept[o.SHA256] = []byte(o.Text)
		if o.body != nil {
			capture := *o.Capture
			capture.Kept = true
			o.Capture = &capture
			kept[capture.SHA256] = o.body
		}
		o.AtCheck = in.atCheck
		from = append(from, i)
		sources, texts = append(sources, o.Source), append(texts, o.Text)
	}
	err := s.change(ctx, in.Loop, "", func(st *loopstate.State) (loopstate.Payload, error) {
		if len(fresh) == 0 {
			return shownEvent(st, shownOf(st, nil, out, spans)), nil
		}
		if changed, err := s.useStoredTexts(ctx, st, out, fresh); err != nil {
			return nil, err
		} else if changed {
			spans = show(out)
		}
		for j, i := range from {
			if in.atCheck {
				out[i].ownKey(st)
			}
			sources[j].Key = out[i].Key
		}
		if err := s.nearSources(ctx, st, sources, texts); err != nil {
			return nil, err
		}
		p, err := st.Read(sources, bad)
		if err != nil {
			return nil, err
		}
		if len(p.Sources) == 0 && len(p.Bad) == 0 {
			return shownEvent(st, shownOf(st, nil, out, spans)), nil
		}
		p.Shown = st.Unrecorded(shownOf(st, p.Sources, out, spans))
		var named [][]byte
		for _, src := range p.Sources {
			named = append(named, kept[src.SHA256])
			if src.Capture != nil && src.Capture.Kept {
				named = append(named, kept[src.Capture.SHA256])
			}
		}
		return states.WithTexts{Payload: p, Texts: named}, nil
	}, func(st *loopstate.State, _ loopstate.Event) error {
		for _, i := range fresh {
			if out[i].Status != fetch.StatusRead {
				continue
			}
			src, ok := st.SourceByKey(out[i].Key)
			if !ok {
				return fmt.Errorf("loops: source %s is not in loop %s after it was kept", out[i].Key, in.Loop)
			}
			out[i].Source, out[i].body = src, nil
		}
		return nil
	})
	if err != nil {
		return err
	}
	s.nameFiles(ctx, in.Loop, out)
	return nil
}

// useStoredTexts replaces the text of a page by the one that the loop already has, or got from an earlier address of this call,
// under the same key and from the same host. Texts of two hosts under one key are both kept, the second one under its address.
// It reports whether it replaced any.
func (s *Service) useStoredTexts(ctx context.Context, st *loopstate.State, out []PageOutcome, fresh []int) (changed bool, err error) {
	first := map[string]int{} // canonical key -> position of the first page with it
	for _, i := range fresh {
		o := &out[i]
		if o.Status != fetch.StatusRead {
			continue
		}
		if src, ok := st.SourceByKey(o.Key); ok {
			if src.SHA256 == o.SHA256 {
				continue
			}
			if !sameHost(src, o.Source) { // both are kept
				o.Key = docid.AddressKey(o.FinalURL)
				if src, ok = st.SourceByKey(o.Key); !ok || src.SHA256 == o.SHA256 {
					continue
				}
			}
			if o.Text, err = s.text(ctx, src); err != nil {
				return changed, err
			}
			o.Source, changed = src, true
		} else if before, ok := first[o.Key]; !ok {
			first[o.Key] = i
		} else if out[before].SHA256 != o.SHA256 && !sameHost(out[before].Source, o.Source) {
			o.Key = docid.AddressKey(o.FinalURL)
		} else if out[before].SHA256 != o.SHA256 {
			o.Text, o.Source, changed = out[before].Text, out[before].Source, true
		}
	}
	return changed, nil
}

// ownKey sets the key of a page to that of its address, if the page is a source under other addresses only: a link in a draft has
// to lead to it.
func (o *PageOutcome) ownKey(st *loopstate.State) {
	if _, ok := st.SourceByAddress(o.URL, ""); ok {
		return
	}
	if _, ok := st.SourceByKey(o.Key); ok {
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

// paste stores a text that the user pasted.
func (s *Service) paste(ctx context.Context, in ReadInput, urls []string) ([]PageOutcome, error) {
	text := strings.TrimSpace(in.Text)
	chars := utf8.RuneCountInString(text)
	switch {
	case len(urls) > 1:
		return nil, &loopstate.Error{Code: loopstate.CodeTooMany, Subject: "pasted addresses", Got: int64(len(urls)), Limit: 1}
	case !utf8.ValidString(text):
		return nil, &loopstate.Error{Code: loopstate.CodeNotText, Subject: "text"}
	case chars > MaxPastedChars:
		return nil, tooLong("text", chars, MaxPastedChars)
	case strings.TrimSpace(in.Title) == "":
		return nil, &loopstate.Error{Code: loopstate.CodeEmpty, Subject: "title"}
	}
	at := ""
	if len(urls) == 1 {
		at = urls[0]
	}
	out := []PageOutcome{s.pasted(in.Title, text, at)}
	if out[0].Status != fetch.StatusRead {
		return out, nil
	}
	return out, s.keep(ctx, in, out, []int{0})
}

// pasted returns a pasted text, without invisible characters, as the outcome of an address, which may be empty.
func (s *Service) pasted(title, text, address string) PageOutcome {
	invisible := sanitize.CountInvisible(title + "\n" + text)
	title, text = sanitize.Line(title), strings.TrimSpace(sanitize.Visible(text))
	chars := utf8.RuneCountInString(text)
	hash := loopstate.HashText([]byte(text)).String()
	src := loopstate.Source{Title: title, Authors: []string{}, ContentType: "text/plain", Chars: chars, Invisible: invisible, TextBytes: len(text), SHA256: hash, FetchedAt: s.Now().UTC().Truncate(time.Second), Pasted: true}
	src.Flags = textFlags(src, text)
	if address != "" {
		src.URL = address
		src.Key = docid.CanonicalKey(src.URL, "")
	} else {
		src.URL = "urn:sha256:" + hash
		src.Key = src.URL
	}
	src.FinalURL = src.URL
	o := PageOutcome{Source: src, Status: fetch.StatusRead, Text: text}
	if chars < loopstate.MinSourceChars {
		o.Status, o.Text, o.SHA256 = fetch.StatusTooShort, "", ""
		o.Reason = fmt.Sprintf("the pasted text has %d characters; under %d it is not a source", chars, loopstate.MinSourceChars)
	}
	return o
}

// text returns the stored text of a source.
func (s *Service) text(ctx context.Context, src loopstate.Source) (string, error) {
	return s.storedText(ctx, "text of source "+src.ID, src.SHA256)
}

// captureOf converts the capture of a page for the log.
func captureOf(c *fetch.Capture) *loopstate.Capture {
	if c == nil {
		return nil
	}
	return &loopstate.Capture{Status: c.Status, Header: c.Header, Accept: c.Accept, Redirects: c.Redirects,
		SHA256: hex.EncodeToString(c.SHA256[:]), Bytes: c.Bytes}
}
