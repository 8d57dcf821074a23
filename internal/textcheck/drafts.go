package textcheck

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/citeloop/citeloop/fetch"
	"github.com/citeloop/citeloop/internal/sanitize"
	"github.com/citeloop/citeloop/internal/text/draft"
	"github.com/citeloop/citeloop/internal/text/lines"
	"github.com/citeloop/citeloop/internal/verify"
	"github.com/citeloop/citeloop/internal/verify/reader"
	"github.com/citeloop/citeloop/loopstate"
)

// Draft is a cited text in Markdown, under the name that findings show. Relative links lead from the folder of that name.
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
	Loop      *Loop            // its stored texts are used first; may be nil
	Corpus    *Corpus          // then the files of folders; may be nil
	Offline   bool             // read file: addresses only
	Review    *Review          // who reads the claims beside their texts; nil = nobody
	ReadAll   bool             // all claims of a long text, not a sample
	Locks     map[string]*Lock // earlier readings by the name of a draft, which new ones are added to; may be nil
	Threshold float64          // share of supported sentences, of those that were read, that passes; 0 = any
	FailOn    []Kind           // findings that make a draft fail
	Suppress  []Suppression    // findings that are accepted
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

// parsed is a draft with its claims.
type parsed struct {
	verify.Statements
	name, text string
	lock       *Lock
	lines      *lines.Text
	listed     []listedTitle
	plan       reader.Plan
}

// listedTitle is an entry of a reference list with the address that it names.
type listedTitle struct {
	draft.Reference
	cite verify.Citation
}

// Drafts reads each cited address once and checks every sentence that makes a claim against the texts that it cites. The
// error is that of ctx or of the store of cfg.Loop, or a *TooManyError. An unreadable address is not an error.
func Drafts(ctx context.Context, drafts []Draft, cfg Config) (*Result, error) {
	c := collector{loop: cfg.Loop, corpus: cfg.Corpus, linked: map[string]bool{}, names: map[string]string{}, at: map[string]int{}}
	r := &Result{Threshold: cfg.Threshold, FailOn: orEmpty(slices.Clone(cfg.FailOn)), GeneratedAt: cfg.Now().UTC(), Generator: cfg.Generator,
		Files: []FileVerdict{}, Claims: []Claim{}, Uncited: []Sentence{}, Hallucinated: []DeadCitation{}, Conflicts: []Conflict{}, Mistitled: []WrongTitle{}, Suppressed: []Suppressed{}, Suppressions: begin(cfg.Suppress, cfg.Now())}
	for _, d := range drafts {
		p := c.collect(d)
		p.lock = cfg.Locks[d.Name]
		r.drafts = append(r.drafts, p)
	}
	if len(c.sources) > maxAddresses {
		return nil, &TooManyError{len(c.sources), maxAddresses}
	}
	if err := gather(ctx, c.sources, cfg); err != nil {
		return nil, err
	}
	r.Sources = orEmpty(c.sources)
	texts := c.texts()
	v := reviewing{by: cfg.Review, all: cfg.ReadAll, loop: cfg.Loop, source: func(id string) (verify.Source, error) { return texts[id], nil }, read: slices.Sorted(maps.Keys(texts))}
	for _, d := range r.drafts {
		c.settle(d.Claims)
		if err := verify.Check(ctx, d.Claims, texts); err != nil {
			return nil, err
		}
		if err := verify.Misattributed(d.Claims, func() (map[string]verify.Source, error) { return texts, nil }); err != nil {
			return nil, err
		}
		v.texts, v.lock = append(v.texts, pointers(d.Claims)), append(v.lock, d.lock)
	}
	if err := v.run(ctx); err != nil {
		return nil, err
	}
	if cfg.Review != nil || v.summary.Known > 0 {
		r.Review = &v.summary
	}
	for i := range r.drafts {
		if d := &r.drafts[i]; d.lock != nil {
			d.lock.keep(d.name, d.Claims, v.looks, texts)
		}
		r.report(i, &c)
		r.drafts[i].plan = planOf(pointers(r.drafts[i].Claims), cfg.ReadAll)
	}
	r.judge()
	return r, nil
}

func pointers(claims []verify.Claim) []*verify.Claim {
	out := make([]*verify.Claim, len(claims))
	for i := range claims {
		out[i] = &claims[i]
	}
	return out
}

// collect parses a draft and registers the sources that it cites.
func (c *collector) collect(d Draft) parsed {
	in, library := draft.Parse(d.Text), c.library(d.Name)
	p := parsed{Statements: library.Read(in), name: d.Name, text: d.Text, lines: lines.New(d.Text)}
	for i := range p.Claims {
		counted := map[int]bool{}
		for j := range p.Claims[i].Citations {
			at := c.add(&p.Claims[i].Citations[j], d.Name)
			if at >= 0 && !counted[at] && !p.Claims[i].Covered {
				counted[at] = true
				c.sources[at].Cited++
			}
		}
	}
	for _, ref := range in.References {
		if ref.URL == "" {
			continue
		}
		cite := []verify.Claim{{Citations: []verify.Citation{{URL: ref.URL}}}}
		library.Follow(cite)
		at := cite[0].Citations[0]
		if isFile(at.URL) && at.SourceID == "" {
			at.URL = c.nameOf(at.URL, d.Name)
		}
		p.listed = append(p.listed, listedTitle{ref, at})
	}
	return p
}

// report records what was found in a draft.
func (r *Result) report(n int, c *collector) {
	d := &r.drafts[n]
	for i := range d.Claims {
		r.unread(&d.Claims[i], c)
	}
	var uncovered []verify.Claim
	d.Claims, uncovered = verify.Split(d.Claims)
	d.Uncited = append(d.Uncited, uncovered...)
	slices.SortStableFunc(d.Uncited, func(a, b verify.Claim) int { return cmp.Compare(a.Sentence.Start, b.Sentence.Start) })
	for _, u := range d.Uncited {
		r.Uncited = append(r.Uncited, Sentence{Text: u.Text, Place: d.placeOf(u), of: u, draft: n})
	}
	for _, claim := range d.Claims {
		r.Claims = append(r.Claims, r.claim(n, claim, c))
	}
	for _, x := range d.Strays {
		r.Hallucinated = append(r.Hallucinated, DeadCitation{Claim: sanitize.Short(x.Claim, maxDeadClaim), Citation: x.Written(), Why: x.Problem, Place: d.place(x.Start, x.End), draft: n, stray: true})
	}
	for _, x := range verify.Conflicts(d.Claims) {
		r.Conflicts = append(r.Conflicts, Conflict{ValueA: x.ValueA, ValueB: x.ValueB, Because: x.Because, Place: d.placeOf(d.Claims[x.B]), draft: n, claim: d.Claims[x.B].Text})
	}
	for _, entry := range d.listed {
		if i := c.find(entry.cite); i >= 0 && c.sources[i].read() && !entry.SameTitle(c.sources[i].Title) {
			r.Mistitled = append(r.Mistitled, WrongTitle{URL: entry.URL, Listed: entry.Title, Title: c.sources[i].Title, Place: d.line(entry.Line), draft: n})
		}
	}
	slices.SortStableFunc(r.Hallucinated, func(a, b DeadCitation) int {
		return placeOrder(a.draft, a.Place, b.draft, b.Place)
	})
}

// unread is [TakeFromReader] with the sources of a run.
func (r *Result) unread(claim *verify.Claim, c *collector) {
	TakeFromReader(claim, func(cite verify.Citation) string {
		if at := c.find(cite); at >= 0 && !c.sources[at].read() {
			return cmp.Or(c.sources[at].Reason, c.sources[at].Status)
		}
		return ""
	})
}

// TakeFromReader takes a claim from the reader while a cited text that may say it could not be read. why returns the reason for a
// citation, and "" for one whose text was read.
func TakeFromReader(claim *verify.Claim, why func(verify.Citation) string) {
	var missing []string
	reason := ""
	for _, cite := range claim.Citations {
		if cite.Problem != "" || slices.Contains(missing, cite.URL) {
			continue
		}
		if because := why(cite); because != "" {
			missing, reason = append(missing, cite.URL), because
		}
	}
	if len(missing) == 0 || claim.Status == loopstate.Grounded || claim.Contradicted() {
		return
	}
	claim.Because = "No cited source could be read: " + reason + "."
	if others := "nobody has read the other texts yet."; len(claim.SourceIDs()) > 0 {
		if !claim.Pending() {
			others = "the other texts do not say it."
		}
		claim.Because = strings.Join(missing, ", ") + " could not be read (" + reason + "), and " + others
	}
	if !claim.Pending() {
		claim.Status, claim.Key, claim.Reading = loopstate.Inferred, "", nil
		claim.Flags = slices.DeleteFunc(claim.Flags, func(f string) bool { return strings.HasPrefix(f, verify.FlagQuoteAbsent) })
	}
}

// maxDeadClaim is how much of its sentence a dead citation has, in code points: one sentence can have thousands of them.
const maxDeadClaim = 300

func (r *Result) claim(n int, claim verify.Claim, c *collector) Claim {
	d := r.drafts[n]
	out := Claim{Claim: claim.Text, Place: d.placeOf(claim), Outcome: outcomeOf(claim, r.Sources), of: claim, draft: n}
	for _, from := range claim.Citations {
		cite := Citation{Marker: from.Raw, URL: from.URL, Lines: from.Lines.String(), Status: statusUnresolved, Reason: from.Problem, of: from, source: c.find(from)}
		if cite.source >= 0 {
			cite.Status, cite.Reason = c.sources[cite.source].Status, cmp.Or(from.Problem, c.sources[cite.source].Reason)
		}
		if from.Problem != "" && !claim.Covered {
			r.Hallucinated = append(r.Hallucinated, DeadCitation{Claim: sanitize.Short(claim.Text, maxDeadClaim), Citation: from.Written(), Why: from.Problem, Place: d.place(from.Start, from.End), draft: n})
		}
		out.Citations = append(out.Citations, cite)
	}
	return out
}

// Place is a range in a file. Lines and columns count from 1, columns in code points. The end is exclusive.
type Place struct {
	File      string `json:"file"`
	Line      int    `json:"line"`
	Column    int    `json:"column"`
	EndLine   int    `json:"end_line"`
	EndColumn int    `json:"end_column"`
}

func (d *parsed) place(start, end int) Place {
	out := Place{File: d.name}
	out.Line, out.Column = d.at(start)
	out.EndLine, out.EndColumn = d.at(end)
	return out
}

func (d *parsed) placeOf(c verify.Claim) Place {
	start, end := c.Span()
	return d.place(start, end)
}

// line returns the place of a whole line.
func (d *parsed) line(n int) Place {
	start, end, _ := d.lines.Span(lines.Range{First: n, Last: n})
	return d.place(start, end)
}

// at returns line and column of a code point.
func (d *parsed) at(offset int) (line, column int) {
	if offset >= utf8.RuneCountInString(d.text) && strings.HasSuffix(d.text, "\n") {
		return d.lines.Len() + 1, 1 // behind the last line break
	}
	line = max(1, d.lines.At(offset))
	start, _, _ := d.lines.Span(lines.Range{First: line, Last: line})
	return line, offset - start + 1
}

func orEmpty[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}
