package check

import (
	"slices"

	"github.com/citeloop/citeloop/internal/cli/console"
	"github.com/citeloop/citeloop/internal/verify"
	"github.com/citeloop/citeloop/internal/verify/remark"
	"github.com/citeloop/citeloop/loopstate"
)

// object is the result as JSON has it.
type object struct {
	*Result
	Threshold float64       `json:"threshold"`
	Claims    []claimRow    `json:"verified_claims"`
	Uncited   []Finding     `json:"uncited_sentences"`
	Dead      []deadRow     `json:"hallucinated_citations"`
	Conflicts []conflictRow `json:"conflicts"`
	Sources   []sourceRow   `json:"sources"` // in the order of their first citation
	Findings  []Finding     `json:"findings"`
	Generator string        `json:"generator"`
}

// generator is named in results.
const generator = "citeloop " + console.Version

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

type remarkRow struct {
	remark.Remark
	Says string `json:"says"`
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
	of := func(kind Kind) []Finding {
		return slices.DeleteFunc(orEmpty(r.findings()), func(x Finding) bool { return x.Kind != kind })
	}
	out := object{r, verify.DefaultThreshold, []claimRow{}, of(Uncited), []deadRow{}, []conflictRow{}, []sourceRow{},
		orEmpty(r.findings()), generator}
	for _, x := range of(Hallucinated) {
		out.Dead = append(out.Dead, deadRow{x.Text, x.Citation, x.Why, x.Place})
	}
	for _, f := range r.Files {
		for _, x := range f.result.Conflicts {
			place := f.place(f.result.Claims[x.Claim].Span())
			out.Conflicts = append(out.Conflicts, conflictRow{x.ValueA, x.ValueB, x.Because, place})
		}
		for _, c := range f.result.Claims {
			row := claimRow{Claim: c.Text, Place: f.place(c.Span()), finding: findingOf(c), Read: c.Read(), Near: f.near(c),
				Origins: c.Origins, Citations: []citationRow{}, Reading: c.Reading}
			for _, cite := range c.Citations {
				to := f.citation(cite)
				row.Citations = append(row.Citations, to)
				src := sourceRow{to.URL, to.Status, f.result.Sources[cite.SourceID].Title}
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
		to.Status, to.Reason = "not_read", f.result.WhyUnread(cite)
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
