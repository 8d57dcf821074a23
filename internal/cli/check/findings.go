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
	"github.com/citeloop/citeloop/internal/verify/remark"
	"github.com/citeloop/citeloop/loopstate"
)

// Kind is the kind of a finding. docs/verdicts.md has a heading for each.
type Kind string

// The kinds of findings, worst first.
const (
	Hallucinated Kind = "hallucinated"
	Quote        Kind = "quote"
	Contradicted Kind = "contradicted" // counts as unsupported, too
	Unsupported  Kind = "unsupported"
	Uncited      Kind = "uncited"
	Addressed    Kind = sanitize.InjectionFlag
	Noted        Kind = "remark"
	NotRead      Kind = "not_read"
	Unread       Kind = "unread"
)

// kinds are the kinds with their levels and what they mean, worst first. Errors make a draft fail by default.
var kinds = []struct {
	kind         Kind
	level, short string // level: error, warning or note
}{
	{Hallucinated, "error", "A citation leads to nothing"},
	{Quote, "error", "The quoted words are nowhere"},
	{Contradicted, "error", "The source says otherwise"},
	{Unsupported, "error", "Not in the source"},
	{Uncited, "error", "A claim without a source"},
	{Addressed, "warning", "The passage addresses a model"},
	{Noted, "warning", "Look at this sentence"},
	{NotRead, "note", "A cited source could not be read"},
	{Unread, "note", "Not read yet"},
}

// meaning describes a kind; level is "" for an unknown one.
func (k Kind) meaning() (level, short string) {
	for _, row := range kinds {
		if row.kind == k {
			level, short = row.level, row.short
		}
	}
	return level, short
}

// kindsOf lists the kinds of these levels, worst first.
func kindsOf(levels ...string) (out []Kind) {
	for _, row := range kinds {
		if slices.Contains(levels, row.level) {
			out = append(out, row.kind)
		}
	}
	return out
}

// AllKinds lists the kinds, worst first.
func AllKinds() []Kind { return kindsOf("error", "warning", "note") }

// parseKinds reads a list of kinds such as "unsupported,uncited", or "all", or "none".
func parseKinds(list string) ([]Kind, error) {
	switch strings.TrimSpace(list) {
	case "none":
		return []Kind{}, nil
	case "all":
		return AllKinds(), nil
	}
	var out []Kind
	for word := range strings.SplitSeq(list, ",") {
		kind := Kind(strings.TrimSpace(word))
		if level, _ := kind.meaning(); level == "" {
			known := strings.Trim(strings.ReplaceAll(fmt.Sprint(AllKinds()), " ", ", "), "[]")
			return nil, fmt.Errorf("unknown finding %q: use %s, all or none", string(kind), known)
		}
		out = append(out, kind)
	}
	return out, nil
}

// Finding is a problem in a draft, as every format has it.
type Finding struct {
	Kind Kind `json:"finding"`
	Place
	Text     string  `json:"text"`               // the sentence
	Citation string  `json:"citation,omitempty"` // on it, that leads to nothing or was not read
	Why      string  `json:"why"`
	Near     []Lines `json:"near,omitempty"` // the lines that the sentence rests on
	Fails    bool    `json:"fails"`          // the draft fails for it
}

// subject is what the finding is about: a citation or the sentence.
func (x Finding) subject() string { return sanitize.Short(cmp.Or(x.Citation, x.Text), sentenceChars) }

// source says in a text of one line where the finding's words should be, or "".
func (x Finding) source() string {
	if len(x.Near) == 0 {
		return ""
	}
	return fmt.Sprintf("%s: %q", x.Near[0], sanitize.Short(x.Near[0].Text, sentenceChars))
}

// Lines are lines of a source, with their words.
type Lines struct {
	Name string `json:"source"` // address, or path of a file
	At   string `json:"lines"`  // "120-128"
	Page int    `json:"page,omitempty"`
	Text string `json:"text"`
}

// String names the lines as a link does: "notes.md:12"; of a PDF with the page.
func (l Lines) String() string {
	at := sanitize.Short(l.Name, addressChars) + ":" + l.At
	if l.Page > 0 {
		at += fmt.Sprintf(" (PDF p. %d)", l.Page)
	}
	return at
}

var sourceName = lazyregexp.New(`\bS\d+\b|file://[^\s;,]*[^\s;,:.]`)

// find lists the problems of a draft by their places. Reasons name sources and files by their names.
func (f *File) find(failOn []Kind) {
	name := func(id string) string { return nameOf(cmp.Or(f.result.SourceURL(id), id)) }
	f.Counts = map[Kind]int{}
	add := func(x Finding, start, end int) {
		x.Place, x.Why = f.place(start, end), sourceName.ReplaceAllStringFunc(x.Why, name)
		x.Fails = slices.Contains(failOn, x.Kind) || x.Kind == Contradicted && slices.Contains(failOn, Unsupported)
		f.findings = append(f.findings, x)
		f.Counts[x.Kind]++
	}
	dead := func(cite verify.Citation, sentence string) {
		add(Finding{Kind: Hallucinated, Text: sanitize.Short(sentence, sentenceChars), Citation: cite.Written(), Why: cite.Problem},
			cite.Start, cite.End)
	}
	for _, x := range f.result.Strays {
		dead(x.Citation, x.Claim)
	}
	for _, c := range f.result.Uncited {
		start, end := c.Span()
		add(Finding{Kind: Uncited, Text: c.Text, Why: c.WhyUncited()}, start, end)
	}
	for _, x := range f.result.Conflicts {
		start, end := f.result.Claims[x.Claim].Span()
		add(Finding{Kind: Noted, Text: f.result.Claims[x.Claim].Text, Why: x.Because}, start, end)
	}
	unread := map[string]bool{}
	for _, c := range f.result.Claims {
		start, end := c.Span()
		for _, x := range problemsOf(c) {
			x.Text, x.Near = c.Text, f.near(c)
			add(x, start, end)
		}
		for _, cite := range c.Citations {
			switch key := docid.CanonicalKey(cite.URL, ""); {
			case cite.Problem != "" && !c.Covered:
				dead(cite, c.Text)
			case cite.Problem == "" && cite.SourceID == "" && !unread[key]:
				unread[key] = true
				add(Finding{Kind: NotRead, Text: c.Text, Citation: nameOf(cite.URL), Why: f.result.WhyUnread(cite)}, cite.Start, cite.End)
			}
		}
	}
	slices.SortStableFunc(f.findings, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
}

// problemsOf returns the problems of a checked claim with their reasons. Dead citations are findings of their own.
func problemsOf(c verify.Claim) (out []Finding) {
	var notes []string
	add := func(kind Kind, why string) { out = append(out, Finding{Kind: kind, Why: why}) }
	switch {
	case c.Has(verify.FlagUncited):
		add(Uncited, c.Because)
	case c.Has(verify.FlagQuoteAbsent):
		add(Quote, c.Because)
	case c.Contradicted():
		add(Contradicted, c.Because)
	case c.Pending():
		add(Unread, c.Because)
	case c.Read() && c.Status == loopstate.Unsupported:
		add(Unsupported, c.Because)
	case c.Read() && c.Status == loopstate.Inferred:
		notes = append(notes, c.Because)
	}
	if c.Status != loopstate.Grounded { // a reader who found it supported has looked at these
		for _, r := range c.Remarks {
			notes = append(notes, r.String()+".")
		}
	}
	for _, flag := range c.Flags {
		switch kind, why, _ := strings.Cut(flag, ": "); kind {
		case string(Addressed):
			add(Addressed, why)
		case verify.FlagQuoteFuzzy, verify.FlagQuoteOther:
			notes = append(notes, "Quotation: "+why+".")
		}
	}
	if len(notes) > 0 {
		add(Noted, strings.Join(notes, " "))
	}
	return out
}

// near returns the lines that a claim rests on: those that it cites, or the passages where it names none, first those of a remark and
// of the words that decided for a reader.
func (f *File) near(c verify.Claim) []Lines {
	out := []Lines{}
	for _, p := range c.Passages {
		src := f.result.Sources[p.SourceID]
		l := Lines{Name: nameOf(src.FinalURL), At: p.Lines, Page: src.Pages.At(p.Start), Text: p.Text}
		for _, cite := range slices.Backward(c.Citations) { // the first one that is in the passage
			if cite.SourceID == p.SourceID && len(cite.Lines) > 0 && src.Text != nil {
				if start, end, words := src.Text.Lines().Span(cite.Lines[0]); p.Start <= start && end <= p.End {
					l.At, l.Text = cite.Lines[:1].String(), words
				}
			}
		}
		decides := slices.ContainsFunc(c.Remarks, func(r remark.Remark) bool {
			return r.SourceID == p.SourceID && p.Start <= r.Start && r.End <= p.End
		})
		if r := c.Reading; r != nil && r.Quote != "" && strings.Contains(p.Text, r.Quote) {
			decides, l.Text = true, r.Quote
		}
		if out = append(out, l); decides {
			out = slices.Insert(out[:len(out)-1], 0, l)
		}
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

func (f *File) place(start, end int) Place {
	at := func(offset int) (line, column int) {
		line = f.lines.At(offset)
		start, _, _ := f.lines.Span(lines.Range{First: line, Last: line})
		return line, offset - start + 1
	}
	out := Place{File: f.Name}
	out.Line, out.Column = at(start)
	out.EndLine, out.EndColumn = at(end)
	return out
}
