package check

import (
	"slices"

	"github.com/citeloop/citeloop/internal/sanitize"
	"github.com/citeloop/citeloop/internal/verify"
	"github.com/citeloop/citeloop/internal/verify/remark"
	"github.com/citeloop/citeloop/loopstate"
)

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

// object is the result as JSON has it.
type object struct {
	Verdict      string        `json:"verdict"`
	Groundedness float64       `json:"overall_groundedness"` // share of the sentences that were read
	Threshold    float64       `json:"threshold"`
	FailOn       []Kind        `json:"fail_on"`
	Files        []fileRow     `json:"files"`
	Claims       []claimRow    `json:"verified_claims"`
	Uncited      []uncitedRow  `json:"uncited_sentences"`
	Dead         []deadRow     `json:"hallucinated_citations"`
	Conflicts    []conflictRow `json:"conflicts"`
	Sources      []sourceRow   `json:"sources"` // in the order of their first citation
	Findings     []Finding     `json:"findings"`
	Notes        []string      `json:"notes"`
	GeneratedAt  string        `json:"generated_at"`
	Generator    string        `json:"generator"`
}

func (r *Result) object() object {
	out := object{Verdict: r.Verdict, Groundedness: r.Groundedness, Threshold: r.Threshold, FailOn: orEmpty(r.FailOn),
		Files: []fileRow{}, Claims: []claimRow{}, Uncited: []uncitedRow{}, Dead: []deadRow{}, Conflicts: []conflictRow{},
		Sources: []sourceRow{}, Findings: []Finding{}, Notes: orEmpty(r.Notes), GeneratedAt: r.GeneratedAt.Format("2006-01-02T15:04:05Z"),
		Generator: r.Generator}
	known := map[sourceRow]bool{}
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
			if x.Claim >= 0 {
				out.Conflicts = append(out.Conflicts, conflictRow{x.ValueA, x.ValueB, x.Because, f.place(f.Claims[x.Claim].Span())})
			}
		}
		for _, c := range f.Claims {
			row := claimRow{Claim: c.Text, Place: f.place(c.Span()), Status: c.Status, Read: c.Read(), Because: c.Because,
				Near: orEmpty(f.near(c)), Verbatim: c.Verbatim, Lines: c.Lines(), Quote: string(c.QuoteGrade()), Origins: c.Origins,
				Remarks: remarkRows(c),
				Flags:   orEmpty(c.Flags), Citations: []citationRow{}, Reading: c.Reading}
			for _, cite := range c.Citations {
				to := citationRow{cite.Raw, nameOf(cite.URL, f.Name), cite.Lines.String(), "read", cite.Problem}
				switch {
				case cite.Problem != "":
					to.Status = "unresolved"
				case cite.SourceID == "":
					to.Status, to.Reason = "not_read", f.WhyUnread(cite)
				}
				row.Citations = append(row.Citations, to)
				if src := (sourceRow{to.URL, to.Status, f.Sources[cite.SourceID].Title}); cite.Problem == "" && !known[src] {
					known[src] = true
					out.Sources = append(out.Sources, src)
				}
			}
			out.Claims = append(out.Claims, row)
		}
	}
	return out
}

// dead returns the citations that lead to nothing, each with the sentence that it is on.
func (f *File) dead() []verify.Dead {
	out := slices.Clone(f.Strays)
	for _, c := range f.Claims {
		for _, cite := range c.Citations {
			if cite.Problem != "" && !c.Covered {
				out = append(out, verify.Dead{Citation: cite, Claim: c.Text})
			}
		}
	}
	return out
}

func remarkRows(c verify.Claim) []remarkRow {
	out := []remarkRow{}
	for _, r := range c.Remarks {
		out = append(out, remarkRow{r, r.String()})
	}
	return out
}

func orEmpty[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}
