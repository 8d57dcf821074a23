package textcheck

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"path/filepath"
	"strings"
	"time"

	"github.com/citeloop/citeloop/fetch"
	"github.com/citeloop/citeloop/internal/docid"
	"github.com/citeloop/citeloop/internal/verify"
	"github.com/citeloop/citeloop/loopstate"
)

// The statuses of a citation, besides those of fetch.
const (
	statusRead       = "read"
	statusNotRead    = "not_read"
	statusUnresolved = "unresolved"
)

// Where a text came from.
const (
	fromWeb    = "web"
	fromCorpus = "corpus"
	fromLoop   = "loop"
)

// Source is a cited address with the result of reading it.
type Source struct {
	ID         string     `json:"source_id"` // the loop's, or the address
	URL        string     `json:"url"`       // as first cited
	FinalURL   string     `json:"final_url,omitempty"`
	Status     string     `json:"status"` // as Citation.Status
	Reason     string     `json:"reason,omitempty"`
	From       string     `json:"from"` // web, corpus or loop; empty if it was not read
	Title      string     `json:"title"`
	SourceType string     `json:"source_type"`
	SHA256     string     `json:"sha256"` // of the text; empty if it was not read
	Chars      int        `json:"chars"`
	FetchedAt  *time.Time `json:"fetched_at"`      // null if it was not read
	Cited      int        `json:"cited"`           // number of sentences
	Saved      string     `json:"saved,omitempty"` // the file of the corpus that was read in place of the address: a page that somebody saved

	record  loopstate.Source
	text    *verify.Text
	address string // that is read, if it is not URL: file: and the path
	hidden  bool
	missing bool   // the address leads nowhere
	file    string // whose lines are those of the text: its path
}

func (s Source) read() bool { return s.Status == statusRead }

// fill sets the fields that are shown from the record of a source that was read.
func (s *Source) fill(record loopstate.Source, text string) {
	s.Status, s.record, s.text = statusRead, record, verify.NewText(text)
	s.FinalURL, s.Title, s.SourceType, s.SHA256, s.Chars, s.FetchedAt = record.FinalURL, record.Title, record.SourceType, record.SHA256, record.Chars, &record.FetchedAt
}

// take records the result of reading an address.
func (s *Source) take(p fetch.Page) {
	s.Status, s.Reason, s.FinalURL, s.missing = string(p.Status), p.Reason, p.FinalURL, p.Missing()
	if path := filePath(p.FinalURL); s.address != "" {
		s.FinalURL = s.URL
	} else if name := named(path, ""); path != "" && filepath.IsLocal(name) {
		s.FinalURL = name
	}
	if p.Status != fetch.StatusRead {
		s.From = ""
		return
	}
	id := docid.Identify(docid.Reading{Asked: p.URL, Final: p.FinalURL, Claimed: p.DOI, Proven: p.ProvenDOI})
	s.fill(loopstate.Source{ID: s.ID, Key: id.Key, DOI: id.DOI, ClaimedDOI: id.Claimed, URL: s.URL, FinalURL: s.FinalURL, Title: p.Title, Authors: p.Authors,
		Publisher: p.Publisher, Container: p.Container, DocStatus: p.DocStatus, Subject: p.Subject, Keywords: p.Keywords, PublishedAt: p.PublishedAt, SourceType: p.SourceType, ContentType: p.ContentType, Chars: p.Chars, Pages: p.Pages,
		SHA256: loopstate.HashText([]byte(p.Text)).String(), FetchedAt: p.FetchedAt.UTC()}, p.Text)
	if kind, _, _ := strings.Cut(p.ContentType, ";"); s.From == fromCorpus && (kind == "text/markdown" || kind == "text/plain") {
		s.file = cmp.Or(filePath(s.address), filePath(p.FinalURL))
	}
}

// collector collects the sources that drafts cite, each once.
type collector struct {
	loop    *Loop
	corpus  *Corpus
	linked  map[string]bool   // addresses of files that relative links lead to
	names   map[string]string // their names -> addresses
	sources []Source
	at      map[string]int // by id, and by canonical key
}

// nameOf returns the name of a cited file in results: a path, see [named]. A file: address that leads elsewhere stays.
func (c *collector) nameOf(address, draft string) string {
	name := named(filePath(address), draft)
	if other, taken := c.names[name]; !c.linked[address] && !filepath.IsLocal(name) || taken && other != address {
		return address
	}
	c.names[name] = address
	return name
}

// library returns what the citations of a draft can refer to.
func (c *collector) library(draft string) verify.Library {
	library := verify.Library{}
	if c.loop != nil {
		library = verify.LibraryOf(c.loop.state)
	}
	library.OnDemand = true
	library.Resolve = func(link string) string {
		address := fileAddress(c.corpus.linked(link, draft))
		c.linked[address] = true
		return address
	}
	return library
}

// find returns the index of the source that a citation names, or -1.
func (c *collector) find(cite verify.Citation) int {
	key := cite.SourceID
	if key == "" {
		key = docid.CanonicalKey(cite.URL, "")
	}
	for _, key := range []string{key, cite.URL} {
		if i, ok := c.at[key]; ok {
			return i
		}
	}
	return -1
}

// add registers the source of a citation in a draft, and returns its index, or -1 for a citation that leads to nothing. A file
// gets the name that the results show: its path, see [named].
func (c *collector) add(cite *verify.Citation, draft string) int {
	if cite.Problem != "" {
		return -1
	}
	address := ""
	if isFile(cite.URL) && cite.SourceID == "" {
		address = cite.URL
		cite.URL = c.nameOf(address, draft)
	}
	if i := c.find(*cite); i >= 0 {
		return i
	}
	src, key := Source{ID: cite.URL, URL: cite.URL, address: address, hidden: address != "" && c.corpus.hidden(filePath(address), draft)}, docid.CanonicalKey(cmp.Or(address, cite.URL), "")
	if cite.SourceID != "" {
		record, _ := c.loop.state.SourceByID(cite.SourceID)
		src, key = Source{ID: record.ID, URL: record.URL, From: fromLoop, record: record}, record.ID
	}
	c.at[key], c.at[src.ID] = len(c.sources), len(c.sources)
	c.sources = append(c.sources, src)
	return len(c.sources) - 1
}

// settle gives the citations of claims the ids of the sources that were read. An address without a page leads to nothing;
// one that could not be read stays without an id.
func (c *collector) settle(claims []verify.Claim) {
	for i := range claims {
		for j := range claims[i].Citations {
			cite := &claims[i].Citations[j]
			at := c.find(*cite)
			switch {
			case cite.Problem != "" || at < 0:
			case c.sources[at].read():
				cite.SourceID = c.sources[at].ID
			case c.sources[at].missing:
				cite.Problem = cite.URL + ": " + c.sources[at].Reason
			}
		}
	}
}

// texts returns the sources that were read, for checks.
func (c *collector) texts() map[string]verify.Source {
	var records []loopstate.Source
	for _, src := range c.sources {
		records = append(records, src.record)
	}
	origins, out := loopstate.OriginsOf(records), map[string]verify.Source{}
	for _, src := range c.sources {
		if src.read() {
			out[src.ID] = verify.Source{Source: src.record, Origin: origins[src.ID], Text: src.text}
		}
	}
	return out
}

// gather reads the sources: from the loop, from the corpus, and from the web, each address once.
func gather(ctx context.Context, sources []Source, cfg Config) error {
	var urls []string
	var at []int
	ask := func(i int, url, from string) {
		urls, at = append(urls, url), append(at, i)
		sources[i].From = from
	}
	for i := range sources {
		src := &sources[i]
		saved := cfg.Corpus.address(docid.CanonicalKey(src.URL, ""))
		if src.address != "" {
			saved = src.address
		}
		switch {
		case src.From == fromLoop:
			text, err := cfg.Loop.text(ctx, src.record.SHA256)
			if err != nil {
				return fmt.Errorf("the text of %s: %w", src.ID, err)
			}
			src.fill(src.record, text)
		case src.hidden:
			src.Status, src.Reason = string(fetch.StatusBlocked), "hidden files are read only inside corpus folders; name the folder with --corpus to allow it"
		case saved != "":
			ask(i, saved, fromCorpus)
			if strings.Contains(src.URL, "://") && !isFile(src.URL) { // not a file that the text links to
				src.Saved = fromWorking(filePath(saved), absolute("."))
			}
		case cfg.Offline:
			src.Status, src.Reason = statusNotRead, "not read: --offline"
		default:
			ask(i, src.URL, fromWeb)
		}
	}
	done := 0
	pages := cfg.Reader.ReadAll(ctx, urls, func(j int, p fetch.Page) {
		done++
		if cfg.Progress != nil {
			shown := sources[at[j]]
			shown.take(p)
			cfg.Progress(done, len(urls), shown, p.Took)
		}
	})
	if err := ctx.Err(); err != nil {
		return err
	}
	for j, p := range pages {
		sources[at[j]].take(p)
	}
	return nil
}

// Log reads the events and texts of loops; every loopstate.Store implements it.
type Log interface {
	Load(ctx context.Context, loop string, after int64) iter.Seq2[loopstate.Event, error]
	Blob(ctx context.Context, h loopstate.Hash) ([]byte, error)
}

// ErrNoLoop reports a loop that does not exist or has another owner.
var ErrNoLoop = errors.New("unknown loop")

// Loop gives the sources of a loop and their texts.
type Loop struct {
	log   Log
	state *loopstate.State
}

// OpenLoop reads the log of a loop of the owner. An unknown loop is ErrNoLoop.
func OpenLoop(ctx context.Context, log Log, loop, owner string) (*Loop, error) {
	l := &Loop{log: log}
	for e, err := range log.Load(ctx, loop, 0) {
		if err == nil {
			l.state, err = loopstate.Apply(l.state, e)
		}
		if err != nil {
			return nil, fmt.Errorf("reading loop %s: %w", loop, err)
		}
	}
	if l.state == nil || l.state.Owner != owner {
		return nil, ErrNoLoop
	}
	return l, nil
}

func (l *Loop) text(ctx context.Context, sha256 string) (string, error) {
	h, err := loopstate.ParseHash(sha256)
	if err != nil {
		return "", err
	}
	b, err := l.log.Blob(ctx, h)
	return string(b), err
}
