package report

import (
	"fmt"
	"strings"

	"github.com/yuin/goldmark/ast"
)

// renderMarkdown writes the report as Markdown: the text, what limits it, how it was researched, the sources,
// and the receipts.
func renderMarkdown(d Document) ([]byte, error) {
	m := &mdWriter{facts: factsOf(d)}
	m.top()
	if m.limited() {
		m.limitations()
	}
	m.conflicts()
	m.contradictions()
	m.loop()
	m.sources()
	m.receipts()
	m.line("---")
	m.line("%s", strings.TrimSpace(fmt.Sprintf("Written by %s from the loop `%s` at %s.", mdEscape(d.Generator), strings.ReplaceAll(oneLine(d.StateID), "`", ""), minute(d.GeneratedAt))))
	return []byte(strings.TrimRight(m.b.String(), "\n") + "\n"), nil
}

type mdWriter struct {
	facts
	b strings.Builder
}

// line writes a paragraph, a heading or a rule.
func (m *mdWriter) line(format string, args ...any) {
	fmt.Fprintf(&m.b, format+"\n\n", args...)
}

func (m *mdWriter) item(format string, args ...any) {
	fmt.Fprintf(&m.b, "- "+format+"\n", args...)
}

func (m *mdWriter) gap() { m.b.WriteByte('\n') }

// top writes the title, the warning, the verdict, and the text or the findings.
func (m *mdWriter) top() {
	d := m.Document
	title, text := "", ""
	var missed []int
	if strings.TrimSpace(d.Text) != "" {
		text, missed = mdBody(d, m.facts)
		title, text = takeTitle(text)
	}
	name := title
	if name == "" {
		name = mdEscape(heading(d))
	}
	if d.Unverified {
		m.line("# DRAFT: %s", name)
		m.line("> **%s**", mdEscape(draftNotice(d)))
	} else {
		m.line("# %s", name)
	}
	if title != "" {
		m.line("**Question:** %s", mdEscape(heading(d)))
	}
	verified := "Verified"
	if d.Verdict != "pass" || d.Unverified {
		verified = "Not verified"
	}
	var counts []string
	for _, c := range m.counts() {
		counts = append(counts, fmt.Sprintf("%s %d %s", c.Sign, c.N, c.Word))
	}
	says := fmt.Sprintf("**%s:** %s of the sentences are grounded, %s were needed", verified, percent(d.Groundedness), percent(d.Threshold))
	if len(counts) > 0 {
		says += " (" + strings.Join(counts, ", ") + ")"
	}
	says += "."
	if d.AsOf != "" {
		says += " As of " + mdEscape(d.AsOf) + "."
	}
	if at := minute(d.GeneratedAt); at != "" {
		says += " Written " + at + "."
	}
	m.line("%s", says)
	if text != "" {
		m.b.WriteString(text + "\n\n")
		if len(missed) > 0 {
			m.line("## Sentences without a place in the text")
			m.line("These were verified, but the text above does not hold them where they were found.")
			m.findings(missed)
		}
		return
	}
	m.line("## Findings")
	if len(d.Sentences) == 0 {
		m.line("No claim was recorded, so there is nothing to report yet.")
		return
	}
	all := make([]int, len(d.Sentences))
	for i := range all {
		all[i] = i
	}
	m.findings(all)
}

// takeTitle takes a first heading of the first level off the text: it is the report's title.
func takeTitle(text string) (title, rest string) {
	source := []byte(text)
	h, ok := parseMarkdown(source).FirstChild().(*ast.Heading)
	if !ok || h.Level != 1 || h.Lines().Len() != 1 {
		return "", text
	}
	segment := h.Lines().At(0)
	line, rest, _ := strings.Cut(text, "\n")
	if segment.Stop > len(line) || !strings.HasPrefix(strings.TrimLeft(line, " "), "#") {
		return "", text
	}
	return strings.TrimSpace(string(segment.Value(source))), strings.TrimLeft(rest, "\n")
}

func (m *mdWriter) findings(which []int) {
	for _, i := range which {
		s := m.Sentences[i]
		text := mdEscape(s.Text)
		cited := make(map[string]bool)
		for _, r := range s.Receipts {
			if !cited[r.SourceID] {
				cited[r.SourceID] = true
				text += " " + mdCite(m.facts, r.SourceID, false)
			}
		}
		if v := verdictOf(s.Status); v.Class != "v-grounded" {
			text += " (" + v.Sign + " " + v.Word + ")"
		}
		fmt.Fprintf(&m.b, "%d. %s\n", i+1, text)
	}
	m.gap()
}

func (m *mdWriter) limitations() {
	m.line("## Limitations and Uncertainties")
	m.list("What the sources do not cover", m.CoverageGaps)
	if len(m.OpenQuestions) > 0 {
		m.line("### Open questions")
		for _, q := range m.OpenQuestions {
			why := mdEscape(q.Why)
			if why == "" {
				why = "No reason was recorded."
			}
			m.item("**%s** %s", mdEscape(q.Question), why)
		}
		m.gap()
	}
	m.list("Still open", m.OpenGaps)
	if weak := m.weak(); len(weak) > 0 {
		m.line("### Sentences that are not grounded")
		for _, i := range weak {
			s := m.Sentences[i]
			v := verdictOf(s.Status)
			because := ""
			if s.Because != "" {
				because = " " + mdEscape(plainStop(s.Because))
			}
			m.item("%s **%s:** %s%s", v.Sign, v.Word, mdEscape(plainStop(s.Text)), because)
		}
		m.gap()
	}
	if n := len(m.Conflicts); n > 0 {
		m.line("%s in different sources: see “Conflicting values”.", plural(n, "quantity has different values", "quantities have different values"))
	}
	if n := len(m.unresolved()); n > 0 {
		m.line("%s unresolved: see “Contradictions”.", plural(n, "contradiction is", "contradictions are"))
	}
	if blind := m.blind(); len(blind) > 0 {
		m.line("### Searches that could not look")
		for _, l := range blind {
			m.item("**%s:** %s", mdEscape(l.Channel), mdEscape(l.Missed()))
		}
		m.gap()
	}
}

func (m *mdWriter) list(title string, items []string) {
	if len(items) == 0 {
		return
	}
	m.line("### %s", title)
	for _, s := range items {
		m.item("%s", mdEscape(s))
	}
	m.gap()
}

func (m *mdWriter) conflicts() {
	if len(m.Conflicts) == 0 {
		return
	}
	m.line("## Conflicting values")
	for _, c := range m.Conflicts {
		m.line("### %s", mdEscape(c.Topic))
		if c.Because != "" {
			m.line("%s", mdEscape(c.Because))
		}
		for _, side := range []struct {
			value string
			r     Receipt
		}{{c.ValueA, c.A}, {c.ValueB, c.B}} {
			m.line("**%s** %s", mdEscape(side.value), mdCite(m.facts, side.r.SourceID, false))
			m.b.WriteString(mdLines(side.r.Passage, "> ") + "\n")
		}
	}
}

func (m *mdWriter) contradictions() {
	if len(m.Contradictions) == 0 {
		return
	}
	m.line("## Contradictions")
	for _, c := range m.Contradictions {
		var cites []string
		for _, id := range c.SourceIDs {
			cites = append(cites, mdCite(m.facts, id, false))
		}
		outcome := "Resolved: " + mdEscape(c.Resolution)
		if strings.TrimSpace(c.Resolution) == "" {
			outcome = "Unresolved. " + mdEscape(c.Why)
		}
		m.item("**%s** %s %s", mdEscape(c.Topic), strings.Join(cites, " "), strings.TrimSpace(outcome))
	}
	m.gap()
}
