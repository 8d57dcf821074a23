package loops

import (
	"cmp"
	"slices"

	"github.com/citeloop/citeloop/internal/grounding"
	"github.com/citeloop/citeloop/internal/sanitize"
	"github.com/citeloop/citeloop/loopstate"
)

// Completeness is what a draft omits of what the loop read and found.
type Completeness struct {
	grounding.Omissions
	Hits []loopstate.Evidence // unread hits that fit the question, best first
}

// maxUnreadHits bounds Completeness.Hits. unreadFit is the minimum share of the question's words in such a hit. Both are
// estimates.
const (
	maxUnreadHits = 3
	unreadFit     = 0.5
)

// wanted is what a draft should answer, the unread hits, and the parts of the texts that the host was shown.
type wanted struct {
	topics []string
	unread []loopstate.Evidence
	shown  map[string]loopstate.Spans
}

// shownOf returns how many characters of a passage were shown.
func (w wanted) shownOf(e grounding.Evidence) int {
	return w.shown[e.SourceID].Of(loopstate.Span{e.Start, e.End})
}

// wantedOf collects the question, its parts, rubrics and dimensions, and the first sub-questions.
func wantedOf(st *loopstate.State) wanted {
	w := wanted{topics: []string{st.Query}, unread: st.UnreadEvidence(maxRankedHits), shown: map[string]loopstate.Spans{}}
	for _, src := range st.Sources {
		w.shown[src.ID] = st.ShownOf(src.ID)
	}
	w.topics = append(w.topics, grounding.QuestionParts(st.Query)...)
	w.topics = append(w.topics, st.Rubrics...)
	for _, d := range st.Dimensions {
		w.topics = append(w.topics, d.Dimension)
	}
	for _, g := range st.Gaps {
		if g.OpenedRound == 1 && g.Material && g.Debt == "" && g.Status != loopstate.GapUnanswerable && !st.IsEntityGap(g) {
			w.topics = append(w.topics, g.Gap)
		}
	}
	return w
}

// maxRankedHits bounds the unread hits that are compared with the question.
const maxRankedHits = 200

// complete finds what the draft omits. It skips sentences that address a model.
func (v *Verification) complete(w wanted, checker *grounding.Checker, draft string) {
	var used []grounding.Evidence
	for _, c := range v.Claims {
		switch {
		case c.Status == grounding.Inferred: // it may rest on any of them
			used = append(used, c.Passages...)
		case c.Status == grounding.Grounded && c.Passage != nil:
			used = append(used, *c.Passage)
		}
	}
	out := Completeness{Omissions: checker.Omissions(grounding.Answer{Text: draft, Topics: w.topics, Used: used, Shown: w.shownOf}), Hits: fitting(w.topics[0], w.unread)}
	out.Passages = slices.DeleteFunc(out.Passages, func(p grounding.Evidence) bool { return len(sanitize.FindInjections(p.Text)) > 0 })
	for i, part := range out.Omissions.Unread {
		out.Omissions.Unread[i].Sections = slices.DeleteFunc(part.Sections, func(h grounding.Heading) bool { return len(sanitize.FindInjections(h.Text)) > 0 })
	}
	v.Completeness = &out
}

// fitting returns the hits that share most words with the question, best first.
func fitting(question string, hits []loopstate.Evidence) []loopstate.Evidence {
	type ranked struct {
		loopstate.Evidence
		share float64
	}
	var out []ranked
	for _, hit := range hits {
		if share := grounding.Fit(question, hit.Title+"\n"+hit.Snippet); share >= unreadFit {
			out = append(out, ranked{hit, share})
		}
	}
	slices.SortStableFunc(out, func(a, b ranked) int { return cmp.Compare(b.share, a.share) })
	var best []loopstate.Evidence
	for _, r := range out[:min(len(out), maxUnreadHits)] {
		best = append(best, r.Evidence)
	}
	return best
}
