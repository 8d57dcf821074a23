package check

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/citeloop/citeloop/internal/docid"
	"github.com/citeloop/citeloop/internal/lazyregexp"
	"github.com/citeloop/citeloop/internal/sanitize"
	"github.com/citeloop/citeloop/internal/text/lines"
	"github.com/citeloop/citeloop/internal/verify"
	"github.com/citeloop/citeloop/loopstate"
)

// Finding is a problem in a draft.
type Finding struct {
	Kind Kind `json:"finding"`
	Place
	Text  string  `json:"text"` // the sentence, or the mark
	Why   string  `json:"why"`
	Near  []Lines `json:"near,omitempty"` // the lines that the sentence rests on
	Fails bool    `json:"fails"`          // the draft fails for it

	claim string // the sentence, for fingerprints
}

// Lines are lines of a source, with their words.
type Lines struct {
	Name string `json:"source"` // address, or path of a file
	At   string `json:"lines"`  // "120-128"
	Page int    `json:"page,omitempty"`
	Text string `json:"text"`

	file string // whose lines these are
}

// String names the lines as a link does: "notes.md:12"; of a PDF with the page.
func (l Lines) String() string {
	at := sanitize.Short(l.Name, addressChars) + ":" + l.At
	if l.Page > 0 {
		at += fmt.Sprintf(" (PDF p. %d)", l.Page)
	}
	return at
}

// find lists the problems of a draft by their places.
func (r *Result) find(f *File) {
	add := func(kind Kind, start, end int, text, why, claim string, near ...Lines) {
		fails := slices.Contains(r.FailOn, kind) || kind == Contradicted && slices.Contains(r.FailOn, Unsupported)
		f.Findings = append(f.Findings, Finding{kind, f.place(start, end), text, f.withNames(why), near, fails, claim})
	}
	for _, x := range f.dead() {
		add(Hallucinated, x.Start, x.End, x.Written(), x.Problem, x.Claim)
	}
	for _, c := range f.Uncited {
		why := "It makes a claim and cites nothing."
		if c.Covered {
			why = "It makes a claim and cites nothing, and a reader did not find it in the sources cited later in its paragraph."
		}
		start, end := c.Span()
		add(Uncited, start, end, c.Text, why, c.Text)
	}
	for _, x := range f.Conflicts {
		if x.Claim >= 0 {
			start, end := f.Claims[x.Claim].Span()
			add(Noted, start, end, f.Claims[x.Claim].Text, x.Because, f.Claims[x.Claim].Text)
		}
	}
	for _, x := range f.Mistitled {
		start, end, _ := f.lines.Span(lines.Range{First: x.Line, Last: x.Line})
		add(Mistitled, start, end, x.Title, fmt.Sprintf("The page is titled %q.", sanitize.Line(x.Source.Title)), x.URL)
	}
	unread := map[string]bool{}
	for _, c := range f.Claims {
		start, end := c.Span()
		for _, problem := range problemsOf(c) {
			add(problem.Kind, start, end, c.Text, problem.Why, c.Text, f.near(c)...)
		}
		for _, cite := range c.Citations {
			if key := docid.CanonicalKey(cite.URL, ""); cite.Problem == "" && cite.SourceID == "" && !unread[key] {
				unread[key] = true
				add(NotRead, cite.Start, cite.End, nameOf(cite.URL, f.Name), f.WhyUnread(cite), cite.URL)
			}
		}
	}
	slices.SortStableFunc(f.Findings, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
	f.Counts = map[Kind]int{}
	for _, x := range f.Findings {
		f.Counts[x.Kind]++
	}
}

var sourceName = lazyregexp.New(`\bS\d+\b|file://[^\s;,]*[^\s;,:.]`)

// withNames replaces the ids of sources and the addresses of files in a reason by their names.
func (f *File) withNames(why string) string {
	return sourceName.ReplaceAllStringFunc(why, func(id string) string {
		if src, ok := f.Sources[id]; ok {
			return nameOf(src.FinalURL, f.Name)
		}
		return nameOf(id, f.Name)
	})
}

// problemsOf lists the problems of a checked claim with their kinds and reasons. Dead citations are findings of their own.
func problemsOf(c verify.Claim) (out []Finding) {
	add := func(kind Kind, why string) { out = append(out, Finding{Kind: kind, Why: why}) }
	var notes []string
	switch {
	case c.Has(verify.FlagUncited):
		add(Uncited, c.Because)
	case c.Has(verify.FlagQuoteAbsent):
		add(Quote, c.Because)
	case c.Contradicted():
		add(Contradicted, c.Because)
	case c.Read() && c.Status == loopstate.Unsupported:
		add(Unsupported, c.Because)
	case c.Read() && c.Status == loopstate.Inferred:
		notes = append(notes, c.Because)
	case c.Pending():
		add(Unread, c.Because)
	}
	if c.Status != loopstate.Grounded { // a reader who found it supported has looked at these
		for _, r := range c.Remarks {
			notes = append(notes, r.String()+".")
		}
	}
	for _, flag := range c.Flags {
		switch kind, why, _ := strings.Cut(flag, ": "); kind {
		case string(Addressed), string(NewReading):
			add(Kind(kind), why)
		case verify.FlagQuoteFuzzy, verify.FlagQuoteOther, verify.FlagQuoteMisattributed:
			notes = append(notes, "Quotation: "+why+".")
		}
	}
	if len(notes) > 0 {
		add(Noted, strings.Join(notes, " "))
	}
	return out
}

// near returns the lines that a claim rests on: those that it cites, or the passages where it names none, first the one of a remark or
// of the words that decided for a reader.
func (f *File) near(c verify.Claim) []Lines {
	var out []Lines
	first := 0
	for _, p := range c.Passages {
		src := f.Sources[p.SourceID]
		l := Lines{Name: nameOf(src.FinalURL, f.Name), At: p.Lines, Page: src.Pages.At(p.Start), Text: p.Text}
		if kind, _, _ := strings.Cut(src.ContentType, ";"); kind == "text/markdown" || kind == "text/plain" {
			l.file = filePath(src.FinalURL)
		}
		for _, cite := range c.Citations {
			if cite.SourceID != p.SourceID || len(cite.Lines) == 0 || src.Text == nil {
				continue
			}
			if start, end, words := src.Text.Lines().Span(cite.Lines[0]); p.Start <= start && end <= p.End {
				l.At, l.Text = cite.Lines[:1].String(), words
				break
			}
		}
		if r := c.Reading; r != nil && r.Quote != "" && strings.Contains(p.Text, r.Quote) {
			first, l.Text = len(out), r.Quote
		}
		for _, r := range c.Remarks {
			if r.SourceID == p.SourceID && p.Start <= r.Start && r.End <= p.End {
				first = len(out)
			}
		}
		out = append(out, l)
	}
	if first > 0 {
		out[0], out[first] = out[first], out[0]
	}
	return out
}
