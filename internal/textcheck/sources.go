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
	s.Status, s.record, s.text = statusRead, record, verify.NewPage(text, record.Furniture)
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
		Publisher: p.Publisher, Container: p.Container, DocStatus: p.DocStatus, Subject: p.Subject, Keywords: p.Keywords, PublishedAt: p.PublishedAt, SourceType: p.SourceType, ContentType: p.ContentType, Chars: p.Chars, Pages: p.Pages, Furniture: p.Furniture,
		SHA256: loopstate.HashText([]byte(p.Text)).String(), FetchedAt: p.FetchedAt.UTC()}, p.Text)
	if kind, _, _ := strings.Cut(p.ContentType, ";"); s.From == fromCorpus && (kind == "text/markdown" || kind == "text/plain") {
		s.file = cmp.Or(filePath(s.address), filePath(p.FinalURL))
	}
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
	st, err := loopstate.Fold(nil, log.Load(ctx, loop, 0))
	if err != nil {
		return nil, fmt.Errorf("reading loop %s: %w", loop, err)
	}
	if st == nil || st.Owner != owner {
		return nil, ErrNoLoop
	}
	st.Abort = "" // in this copy: a loop that was ended reads nothing more, but this check does
	return &Loop{log, st}, nil
}

func (l *Loop) text(ctx context.Context, sha256 string) (string, error) {
	h, err := loopstate.ParseHash(sha256)
	if err != nil {
		return "", err
	}
	b, err := l.log.Blob(ctx, h)
	return string(b), err
}
