package report

import (
	"fmt"
	"strings"
)

// limitations writes what limits the report. What must never be dropped stands in full; of the other lists,
// a long one is begun and counted. told says that the text has a section of that name.
func (m *mdWriter) limitations(told bool) {
	title := limitsTitle
	if told {
		title = recordTitle
	}
	m.line("## %s", title)
	m.list("What the sources do not cover", m.CoverageGaps)
	if n := len(m.OpenQuestions); n > 0 {
		m.line("### %s", counted("Open questions", n))
		for _, q := range m.OpenQuestions {
			says := "**" + mdEscape(q.question()) + "** " + mdEscape(q.why())
			if how := q.how(); how != "" {
				says += " " + mdEscape(how)
			}
			m.item("%s", says)
		}
		m.gap()
	}
	m.list("Still open", m.OpenGaps)
	if open := m.disagreements(); len(open) > 0 {
		m.line("### %s", counted("Where the sources disagree", len(open)))
		for _, x := range open {
			m.item("**%s:** %s", mdEscape(x.Topic), mdEscape(x.Says))
		}
		m.gap()
	}
	m.notGrounded()
	m.nowhereCited()
	m.begun("Claims that rest on one weak source", m.OneSource)
	m.begun("Not tried, or not found", m.NotTried)
	m.unlooked()
	if m.Unseen != "" {
		m.unseen()
	}
}

// list writes all of a list.
func (m *mdWriter) list(title string, items []string) {
	if len(items) == 0 {
		return
	}
	m.line("### %s", counted(title, len(items)))
	for _, s := range items {
		m.item("%s", mdEscape(s))
	}
	m.gap()
}

// begun writes the first items of a list and counts the others.
func (m *mdWriter) begun(title string, items []string) {
	if len(items) == 0 {
		return
	}
	m.line("### %s", counted(title, len(items)))
	shown, rest := folded(items)
	for _, s := range shown {
		m.item("%s", mdEscape(s))
	}
	m.more(len(rest), "the HTML report has them all")
}

// more counts what a list leaves out, and says where it stands.
func (m *mdWriter) more(n int, where string) {
	if n > 0 {
		m.item("and %d more: %s", n, where)
	}
	m.gap()
}

func (m *mdWriter) notGrounded() {
	weak := m.weak()
	if len(weak) == 0 {
		return
	}
	m.line("### %s", counted("Sentences that are not grounded", len(weak)))
	shown, rest := folded(weak)
	for _, i := range shown {
		s := m.Sentences[i]
		v := s.verdict()
		because := ""
		if s.Because != "" {
			because = " " + mdEscape(plainStop(s.Because))
		}
		m.item("%s **%s:** %s%s", v.Sign, v.Word, mdEscape(plainStop(s.Text)), because)
	}
	m.more(len(rest), "“Receipts” has the verdict on each sentence")
}

func (m *mdWriter) nowhereCited() {
	all := m.nowhere()
	if len(all) == 0 {
		return
	}
	m.line("### %s", counted("Citations that cannot be verified", len(all)))
	shown, rest := folded(all)
	for _, n := range shown {
		m.item("%s in sentence %d: it leads to no source that was read", mdEscape(n.Written), n.Sentence)
	}
	m.more(len(rest), "the text marks each of them")
}

func (m *mdWriter) unlooked() {
	blind := m.blind()
	if len(blind) == 0 {
		return
	}
	m.line("### %s", counted("Searches that failed", len(blind)))
	for _, l := range blind {
		m.item("**%s:** %s", mdEscape(l.Channel), mdEscape(l.Missed()))
	}
	m.gap()
	if also := m.emptyHanded(); also != "" {
		m.line("%s", also)
	}
}

func (m *mdWriter) unseen() {
	m.line("### Estimate of what was not found")
	m.line("%s %s", mdEscape(m.Unseen), unseenNote)
}

// conflicts writes the quantities with two values.
func (m *mdWriter) conflicts() {
	if len(m.Conflicts) == 0 {
		return
	}
	m.line("## Conflicting values")
	for _, c := range m.Conflicts {
		m.line("### %s", mdEscape(topicOf(c.Topic, "A quantity")))
		if c.Because != "" {
			m.line("%s", mdEscape(c.Because))
		}
		for _, side := range []struct {
			value string
			r     Receipt
		}{{c.ValueA, c.A}, {c.ValueB, c.B}} {
			m.line("%s", strings.TrimSpace("**"+mdEscape(side.value)+"** "+mdCite(m.facts, side.r.SourceID, false)+" "+side.r.pages()))
			m.b.WriteString(mdLines(side.r.Passage, "> ") + "\n")
		}
	}
}

// contradictions writes what the sources disagree on: how it was resolved or why it was not, and what each of
// them says.
func (m *mdWriter) contradictions() {
	if len(m.Contradictions) == 0 {
		return
	}
	m.line("## Contradictions")
	for _, x := range m.Contradictions {
		m.line("### %s", mdEscape(topicOf(x.Topic, x.ID)))
		if resolved(x) {
			m.line("**Resolved.** %s", mdEscape(plainStop(x.Resolution)))
		} else {
			m.line("**Unresolved.** %s", mdEscape(whyOpen(x.Why)))
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

// parties names sources of which no passage was kept.
func (m *mdWriter) parties(sides []side) {
	var cites []string
	for _, s := range sides {
		cites = append(cites, mdCite(m.facts, s.SourceID, false))
	}
	if len(cites) > 0 {
		m.line("Sources: %s", strings.Join(cites, " "))
	}
}

// side writes the passages of one source word for word, with the way to them.
func (m *mdWriter) side(s side) {
	if len(s.Passages) == 0 {
		m.line("%s: no passage of it was stored.", mdCite(m.facts, s.SourceID, false))
		return
	}
	for _, r := range s.Passages {
		says := fmt.Sprintf("%s %s", mdCite(m.facts, s.SourceID, false), r.place())
		if link := m.living(r); link != "" {
			words := "open at this passage"
			if r.Page > 0 {
				words = "open at this page"
			}
			says += ", " + mdLink(words, link)
		}
		m.line("%s:", says)
		m.b.WriteString(mdLines(r.Passage, "> "))
		m.gap()
	}
}
