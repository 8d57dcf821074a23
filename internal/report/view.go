package report

import (
	"cmp"
	"fmt"
	"html/template"
	"slices"
	"strconv"
	"strings"

	"github.com/dustin/go-humanize"

	"github.com/citeloop/citeloop/internal/docid"
	"github.com/citeloop/citeloop/internal/sanitize"
	"github.com/citeloop/citeloop/internal/text/lines"
	"github.com/citeloop/citeloop/internal/text/quote"
	"github.com/citeloop/citeloop/internal/verify"
	"github.com/citeloop/citeloop/loopstate"
)

// view is what a report shows, in its order: the answer, what is doubtful in it, the sources, the history. Its texts are plain.
type view struct {
	Document
	labels
	Prefix  string // of all anchors, for one of several files
	Title   string
	Word    string // pass, undecided or fail
	Class   string
	Summary string // the verdict in numbers
	Readers string
	Doubts  []doubts
	Lists   []list
	Clashes []clash // open disagreements
	Settled []clash
	Cited   []sourceView
	Others  []sourceView
	Proofs  []proof

	at     []State
	byID   map[string]int // source id -> index in Sources
	label  map[string]string
	inText []bool // sentences that the text shows
}

// doubts are the sentences of one state.
type doubts struct {
	Verdict
	Items []proof
	Lone  bool // they are supported, by one origin
}

// list is a list of what is open or was not done.
type list struct {
	Title string
	Items []string
}

// clash is a point on which sources disagree.
type clash struct {
	Topic, Why string
	Sides      []side
}

// side is what one source says.
type side struct {
	Value, Label, Text string
	Source             int // index, or -1
}

// sourceView is an entry of the list of sources.
type sourceView struct {
	Index                         int
	Label, Name, Link, File, Made string
	DOI, Archived, Read, SHA      string
	Notes                         []string
	Claims                        int
}

// proof is a sentence with its evidence.
type proof struct {
	N              int // from 1
	Text, Because  string
	Verdict        Verdict
	Notes          []string
	Receipts       []receiptView
	Previous, Next int // doubtful sentences around it; 0 for none
	InText         bool
}

// receiptView is a passage, line by line.
type receiptView struct {
	Label, Name, Place, Link, Heading, Lang string
	Stored                                  string // address of the passage in the whole text; "" in a file
	Source                                  int
	Lines                                   []numbered
	Quote                                   string // the words that decided, or else the cited lines
}

// numbered is a line with its number, 0 for none.
type numbered struct {
	N      int
	Pieces []piece
}

// piece is a part of a line: "around" the passage, in it, or the words that "decides" for the reader.
type piece struct{ Class, Text string }

// viewOf prepares a document.
func viewOf(d Document) *view {
	v := &view{Document: d, labels: labelsFor(d.Query + "\n" + d.Text[:min(len(d.Text), 6000)] + claimWords(d)), Title: heading(d),
		at:   d.States(),
		byID: map[string]int{}, label: map[string]string{}, inText: make([]bool, len(d.Sentences))}
	for i, s := range d.Sources {
		if _, ok := v.byID[s.ID]; !ok && s.ID != "" {
			v.byID[s.ID] = i
		}
	}
	v.nameSources()
	v.verdict()
	v.disagreements()
	v.lists()
	for i := range d.Sources {
		if s := v.source(i); d.Sources[i].Number > 0 {
			v.Cited = append(v.Cited, s)
		} else {
			v.Others = append(v.Others, s)
		}
	}
	return v
}

// claimWords returns the first claims of a document without a text.
func claimWords(d Document) (all string) {
	for _, s := range d.Sentences[:min(len(d.Sentences), 20)] {
		if d.Text == "" {
			all += s.Text + "\n"
		}
	}
	return all
}

// nameSources gives each source the label of its author, unless another has it, or else its id.
func (v *view) nameSources() {
	taken := map[string]bool{}
	for _, s := range v.Sentences {
		for _, m := range s.Markers {
			label := sanitize.Line(m.Label)
			if _, known := v.byID[m.SourceID]; known && label != "" && len(label) <= 80 && v.label[m.SourceID] == "" && !taken[label] {
				v.label[m.SourceID], taken[label] = label, true
			}
		}
	}
	for _, s := range v.Sources {
		v.label[s.ID] = cmp.Or(v.label[s.ID], sanitize.Line(s.ID))
	}
}

func (v *view) verdict() {
	v.Word, v.Class = v.t("Undecided"), "v-inferred"
	switch v.Verdict {
	case verify.Pass:
		v.Word, v.Class = v.t("Pass"), "v-grounded"
	case verify.Fail:
		v.Word, v.Class = v.t("Fail"), "v-unsupported"
	}
	v.Summary, v.Readers = v.labels.numbers(v.Document), v.labels.readers(v.Document)
}

// numbers returns the verdict in numbers, without a full stop.
func (w labels) numbers(d Document) string {
	if t := d.Tally(); t.Of > 0 {
		return w.f("%d of %d sentences supported", t.Supported(), t.Of)
	}
	return "no sentence makes a claim, so nothing was checked"
}

// summary returns the result of the check in a sentence: "5 of 8 sentences supported: 1 not in the source, 1 not read yet; read by …".
func (w labels) summary(d Document) string {
	says, sep := w.numbers(d), ": "
	t := d.Tally()
	for _, c := range t.Counts() {
		if c.Word != Supported.Verdict().Word {
			says += sep + strconv.Itoa(c.N) + " " + w.t(c.Word)
			sep = ", "
		}
	}
	if by := w.readers(d); by != "" {
		says += "; " + by
	}
	if d.Import != nil {
		says += "; imported on " + Minute(d.Import.At) + " from an archive"
	}
	return AsSentence(says)
}

// prove makes the evidence of each sentence, and the lists of doubtful ones. The text was written, so that inText is known.
func (v *view) prove(to Links) {
	previous := 0
	groups := make([]doubts, states)
	for i, s := range v.Sentences {
		state := v.at[i]
		p := proof{N: i + 1, Text: sanitize.Short(s.Text, saidChars), Because: v.because(s), Verdict: s.verdict(state), Notes: s.notes(),
			Previous: previous, InText: v.inText[i]}
		for _, r := range s.Receipts {
			shown := v.receipt(r, s.Reading)
			if shown.Source >= 0 && to.Passage != nil {
				shown.Stored = to.Passage(i, r)
			}
			p.Receipts = append(p.Receipts, shown)
		}
		v.Proofs = append(v.Proofs, p)
		if state <= OneOrigin {
			groups[state].Items = append(groups[state].Items, p)
		}
		if state < OneOrigin {
			previous = i + 1
		}
	}
	for i, next := len(v.Proofs)-1, 0; i >= 0; i-- {
		v.Proofs[i].Next = next
		if v.at[i] < OneOrigin {
			next = i + 1
		}
	}
	for s, g := range groups {
		if len(g.Items) > 0 {
			g.Verdict, g.Lone = State(s).Verdict(), State(s) == OneOrigin
			v.Doubts = append(v.Doubts, g)
		}
	}
}

// First returns the first sentence of a group.
func (g doubts) First() int { return g.Items[0].N }

func (v *view) receipt(r Receipt, reading *loopstate.Reading) receiptView {
	at, known := v.byID[r.SourceID]
	out := receiptView{Label: sanitize.Line(r.SourceID), Place: v.place(r), Heading: sanitize.Short(r.Heading, titleChars), Source: -1}
	if known {
		s := v.Sources[at]
		out.Source, out.Label, out.Name, out.Link, out.Lang = at, v.label[s.ID], s.title(), sanitize.Link(s.address()),
			languageOf(s.Language)
		if link, _, _ := strings.Cut(out.Link, "#"); link != "" && r.Page > 0 {
			out.Link = fmt.Sprintf("%s#page=%d", link, r.Page)
		}
	}
	passage := []rune(r.Passage)
	passage = passage[:min(len(passage), passageChars)]
	start, end := 0, 0
	if reading != nil && strings.TrimSpace(reading.Quote) != "" {
		if grade, span := quote.Find(reading.Quote, string(passage)); grade == quote.Exact || grade == quote.Normalised {
			start, end = span.Start, span.End
		}
	}
	out.Quote = sanitize.Short(string(passage), 240)
	if start < end {
		out.Quote = sanitize.Short(string(passage[start:end]), 240)
	}
	n := 0
	if ranges, ok := lines.ParseRanges(r.Lines); ok {
		n = ranges[0].First - strings.Count(r.Before, "\n")
	}
	b := lineWriter{lines: []numbered{{N: max(0, n)}}}
	b.write("around", r.Before)
	b.write("", string(passage[:start]))
	b.write("decides", string(passage[start:end]))
	b.write("", string(passage[end:]))
	b.write("around", r.After)
	out.Lines = b.lines
	return out
}

// lineWriter parts texts into numbered lines.
type lineWriter struct{ lines []numbered }

func (w *lineWriter) write(class, text string) {
	for i, part := range strings.Split(text, "\n") {
		last := &w.lines[len(w.lines)-1]
		if i > 0 {
			next := numbered{}
			if last.N > 0 {
				next.N = last.N + 1
			}
			w.lines = append(w.lines, next)
			last = &w.lines[len(w.lines)-1]
		}
		if part = sanitize.Visible(strings.TrimRight(part, "\r")); part != "" {
			last.Pieces = append(last.Pieces, piece{class, part})
		}
	}
}

// withoutHeadings returns a passage without its lines that are headings, unless it has no others.
func withoutHeadings(passage string) string {
	var said []string
	for line := range strings.Lines(passage) {
		if !strings.HasPrefix(line, "#") {
			said = append(said, line)
		}
	}
	return cmp.Or(strings.TrimSpace(strings.Join(said, "")), strings.TrimLeft(passage, "# "))
}

// disagreements lists the recorded contradictions, and the claims that are equal but for a number.
func (v *view) disagreements() {
	value := func(said string, r Receipt) side {
		at, ok := v.byID[r.SourceID]
		if !ok {
			at = -1
		}
		return side{sanitize.Short(said, titleChars), v.citeLabel(r.SourceID, "", cmp.Or(r.Cited, r.Lines)),
			sanitize.Short(withoutHeadings(r.Passage), titleChars), at}
	}
	for _, c := range v.Contradictions {
		x := clash{Topic: cmp.Or(sanitize.Short(c.Topic, titleChars), c.ID),
			Why: AsSentence(sanitize.Short(cmp.Or(c.Resolution, c.Why), saidChars))}
		for _, q := range c.Passages {
			x.Sides = append(x.Sides, value("", Receipt{SourceID: q.SourceID, Passage: q.Text}))
		}
		for _, id := range c.SourceIDs {
			if !slices.ContainsFunc(c.Passages, func(q loopstate.Quoted) bool { return q.SourceID == id }) {
				x.Sides = append(x.Sides, value("", Receipt{SourceID: id}))
			}
		}
		if strings.TrimSpace(c.Resolution) != "" {
			v.Settled = append(v.Settled, x)
		} else {
			v.Clashes = append(v.Clashes, x)
		}
	}
	for _, c := range v.Conflicts {
		if c.ValueA == "" && len(v.Contradictions) > 0 { // recorded ones are there already
			continue
		}
		v.Clashes = append(v.Clashes, clash{Topic: cmp.Or(sanitize.Short(c.Topic, titleChars), "A quantity"),
			Why:   AsSentence(sanitize.Short(c.Because, saidChars)),
			Sides: []side{value(c.ValueA, c.A), value(c.ValueB, c.B)}})
	}
}

func (v *view) lists() {
	add := func(title string, items []string) {
		if len(items) > 0 {
			v.Lists = append(v.Lists, list{v.t(title), items})
		}
	}
	add("What the sources do not cover", notBlank(v.CoverageGaps))
	var open []string
	for _, q := range v.OpenQuestions {
		if says := strings.TrimSpace(AsSentence(q.Question) + " " + AsSentence(q.Why) + " " + AsSentence(q.Tried)); says != "" {
			open = append(open, sanitize.Short(says, saidChars))
		}
	}
	add("Open questions", open)
	add("Still open", notBlank(v.OpenGaps))
	add("Claims that rest on one weak source", notBlank(v.OneSource))
	add("Not searched", notBlank(v.NotTried))
	var failed []string
	for _, s := range v.Searches {
		if bad := s.failed(); bad > 0 {
			failed = append(failed, fmt.Sprintf("%s: %d of %d", sanitize.Line(s.Channel), bad, s.Searches))
		}
	}
	add("Could not search", failed)
}

// failed counts the searches that neither found something nor nothing.
func (s SearchCount) failed() (n int) {
	for status, times := range s.Outcomes {
		if status != "ok" && status != "empty" && status != "partial" {
			n += times
		}
	}
	return n
}

// Found and Nothing count the searches that worked.
func (s SearchCount) Found() int   { return s.Outcomes["ok"] + s.Outcomes["partial"] }
func (s SearchCount) Nothing() int { return s.Outcomes["empty"] }

// Failed counts the others.
func (s SearchCount) Failed() int { return s.failed() }

func (v *view) source(i int) sourceView {
	s := v.Sources[i]
	out := sourceView{Index: i, Label: v.label[s.ID], Name: s.title(), Link: sanitize.Link(s.address()), File: s.file(),
		Read: day(s.FetchedAt), SHA: sanitize.Line(s.SHA256), Claims: s.Claims}
	made := []string{}
	for j, a := range s.Authors {
		if a = sanitize.Short(a, 80); a != "" && j < 8 {
			made = append(made, a)
		}
	}
	for _, x := range []string{s.Publisher, s.PublishedAt, s.SourceType} {
		if x = sanitize.Short(x, titleChars); x != "" {
			made = append(made, x)
		}
	}
	out.Made = strings.Join(made, ", ")
	if doi := docid.NormalizeDOI(s.DOI); doi != "" {
		out.DOI = sanitize.Link("https://doi.org/" + doi)
	}
	if !s.Pasted {
		out.Archived = snapshot(s.address(), s.FetchedAt)
	}
	if id := sanitize.Line(s.ID); id != out.Label {
		out.Notes = append(out.Notes, id)
	}
	if at, ok := v.byID[s.DuplicateOf]; ok {
		out.Notes = append(out.Notes, v.f("same text as %s", "["+v.label[v.Sources[at].ID]+"]"))
	} else if s.DuplicateOf != "" {
		out.Notes = append(out.Notes, v.f("same text as %s", sanitize.Line(s.DuplicateOf)))
	}
	if s.Pasted {
		out.Notes = append(out.Notes, "pasted by the user")
	}
	if s.RobotsIgnored {
		out.Notes = append(out.Notes, "read although robots.txt disallows it")
	}
	if s.DOI == "" && s.ClaimedDOI != "" {
		out.Notes = append(out.Notes, "states the DOI "+sanitize.Short(s.ClaimedDOI, titleChars)+", which is not proven")
	}
	for _, flag := range s.Flags {
		if flag = flagText(flag); flag != "" {
			out.Notes = append(out.Notes, flag)
		}
	}
	return out
}

// citeLabel returns the text of a citation: "S1:120", or "7, line 120" with the author's own label.
func (v *view) citeLabel(id, label, at string) string {
	label = cmp.Or(sanitize.Short(label, 80), v.label[id], sanitize.Line(id))
	switch at = sanitize.Line(at); {
	case at == "":
		return label
	case label == sanitize.Line(id):
		return label + ":" + at
	}
	return label + ", " + v.lines(at)
}

// Links are the addresses that a text links to, for a page that shows it.
type Links struct {
	Passage func(sentence int, r Receipt) string // in the stored text; nil in a file
	Source  func(id string) string
	Proof   func(sentence int) string // by index; the evidence of the sentence
}

// cited is a source that a place in the text cites.
type cited struct{ Label, Href string }

// cite returns the label and the address of a citation. ok is false for one that leads to nothing.
func (v *view) cite(m MarkerAt, sentence int, to Links) (c cited, ok bool) {
	if _, ok = v.byID[m.SourceID]; !ok {
		return c, false
	}
	at, shown := m.Lines, -1
	if sentence >= 0 {
		receipts := v.Sentences[sentence].Receipts
		shown = slices.IndexFunc(receipts, func(r Receipt) bool { return r.SourceID == m.SourceID })
		if at == "" && shown >= 0 {
			at = cmp.Or(receipts[shown].Cited, receipts[shown].Lines)
		}
	}
	c.Label = v.citeLabel(m.SourceID, m.Label, at)
	switch {
	case sentence >= 0 && v.at[sentence] != Own:
		c.Href = to.Proof(sentence)
	default:
		c.Href = to.Source(m.SourceID)
	}
	return c, true
}

// ownLinks are the links within the report.
func (v *view) ownLinks() Links {
	return Links{
		Source: func(id string) string { return fmt.Sprintf("#%ssource-%d", v.Prefix, v.byID[id]) },
		Proof:  func(i int) string { return fmt.Sprintf("#%se%d", v.Prefix, i+1) },
	}
}

// Answer is the text of a document as HTML, with its citations and the state of each sentence.
type Answer struct {
	Title, Text template.HTML
	Evidence    template.HTML // of all its sentences, each hidden until its address is followed
	Summary     string        // "17 of 17 sentences supported"
	Cut         bool          // the text is longer
	Counts      []StateCount  // of all its sentences, the first to look at first
}

// T returns a label for the template.
func (v *view) T(label string) string { return v.t(label) }

// Interface returns the language of the labels, and Language that of the text, "" if it is unknown.
func (v *view) Interface() string { return v.page() }
func (v *view) Language() string  { return v.lang }

// Notice returns the warning on a draft.
func (v *view) Notice() string { return draftNotice }

// in is something with the view that it is shown in.
type in struct {
	V      *view
	Prefix string
	X      any
	List   []proof
}

// With and Items are for templates within a template.
func (v *view) With(x any) in         { return in{V: v, Prefix: v.Prefix, X: x} }
func (v *view) Items(list []proof) in { return in{V: v, Prefix: v.Prefix, List: list} }

// Stopped says why the loop stopped, or what it would do next.
func (v *view) Stopped() string {
	d := v.Decision
	if why := AsSentence(d.StopReason); why != "" {
		return v.t("Why the loop stopped") + ": " + why
	}
	if next := strings.ReplaceAll(sanitize.Line(d.NextAction), "_", " "); next != "" {
		return "The loop has not stopped; next: " + next + "."
	}
	return ""
}

// plural formats a count of a noun whose plural ends in s.
func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return humanize.Comma(int64(n)) + " " + noun + "s"
}

// Origin counts the sources and their independent origins.
func (v *view) Origin() string {
	if len(v.Sources) == 0 || v.Origins == 0 {
		return ""
	}
	return fmt.Sprintf(" %s, %s.", plural(len(v.Sources), "source"), plural(v.Origins, "independent origin"))
}

// ReviewLines describes the batches of readers.
func (v *view) ReviewLines() (out []string) {
	for _, r := range v.Reviews {
		says := sanitize.Line(r.Batch) + ", " + sanitize.Line(r.Status)
		if len(r.Readers) > 0 {
			says += ", " + v.readBy(r.Readers[0])
		}
		if r.Status != loopstate.BatchOpen {
			says += fmt.Sprintf(": caught %d of %d planted errors, passed %d of %d controls", r.Planted.Caught, r.Planted.N,
				r.Controls.Passed, r.Controls.N)
		}
		if r.Status == loopstate.BatchVoid {
			says += "; it changed nothing"
		}
		out = append(out, says)
	}
	return out
}
