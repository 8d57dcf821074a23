package textcheck

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/citeloop/citeloop/fetch"
	"github.com/citeloop/citeloop/internal/grounding"
)

// Draft is a cited text in Markdown, under the name that findings show.
type Draft struct{ Name, Text string }

// Limits of one run (chosen).
const (
	// MaxDraftBytes bounds one draft: a long book has about 2 MB.
	MaxDraftBytes = 16 << 20
	// maxAddresses bounds the pages that one run reads.
	maxAddresses = 2000
)

// Reader reads addresses; *fetch.Reader is one.
type Reader interface {
	ReadAll(ctx context.Context, urls []string, each func(i int, p fetch.Page)) []fetch.Page
}

// Config says how drafts are checked. Reader, Now and Generator are required.
type Config struct {
	Reader    Reader
	Loop      *Loop   // its stored texts are used first; may be nil
	Corpus    *Corpus // then the files of folders; may be nil
	Offline   bool    // read file: addresses only
	Review    *Review // reviews claims that wording does not decide; may be nil
	Threshold float64 // share of grounded sentences that passes; 0 = any
	FailOn    []Kind  // findings that make a draft fail
	Now       func() time.Time
	Generator string // "citeloop 0.1.0"
	// Progress is called after every address that was read, by one goroutine at a time; may be nil.
	Progress func(done, of int, s Source, took time.Duration)
}

// TooManyError reports more cited addresses than one run reads.
type TooManyError struct{ Cited, Most int }

func (e *TooManyError) Error() string {
	return fmt.Sprintf("too many cited addresses: %d, at most %d in one run; check fewer files at once", e.Cited, e.Most)
}

// Drafts reads each cited address once and checks every sentence that makes a claim against the texts that it cites. The
// error is that of ctx or of the store of cfg.Loop, or a *TooManyError. An unreadable address is not an error.
func Drafts(ctx context.Context, drafts []Draft, cfg Config) (*Result, error) {
	c := collector{loop: cfg.Loop, byKey: map[string]int{}}
	for _, d := range drafts {
		c.collect(d)
	}
	if len(c.sources) > maxAddresses {
		return nil, &TooManyError{len(c.sources), maxAddresses}
	}
	if err := gather(ctx, c.sources, cfg); err != nil {
		return nil, err
	}
	r := &Result{Threshold: cfg.Threshold, FailOn: slices.Clone(cfg.FailOn), GeneratedAt: cfg.Now().UTC(), Generator: cfg.Generator,
		Uncited: c.uncited, Hallucinated: c.dead, Sources: c.sources, drafts: c.drafts}
	if err := r.check(ctx, c.claims, cfg.Review); err != nil {
		return nil, err
	}
	r.mistitled(c.listed)
	r.computeVerdicts()
	r.fill()
	return r, nil
}

// fill replaces nil lists, so that the JSON has no null lists.
func (r *Result) fill() {
	r.Claims, r.Uncited, r.Hallucinated = orEmpty(r.Claims), orEmpty(r.Uncited), orEmpty(r.Hallucinated)
	r.Mistitled = orEmpty(r.Mistitled)
	r.Conflicts, r.Sources, r.Files, r.FailOn = orEmpty(r.Conflicts), orEmpty(r.Sources), orEmpty(r.Files), orEmpty(r.FailOn)
	for i := range r.Claims {
		c := &r.Claims[i]
		c.Missing, c.Flags, c.Citations, c.Differences = orEmpty(c.Missing), orEmpty(c.Flags), orEmpty(c.Citations), orEmpty(c.Differences)
	}
}

func orEmpty[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

// parsed is a parsed draft.
type parsed struct {
	name   string
	text   []rune
	places places
	draft  grounding.Draft
}

// parse parses a draft. The parser knows web addresses only, so file addresses are replaced by web addresses without a
// host, which have the same length and cannot occur, and are restored afterwards.
func parse(d Draft) parsed {
	p := parsed{name: d.Name, text: []rune(d.Text), draft: grounding.ParseDraft(strings.ReplaceAll(d.Text, fileScheme, hostless))}
	p.places = placesOf(p.text)
	if !strings.Contains(d.Text, fileScheme) {
		return p
	}
	back := func(marks []grounding.Marker) {
		for i := range marks {
			marks[i].Target = strings.ReplaceAll(marks[i].Target, hostless, fileScheme)
			marks[i].Raw = string(p.text[marks[i].Start:marks[i].End])
		}
	}
	back(p.draft.Strays)
	for i := range p.draft.Sentences {
		s := &p.draft.Sentences[i]
		s.Text = strings.ReplaceAll(s.Text, hostless, fileScheme)
		back(s.Markers)
	}
	for i := range p.draft.References {
		ref := &p.draft.References[i]
		ref.URL = strings.ReplaceAll(ref.URL, hostless, fileScheme)
		ref.Title = strings.ReplaceAll(ref.Title, hostless, fileScheme)
	}
	return p
}

const fileScheme, hostless = "file:///", "http:///"
