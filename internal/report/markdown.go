package report

import (
	"bytes"
	"cmp"
	_ "embed"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
	"text/template"

	"github.com/yuin/goldmark/ast"

	"github.com/citeloop/citeloop/internal/report/markup"
	"github.com/citeloop/citeloop/internal/report/messages"
	"github.com/citeloop/citeloop/internal/report/style"
	"github.com/citeloop/citeloop/internal/sanitize"
	"github.com/citeloop/citeloop/internal/text/passage"
)

//go:embed report.gomd
var markdownSource string

// markdownTemplates are the parts of the report around its text, in each language of the interface. Every untrusted text passes
// through md, quote, address or code.
var markdownTemplates = sync.OnceValue(func() map[string]*template.Template {
	out := map[string]*template.Template{}
	for _, lang := range messages.Languages() {
		m := messages.For(lang)
		out[lang] = template.Must(template.New("report").Funcs(template.FuncMap{
			"day": day, "when": style.FormatTime, "title": func(s string) string { return sanitize.Short(s, titleChars) },
			"t": m.T, "count": counting(m), "md": mdEscape, "address": mdAddress, "hash": short, "sentence": capital, "stop": plainStop, "trim": strings.TrimSpace,
			"quote": func(s string) string { return mdLines(s, "> ") }, "code": func(s string) string { return strings.ReplaceAll(s, "`", "") },
			"join": func(list []string) string { return strings.Join(list, "; ") }, "begin": func(s string) string { return sanitize.Short(s, evidenceTextChars) },
			"target": func(address any) string { return mdTarget(fmt.Sprint(address)) },
		}).Parse(markdownSource))
	}
	return out
})

// markdownReport is a view with what only Markdown has.
type markdownReport struct {
	view
	Title   string // escaped
	OwnSign string // the sign of the author's own statements, if the text has any
	f       facts
}

// renderMarkdown writes the report as Markdown for reading: the text, or without one a summary and the claims; then limits,
// disagreements, the research, the cited sources, and one line of evidence for each checked sentence.
func renderMarkdown(d Document) ([]byte, error) { return writeMarkdown(d, false) }

// renderFullMarkdown writes the same with all passages, hashes and sources.
func renderFullMarkdown(d Document) ([]byte, error) { return writeMarkdown(d, true) }

func writeMarkdown(d Document, full bool) ([]byte, error) {
	f := factsOf(d)
	m := markdownReport{view: viewOf(f), f: f}
	text := m.text()
	var out []string
	write := func(name string, data any) error {
		part, err := markdownPart(m.Interface, name, data)
		if part != "" {
			out = append(out, part)
		}
		return err
	}
	err := write("top", m)
	if text != "" {
		out = append(out, text)
	}
	for _, s := range slices.Concat(m.Reading, m.Below) {
		switch body := s.Body.(type) {
		case *sourcesView:
			body.setFull(full)
		case *receiptsView:
			body.Full, body.Found = full, m.evidence
			if !full && !slices.ContainsFunc(f.Sentences, Sentence.receipted) {
				continue
			}
		}
		out = append(out, "## "+s.Title)
		err = errors.Join(err, write(s.Name, s.Body))
		if list, ok := s.Body.(*sourcesView); ok && len(list.Uncited) > 0 {
			err = errors.Join(err, write("uncited", list.others(full, strings.Join(out, "\n"))))
		}
	}
	err = errors.Join(err, write("foot", m))
	return []byte(strings.Join(out, "\n\n") + "\n"), err
}

// setFull says whether the sources are listed with their hashes.
func (v *sourcesView) setFull(full bool) {
	for _, list := range [][]sourceView{v.Cited, v.Uncited} {
		for i := range list {
			list[i].Full = full
		}
	}
}

// othersView is the list of sources that were read, but not cited.
type othersView struct {
	Shown []sourceView
	More  int
}

// others returns the uncited sources that need a place in the list: all, or those with a warning or a link from what is written.
func (v *sourcesView) others(full bool, written string) (out othersView) {
	for _, s := range v.Uncited {
		if full || s.DuplicateOf != "" || len(s.Warnings) > 0 || strings.Contains(written, fmt.Sprintf("(#source-%d)", s.Anchor)) {
			out.Shown = append(out.Shown, s)
		} else {
			out.More++
		}
	}
	return out
}

var blankLines = regexp.MustCompile(`\n{3,}`)

// markdownPart executes a template. Its lines are paragraphs, items or rows, so that blank lines have no meaning but to separate.
func markdownPart(lang, name string, data any) (string, error) {
	var b bytes.Buffer
	if err := markdownTemplates()[lang].ExecuteTemplate(&b, name, data); err != nil {
		return "", err
	}
	return strings.Trim(blankLines.ReplaceAllString(b.String(), "\n\n"), "\n"), nil
}

// text returns the text with its citations, and sets the title and the sections.
func (m *markdownReport) text() string {
	d := m.f.Document
	text, told, missed := "", false, []int(nil)
	if strings.TrimSpace(d.Text) != "" {
		text, missed = mdBody(d, m.f)
		m.Title, text = takeTitle(text)
		told = hasLimitsSection(markup.Parse([]byte(text)).FirstChild(), []byte(text))
	}
	name := mdEscape(heading(d))
	if text != "" && m.Title != "" && m.Title != name {
		m.Question = heading(d)
	}
	if m.Title == "" {
		m.Title = name
	}
	if own := style.VerdictOf(style.Own); strings.Contains(text, own.Sign) && slices.ContainsFunc(d.Sentences, func(s Sentence) bool { return s.Status == own.Status }) {
		m.OwnSign = own.Sign
	}
	m.Reading, m.Below = m.f.sections(textState{written: text != "", missed: missed, limits: told, say: m.statement, best: m.statement}, m.Counts)
	return text
}

// takeTitle removes the first heading from the text if it is of the first level: it becomes the report's title.
func takeTitle(text string) (title, rest string) {
	source := []byte(text)
	h, ok := markup.Parse(source).FirstChild().(*ast.Heading)
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

// statement returns a sentence with its citations, and its verdict if it is not supported.
func (m markdownReport) statement(i int) any {
	s := m.f.Sentences[i]
	text := mdEscape(s.Text)
	for _, id := range s.cites() {
		text += " " + m.f.mdCitation(i, cited{id: id, open: "[", shut: "]"}, false)
	}
	if v := s.Verdict(); v.Class != "v-grounded" {
		text += " (" + v.Sign + " " + m.f.words.T(v.Word) + ")"
	}
	return text
}

// Bounds of the evidence of one sentence, in code points.
const (
	evidenceTextChars    = 60
	evidenceWordsChars   = 100
	evidenceHeadingChars = 80
)

// evidence returns the lines that were read for a sentence, by its number.
func (m markdownReport) evidence(n int) (out []string) {
	s := m.f.Sentences[n-1]
	for _, id := range s.cites() {
		which, _ := s.linesOf(id)
		for _, j := range which {
			out = append(out, m.found(s, s.Receipts[j]))
		}
	}
	return out
}

// found returns the lines of a receipt, linked to the words on the page if possible, with their file, headings and words.
func (m markdownReport) found(s Sentence, r Receipt) string {
	at := cmp.Or(r.Cited, r.Lines)
	says := mdCite(m.f, r.SourceID, at, false)
	words := r
	if words.Passage = r.Words(s.Reading); words.Passage == r.Passage {
		words.Passage = passage.Excerpt(r.Passage, s.Text, evidenceWordsChars).Text
	}
	if link := m.f.liveLink(words); link != "" {
		says = mdLink(mdCite(m.f, r.SourceID, at, true), link)
	}
	parts := []string{says}
	if file := m.f.fileOf(r, at); file != "" {
		parts = append(parts, "`"+file+"`")
	}
	if p := m.f.where(r); p != "" {
		parts = append(parts, p)
	}
	if h := sanitize.Short(r.Heading, evidenceHeadingChars); h != "" {
		parts = append(parts, mdEscape(h))
	}
	return strings.Join(parts, " ") + m.f.words.T(": ") + "“" + mdEscape(sanitize.Short(words.Passage, evidenceWordsChars)) + "”"
}
