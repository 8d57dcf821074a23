package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/citeloop/citeloop/internal/report/drawing"
	"github.com/citeloop/citeloop/internal/sanitize"
	"github.com/citeloop/citeloop/internal/text/passage"
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
		says += " " + m.words.T("Rule") + m.words.T(": ") + mdEscape(m.Decision.Rule) + m.words.T(".")
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
		m.heads("Channel", "Searches", "Found", "Found nothing", "Partly searched", "Could not search")
		m.b.WriteString("| :--- | ---: | ---: | ---: | ---: | :--- |\n")
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

// heads writes the first row of a table.
func (m *mdWriter) heads(names ...string) {
	for _, name := range names {
		m.b.WriteString("| " + m.words.T(name) + " ")
	}
	m.b.WriteString("|\n")
}

// reviews writes the batches of second readers with their results.
func (m *mdWriter) reviews() {
	rows := m.reviewRows()
	if len(rows) == 0 {
		return
	}
	m.line("## %s", m.words.T("Readers"))
	m.heads("Review", "Read by", "When", "Planted errors caught", "Controls passed", "Result")
	m.b.WriteString("| :--- | :--- | :--- | ---: | ---: | :--- |\n")
	for _, r := range rows {
		fmt.Fprintf(&m.b, "| %s | %s | %s | %s | %s | %s |\n", mdEscape(r.Batch), mdEscape(r.Readers), r.When, r.Caught, r.Passed, r.Result)
	}
	m.gap()
}

// rounds writes the rounds table.
func (m *mdWriter) rounds() {
	rows, timed, estimated := m.roundRows()
	heads := []string{"Round", "Sources", "New", "Claims", "Open gaps"}
	if estimated {
		heads = append(heads, "Probably unseen")
	}
	if timed {
		heads = append(heads, "Took")
	}
	m.heads(append(heads, "Sign-off")...)
	m.b.WriteString(strings.Repeat("| ---: ", len(heads)) + "| :--- |\n")
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
	if w := strings.TrimSpace(m.sourceCounts() + " " + drawing.Dates(m.words, m.dated())); w != "" {
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
	linked := m.b.String()
	others := 0
	for i, s := range m.Sources {
		switch {
		case s.Number > 0:
		case m.full || s.DuplicateOf != "" || len(s.warnings(m.words)) > 0 || strings.Contains(linked, fmt.Sprintf("(#source-%d)", i+1)):
			m.source(i, s)
		default:
			others++
		}
	}
	if others > 0 {
		m.item("%s", m.count(others, "1 more source", "%s more sources"))
	}
	m.gap()
}

func (m *mdWriter) source(i int, s Source) {
	parts := []string{"**" + mdEscape(s.titleIn(m.words)) + "**"}
	for _, part := range []string{authorList(m.words, s.Authors), s.Publisher, s.PublishedAt, m.words.T(typeWords(s.SourceType))} {
		if part = mdEscape(part); part != "" {
			parts = append(parts, part)
		}
	}
	if a := cmp.Or(s.file(), s.address()); a != "" {
		parts = append(parts, mdAddress(a))
	}
	if at := day(s.FetchedAt); at != "" && !m.full {
		parts = append(parts, m.words.T("read %s", at))
	}
	if at := minute(s.FetchedAt); at != "" && m.full {
		parts = append(parts, m.words.T("read %s", at))
	}
	if h := short(s.SHA256); h != "" && m.full {
		parts = append(parts, "sha256 "+mdEscape(h)+"…")
	}
	if s.Number > 0 && (m.full || len(m.cited[s.ID]) > 0) {
		parts = append(parts, m.words.T("cited by %s", s.citedBy(m.words, m.cited[s.ID])))
	}
	if s.DuplicateOf != "" {
		same := mdEscape(s.DuplicateOf)
		if _, _, ok := m.facts.source(s.DuplicateOf); ok {
			same = mdCite(m.facts, s.DuplicateOf, "", false)
		}
		parts = append(parts, m.words.T("same text as %s", same))
	}
	for _, w := range s.warnings(m.words) {
		parts = append(parts, mdEscape(w))
	}
	if s.Pasted {
		parts = append(parts, m.words.T("pasted by the user"))
	}
	if id := sanitize.Line(s.ID); m.full && id != "" && id != s.label() {
		parts = append(parts, m.words.T("kept as %s", mdEscape(id)))
	}
	m.item(`<a id="source-%d"></a>\[%s\] %s`, i+1, mdEscape(s.label()), strings.Join(parts, "; "))
}

// Bounds of the evidence of one sentence, in code points.
const (
	evidenceTextChars    = 60
	evidenceWordsChars   = 100
	evidenceHeadingChars = 80
	evidencePathParts    = 2 // of the path of a file; the list of sources has all of it
)

// receipted reports whether the sentence has an entry among the receipts.
func (s Sentence) receipted() bool { return s.state() < dead }

// evidence writes an entry for each sentence with a source: its number, its beginning and its verdict, and below it the lines
// that were read, with the place and the words. One that is not supported also gets the reason. The author's own statements
// have no evidence.
func (m *mdWriter) evidence() {
	if !slices.ContainsFunc(m.Sentences, Sentence.receipted) {
		return
	}
	m.line("## %s", m.words.T("Receipts"))
	m.line("%s", m.words.T("For each sentence with a source: its beginning, the verdict, and the lines that were read, with the words that say it. The HTML, JSON and full Markdown reports have the passages."))
	for i, s := range m.Sentences {
		if !s.receipted() {
			continue
		}
		v := s.Verdict()
		says := fmt.Sprintf(`<a id="p%d"></a>**%d.** %s — %s %s`, i+1, i+1, mdEscape(sanitize.Short(s.Text, evidenceTextChars)), v.Sign, m.words.T(v.Word))
		if v.Class != "v-grounded" {
			says += m.doubts(s)
		} else if serious := s.seriousFlags(); len(serious) > 0 {
			says += "; " + mdEscape(strings.Join(serious, "; "))
		}
		m.item("%s", says)
		for _, id := range s.cites() {
			which, _ := s.linesOf(id)
			for _, j := range which {
				m.b.WriteString("  - " + m.found(s, s.Receipts[j]) + "\n")
			}
		}
	}
	m.gap()
}

// found returns the lines of a receipt, linked to the words on the page if possible, with their file, headings and words.
func (m *mdWriter) found(s Sentence, r Receipt) string {
	at := cmp.Or(r.Cited, r.Lines)
	says := mdCite(m.facts, r.SourceID, at, false)
	words := r
	if words.Passage = r.Words(s.Reading); words.Passage == r.Passage {
		words.Passage = passage.Excerpt(r.Passage, s.Text, evidenceWordsChars).Text
	}
	if link := m.liveLink(words); link != "" {
		says = mdLink(mdCite(m.facts, r.SourceID, at, true), link)
	}
	parts := []string{says}
	if file := m.fileOf(r, at); file != "" {
		parts = append(parts, "`"+file+"`")
	}
	if p := m.where(r); p != "" {
		parts = append(parts, p)
	}
	if h := sanitize.Short(r.Heading, evidenceHeadingChars); h != "" {
		parts = append(parts, mdEscape(h))
	}
	return strings.Join(parts, " ") + m.words.T(": ") + "“" + mdEscape(sanitize.Short(words.Passage, evidenceWordsChars)) + "”"
}

// fileOf returns the end of the path of a local source, with the first line if it is a text whose lines are those of the file:
// "notes/otters.md:12"; "" for any other source.
func (f facts) fileOf(r Receipt, lines string) string {
	source, _, ok := f.source(r.SourceID)
	path := source.file()
	if !ok || path == "" {
		return ""
	}
	parts := strings.Split(path, "/")
	path = strings.Join(parts[max(0, len(parts)-evidencePathParts):], "/")
	first, _, _ := strings.Cut(strings.ReplaceAll(lines, "-", ","), ",")
	if kind, _, _ := strings.Cut(source.ContentType, ";"); first != "" && (kind == "text/markdown" || kind == "text/plain") {
		path += ":" + first
	}
	return strings.ReplaceAll(sanitize.Line(path), "`", "")
}

// doubts returns why a sentence is not supported.
func (m *mdWriter) doubts(s Sentence) string {
	says := "."
	if s.Because != "" {
		says += " " + mdEscape(plainStop(s.Because))
	}
	if remarks := s.remarks(); len(remarks) > 0 {
		says += " " + m.words.T("Remarks") + m.words.T(": ") + mdEscape(strings.Join(remarks, "; ")) + m.words.T(".")
	}
	if flags := s.flags(); len(flags) > 0 {
		says += " " + m.words.T("Flags") + m.words.T(": ") + mdEscape(strings.Join(flags, "; ")) + m.words.T(".")
	}
	return says
}

// receipts writes the passages of each sentence.
func (m *mdWriter) receipts() {
	if len(m.Sentences) == 0 {
		return
	}
	m.line("## %s", m.words.T("Receipts"))
	m.line("%s", m.words.T("For each sentence: the verdict, the reason, and the passages with their lines in the stored text."))
	for i, s := range m.Sentences {
		if s.state() == own {
			continue
		}
		v := s.Verdict()
		anchor := ""
		if s.receipted() {
			anchor = fmt.Sprintf(`<a id="p%d"></a>`, i+1)
		}
		m.line("%s**%s.** %s", anchor, m.words.T("Sentence %d", i+1), mdEscape(s.Text))
		says := fmt.Sprintf("%s %s", v.Sign, m.words.T(v.Word))
		if s.IndependentOrigins > 0 {
			says += ", " + m.count(s.IndependentOrigins, "1 independent origin", "%s independent origins")
		}
		says += "."
		if s.Because != "" {
			says += " " + mdEscape(plainStop(s.Because))
		}
		if remarks := s.remarks(); len(remarks) > 0 {
			says += " " + m.words.T("Remarks") + m.words.T(": ") + mdEscape(strings.Join(remarks, "; ")) + m.words.T(".")
		}
		if flags := s.flags(); len(flags) > 0 {
			says += " " + m.words.T("Flags") + m.words.T(": ") + mdEscape(strings.Join(flags, "; ")) + m.words.T(".")
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
	says := strings.TrimSpace(fmt.Sprintf("%s %s", mdCite(m.facts, r.SourceID, r.Lines, false), r.place(m.words)))
	if at := minute(r.FetchedAt); at != "" {
		says += ", " + m.words.T("read %s", at)
	}
	if h := short(r.SHA256); h != "" {
		says += ", sha256 " + mdEscape(h) + "…"
	}
	if r.Quote != "" {
		says += m.words.T(", ") + m.words.T("quoted as “%s”", mdEscape(r.Quote))
		if r.Grade != "" {
			says += " (" + mdEscape(r.Grade) + ")"
		}
	}
	if r.Heading != "" {
		says += ", " + mdEscape(sanitize.Short(r.Heading, titleChars))
	}
	m.line("%s:", says)
	m.b.WriteString(mdLines(r.Passage, "> "))
	m.gap()
}
