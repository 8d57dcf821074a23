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

func renderMarkdown(d Document) ([]byte, error) {
	m := &markdown{view: viewOf(d)}
	text, title := "", ""
	if strings.TrimSpace(d.Text) != "" {
		text, title = m.text(parse(d))
	}
	rest := m.claims()
	m.prove(Links{})
	m.line("# %s%s\n", m.draftWord(), md(cmp.Or(title, m.Title)))
	if title != "" && title != m.Title {
		m.line("**%s:** %s\n", m.t("Question"), md(m.Title))
	}
	if d.Unverified {
		m.line("> **%s**\n", draftNotice)
	}
	m.line("**%s.** %s\n", m.Word, md(m.labels.summary(d)))
	if text != "" {
		m.line("%s\n", text)
	}
	if rest != "" && text != "" {
		m.line("## %s\n", m.t("Not in the text"))
	}
	if rest != "" {
		m.line("%s", rest)
	}
	m.doubtful()
	m.sources()
	m.history()
	m.evidence()
	return []byte(strings.TrimRight(m.b.String(), "\n") + "\n"), nil
}

func (m *markdown) draftWord() string {
	if m.Unverified {
		return m.t("DRAFT") + ": "
	}
	return ""
}

// md makes untrusted text inert on a line of Markdown.
func md(s string) string { return sanitize.Markdown(sanitize.Line(s)) }

// mark returns the state of a sentence in words, in parentheses; "" for a state that needs none.
func (m *markdown) mark(i int) string {
	if m.at[i] == Own || !m.worded(i) {
		return ""
	}
	look := m.at[i].Verdict()
	return " (" + look.Sign + " " + m.t(look.Word) + ")"
}

// edit replaces a part of the author's source, in bytes.
type edit struct {
	start, end int
	with       string
}

// text returns the author's source with the marks put in, without raw HTML and with unsafe links disarmed; and its title, which is
// taken out.
func (m *markdown) text(p parsed) (text, title string) {
	from := 0
	if h, ok := p.Tree.FirstChild().(*ast.Heading); ok && h.Level == 1 && h.Lines().Len() > 0 {
		line := h.Lines().At(h.Lines().Len() - 1)
		if at := strings.LastIndexByte(string(p.Source[:line.Start]), '\n') +
			1; strings.HasPrefix(strings.TrimLeft(string(p.Source[at:line.Start]), " "), "#") {
			title = p.title()
			if from = len(p.Source); line.Stop < from {
				from = line.Stop + strings.IndexByte(string(p.Source[line.Stop:])+"\n", '\n')
			}
		}
	}
	edits := removals(p)
	for _, s := range p.spans {
		m.inText[s.sentence] = true
		at := s.end
		if row := strings.TrimRight(string(p.Source[s.start:s.end]), " \t\n"); strings.HasSuffix(row, "|") {
			at = s.start + len(row) - 1 // within the last cell
		}
		if mark := m.mark(s.sentence); mark != "" {
			edits = append(edits, edit{at, at, mark})
		}
		edits = append(edits, m.citations(p, s.sentence)...)
	}
	slices.SortStableFunc(edits, func(a, b edit) int { return a.start - b.start })
	var b strings.Builder
	for _, e := range edits {
		if e.start < from {
			continue
		}
		b.Write(p.Source[from:e.start])
		b.WriteString(e.with)
		from = max(e.end, e.start)
	}
	b.Write(p.Source[min(from, len(p.Source)):])
	return strings.TrimSpace(sanitize.Visible(b.String())), title
}

// citations writes the lines behind the author's citations: "[S1]" becomes "[S1:120]", and a link is followed by its source.
func (m *markdown) citations(p parsed, sentence int) (out []edit) {
	groups := map[int][]string{}
	ends := map[int]int{}
	for _, c := range m.Sentences[sentence].Markers {
		to, ok := m.cite(c, sentence, m.ownLinks())
		byID := c.Label == sanitize.Line(c.SourceID)
		if !ok || c.End <= c.Start || c.Start < 0 || c.End >= len(p.bytes) || !byID && c.Label != "" {
			continue
		}
		at := c.Start
		if !byID {
			at = c.End
		}
		groups[at], ends[at] = append(groups[at], to.Label), c.End
	}
	for _, at := range slices.Sorted(maps.Keys(groups)) {
		all, space := slices.Compact(groups[at]), ""
		if ends[at] == at {
			space = " "
		} else if n := len(p.cites[at]); n > len(groups[at]) {
			continue // it cites something else, too
		}
		out = append(out, edit{p.bytes[at], p.bytes[ends[at]], space + "[" + strings.Join(all, ", ") + "]"})
	}
	return out
}

// removals takes raw HTML out of a text, and the schemes of links that could run something.
func removals(p parsed) (out []edit) {
	disarm := func(n ast.Node, address []byte) {
		if at := strings.Index(string(p.Source[max(0, n.Pos()):]), string(address)); html.IsDangerousURL(address) && at >= 0 &&
			len(address) > 0 {
			at += max(0, n.Pos())
			out = append(out, edit{at, at, "unsafe:"})
		}
	}
	_ = ast.Walk(p.Tree, func(node ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := node.(type) {
		case *ast.RawHTML:
			for i := range n.Segments.Len() {
				s := n.Segments.At(i)
				out = append(out, edit{s.Start, s.Stop, ""})
			}
		case *ast.HTMLBlock:
			for i := range n.Lines().Len() {
				s := n.Lines().At(i)
				out = append(out, edit{s.Start, s.Stop, "\n"})
			}
			if n.HasClosure() {
				out = append(out, edit{n.ClosureLine.Start, n.ClosureLine.Stop, "\n"})
			}
		case *ast.Link:
			disarm(n, n.Destination)
		case *ast.Image:
			disarm(n, n.Destination)
		case *ast.AutoLink:
			disarm(n, n.URL(p.Source))
		}
		return ast.WalkContinue, nil
	})
	return out
}

// claims lists the sentences that the text does not have.
func (m *markdown) claims() string {
	var b strings.Builder
	for i, s := range m.Sentences {
		if m.inText[i] {
			continue
		}
		m.inText[i] = true
		var cites []string
		for _, at := range s.markers() {
			if to, ok := m.cite(at, i, m.ownLinks()); ok {
				cites = append(cites, "["+to.Label+"]")
			}
		}
		fmt.Fprintf(&b, "- %s %s%s\n", md(sanitize.Short(s.Text, saidChars)), strings.Join(cites, ""), m.mark(i))
	}
	return b.String()
}

func (m *markdown) doubtful() {
	if len(m.Doubts)+len(m.Clashes)+len(m.Lists) == 0 {
		return
	}
	m.line("## %s\n", m.t("What is doubtful"))
	for _, g := range m.Doubts {
		m.line("### %s %d %s\n", g.Sign, len(g.Items), m.t(g.Word))
		for _, p := range g.Items {
			if g.Lone {
				m.line("- %d. %s", p.N, md(sanitize.Short(p.Text, 160)))
			} else {
				m.line("- %d. %s %s", p.N, md(sanitize.Short(p.Text, titleChars)), md(p.Because))
			}
		}
		m.line("")
	}
	if len(m.Clashes) > 0 {
		m.line("### %s\n", m.t("Where the sources disagree"))
		m.clashes(m.Clashes)
	}
	for _, l := range m.Lists {
		m.line("### %s\n", l.Title)
		for _, item := range l.Items {
			m.line("- %s", md(item))
		}
		m.line("")
	}
}

func (m *markdown) clashes(list []clash) {
	for _, c := range list {
		m.line("- **%s** %s", md(c.Topic), md(c.Why))
		for _, s := range c.Sides {
			says := md(s.Value)
			if s.Text != "" {
				says = strings.TrimSpace(says + " “" + md(s.Text) + "”")
			}
			m.line("  - %s", strings.TrimSpace("["+s.Label+"] "+says))
		}
	}
	m.line("")
}

func (m *markdown) sources() {
	m.line("## %s\n", m.t("Sources"))
	for i, list := range [][]sourceView{m.Cited, m.Others} {
		if i == 1 && len(list) > 0 {
			m.line("### %s\n", m.t("Read, but not cited"))
		}
		for _, s := range list {
			name := md(s.Name)
			if s.Link != "" {
				name = "[" + name + "](<" + s.Link + ">)"
			}
			parts := []string{"**[" + md(s.Label) + "]** " + name}
			if s.File != "" && s.File != s.Name {
				parts = append(parts, "`"+strings.ReplaceAll(s.File, "`", "")+"`")
			}
			for _, x := range append([]string{s.Made}, s.Notes...) {
				if x != "" {
					parts = append(parts, md(x))
				}
			}
			if s.Read != "" {
				parts = append(parts, m.t("read")+" "+s.Read)
			}
			m.line("- %s", strings.Join(parts, " · "))
		}
		if len(list) > 0 {
			m.line("")
		}
	}
}

func (m *markdown) history() {
	m.line("## %s\n", m.t("History"))
	says := m.Stopped() + m.Origin()
	if m.AsOf != "" {
		says = m.t("As of") + " " + sanitize.Line(m.AsOf) + ". " + says
	}
	if written := Minute(m.GeneratedAt); written != "" {
		says += " " + AsSentence(m.t("written")+" "+written)
	}
	m.line("%s\n", md(says))
	if len(m.Settled) > 0 {
		m.line("### %s\n", m.t("Resolved"))
		m.clashes(m.Settled)
	}
	if len(m.Rounds) > 0 {
		m.line("| %s | %s | %s | %s | %s |\n| --- | --- | --- | --- | --- |", m.t("Round"), m.t("Sources"), m.t("New"), m.t("Claims"),
			m.t("Open gaps"))
		for _, r := range m.Rounds {
			m.line("| %d | %d | %d | %d | %d |", r.Round, r.Sources, r.NewSources, r.Claims, r.OpenGaps)
		}
		m.line("")
	}
	for _, says := range m.ReviewLines() {
		m.line("- %s", md(says))
	}
	m.line("")
}

// evidence lists each sentence with the words of its sources.
func (m *markdown) evidence() {
	if len(m.Proofs) == 0 {
		return
	}
	m.line("## %s\n", m.t("Evidence"))
	for _, p := range m.Proofs {
		m.line("%d. %s **%s** %s", p.N, p.Verdict.Sign, m.t(p.Verdict.Word), md(p.Because))
		for _, r := range p.Receipts {
			m.line("   - [%s] %s: “%s”", md(r.Label), md(r.Place), md(r.Quote))
		}
		for _, note := range p.Notes {
			m.line("   - %s", md(note))
		}
	}
}
