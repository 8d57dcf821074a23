package check

import (
	"bufio"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/citeloop/citeloop/internal/outcome"
	"github.com/citeloop/citeloop/internal/report"
	"github.com/citeloop/citeloop/internal/sanitize"
	"github.com/citeloop/citeloop/internal/sarif"
	"github.com/citeloop/citeloop/internal/text/draft"
	"github.com/citeloop/citeloop/internal/verify"
	"github.com/citeloop/citeloop/internal/verify/remark"
	"github.com/citeloop/citeloop/loopstate"
)

// The formats.
const (
	Text   = "text"
	JSON   = "json"
	SARIF  = "sarif"
	GitHub = "github"
	HTML   = "html"
)

// Formats lists the formats, the default first.
func Formats() []string { return []string{Text, JSON, SARIF, GitHub, HTML} }

// Limits of what a format shows, in code points (chosen).
const (
	sentenceChars = 240 // of a sentence or a passage on a terminal: three lines
	addressChars  = 160
)

// Write writes the result in one of [Formats]. The same result gives the same bytes.
func Write(w io.Writer, format string, r *Result) error {
	switch format {
	case Text:
		return writeText(w, r)
	case JSON:
		return outcome.JSON(w, true).Encode(r.object())
	case SARIF:
		return writeSARIF(w, r)
	case GitHub:
		return writeGitHub(w, r)
	case HTML:
		return report.WriteFiles(w, r.documents())
	}
	return fmt.Errorf("unknown format %q: use %s", format, strings.Join(Formats(), ", "))
}

// claimRow is a claim in JSON.
type claimRow struct {
	Claim string `json:"claim"`
	Place
	Status    string             `json:"status"` // grounded, inferred or unsupported
	Read      bool               `json:"read"`   // somebody has read it beside its sources
	Because   string             `json:"because"`
	Near      []Lines            `json:"near"`
	Verbatim  bool               `json:"verbatim"`
	Lines     string             `json:"lines"` // cited, or found where none are
	Quote     string             `json:"quote_grade,omitempty"`
	Origins   int                `json:"independent_origins"`
	Remarks   []remarkRow        `json:"remarks"`
	Flags     []string           `json:"flags"`
	Citations []citationRow      `json:"citations"`
	Reading   *loopstate.Reading `json:"reading,omitempty"`
}

type remarkRow struct {
	remark.Remark
	Says string `json:"says"`
}

type uncitedRow struct {
	Text string `json:"text"`
	Place
}

type deadRow struct {
	Claim    string `json:"claim"`
	Citation string `json:"citation"` // as written
	Why      string `json:"why"`
	Place
}

type conflictRow struct {
	ValueA  string `json:"value_a"`
	ValueB  string `json:"value_b"`
	Because string `json:"because"`
	Place          // of the later claim
}

type sourceRow struct {
	URL    string `json:"url"`    // as cited
	Status string `json:"status"` // read or not_read
	Title  string `json:"title"`
	SHA256 string `json:"sha256"` // of the text
	Cited  int    `json:"cited"`  // by so many sentences
}

type citationRow struct {
	Marker string `json:"marker"`
	URL    string `json:"url"`
	Lines  string `json:"lines,omitempty"`
	Status string `json:"status"`           // read, not_read or unresolved
	Reason string `json:"reason,omitempty"` // why it leads to nothing or was not read
}

// fileRow is the verdict on one draft.
type fileRow struct {
	File         string  `json:"file"`
	Verdict      string  `json:"verdict"`
	Groundedness float64 `json:"overall_groundedness"`
	Read         int     `json:"read"`
	Of           int     `json:"of"`
	verify.Tally
	Findings map[Kind]int `json:"findings"`
	ToRead   int          `json:"to_read"`
}

// object returns the result as JSON has it.
func (r *Result) object() any {
	out := struct {
		Verdict      string         `json:"verdict"`
		Groundedness float64        `json:"overall_groundedness"` // share of the sentences that were read
		Threshold    float64        `json:"threshold"`
		FailOn       []Kind         `json:"fail_on"`
		Files        []fileRow      `json:"files"`
		Claims       []claimRow     `json:"verified_claims"`
		Uncited      []uncitedRow   `json:"uncited_sentences"`
		Dead         []deadRow      `json:"hallucinated_citations"`
		Conflicts    []conflictRow  `json:"conflicts"`
		Sources      []sourceRow    `json:"sources"` // in the order of their first citation
		Findings     []Finding      `json:"findings"`
		Suppressions []*Suppression `json:"suppressions"`
		Notes        []string       `json:"notes"`
		GeneratedAt  string         `json:"generated_at"`
		Generator    string         `json:"generator"`
	}{r.Verdict, r.Groundedness, r.Threshold, orEmpty(r.FailOn), []fileRow{}, []claimRow{}, []uncitedRow{}, []deadRow{}, []conflictRow{}, []sourceRow{}, []Finding{}, orEmpty(r.Suppressions), orEmpty(r.Notes),
		r.GeneratedAt.Format("2006-01-02T15:04:05Z"), r.Generator}
	for _, f := range r.Files {
		out.Files = append(out.Files, fileRow{f.Name, f.Verdict, f.Groundedness, f.Tally.Read(), f.Tally.Total(), f.Tally, f.Counts, len(f.Pending)})
		out.Findings = append(out.Findings, f.Findings...)
		for _, c := range f.Uncited {
			start, end := c.Span()
			out.Uncited = append(out.Uncited, uncitedRow{c.Text, f.place(start, end)})
		}
		for _, x := range f.Strays {
			out.Dead = append(out.Dead, deadRow{sanitize.Short(x.Claim, sentenceChars), x.Written(), x.Problem, f.place(x.Start, x.End)})
		}
		for _, x := range f.Conflicts {
			if x.Claim >= 0 {
				start, end := f.Claims[x.Claim].Span()
				out.Conflicts = append(out.Conflicts, conflictRow{x.ValueA, x.ValueB, x.Because, f.place(start, end)})
			}
		}
		for _, c := range f.Claims {
			start, end := c.Span()
			row := claimRow{Claim: c.Text, Place: f.place(start, end), Status: c.Status, Read: c.Read(), Because: c.Because, Near: orEmpty(f.near(c)), Verbatim: c.Verbatim,
				Lines: c.Lines(), Quote: string(c.QuoteGrade()), Origins: c.Origins, Remarks: []remarkRow{}, Flags: orEmpty(c.Flags), Citations: []citationRow{}, Reading: c.Reading}
			for _, x := range c.Remarks {
				row.Remarks = append(row.Remarks, remarkRow{x, x.String()})
			}
			for _, cite := range c.Citations {
				status, reason := "read", cite.Problem
				switch {
				case reason != "":
					status = "unresolved"
					if !c.Covered {
						out.Dead = append(out.Dead, deadRow{sanitize.Short(c.Text, sentenceChars), cite.Written(), reason, f.place(cite.Start, cite.End)})
					}
				case cite.SourceID == "":
					status, reason = "not_read", f.WhyUnread(cite)
				}
				if name := nameOf(cite.URL, f.Name); status != "unresolved" {
					i := slices.IndexFunc(out.Sources, func(s sourceRow) bool { return s.URL == name })
					if i < 0 {
						i = len(out.Sources)
						src := f.Sources[cite.SourceID]
						out.Sources = append(out.Sources, sourceRow{name, status, src.Title, src.SHA256, 0})
					}
					out.Sources[i].Cited++
				}
				row.Citations = append(row.Citations, citationRow{cite.Raw, nameOf(cite.URL, f.Name), cite.Lines.String(), status, reason})
			}
			out.Claims = append(out.Claims, row)
		}
	}
	return out
}

func orEmpty[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

// shown returns the findings for a person: what nobody has read is only counted, unless it makes the draft fail.
func (f *File) shown() []Finding {
	return slices.DeleteFunc(slices.Clone(f.Findings), func(x Finding) bool { return x.Kind == Unread && !x.Fails })
}

// writeText writes each finding as compilers do, file:line:column: kind: …, its reasons indented below, and the verdict on each file at
// the end.
func writeText(w io.Writer, r *Result) error {
	b := bufio.NewWriter(w)
	for _, f := range r.Files {
		for _, x := range f.shown() {
			level, _, _ := x.Kind.meaning()
			if level = strings.Replace(level, "error", "", 1); level != "" {
				level += ": "
			}
			if x.By != nil {
				level = "suppressed: "
			}
			fmt.Fprintf(b, "%s:%d:%d: %s%s: %s\n    why: %s\n", sanitize.Line(x.File), x.Line, x.Column, level, x.Kind, sanitize.Short(x.Text, sentenceChars), sanitize.Short(x.Why, 2*sentenceChars))
			if x.By != nil {
				fmt.Fprintf(b, "    accepted: %s\n", x.By)
			} else if len(x.Near) > 0 {
				fmt.Fprintf(b, "    source: %s: %q\n", x.Near[0], sanitize.Short(x.Near[0].Text, sentenceChars))
			}
		}
	}
	r.writeEnd(b, func(s *Suppression) {
		fmt.Fprintf(b, "%s:%d: warning: %s\n", sanitize.Line(s.File), s.Line, s.problem())
	})
	return b.Flush()
}

// writeEnd writes the verdict on each file and the notes; warn writes what is wrong with a suppression. No line begins with two colons,
// which would make it a command of a runner.
func (r *Result) writeEnd(w io.Writer, warn func(*Suppression)) {
	for _, f := range r.Files {
		fmt.Fprintf(w, "%s: %s\n", strings.TrimLeft(sanitize.Line(f.Name), ":"), f.Summary(r.Threshold))
	}
	for _, s := range r.Suppressions {
		if s.problem() != "" {
			warn(s)
		}
	}
	for _, n := range r.Notes {
		fmt.Fprintln(w, n)
	}
}

// Summary returns the verdict on one line.
func (r *Result) Summary() string {
	if len(r.Files) == 1 {
		return r.Files[0].Summary(r.Threshold)
	}
	count := map[string]int{}
	for _, f := range r.Files {
		count[f.Verdict]++
	}
	return fmt.Sprintf("%s: %d files: %d pass, %d fail, %d undecided", r.Verdict, len(r.Files), count[outcome.Pass], count[outcome.Fail], count[outcome.Undecided])
}

// Summary returns the verdict on the draft on one line.
func (f *File) Summary(threshold float64) string {
	parts := verify.Counts{f.Tally.String()}
	parts.Add(f.Counts[Hallucinated], "citation leads to nothing", "citations lead to nothing")
	parts.Add(f.Counts[Noted], "sentence to look at", "sentences to look at")
	parts.Add(f.Counts[Mistitled], "reference has another title", "references have other titles")
	parts.Add(f.Counts[NotRead], "cited source could not be read", "cited sources could not be read")
	accepted := 0
	for _, x := range f.Findings {
		if x.By != nil {
			accepted++
		}
	}
	parts.Add(accepted, "finding suppressed", "findings suppressed")
	if f.Tally.Read() > 0 {
		parts = append(parts, fmt.Sprintf("%.0f %% of those read supported, %.0f %% needed", 100*f.Groundedness, 100*threshold))
	}
	return f.Verdict + ": " + strings.Join(parts, "; ")
}

// WriteSkipped lists what of the texts was not read as a claim.
func WriteSkipped(w io.Writer, r *Result) error {
	b := bufio.NewWriter(w)
	for _, f := range r.Files {
		for _, s := range draft.Parse(f.Draft.Text).Skipped {
			fmt.Fprintf(b, "%s:%d: no claim (%s): %s\n", sanitize.Line(f.Name), s.Line, s.Kind, sanitize.Short(s.Text, sentenceChars))
		}
	}
	return b.Flush()
}

// writeGitHub writes each finding as a command to the runner of GitHub Actions, which shows it at its line; the verdicts follow as plain
// lines of the log. The runner shows ten errors, ten warnings and ten notices a step.
func writeGitHub(w io.Writer, r *Result) error {
	b := bufio.NewWriter(w)
	for _, f := range r.Files {
		for _, x := range f.shown() {
			level, short, _ := x.Kind.meaning()
			if x.By != nil {
				level, short, x.Why = "note", "Suppressed: "+short, "Accepted: "+x.By.String()
			}
			message := sanitize.Short(x.Text, sentenceChars) + "\n" + sanitize.Short(x.Why, 2*sentenceChars)
			for _, l := range x.Near[:min(len(x.Near), 1)] {
				message += fmt.Sprintf("\nSource: %s: %q", l, sanitize.Short(l.Text, sentenceChars))
			}
			span := fmt.Sprintf(",line=%d,endLine=%d", x.Line, x.EndLine)
			if x.Line == x.EndLine { // the runner supports columns only within one line
				span += fmt.Sprintf(",col=%d,endColumn=%d", x.Column, x.EndColumn)
			}
			fmt.Fprintf(b, "::%s file=%s%s,title=%s::%s\n", strings.Replace(level, "note", "notice", 1), property(sarif.Slashed(x.File)), span, property(short), data(message))
		}
	}
	r.writeEnd(b, func(s *Suppression) {
		fmt.Fprintf(b, "::warning file=%s,line=%d,title=Suppression::%s\n", property(sarif.Slashed(s.File)), s.Line, data(s.problem()))
	})
	return b.Flush()
}

// data escapes the message of a workflow command, as the runner's toolkit does.
func data(s string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A").Replace(s)
}

// property escapes the value of a property of a workflow command.
func property(s string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C").Replace(s)
}

// documents returns the result as a report without a loop, a document for each file.
func (r *Result) documents() (docs []report.Document) {
	for i, f := range r.Files {
		d := report.Document{Query: f.Name, Name: f.Name, GeneratedAt: r.GeneratedAt, Generator: r.Generator, Verdict: f.Verdict, Groundedness: f.Groundedness,
			Threshold: r.Threshold, Text: f.Text, Notes: []string{f.Summary(r.Threshold)}}
		report.Receipts(&d, f.Result)
		for _, id := range slices.Sorted(maps.Keys(f.Sources)) {
			src := f.Sources[id].Source
			src.Pages, src.Furniture, src.Capture = nil, nil, nil
			d.Sources = append(d.Sources, report.Source{Source: src})
		}
		d.EachAddress(func(address *string) { *address = nameOf(*address, f.Name) })
		d.Sources = report.CitedFirst(d.Sources, d.Sentences)
		for _, x := range f.Findings {
			if x.By != nil {
				d.Notes = append(d.Notes, fmt.Sprintf("line %d, suppressed: %s: %s: %s", x.Line, x.Kind, sanitize.Short(x.Text, sentenceChars), x.By))
			} else if x.Kind == Hallucinated || x.Kind == Mistitled || x.Kind == NotRead {
				d.Notes = append(d.Notes, fmt.Sprintf("line %d, %s: %s: %s", x.Line, x.Kind, sanitize.Short(x.Text, sentenceChars), sanitize.Short(x.Why, sentenceChars)))
			}
		}
		if i == 0 {
			d.Notes = append(d.Notes, r.Notes...)
		}
		docs = append(docs, d)
	}
	if len(docs) == 0 {
		docs = []report.Document{{Query: "no files", GeneratedAt: r.GeneratedAt, Generator: r.Generator, Verdict: r.Verdict}}
	}
	return docs
}
