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
	Threshold float64    `json:"threshold"`
	Claims    []claimRow `json:"verified_claims"`
	Uncited   []Finding  `json:"uncited_sentences"`
	Dead      []Finding  `json:"hallucinated_citations"`
	Findings  []Finding  `json:"findings"`
	Generator string     `json:"generator"`
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
	out := object{r, verify.DefaultThreshold, []claimRow{}, of(Uncited), of(Hallucinated), orEmpty(r.findings()), generator}
	for _, f := range r.Files {
		for _, c := range f.result.Claims {
			row := claimRow{Claim: c.Text, Place: f.place(c.Span()), finding: findingOf(c), Read: c.Read(), Near: f.near(c),
				Origins: c.Origins, Citations: []citationRow{}, Reading: c.Reading}
			for _, cite := range c.Citations {
				row.Citations = append(row.Citations, f.citation(cite))
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
