package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/citeloop/citeloop/internal/report/messages"
)

// writeLimits writes the section on limits. It shortens the lists that another part of the report has in full.
func (m *mdWriter) writeLimits() {
	if m.limited == nil {
		return
	}
	m.line("## %s", m.limited.Title)
	for _, l := range m.limited.Lists {
		m.line("### %s", l.Title)
		items := l.Shown
		if l.where == "" {
			items = slices.Concat(l.Shown, l.Rest)
		}
		for _, x := range items {
			m.item("%s", x.markdown(m.words))
		}
		if len(items) == len(l.Shown) && len(l.Rest) > 0 {
			m.item("%s", m.words.T("and %d more: %s", len(l.Rest), m.words.T(l.where)))
		}
		m.gap()
		if l.After != "" {
			m.line("%s", l.After)
		}
	}
	if m.Unseen != "" {
		m.unseen()
	}
}

func (x limit) markdown(m messages.Table) string {
	lead, text, note := mdEscape(x.Lead), mdEscape(x.Text), mdEscape(x.Note)
	switch x.Kind {
	case limitQuestion:
		return strings.TrimSpace("**" + lead + "** " + text + " " + note)
	case limitTopic, limitSearching:
		return "**" + lead + ":** " + text
	case limitSentence:
		return strings.TrimSpace(x.Verdict.Sign + " **" + m.T(x.Verdict.Word) + strings.TrimRight(m.T(": "), " ") + "** " + mdEscape(plainStop(x.Text)) + " " + note)
	case limitCitation:
		return m.T("%s in sentence %d", lead, x.Sentence) + m.T(": ") + m.T("it leads to no source that was read")
	}
	return text
}

func (m *mdWriter) unseen() {
	m.line("### %s", m.words.T("Estimate of what was not found"))
	m.line("%s %s", mdEscape(m.Unseen), m.words.T(unseenNote))
}

// conflicts writes the quantities with two values.
func (m *mdWriter) conflicts() {
	if len(m.Conflicts) == 0 {
		return
	}
	m.line("## %s", m.words.T("Conflicting values"))
	for _, c := range m.Conflicts {
		m.line("### %s", mdEscape(topicOf(c.Topic, m.words.T("A quantity"))))
		if c.Because != "" {
			m.line("%s", mdEscape(c.Because))
		}
		for _, side := range []struct {
			value string
			r     Receipt
		}{{c.ValueA, c.A}, {c.ValueB, c.B}} {
			value := mdEscape(side.value)
			if value != "" {
				value = "**" + value + "** "
			}
			m.line("%s", strings.TrimSpace(value+mdCite(m.facts, side.r.SourceID, side.r.Lines, false)+" "+side.r.pages(m.words)))
			m.b.WriteString(mdLines(side.r.Passage, "> ") + "\n")
		}
	}
}

// contradictions writes the disagreements of the sources, with their resolution and passages.
func (m *mdWriter) contradictions() {
	if len(m.Contradictions) == 0 {
		return
	}
	m.line("## %s", m.words.T("Contradictions"))
	for _, x := range m.Contradictions {
		m.line("### %s", mdEscape(topicOf(x.Topic, x.ID)))
		if resolved(x) {
			m.line("**%s%s** %s", m.words.T("Resolved"), m.words.T("."), mdEscape(plainStop(x.Resolution)))
		} else {
			m.line("**%s%s** %s", m.words.T("Unresolved"), m.words.T("."), mdEscape(m.whyOpen(x.Why)))
		}
		sides, quoted := m.sides(x)
		if !quoted {
			m.parties(sides)
			continue
		}
		for _, s := range sides {
			m.side(s)
		}
	}
}

// parties names sources without a stored passage.
func (m *mdWriter) parties(sides []side) {
	var cites []string
	for _, s := range sides {
		cites = append(cites, mdCite(m.facts, s.SourceID, "", false))
	}
	if len(cites) > 0 {
		m.line("%s%s%s", m.words.T("Sources"), m.words.T(": "), strings.Join(cites, " "))
	}
}

// side quotes the passages of one source with their links.
func (m *mdWriter) side(s side) {
	if len(s.Passages) == 0 {
		m.line("%s%s%s", mdCite(m.facts, s.SourceID, "", false), m.words.T(": "), m.words.T("no passage of it was stored."))
		return
	}
	for _, r := range s.Passages {
		says := fmt.Sprintf("%s %s", mdCite(m.facts, s.SourceID, "", false), r.place(m.words))
		if link := m.liveLink(r); link != "" {
			words := "open at this passage"
			if r.Page > 0 {
				words = "open at this page"
			}
			says += ", " + mdLink(m.words.T(words), link)
		}
		m.line("%s:", says)
		m.b.WriteString(mdLines(r.Passage, "> "))
		m.gap()
	}
}
