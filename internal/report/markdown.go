package report

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/renderer/html"

	"github.com/citeloop/citeloop/internal/sanitize"
)

// markdown writes a report as Markdown.
type markdown struct {
	*view
	b strings.Builder
}

func (m *markdown) line(format string, values ...any) { fmt.Fprintf(&m.b, format+"\n", values...) }

// list writes a heading and items, unless there are none.
func (m *markdown) list(heading string, items []string) {
	if len(items) > 0 {
		m.b.WriteString(after(heading, told(heading != "", "\n\n")))
		m.line("- %s\n", strings.Join(items, "\n- "))
	}
}

func renderMarkdown(d Document) ([]byte, error) {
	m := &markdown{view: viewOf(d)}
	text, title := m.text()
	m.prove(m.ownLinks())
	m.line("# %s%s\n", told(d.Unverified, m.T("DRAFT")+": "), md(cmp.Or(title, m.Title)))
	if title != "" && title != m.Title {
		m.line("**%s:** %s\n", m.T("Question"), md(m.Title))
	}
	if d.Unverified {
		m.line("> **%s**\n", draftNotice)
	}
	m.line("**%s.** %s\n", m.Word, md(m.summary(d)))
	if text != "" {
		m.line("%s\n", text)
	}
	var rest []string
	for _, s := range m.Rest {
		rest = append(rest, md(s.Text)+" "+citesOf(s.Cites)+m.mark(s.N-1))
	}
	m.list(told(text != "", "## "+m.T("Not in the text")), rest)
	m.doubtful()
	m.line("## %s\n", m.T("Sources"))
	m.sources("", m.Cited)
	m.sources("### "+m.T("Read, but not cited"), m.Others)
	m.history()
	m.evidence()
	return []byte(strings.TrimRight(m.b.String(), "\n") + "\n"), nil
}

// md makes untrusted text inert on a line of Markdown.
func md(s string) string { return sanitize.Markdown(sanitize.Line(s)) }

func citesOf(cites []cited) string {
	var labels []string
	for _, c := range cites {
		labels = append(labels, c.Label)
	}
	return told(len(labels) > 0, "["+strings.Join(slices.Compact(labels), ", ")+"]")
}

// mark returns the state of a sentence in words, in parentheses; "" for a state that needs none.
func (m *markdown) mark(i int) string {
	if m.at[i] == Own || !m.worded(i) {
		return ""
	}
	look := m.at[i].Verdict()
	return " (" + look.Sign + " " + m.T(look.Word) + ")"
}

// edit replaces a part of the author's source, in bytes.
type edit struct {
	start, end int
	with       string
}

// text returns the author's source with the marks put in, without raw HTML and with unsafe links disarmed; and its title, which is
// taken out.
func (m *markdown) text() (text, title string) {
	if strings.TrimSpace(m.Text) == "" {
		return "", ""
	}
	p := parse(m.Document)
	title, from := p.title()
	edits := removals(p)
	for _, s := range p.spans {
		m.inText[s.sentence] = true
		at := s.end
		if row := strings.TrimRight(string(p.Source[s.start:s.end]), " \t\n"); strings.HasSuffix(row, "|") {
			at = s.start + len(row) - 1 // within the last cell
		}
		edits = append(append(edits, edit{at, at, m.mark(s.sentence)}), m.citations(p, s.sentence)...)
	}
	slices.SortStableFunc(edits, func(a, b edit) int { return a.start - b.start })
	var b strings.Builder
	for _, e := range edits {
		if e.start >= from {
			b.Write(p.Source[from:e.start])
			b.WriteString(e.with)
			from = max(e.end, e.start)
		}
	}
	b.Write(p.Source[from:])
	return strings.TrimSpace(sanitize.Visible(b.String())), title
}

// citations writes the lines behind the author's citations: "[S1]" becomes "[S1:120]", and a link is followed by its source.
func (m *markdown) citations(p parsed, sentence int) (out []edit) {
	groups := map[edit][]cited{}
	for _, c := range m.Sentences[sentence].Markers {
		to, ok := m.cite(c, sentence, m.ownLinks())
		byID := c.Label == sanitize.Line(c.SourceID)
		if !ok || c.End <= c.Start || c.Start < 0 || c.End >= len(p.bytes) || !byID && c.Label != "" {
			continue
		}
		place := edit{p.bytes[c.Start], p.bytes[c.End], ""}
		if !byID {
			place = edit{p.bytes[c.End], p.bytes[c.End], " "}
		} else if slices.ContainsFunc(p.cites[c.Start], func(o MarkerAt) bool {
			_, known := m.byID[o.SourceID]
			return !known || o.Label != sanitize.Line(o.SourceID)
		}) {
			continue // it cites something else, too
		}
		groups[place] = append(groups[place], to)
	}
	for place, cites := range maps.All(groups) {
		place.with += citesOf(cites)
		out = append(out, place)
	}
	return out
}

// removals takes raw HTML out of a text, and the schemes of links that could run something.
func removals(p parsed) (out []edit) {
	remove := func(start, stop int) {
		out = append(out, edit{start, stop, strings.Repeat("\n", strings.Count(string(p.Source[start:stop]), "\n"))})
	}
	_ = ast.Walk(p.Tree, func(node ast.Node, entering bool) (ast.WalkStatus, error) {
		var address string
		switch n := node.(type) {
		case *ast.RawHTML:
			for _, s := range n.Segments.Sliced(0, n.Segments.Len()) {
				remove(s.Start, s.Stop)
			}
		case *ast.HTMLBlock:
			for _, s := range n.Lines().Sliced(0, n.Lines().Len()) {
				remove(s.Start, s.Stop)
			}
			if n.HasClosure() {
				remove(n.ClosureLine.Start, n.ClosureLine.Stop)
			}
		case *ast.Link:
			address = string(n.Destination)
		case *ast.Image:
			address = string(n.Destination)
		case *ast.AutoLink:
			address = string(n.URL(p.Source))
		}
		if entering && address != "" && html.IsDangerousURL([]byte(address)) {
			from := max(0, node.Pos())
			if at := strings.Index(string(p.Source[from:]), address); at >= 0 {
				out = append(out, edit{from + at, from + at, "unsafe:"})
			}
		}
		return ast.WalkContinue, nil
	})
	return out
}

func (m *markdown) doubtful() {
	if len(m.Doubts)+len(m.Clashes)+len(m.Lists) == 0 {
		return
	}
	m.line("## %s\n", m.T("What is doubtful"))
	for _, g := range m.Doubts {
		var items []string
		for _, p := range g.Items {
			says := md(sanitize.Short(p.Text, titleChars))
			if !g.Lone {
				says += " " + md(p.Because)
			}
			items = append(items, fmt.Sprintf("%d. %s", p.N, says))
		}
		m.list(fmt.Sprintf("### %s %d %s", g.Sign, len(g.Items), m.T(g.Word)), items)
	}
	m.clashes("Where the sources disagree", m.Clashes)
	for _, l := range m.Lists {
		var items []string
		for _, item := range l.Items {
			items = append(items, md(item))
		}
		m.list("### "+l.Title, items)
	}
}

func (m *markdown) clashes(title string, list []clash) {
	var items []string
	for _, c := range list {
		says := "**" + md(c.Topic) + "** " + md(c.Why)
		for _, s := range c.Sides {
			says += "\n  - " + strings.Join(nonEmpty("["+s.Label+"]", md(s.Value), inQuotes(s.Text)), " ")
		}
		items = append(items, says)
	}
	m.list("### "+m.T(title), items)
}

func inQuotes(s string) string { return told(s != "", "“"+md(s)+"”") }

func (m *markdown) sources(title string, list []sourceView) {
	var items []string
	for _, s := range list {
		parts := []string{"**[" + md(s.Label) + "]** " + md(s.Name)}
		if s.Link != "" {
			parts[0] = fmt.Sprintf("**[%s]** [%s](<%s>)", md(s.Label), md(s.Name), s.Link)
		}
		for _, x := range s.About {
			parts = append(parts, md(x))
		}
		items = append(items, strings.Join(parts, " · "))
	}
	m.list(title, items)
}

func (m *markdown) history() {
	says := m.Stopped()
	if m.AsOf != "" {
		says = m.T("As of") + " " + sanitize.Line(m.AsOf) + ". " + says
	}
	if written := Minute(m.GeneratedAt); written != "" {
		says += " " + AsSentence(m.T("written")+" "+written)
	}
	m.line("## %s\n\n%s\n", m.T("History"), md(says))
	m.clashes("Resolved", m.Settled)
	if len(m.Rounds) == 0 {
		return
	}
	m.line("| %s | %s | %s | %s | %s |\n| --- | --- | --- | --- | --- |", m.T("Round"), m.T("Sources"), m.T("New"), m.T("Claims"),
		m.T("Open gaps"))
	for _, r := range m.Rounds {
		m.line("| %d | %d | %d | %d | %d |", r.Round, r.Sources, r.NewSources, r.Claims, r.OpenGaps)
	}
	m.line("")
}

// evidence lists each sentence with the words of its sources.
func (m *markdown) evidence() {
	if len(m.Proofs) == 0 {
		return
	}
	m.line("## %s\n", m.T("Evidence"))
	for _, p := range m.Proofs {
		m.line("%d. %s **%s** %s", p.N, p.Verdict.Sign, m.T(p.Verdict.Word), md(p.Because))
		for _, r := range p.Receipts {
			m.line("   - [%s] %s: %s", md(r.Label), md(r.Place), inQuotes(r.Quote))
		}
		for _, note := range p.Notes {
			m.line("   - %s", md(note))
		}
	}
}
