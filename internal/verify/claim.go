// Package verify compares claims with the texts that they cite. It is the one engine for verify_citations, citeloop verify,
// citeloop research, the page and reports. A check takes three steps:
//
//	statements := verify.LibraryOf(state).Read(draft.Parse(text)) // which sentences cite which sources and lines
//	err := verify.Check(ctx, statements.Claims, sources)          // what can be known without a reader
//	claim.Apply(reading)                                          // what a reader found
//
// [Check] decides almost nothing. A citation of what was never read, or of a line that does not exist, is an error; so is a
// quotation that no cited text has. Everything else is inferred until somebody who is not the author has read the cited lines.
// Remarks (package remark) put a claim at the front of the reader's queue. Package reader prepares what a reader gets, and
// judges the reader.
//
// Files, lowest first: text.go (prepared texts), claim.go, library.go (citations to sources), passages.go (what a reader
// sees), check.go, quotes.go, conflict.go, batch.go (items as a reader sees them), tally.go (counts and words), lookup.go (cited
// addresses), result.go.
//
// The package is pure: it reads no texts itself, and the same claims and texts give the same result.
package verify

import (
	"cmp"
	"slices"
	"strings"

	"github.com/citeloop/citeloop/internal/text/draft"
	"github.com/citeloop/citeloop/internal/text/lines"
	"github.com/citeloop/citeloop/internal/text/quote"
	"github.com/citeloop/citeloop/internal/verify/reader"
	"github.com/citeloop/citeloop/internal/verify/remark"
	"github.com/citeloop/citeloop/loopstate"
)

// Claim is a statement with what it cites and, after [Check], what was found. It is the one type of a claim from the
// arguments of a call to its answer, the report and the page; [loopstate.Claim] is its record in the log.
type Claim struct {
	ID        string // C1, C2, … of a recorded claim
	Text      string
	Before    string // the sentence before one that begins with a pronoun
	Citations []Citation
	Quotes    []string        // quotations of the sentence, from whichever source it cites
	Sentence  *draft.Sentence // nil for a claim of a list
	Covered   bool            // no mark of its own: cited at the end of its paragraph

	Finding
}

// Finding is what [Check] and a reading tell about a claim.
type Finding struct {
	Status   string // loopstate.Grounded, Inferred or Unsupported
	Because  string // one sentence for a person
	Verbatim bool   // all of it stands in the cited block, word for word: a mark, not a verdict
	Passages []Passage
	Remarks  []remark.Remark
	Quoted   []Quoted
	Flags    []string // "kind: explanation", or the kind alone
	Origins  int      // independent origins among the cited sources
	Key      string   // of the reading; "" if no reader can judge the claim
	Reading  *loopstate.Reading
	since    string // that all of its sources were retracted, as a sentence
	// Confidence is, for a read claim, the measured accuracy of its reader on planted errors and controls (the lower bound of
	// 95 %), and 0 where it is unknown or nobody has read the claim.
	Confidence float64
}

// Passage is a part of a source that a reader judges the claim by. See [reader.Passage].
type Passage = reader.Passage

// Citation names a source and, unless it means the whole text, lines of it. After resolving, SourceID is the id of a source
// that was read, or empty when the address has yet to be read or Problem says why the citation leads to nothing.
type Citation struct {
	draft.Marker // as a draft writes it; empty in a list of claims
	SourceID     string
	URL          string
	Lines        lines.Ranges
	Quote        string // the words that the citation quotes
	Problem      string
}

// Quoted is a quotation with where its source has it.
type Quoted struct {
	Quote    string
	Grade    quote.Grade
	SourceID string // "" if it is nowhere
	Line     int
	Start    int // code points
	End      int
	Changed  []string // of a fuzzy quotation: its words that the source has otherwise
	lines    lines.Range
}

// The kinds of flags.
const (
	FlagUncited        = "uncited"           // the claim cites nothing: an error
	FlagUnknownSource  = "unknown_source"    // none of its citations leads to a text: an error
	FlagQuoteAbsent    = "quote_absent"      // a quotation is nowhere in its sources: an error
	FlagQuoteFuzzy     = "quote_fuzzy"       // a quotation is in its source with other words
	FlagQuoteOther     = "quote_elsewhere"   // a quotation is in another source or in other lines than its citation says
	FlagSingleSource   = "single_source"     // one independent origin is cited
	FlagSecondaryOnly  = "secondary_only"    // only press or practitioners are cited
	FlagReaderUntested = "reader_not_tested" // the texts were too short for test items
)

// New returns a claim that cites sources by their ids, with or without lines, written as in a text: "S1", "[S1:120-128]".
func New(text string, sources ...string) Claim {
	c := Claim{Text: text}
	for _, written := range sources {
		for _, id := range draft.IDs(written) {
			c.Citations = append(c.Citations, Cite(id))
		}
	}
	return c
}

// Cite returns the citation of a source id with or without lines, or of its address. Lines that cannot be read are a problem of it.
func Cite(id string) Citation {
	c := Citation{SourceID: strings.TrimSpace(id), Marker: draft.Marker{Raw: strings.TrimSpace(id)}}
	if name, ref, found := strings.Cut(c.SourceID, ":"); found && !strings.HasPrefix(ref, "//") {
		c.SourceID = name
		c.setLines(ref)
	}
	return c
}

func (c *Citation) setLines(ref string) {
	if c.Marker.Lines = ref; strings.HasPrefix(ref, "page=") {
		return // known with the text
	}
	var ok bool
	if c.Lines, ok = lines.ParseRanges(ref); !ok {
		c.Problem = "the lines cannot be read: " + ref + "; write them as S1:120, S1:120-128 or S1:120,140"
	}
}

// Written returns the citation as its author wrote it.
func (c Citation) Written() string { return cmp.Or(c.Raw, c.SourceID, c.URL, "(empty)") }

// Resolved reports whether the citation leads to a source that was read.
func (c Citation) Resolved() bool { return c.SourceID != "" && c.Problem == "" }

// Reference returns the citation by id and lines: "S1:120-128".
func (c Citation) Reference() string {
	if len(c.Lines) == 0 {
		return c.SourceID
	}
	return c.SourceID + ":" + c.Lines.String()
}

// SourceIDs lists the read sources that the claim cites, each once.
func (c Claim) SourceIDs() []string {
	return distinct(c.Citations, func(x Citation) string { return x.SourceID })
}

// References lists what the claim cites as ids with lines, each once: "S1:120-128", "S2".
func (c Claim) References() []string { return distinct(c.Citations, Citation.Reference) }

func distinct(citations []Citation, name func(Citation) string) []string {
	var out []string
	for _, cite := range citations {
		if s := name(cite); cite.Resolved() && !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	return out
}

// Lines returns the lines that the claim rests on, cited or found: "S1:120-128; S3:7".
func (c Claim) Lines() string {
	var parts []string
	for _, p := range c.Passages {
		parts = append(parts, p.SourceID+":"+p.Lines)
	}
	return strings.Join(parts, "; ")
}

// Pinpointed reports whether each citation of the claim names lines or quotes words.
func (c Claim) Pinpointed() bool {
	return !slices.ContainsFunc(c.Citations, func(x Citation) bool { return x.Resolved() && len(x.Lines) == 0 && x.Quote == "" })
}

// Place returns line and column of the claim in its draft, from 1, or 0, 0 for a claim of a list.
func (c Claim) Place() (line, column int) {
	if c.Sentence == nil {
		return 0, 0
	}
	return c.Sentence.Line, c.Sentence.Column
}

// Span returns where the claim is in its draft, in code points.
func (c Claim) Span() (start, end int) {
	if c.Sentence == nil {
		return 0, 0
	}
	return c.Sentence.Start, c.Sentence.End
}

// WhyUncited says in a sentence why a claim without a citation is an error.
func (c Claim) WhyUncited() string {
	if c.Covered {
		return "It makes a claim and cites nothing, and a reader did not find it in the sources cited later in its paragraph."
	}
	return "It makes a claim and cites nothing."
}

// Read reports whether a reader has judged the claim.
func (f Finding) Read() bool { return f.Reading != nil }

// Pending reports whether the claim waits for a reader.
func (f Finding) Pending() bool { return f.Key != "" && f.Reading == nil }

// Contradicted reports whether a reader found that the source says otherwise.
func (f Finding) Contradicted() bool {
	return f.Reading != nil && f.Reading.Answer == loopstate.AnswerContradicted
}

// Has reports whether the claim has a flag of a kind.
func (f Finding) Has(kind string) bool {
	return slices.ContainsFunc(f.Flags, func(flag string) bool { return flag == kind || strings.HasPrefix(flag, kind+":") })
}

// BasisReview is the basis of a grounded claim: somebody has read it beside its sources.
const BasisReview = "review"

// Basis returns what grounds a grounded claim.
func (f Finding) Basis() string {
	if f.Status == loopstate.Grounded {
		return BasisReview
	}
	return ""
}
