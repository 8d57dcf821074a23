package check

import (
	"slices"

	"github.com/citeloop/citeloop/internal/cli/console"
	"github.com/citeloop/citeloop/internal/sanitize"
	"github.com/citeloop/citeloop/internal/verify"
	"github.com/citeloop/citeloop/internal/verify/remark"
	"github.com/citeloop/citeloop/loopstate"
)

// object is the result as JSON has it.
type object struct {
	*Result
	Threshold float64       `json:"threshold"`
	Files     []fileRow     `json:"files"`
	Claims    []claimRow    `json:"verified_claims"`
	Uncited   []uncitedRow  `json:"uncited_sentences"`
	Dead      []deadRow     `json:"hallucinated_citations"`
	Conflicts []conflictRow `json:"conflicts"`
	Sources   []sourceRow   `json:"sources"` // in the order of their first citation
	Findings  []Finding     `json:"findings"`
	Generator string        `json:"generator"`
}

// generator is named in results.
const generator = "citeloop " + console.Version

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

// finding is what was found about a claim, of a draft or of a file of claims.
type finding struct {
	Status   string      `json:"status"` // grounded, inferred or unsupported
	Because  string      `json:"because"`
	Lines    string      `json:"lines"` // cited, or found where none are: "S1:120-128; S3:7"
	Verbatim bool        `json:"verbatim"`
	Remarks  []remarkRow `json:"remarks"`
	Flags    []string    `json:"flags"`
	Quote    string      `json:"quote_grade,omitempty"`
}

type claimRow struct {
	Claim string `json:"claim"`
	Place
	finding
	Read      bool               `json:"read"` // somebody has read it beside its sources
	Near      []Lines            `json:"near"`
	Origins   int                `json:"independent_origins"`
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
}

type citationRow struct {
	Marker string `json:"marker"`
	URL    string `json:"url"`
	Lines  string `json:"lines,omitempty"`
	Status string `json:"status"`           // read, not_read or unresolved
	Reason string `json:"reason,omitempty"` // why it leads to nothing or was not read
}

func (r *Result) object() object {
	out := object{Result: r, Threshold: verify.DefaultThreshold, Files: []fileRow{}, Claims: []claimRow{}, Uncited: []uncitedRow{},
		Dead: []deadRow{}, Conflicts: []conflictRow{}, Sources: []sourceRow{}, Findings: []Finding{}, Generator: generator}
	for _, f := range r.Files {
		row := fileRow{f.Name, f.Verdict, f.Groundedness, f.Tally.Read(), f.Tally.Total(), f.Tally, f.Counts, len(f.Pending)}
		out.Files, out.Findings = append(out.Files, row), append(out.Findings, f.Findings...)
		for _, c := range f.Uncited {
			out.Uncited = append(out.Uncited, uncitedRow{c.Text, f.place(c.Span())})
		}
		for _, x := range f.dead() {
			out.Dead = append(out.Dead, deadRow{sanitize.Short(x.Claim, sentenceChars), x.Written(), x.Problem, f.place(x.Start, x.End)})
		}
		for _, x := range f.Conflicts {
			out.Conflicts = append(out.Conflicts, conflictRow{x.ValueA, x.ValueB, x.Because, f.place(f.Claims[x.Claim].Span())})
		}
		for _, c := range f.Claims {
			row := claimRow{Claim: c.Text, Place: f.place(c.Span()), finding: findingOf(c), Read: c.Read(), Near: orEmpty(f.near(c)),
				Origins: c.Origins, Citations: []citationRow{}, Reading: c.Reading}
			for _, cite := range c.Citations {
				to := f.citation(cite)
				row.Citations = append(row.Citations, to)
				src := sourceRow{to.URL, to.Status, f.Sources[cite.SourceID].Title}
				if cite.Problem == "" && !slices.Contains(out.Sources, src) {
					out.Sources = append(out.Sources, src)
				}
			}
			out.Claims = append(out.Claims, row)
		}
	}
	return out
}

func (f *File) citation(cite verify.Citation) citationRow {
	to := citationRow{cite.Raw, nameOf(cite.URL), cite.Lines.String(), "read", cite.Problem}
	if cite.Problem != "" {
		to.Status = "unresolved"
	} else if cite.SourceID == "" {
		to.Status, to.Reason = "not_read", f.WhyUnread(cite)
	}
	return to
}

func findingOf(c verify.Claim) finding {
	out := finding{c.Status, c.Because, c.Lines(), c.Verbatim, []remarkRow{}, orEmpty(c.Flags), string(c.QuoteGrade())}
	for _, r := range c.Remarks {
		out.Remarks = append(out.Remarks, remarkRow{r, r.String()})
	}
	return out
}

func orEmpty[T any](list []T) []T { return append([]T{}, list...) }
