package report

import (
	"bytes"
	"cmp"
	"slices"
	"strings"
	"sync"
	"text/template"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/renderer/html"
	"github.com/yuin/goldmark/text"

	"github.com/citeloop/citeloop/internal/sanitize"
)

// markdownPage is a report in Markdown; md makes a text inert.
const markdownPage = `# {{if .Unverified}}{{.T "DRAFT"}}: {{end}}{{md .Title}}

{{with .Asked}}**{{$.T "Question"}}:** {{md .}}

{{end}}{{with .Notice}}> **{{.}}**

{{end}}**{{.Word}}.** {{md .Result}}

{{with .Text}}{{.}}

{{end}}{{with .Rest}}{{if $.Text}}## {{$.T "Not in the text"}}

{{end}}{{range .}}- {{md .Text}} {{cites .Cites}}{{$.Mark .N}}
{{end}}
{{end}}{{if or .Doubts .Clashes .Lists}}## {{.T "What is doubtful"}}

{{range .Doubts}}### {{.Sign}} {{len .Items}} {{$.T .Word}}

{{$lone := .Lone}}{{range .Items}}- {{.N}}. {{md (short .Text)}}{{if not $lone}} {{md .Because}}{{end}}
{{end}}
{{end}}{{with .Clashes}}### {{$.T "Where the sources disagree"}}

{{range .}}{{template "clash" .}}{{end}}
{{end}}{{range .Lists}}### {{.Title}}

{{range .Items}}- {{md .}}
{{end}}
{{end}}{{end}}## {{.T "Sources"}}

{{with .Cited}}{{range .}}{{template "source" .}}{{end}}
{{end}}{{with .Others}}### {{$.T "Read, but not cited"}}

{{range .}}{{template "source" .}}{{end}}
{{end}}## {{.T "History"}}

{{md .History}}

{{with .Settled}}### {{$.T "Resolved"}}

{{range .}}{{template "clash" .}}{{end}}
{{end}}{{with .Rounds}}| {{$.T "Round"}} | {{$.T "Sources"}} | {{$.T "New"}} | {{$.T "Claims"}} | {{$.T "Open gaps"}} |
| --- | --- | --- | --- | --- |
{{range .}}| {{.Round}} | {{.Sources}} | {{.NewSources}} | {{.Claims}} | {{.OpenGaps}} |
{{end}}
{{end}}{{with .Proofs}}## {{$.T "Evidence"}}

{{range .}}{{.N}}. {{.Verdict.Sign}} **{{$.T .Verdict.Word}}** {{md .Because}}
{{range .Receipts}}   - [{{md .Label}}] {{md .Place}}: {{md (quoted .Quote)}}
{{end}}{{range .Notes}}   - {{md .}}
{{end}}{{end}}{{end}}
{{define "clash"}}- **{{md .Topic}}** {{md .Why}}
{{range .Sides}}  - [{{md .Label}}] {{md .Says}}
{{end}}{{end}}
{{define "source"}}- **[{{md .Label}}]** {{if .Link}}[{{md .Name}}](<{{.Link}}>){{else}}{{md .Name}}{{end}}
{{- range .About}} · {{md .}}{{end}}
{{end}}`

var markdownTemplate = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("markdown").Funcs(template.FuncMap{"md": md, "cites": citesOf, "short": short, "quoted": quoted}).
		Parse(markdownPage))
})

func renderMarkdown(d Document) ([]byte, error) {
	v := viewOf(d, nil)
	text, title := v.text()
	out, err := v.page(markdownTemplate(), title, text)
	return append(bytes.TrimRight(out, "\n"), '\n'), err
}

// Result returns the result of the check in a sentence.
func (v *view) Result() string { return v.summary(v.Document) }

// md makes untrusted text inert on a line of Markdown.
func md(s string) string { return sanitize.Markdown(sanitize.Line(s)) }

func citesOf(cites []cited) string {
	var labels []string
	for _, c := range cites {
		labels = append(labels, c.Label)
	}
	return told(len(labels) > 0, "["+strings.Join(slices.Compact(labels), ", ")+"]")
}

// Mark returns the state of the nth sentence in words, in parentheses; "" for a state that needs none.
func (v *view) Mark(n int) string {
	if v.at[n-1] == Own || !v.worded(n-1) {
		return ""
	}
	look := v.at[n-1].Verdict()
	return " (" + look.Sign + " " + v.T(look.Word) + ")"
}

// edit replaces a part of the author's source, in bytes.
type edit struct {
	start, end int
	with       string
}

// text returns the author's source with the marks put in, without raw HTML and with unsafe links disarmed; and its title, which is
// taken out.
func (v *view) text() (text, title string) {
	p := parse(v.Document)
	title, from := p.title()
	edits := removals(p)
	for _, s := range p.spans {
		v.inText[s.sentence] = true
		at := s.end
		if row := strings.TrimRight(string(p.Source[s.start:s.end]), " \t\n"); strings.HasSuffix(row, "|") {
			at = s.start + len(row) - 1 // within the last cell
		}
		edits = append(edits, edit{at, at, v.Mark(s.sentence + 1)})
	}
	edits = append(edits, v.citations(p)...)
	slices.SortStableFunc(edits, func(a, b edit) int { return cmp.Compare(a.start, b.start) })
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
func (v *view) citations(p parsed) (out []edit) {
	for _, cites := range p.cites {
		var shown []cited
		ids := 0
		for _, c := range cites {
			to, ok := v.cite(c.MarkerAt, c.sentence)
			byID := ok && c.Label == sanitize.Line(c.SourceID)
			if byID {
				ids++
			}
			if byID || ok && c.Label == "" {
				shown = append(shown, to)
			}
		}
		at := edit{p.bytes[cites[0].Start], p.bytes[cites[0].End], citesOf(shown)}
		switch {
		case ids == len(cites):
			out = append(out, at)
		case ids == 0 && len(shown) > 0:
			out = append(out, edit{at.end, at.end, " " + at.with})
		} // else it cites something else, too
	}
	return out
}

// removals takes raw HTML out of a text, and the schemes of links that could run something.
func removals(p parsed) (out []edit) {
	_ = ast.Walk(p.Tree, func(node ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		var raw []text.Segment
		switch n := node.(type) {
		case *ast.RawHTML:
			raw = n.Segments.Sliced(0, n.Segments.Len())
		case *ast.HTMLBlock:
			raw = n.Lines().Sliced(0, n.Lines().Len())
			if n.HasClosure() {
				raw = append(slices.Clone(raw), n.ClosureLine)
			}
		}
		for _, s := range raw {
			out = append(out, edit{s.Start, s.Stop, strings.Repeat("\n", bytes.Count(s.Value(p.Source), []byte("\n")))})
		}
		if address := addressOf(node, p.Source); address != "" && html.IsDangerousURL([]byte(address)) {
			from := max(0, node.Pos())
			if at := bytes.Index(p.Source[from:], []byte(address)); at >= 0 {
				out = append(out, edit{from + at, from + at, "unsafe:"})
			}
		}
		return ast.WalkContinue, nil
	})
	return out
}
