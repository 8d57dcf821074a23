package report

import (
	"strconv"
	"strings"

	"github.com/citeloop/citeloop/internal/report/messages"
	"github.com/citeloop/citeloop/internal/sanitize"
)

// view is what a report shows, in the language of its prose: the templates of the page and of Markdown have the same data.
// Its texts come from sources and users in part; the templates escape them.
type view struct {
	Draft                  string // the warning on a report that failed its check
	Question               string // if the title is another
	Interface              string // the language of the report around its text
	Checked                bool   // a check without a loop
	Summary                string // the result of the check
	ReadBy, Needed, Void   string
	Reviews                []reviewRow
	Counts                 []count
	AsOf, Generated, Stamp string
	Generator, StateID     string

	Findings     []finding // the sentences that the text does not show
	Best         []finding // without a text
	Groups       []group   // without a text
	Proofs       []proofView
	SourceCounts string

	Limits             *limitsSection // nil without limits
	Unseen, UnseenNote string
	CoverageGaps       bool
	Conflicts          []conflictView
	Contradicted       []contradictionView

	StopTitle, StopReason, Because, Rule string
	Rounds                               []roundRow
	Timed, Estimated                     bool
	Looked                               []looked
	Cited, Uncited                       []sourceView
	Critic                               *criticView // nil if nobody asked for a critic
}

// finding is a sentence with its citations and its verdict.
type finding struct {
	N    int
	Says any // escaped: template.HTML for the page, a string for Markdown
}

func findings(which []int, say func(sentence int) any) (out []finding) {
	for _, i := range which {
		out = append(out, finding{i + 1, say(i)})
	}
	return out
}

// viewOf returns a view without what depends on the text: its findings and limits.
func viewOf(f facts) view {
	d := f.Document
	v := view{
		Interface: f.words.Lang(), Checked: d.Parts != nil, Summary: capital(f.summary()) + f.words.T("."), ReadBy: strings.TrimSpace(f.readBy() + " " + f.bound()), Void: f.cautions(),
		Reviews: f.reviewRows(), Counts: f.counts(), AsOf: sanitize.Line(d.AsOf), Generated: minute(d.GeneratedAt), Stamp: stamp(d.GeneratedAt), Generator: sanitize.Line(d.Generator),
		StateID: sanitize.Line(d.StateID), SourceCounts: f.sourceCounts(), CoverageGaps: len(f.CoverageGaps) > 0, Because: sanitize.Line(d.Decision.Because), Rule: sanitize.Line(d.Decision.Rule),
		Looked: f.looked(), Unseen: f.Unseen, UnseenNote: f.words.T(unseenNote), Critic: criticOf(f),
	}
	if d.Unverified {
		v.Draft = draftNotice(f.words)
	}
	if !v.Checked { // each file has its own
		v.Needed = f.needed()
	}
	v.StopTitle, v.StopReason = f.stopped()
	v.Rounds, v.Timed, v.Estimated = f.roundRows()
	for i := range f.Sentences {
		v.Proofs = append(v.Proofs, proofOf(f, i))
	}
	for i, x := range f.Conflicts {
		v.Conflicts = append(v.Conflicts, conflictOf(f, x, i))
	}
	for i, x := range f.Contradictions {
		v.Contradicted = append(v.Contradicted, contradictionOf(f, x, i))
	}
	for i := range f.Sources {
		if s := sourceViewOf(f, i); s.Number > 0 {
			v.Cited = append(v.Cited, s)
		} else {
			v.Uncited = append(v.Uncited, s)
		}
	}
	return v
}

// counting is the function of templates that formats a count.
func counting(m messages.Table) func(n int, one, many string) string {
	return func(n int, one, many string) string { return m.Count(n, strconv.Itoa(n), one, many) }
}
