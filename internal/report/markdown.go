package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/yuin/goldmark/ast"

	"github.com/citeloop/citeloop/internal/report/drawing"
	"github.com/citeloop/citeloop/internal/sanitize"
)

// renderMarkdown writes the report as Markdown for reading: the text, or without one a summary and the claims; then limits,
// disagreements, the research, the cited sources, and one line of evidence for each checked sentence.
func renderMarkdown(d Document) ([]byte, error) { return writeMarkdown(d, false), nil }

// renderFullMarkdown writes the same with all passages, hashes and sources.
func renderFullMarkdown(d Document) ([]byte, error) { return writeMarkdown(d, true), nil }

func writeMarkdown(d Document, full bool) []byte {
	m := &mdWriter{facts: factsOf(d), full: full}
	m.limited = m.limits(m.top())
	m.writeLimits()
	m.conflicts()
	m.contradictions()
	m.reviews()
	m.criticism()
	m.loop()
	m.sources()
	if full {
		m.receipts()
	} else {
		m.evidence()
	}
	m.line("---")
	m.line("%s", strings.TrimSpace(m.words.T("Written by %s from the loop `%s` at %s.", mdEscape(d.Generator), strings.ReplaceAll(sanitize.Line(d.StateID), "`", ""), minute(d.GeneratedAt))))
	return []byte(strings.TrimRight(m.b.String(), "\n") + "\n")
}

type mdWriter struct {
	facts
	full    bool // with all passages, hashes and sources
	limited *limitsSection
	b       strings.Builder
}

// line writes a paragraph, a heading or a rule.
func (m *mdWriter) line(format string, args ...any) {
	fmt.Fprintf(&m.b, format+"\n\n", args...)
}

func (m *mdWriter) item(format string, args ...any) {
	fmt.Fprintf(&m.b, "- "+format+"\n", args...)
}

func (m *mdWriter) gap() { m.b.WriteByte('\n') }

// top writes the title, the warning, and the text with its verdict, or the summary and the findings. told reports whether
// the text has its own section on limits.
func (m *mdWriter) top() (told bool) {
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
		m.line("# %s%s%s", m.words.T("DRAFT"), m.words.T(": "), name)
		m.line("> **%s**", mdEscape(draftNotice(m.words)))
	} else {
		m.line("# %s", name)
	}
	if text == "" {
		m.summary()
		return false
	}
	if title != "" && title != mdEscape(heading(d)) {
		m.line("**Question:** %s", mdEscape(heading(d)))
	}
	m.verdict()
	if own := drawing.VerdictOf(drawing.Own); strings.Contains(text, own.Sign) && slices.ContainsFunc(d.Sentences, func(s Sentence) bool { return s.Status == own.Status }) {
		m.line("%s %s", own.Sign, m.words.T("the author's own statement, like the uncited sentences directly before it; no source was asked about it"))
	}
	m.b.WriteString(text + "\n\n")
	if len(missed) > 0 {
		m.line("## %s", m.words.T("Sentences not found in the text"))
		m.line("%s", m.words.T("These were checked, but the text above does not contain them at the recorded place."))
		m.findings(missed)
	}
	return hasLimitsSection(parseMarkdown([]byte(text)).FirstChild(), []byte(text))
}

// verdict writes the result of the check in one paragraph.
func (m *mdWriter) verdict() {
	d := m.Document
	says := strings.TrimSpace("**" + m.words.T("Check") + ":** " + mdEscape(m.checked()) + " " + m.needed())
	if w := m.sourceCounts(); w != "" {
		says += " " + w
	}
	if d.AsOf != "" {
		says += " " + m.words.T("As of") + " " + mdEscape(d.AsOf) + m.words.T(".")
	}
	if at := minute(d.GeneratedAt); at != "" {
		says += " " + capital(m.words.T("written")) + " " + at + m.words.T(".")
	}
	m.line("%s", says)
}

// summary writes the result of the check, and the best and all claims of a report without a text.
func (m *mdWriter) summary() {
	m.verdict()
	m.line("## %s", m.words.T("Executive Summary"))
	best := m.best()
	if len(best) == 0 {
		m.line("%s", m.words.T("No recorded claim is supported by a source yet."))
	}
	for _, i := range best {
		m.line("%s", m.finding(i))
	}
	m.line("## %s", m.words.T("Detailed Findings"))
	groups := m.groups()
	if len(groups) == 0 {
		m.line("%s", m.words.T("No claim was recorded, so there is nothing to report yet."))
	}
	for _, g := range groups {
		m.line("### %s", counted(g.Title, len(g.Sentences)))
		m.findings(g.Sentences)
	}
}

// takeTitle removes the first heading from the text if it is of the first level: it becomes the report's title.
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

// findings writes sentences with the numbers of their receipts. A numbered list of Markdown would have its own.
func (m *mdWriter) findings(which []int) {
	for _, i := range which {
		m.item("**%d.** %s", i+1, m.finding(i))
	}
	m.gap()
}

// finding returns a sentence with its citations, and its verdict if it is not supported.
func (m *mdWriter) finding(i int) string {
	s := m.Sentences[i]
	text := mdEscape(s.Text)
	for _, id := range s.cites() {
		text += " " + m.mdCitation(i, cited{id: id, open: "[", shut: "]"}, false)
	}
	if v := s.Verdict(); v.Class != "v-grounded" {
		text += " (" + v.Sign + " " + m.words.T(v.Word) + ")"
	}
	return text
}
