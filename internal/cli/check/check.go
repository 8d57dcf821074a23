package check

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/citeloop/citeloop/internal/cli/console"
	"github.com/citeloop/citeloop/internal/loops"
	"github.com/citeloop/citeloop/internal/outcome"
	"github.com/citeloop/citeloop/internal/sanitize"
	"github.com/citeloop/citeloop/internal/text/lines"
	"github.com/citeloop/citeloop/internal/verify"
	"github.com/citeloop/citeloop/loopstate"
)

// maxAddresses bounds the cited addresses that are read for one text (chosen).
const maxAddresses = 2000

// generator is named in results.
const generator = "citeloop " + console.Version

// Draft is a cited text in Markdown, under the name that findings show. Relative links lead from the folder of that name.
type Draft struct{ Name, Text string }

// Result is the result of checking drafts.
type Result struct {
	Verdict      string // of the worst draft
	Groundedness float64
	Threshold    float64
	FailOn       []Kind
	Files        []*File
	Notes        []string // about the whole check: who read, how many readings are new
	GeneratedAt  time.Time

	unread []string // drafts that are no text
}

// File is a checked draft.
type File struct {
	Draft
	verify.Result
	Verdict  string // by the findings that fail
	Findings []Finding
	Counts   map[Kind]int

	lines *lines.Text
	chars int // of the text
}

// check checks drafts, one after the other. The error is that of ctx or of a reader. An address that cannot be read is no error.
func (run *verifyRun) check(ctx context.Context, drafts []Draft) (*Result, error) {
	r := &Result{Verdict: outcome.Pass, Threshold: verify.DefaultThreshold, FailOn: run.kinds,
		GeneratedAt: time.Now().UTC().Truncate(time.Second)}
	for _, d := range drafts {
		if len(drafts) > 1 && (!utf8.ValidString(d.Text) || strings.Contains(d.Text, "\x00")) { // the others are checked all the same
			r.unread = append(r.unread, sanitize.Line(d.Name)+" is not checked: it is no text in UTF-8")
			continue
		}
		f, fresh, err := run.checked(ctx, d)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", sanitize.Line(d.Name), err)
		}
		r.Files = append(r.Files, f)
		if len(fresh) > 0 {
			who := strings.Join(slices.Compact(slices.Sorted(slices.Values(fresh))), ", ")
			r.Notes = append(r.Notes, fmt.Sprintf("%s: %d readings are new in this change, by %s (says the lock)",
				sanitize.Line(f.Name), len(fresh), sanitize.Short(who, addressChars)))
		}
	}
	if run.reviewer != nil {
		r.Notes = append(r.Notes, run.reviewer.notes...)
	}
	r.Notes = append(r.Notes, r.unread...)
	r.judge()
	return r, nil
}

// checked checks one draft: a second time after somebody has read what waits. fresh has who wrote the readings that the base of the lock
// lacks.
func (run *verifyRun) checked(ctx context.Context, d Draft) (f *File, fresh []string, err error) {
	f = &File{Draft: d, lines: lines.New(d.Text), chars: utf8.RuneCountInString(d.Text)}
	if strings.TrimSpace(d.Text) == "" {
		return f, nil, nil
	}
	lock, found, authors := run.lockOf(d), readings{}, map[string]string{} // authors of new readings, by key
	maps.Copy(found, run.known)
	in := loops.VerifyInput{Draft: d.Text, Scratch: true, Threshold: verify.DefaultThreshold, Resolve: run.pages.linksOf(d.Name)}
	in.Known = func(c verify.Claim) (loopstate.Reading, bool) {
		if reading, ok := found[c.Key]; ok {
			delete(authors, c.Key)
			return reading, true
		}
		reading, isNew, ok := lock.reading(d.Name, c)
		if ok && isNew {
			authors[c.Key] = cmp.Or(strings.TrimSuffix(reading.Reader.String(), ", says the lock"), "nobody named")
		}
		return reading, ok && (!isNew || run.trustNew)
	}
	if f.Result, err = run.svc.Verify(ctx, in); err != nil {
		return nil, nil, err
	}
	if run.reviewer != nil && len(f.Pending) > 0 {
		ours, err := run.reviewer.read(ctx, d, in)
		if err != nil {
			return nil, nil, err
		}
		if maps.Copy(found, ours); len(ours) > 0 {
			if f.Result, err = run.svc.Verify(ctx, in); err != nil {
				return nil, nil, err
			}
		}
	}
	for _, c := range f.Claims {
		if who, ok := authors[c.Key]; ok {
			fresh = append(fresh, who)
		}
	}
	uncovered := slices.DeleteFunc(slices.Clone(f.Uncited), func(c verify.Claim) bool { return !c.Uncovered() })
	lock.keep(d.Name, slices.Concat(f.Claims, uncovered))
	return f, fresh, nil
}

// next says what waits, and the one command that goes on with the files; "" if nothing waits.
func (r *Result) next(files string, offline bool) string {
	var waits verify.Counts
	pending, unread := 0, 0
	for _, f := range r.Files {
		pending, unread = pending+len(f.Pending), unread+f.Unread()
	}
	switch {
	case pending > 0:
		waits.Add(pending, "sentence is not read yet; to read it", "sentences are not read yet; to read them")
		files = "--read " + files
	case r.Verdict != outcome.Undecided:
		return ""
	case unread > 0 && offline:
		waits.Add(unread, "cited source was not read offline; to read it", "cited sources were not read offline; to read them")
	case unread > 0:
		waits.Add(unread, "cited source could not be read; save it as a file and cite that, then",
			"cited sources could not be read; save them as files and cite those, then")
	default:
		waits = verify.Counts{"no sentence cites a source; to see what is no claim, and why"}
		files = "--all " + files
	}
	return waits[0] + ": citeloop verify " + files
}

// judge finds the findings and sets the verdicts. A text without claims says nothing about the others.
func (r *Result) judge() {
	read, supported, checked := 0, 0, false
	for _, f := range r.Files {
		f.find(r.FailOn)
		read, supported = read+f.Tally.Read(), supported+f.Tally.Supported
		if f.Verdict = f.judged(r.Threshold); f.Tally.Total() > 0 || f.Verdict == outcome.Fail {
			r.Verdict, checked = outcome.Worse(r.Verdict, f.Verdict), true
		}
	}
	if !checked || len(r.unread) > 0 && r.Verdict == outcome.Pass {
		r.Verdict = outcome.Undecided
	}
	r.Groundedness = verify.Tally{Supported: supported, NotStated: read - supported}.Groundedness()
}

// judged fails for a finding that fails, or if too few of the claims that were read are supported. It is undecided while claims are not
// read, and without claims.
func (f *File) judged(threshold float64) string {
	if slices.ContainsFunc(f.Findings, func(x Finding) bool { return x.Fails }) {
		return outcome.Fail
	}
	t := f.Tally
	t.NotStated, t.Contradicted = t.NotStated+t.Contradicted, 0 // what the caller does not fail on
	t.BadQuotes, t.Dead, t.Uncited = 0, 0, 0
	switch verdict := t.Verdict(threshold, len(f.Pending)+t.NotChecked, 0); {
	case t.Total() == 0 || verdict == verify.Review || verdict == verify.Pass && f.Unread() > 0:
		return outcome.Undecided
	default:
		return verdict
	}
}

// Place is a range in a file. Lines and columns count from 1, columns in code points. The end is exclusive.
type Place struct {
	File      string `json:"file"`
	Line      int    `json:"line"`
	Column    int    `json:"column"`
	EndLine   int    `json:"end_line"`
	EndColumn int    `json:"end_column"`
}

func (f *File) place(start, end int) Place {
	at := func(offset int) (line, column int) {
		if strings.HasSuffix(f.Text, "\n") && offset >= f.chars {
			return f.lines.Len() + 1, 1 // behind the last line break
		}
		line = max(1, f.lines.At(offset))
		start, _, _ := f.lines.Span(lines.Range{First: line, Last: line})
		return line, offset - start + 1
	}
	out := Place{File: f.Name}
	out.Line, out.Column = at(start)
	out.EndLine, out.EndColumn = at(end)
	return out
}
