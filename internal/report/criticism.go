package report

import (
	"html/template"
	"slices"
	"strings"

	"github.com/citeloop/citeloop/internal/sanitize"
	"github.com/citeloop/citeloop/loopstate"
)

// Criticism is what critics who had not written the text found in its drafts, and what the author answered.
type Criticism struct {
	Readings []loopstate.CriticReading `json:"readings"`
	Points   []loopstate.Point         `json:"points"`
	Declined string                    `json:"declined,omitempty"` // why the user wanted no critic
	Missing  bool                      `json:"missing,omitempty"`  // the loop asks for one, and none has read the text
}

// CriticismOf returns the criticism of a loop's drafts, or nil if the loop neither had nor needs any.
func CriticismOf(st *loopstate.State) *Criticism {
	c := Criticism{Readings: slices.Clone(st.Critics), Points: slices.Clone(st.Points), Declined: st.CriticDeclined, Missing: st.LacksCritic()}
	if len(c.Readings) == 0 && c.Declined == "" && !c.Missing {
		return nil
	}
	c.Readings, c.Points = orEmpty(c.Readings), orEmpty(c.Points)
	return &c
}

const criticTitle = "What a critic found"

// pointGroups are the groups of points by their answers, in the order of the appendix: what the author did not follow first.
var pointGroups = []struct{ answer, title string }{
	{loopstate.PointRefused, "Refused"}, {"", "Without an answer"}, {loopstate.PointPartly, "Taken in part"}, {loopstate.PointTaken, "Taken"},
}

// criticLead says how often the drafts were read by a critic, in sentences.
func (f facts) criticLead() []string {
	var out []string
	c := f.Critic
	switch {
	case len(c.Points) > 0:
		out = append(out, f.words.T("A critic who had not written the text read a draft of it. The author answers each point."))
	case len(c.Readings) > 0:
		out = append(out, f.words.T("A critic who had not written the text read a draft of it and found nothing to change."))
	case c.Missing:
		out = append(out, f.words.T("No critic has read this text."))
	}
	if c.Declined != "" {
		out = append(out, f.words.T("The user wanted no critic: %s", plainStop(c.Declined)))
	}
	return out
}

// pointsWith returns the points with an answer.
func (c *Criticism) pointsWith(answer string) []loopstate.Point {
	var out []loopstate.Point
	for _, p := range c.Points {
		if p.Answer == answer {
			out = append(out, p)
		}
	}
	return out
}

// criticism writes the points of the critics, those that the author refused first.
func (m *mdWriter) criticism() {
	if m.Critic == nil {
		return
	}
	m.line("## %s", m.words.T(criticTitle))
	for _, s := range m.criticLead() {
		m.line("%s", mdEscape(s))
	}
	for _, g := range pointGroups {
		points := m.Critic.pointsWith(g.answer)
		if len(points) == 0 {
			continue
		}
		m.line("### %s", counted(m.words.T(g.title), len(points)))
		for _, p := range points {
			m.item("**%s** %s", mdEscape(p.ID), strings.TrimSpace(mdEscape(p.What)+" "+mdEscape(m.pointNote(p))))
		}
		m.gap()
	}
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

// criticismHTML returns the section of the page, or nothing.
func (f facts) criticismHTML() template.HTML {
	if f.Critic == nil {
		return ""
	}
	var b strings.Builder
	put := func(parts ...string) {
		for _, p := range parts {
			b.WriteString(p)
		}
	}
	text := func(s string) string { return string(escaped(sanitize.Line(s))) }
	put(`<section id="critic" class="wide" aria-labelledby="critic-h">`, "\n", `<h2 id="critic-h">`, text(f.words.T(criticTitle)), "</h2>\n")
	for _, s := range f.criticLead() {
		put(`<p dir="auto">`, text(s), "</p>\n")
	}
	for _, g := range pointGroups {
		points := f.Critic.pointsWith(g.answer)
		if len(points) == 0 {
			continue
		}
		put("<h3>", text(counted(f.words.T(g.title), len(points))), "</h3>\n<ul>")
		for _, p := range points {
			put(`<li dir="auto"><strong>`, text(p.ID), "</strong> ", text(p.What))
			if note := f.pointNote(p); note != "" {
				put(` <span class="because">`, text(note), "</span>")
			}
			put("</li>\n")
		}
		put("</ul>\n")
	}
	put("</section>\n")
	return template.HTML(b.String()) //nolint:gosec // escaped writes every text
}
