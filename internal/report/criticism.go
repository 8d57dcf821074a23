package report

import (
	"slices"
	"strings"

	"github.com/citeloop/citeloop/internal/sanitize"
	"github.com/citeloop/citeloop/loopstate"
)

// CriticismOf returns the criticism of a loop's drafts, or nil if the loop neither had nor needs any.
func CriticismOf(st *loopstate.State) *Criticism {
	c := Criticism{Readings: slices.Clone(st.Critics), Points: slices.Clone(st.Points), Declined: st.CriticDeclined, Missing: st.LacksCritic()}
	if len(c.Readings) == 0 && c.Declined == "" && !c.Missing {
		return nil
	}
	c.Readings, c.Points = orEmpty(c.Readings), orEmpty(c.Points)
	return &c
}

// criticView is the criticism in words: how often the drafts were read, and the points by their answers.
type criticView struct {
	Lead   []string
	Groups []pointGroup
}

type pointGroup struct {
	Title  string
	Points []pointView
}

type pointView struct{ ID, What, Note string }

// criticOf groups the points by their answers, what the author did not follow first.
func criticOf(f facts) *criticView {
	c := f.Critic
	if c == nil {
		return nil
	}
	v := &criticView{}
	switch {
	case len(c.Points) > 0:
		v.Lead = append(v.Lead, f.words.T("A critic who had not written the text read a draft of it. The author answers each point."))
	case len(c.Readings) > 0:
		v.Lead = append(v.Lead, f.words.T("A critic who had not written the text read a draft of it and found nothing to change."))
	case c.Missing:
		v.Lead = append(v.Lead, f.words.T("No critic has read this text."))
	}
	if c.Declined != "" {
		v.Lead = append(v.Lead, f.words.T("The user wanted no critic: %s", plainStop(c.Declined)))
	}
	for _, g := range []struct{ answer, title string }{
		{loopstate.PointRefused, "Refused"}, {"", "Without an answer"}, {loopstate.PointPartly, "Taken in part"}, {loopstate.PointTaken, "Taken"},
	} {
		var points []pointView
		for _, p := range c.Points {
			if p.Answer == g.answer {
				points = append(points, pointView{sanitize.Line(p.ID), sanitize.Line(p.What), sanitize.Line(f.pointNote(p))})
			}
		}
		if len(points) > 0 {
			v.Groups = append(v.Groups, pointGroup{counted(f.words.T(g.title), len(points)), points})
		}
	}
	return v
}

// pointNote returns where a point is, its evidence and the author's reason.
func (f facts) pointNote(p loopstate.Point) string {
	var parts []string
	if p.Where != "" || p.Lines != "" {
		parts = append(parts, "("+strings.Trim(sanitize.Line(p.Where)+"; "+sanitize.Line(p.Lines), "; ")+")")
	}
	if p.Why != "" {
		parts = append(parts, f.words.T("The author: %s", p.Why))
	}
	return strings.Join(parts, " ")
}
