package report

import (
	"fmt"
	"strings"

	"github.com/citeloop/citeloop/internal/report/drawing"
	"github.com/citeloop/citeloop/internal/sanitize"
)

// loop writes why the loop stopped, its rounds and its searches.
func (m *mdWriter) loop() {
	m.line("## %s", m.words.T("How this was researched"))
	if len(m.CoverageGaps) == 0 {
		m.line("%s", m.words.T("Coverage gaps: none recorded."))
	}
	title, reason := m.stopped()
	m.line("### %s", title)
	says := "**" + mdEscape(reason) + "**"
	if m.Decision.Because != "" {
		says += " " + mdEscape(m.Decision.Because)
	}
	if m.Decision.Rule != "" {
		says += " Rule: " + mdEscape(m.Decision.Rule) + "."
	}
	m.line("%s", says)
	m.line("### %s", m.words.T("Rounds"))
	if len(m.Rounds) == 0 {
		m.line("%s", m.words.T("No round was closed."))
	} else {
		m.rounds()
	}
	if m.Unseen != "" && m.limited == nil {
		m.unseen()
	}
	if looked := m.looked(); len(looked) > 0 {
		m.line("### %s", m.words.T("Searches"))
		m.b.WriteString("| Channel | Searches | Found | Found nothing | Partly searched | Could not search |\n| :--- | ---: | ---: | ---: | ---: | :--- |\n")
		for _, l := range looked {
			blind := fmt.Sprint(l.Blind)
			if l.Why != "" {
				blind += " (" + mdEscape(l.Why) + ")"
			}
			fmt.Fprintf(&m.b, "| %s | %d | %d | %d | %d | %s |\n", mdEscape(l.Channel), l.Searches, l.Found, l.Nothing, l.Partly, blind)
		}
		m.gap()
	}
}

// reviews writes the batches of second readers with their results.
func (m *mdWriter) reviews() {
	rows := m.reviewRows()
	if len(rows) == 0 {
		return
	}
	m.line("## %s", m.words.T("Second readers"))
	m.b.WriteString("| Review | Read by | When | Planted errors caught | Controls passed | Result |\n| :--- | :--- | :--- | ---: | ---: | :--- |\n")
	for _, r := range rows {
		fmt.Fprintf(&m.b, "| %s | %s | %s | %s | %s | %s |\n", mdEscape(r.Batch), mdEscape(r.Readers), r.When, r.Caught, r.Passed, r.Result)
	}
	m.gap()
}

// rounds writes the rounds table.
func (m *mdWriter) rounds() {
	rows, timed, estimated := m.roundRows()
	head, rule := "| Round | Sources | New | Claims | Open gaps |", "| ---: | ---: | ---: | ---: | ---: |"
	if estimated {
		head, rule = head+" Probably unseen |", rule+" ---: |"
	}
	if timed {
		head, rule = head+" Took |", rule+" ---: |"
	}
	m.b.WriteString(head + " Sign-off |\n" + rule + " :--- |\n")
	for _, r := range rows {
		fmt.Fprintf(&m.b, "| %d | %d | %d | %d | %d |", r.Round, r.Sources, r.NewSources, r.Claims, r.OpenGaps)
		if estimated {
			m.b.WriteString(" " + r.Unseen + " |")
		}
		if timed {
			m.b.WriteString(" " + r.Took + " |")
		}
		m.b.WriteString(" " + r.Signed + " |\n")
	}
	m.gap()
}

// sources writes the list of sources.
func (m *mdWriter) sources() {
	m.line("## %s", m.words.T("Sources"))
	if w := strings.TrimSpace(m.sourceCounts() + " " + drawing.Dates(m.dated())); w != "" {
		m.line("%s", w)
	}
	cited, read := 0, 0
	for i, s := range m.Sources {
		if s.Number > 0 {
			cited++
			m.source(i, s)
		} else {
			read++
		}
	}
	if cited == 0 {
		m.line("%s", m.words.T("No source is cited."))
	}
	m.gap()
	if read == 0 {
		return
	}
	m.line("### %s", m.words.T("Read, but not cited"))
	for i, s := range m.Sources {
		if s.Number <= 0 {
			m.source(i, s)
		}
	}
	m.gap()
}

func (m *mdWriter) source(i int, s Source) {
	parts := []string{"**" + mdEscape(s.title()) + "**"}
	for _, part := range []string{authorList(s.Authors), s.Publisher, s.PublishedAt, typeWords(s.SourceType)} {
		if part = mdEscape(part); part != "" {
			parts = append(parts, part)
		}
	}
	if a := s.address(); a != "" {
		parts = append(parts, mdAddress(a))
	}
	if at := minute(s.FetchedAt); at != "" {
		parts = append(parts, "read "+at)
	}
	if h := short(s.SHA256); h != "" {
		parts = append(parts, "sha256 "+mdEscape(h)+"…")
	}
	if s.Number > 0 {
		parts = append(parts, "cited by "+s.citedBy(m.cited[s.ID]))
	}
	if s.DuplicateOf != "" {
		same := mdEscape(s.DuplicateOf)
		if _, _, ok := m.facts.source(s.DuplicateOf); ok {
			same = mdCite(m.facts, s.DuplicateOf, false)
		}
		parts = append(parts, "same text as "+same)
	}
	for _, w := range s.warnings() {
		parts = append(parts, mdEscape(w))
	}
	if s.Pasted {
		parts = append(parts, "pasted by the user")
	}
	if id := sanitize.Line(s.ID); id != "" && id != s.label() {
		parts = append(parts, "kept as "+mdEscape(id))
	}
	m.item(`<a id="source-%d"></a>\[%s\] %s`, i+1, mdEscape(s.label()), strings.Join(parts, "; "))
}

// receipts writes the passages of each sentence.
func (m *mdWriter) receipts() {
	if len(m.Sentences) == 0 {
		return
	}
	m.line("## %s", m.words.T("Receipts"))
	m.line("%s", m.words.T("For each sentence: the verdict, the reason, and the passages from the stored text. Offsets count characters of that text."))
	for i, s := range m.Sentences {
		v := s.verdict()
		m.line("**Sentence %d.** %s", i+1, mdEscape(s.Text))
		says := fmt.Sprintf("%s %s, support %s", v.Sign, v.Word, shown(s.Confidence))
		if s.IndependentOrigins > 0 {
			says += ", " + drawing.Count(s.IndependentOrigins, "independent origin", "independent origins")
		}
		says += "."
		if s.Because != "" {
			says += " " + mdEscape(plainStop(s.Because))
		}
		if differences := s.differences(); len(differences) > 0 {
			says += " Differences: " + mdEscape(strings.Join(differences, "; ")) + "."
		}
		if flags := s.flags(); len(flags) > 0 {
			says += " Flags: " + mdEscape(strings.Join(flags, "; ")) + "."
		}
		m.line("%s", says)
		for _, r := range s.Receipts {
			m.receipt(r)
		}
		if len(s.Receipts) == 0 {
			m.line("%s", m.words.T("No passage was found for it."))
		}
	}
}

func (m *mdWriter) receipt(r Receipt) {
	says := fmt.Sprintf("%s %s", mdCite(m.facts, r.SourceID, false), r.place())
	if at := minute(r.FetchedAt); at != "" {
		says += ", read " + at
	}
	if h := short(r.SHA256); h != "" {
		says += ", sha256 " + mdEscape(h) + "…"
	}
	if r.Quote != "" {
		says += ", quoted as “" + mdEscape(r.Quote) + "”"
		if r.Grade != "" {
			says += " (" + mdEscape(r.Grade) + ")"
		}
	}
	m.line("%s:", says)
	m.b.WriteString(mdLines(r.Passage, "> "))
	m.gap()
}
