package report

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"

	number "github.com/dustin/go-humanize/english"

	"github.com/citeloop/citeloop/internal/sanitize"
	"github.com/citeloop/citeloop/internal/verify"
)

// view is what a report shows, in its order: the answer, what is doubtful in it, the sources, the history. Its texts are plain.
type view struct {
	Document
	labels
	Title   string
	Asked   string // the question, where the text has a title of its own
	Word    string // pass, undecided or fail
	Class   string
	Summary string // the verdict in numbers
	Readers string
	Rest    []proof // sentences that the text does not have, or the claims of a document without a text
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
	to     Links
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

// clash is a point on which sources disagree, with what each says.
type clash struct {
	Topic, Why string
	Sides      []side
}

// side is what a source says: the label of its citation, where it leads, and its value and words.
type side struct{ Label, Href, Says string }

// sourceView is an entry of the list of sources.
type sourceView struct {
	Anchor, Label, Name, Link string
	About                     []string // its file, who made it, when it was read, and notes
}

// Links returns the address of a source on a page that shows a text, and what of it is behind a sentence, by its index; -1 for none. It
// is nil for a report, which links to its own parts.
type Links func(source string, sentence int) string

// viewOf prepares a document.
func viewOf(d Document, to Links) *view {
	v := &view{Document: d, labels: labelsFor(d.Query + "\n" + d.Text[:min(len(d.Text), 6000)]), Title: heading(d),
		at: d.States(), byID: map[string]int{}, label: map[string]string{}, inText: make([]bool, len(d.Sentences)), to: to}
	word, like := "Undecided", Partly
	switch v.Verdict {
	case verify.Pass:
		word, like = "Pass", Supported
	case verify.Fail:
		word, like = "Fail", Dead
	}
	v.Word, v.Class, v.Summary, v.Readers = v.T(word), like.Verdict().Class, v.numbers(d), v.readers(d)
	v.nameSources()
	v.disagreements()
	v.lists()
	for i, s := range d.Sources {
		if s.Number > 0 {
			v.Cited = append(v.Cited, v.source(i))
		} else {
			v.Others = append(v.Others, v.source(i))
		}
	}
	return v
}

// nameSources gives each source the label of its author, unless another has it, or else its id.
func (v *view) nameSources() {
	for i, s := range slices.Backward(v.Sources) {
		v.byID[s.ID] = i
	}
	taken := map[string]bool{}
	for _, s := range v.Sentences {
		for _, m := range s.Markers {
			label := sanitize.Line(m.Label)
			_, known := v.byID[m.SourceID]
			if known && label != "" && len(label) <= labelChars && v.label[m.SourceID] == "" && !taken[label] {
				v.label[m.SourceID], taken[label] = label, true
			}
		}
	}
	for _, s := range v.Sources {
		v.label[s.ID] = cmp.Or(v.label[s.ID], sanitize.Line(s.ID))
	}
}

// headsOf are the headings at the start of a passage.
var headsOf = regexp.MustCompile(`^(?:#.*\n\s*)+`)

// disagreements lists the recorded contradictions, and the claims that are equal but for a number.
func (v *view) disagreements() {
	for _, c := range slices.Concat(v.Contradictions, v.Conflicts) {
		x := clash{cmp.Or(short(c.Topic), c.ID, "A quantity"), AsSentence(sanitize.Short(cmp.Or(c.Resolution, c.Why), saidChars)), nil}
		sides := slices.Clone(c.Sides)
		for _, id := range c.SourceIDs {
			if !slices.ContainsFunc(c.Sides, func(r Receipt) bool { return r.SourceID == id }) {
				sides = append(sides, Receipt{SourceID: id})
			}
		}
		for _, r := range sides {
			says := side{Label: v.citeLabel(r.SourceID, "", cmp.Or(r.Cited, r.Lines)),
				Says: strings.Join(nonEmpty(short(r.Value), quoted(short(headsOf.ReplaceAllString(r.Passage, "")))), " ")}
			if i, ok := v.byID[r.SourceID]; ok {
				says.Href = fmt.Sprintf("#source-%d", i)
			}
			x.Sides = append(x.Sides, says)
		}
		if strings.TrimSpace(c.Resolution) != "" {
			v.Settled = append(v.Settled, x)
		} else {
			v.Clashes = append(v.Clashes, x)
		}
	}
}

func (v *view) lists() {
	var open, failed []string
	for _, q := range v.OpenQuestions {
		open = append(open, AsSentence(q.Question)+" "+AsSentence(q.Why)+" "+AsSentence(q.Tried))
	}
	for _, s := range v.Searches {
		if bad := s.Searches - s.Outcomes["ok"] - s.Outcomes["partial"] - s.Outcomes["empty"]; bad > 0 {
			failed = append(failed, fmt.Sprintf("%s: %d of %d", sanitize.Line(s.Channel), bad, s.Searches))
		}
	}
	for _, l := range []list{{"What the sources do not cover", v.CoverageGaps}, {"Open questions", open}, {"Still open", v.OpenGaps},
		{"Not searched", v.NotTried}, {"Could not search", failed}} {
		if l.Title, l.Items = v.T(l.Title), notBlank(l.Items); len(l.Items) > 0 {
			v.Lists = append(v.Lists, l)
		}
	}
}

func (v *view) source(i int) sourceView {
	s := v.Sources[i]
	out := sourceView{Anchor: fmt.Sprintf("source-%d", i), Label: v.label[s.ID], Name: s.title(), Link: sanitize.Link(s.address())}
	about := []string{
		told(s.file() != out.Name, s.file()),
		strings.Join(notBlank(slices.Concat(s.Authors[:min(len(s.Authors), 8)], []string{s.Publisher, s.PublishedAt, s.SourceType})), ", "),
		after(v.T("read")+" ", stamp(s.FetchedAt, "2006-01-02")),
		told(v.label[s.ID] != sanitize.Line(s.ID), sanitize.Line(s.ID)),
		told(s.DuplicateOf != "", v.f("same text as %s", "["+v.citeLabel(s.DuplicateOf, "", "")+"]")),
		told(s.Pasted, "pasted by the user"),
		told(s.RobotsIgnored, "read although robots.txt disallows it"),
		told(s.DOI == "" && s.ClaimedDOI != "", "states the DOI "+short(s.ClaimedDOI)+", which is not proven"),
	}
	for _, flag := range s.Flags {
		about = append(about, flagText(flag))
	}
	out.About = nonEmpty(about...)
	return out
}

// citeLabel returns the text of a citation: "S1:120", or "7, line 120" with the author's own label.
func (v *view) citeLabel(id, label, at string) string {
	label = cmp.Or(sanitize.Short(label, labelChars), v.label[id], sanitize.Line(id))
	switch at = sanitize.Line(at); {
	case at == "":
		return label
	case label == sanitize.Line(id):
		return label + ":" + at
	}
	return label + ", " + v.lines(at)
}

// cited is a source that a place in the text cites.
type cited struct{ Label, Href string }

// cite returns the label and the address of a citation. ok is false for one that leads to nothing.
func (v *view) cite(m MarkerAt, sentence int) (c cited, ok bool) {
	i, ok := v.byID[m.SourceID]
	if !ok {
		return c, false
	}
	at, href := m.Lines, fmt.Sprintf("#source-%d", i)
	if v.to != nil {
		href = v.to(m.SourceID, -1)
	}
	if sentence >= 0 {
		at = cmp.Or(at, v.Sentences[sentence].lines(m.SourceID))
		if v.at[sentence] != Own {
			href = proofOf(sentence)
		}
	}
	return cited{v.citeLabel(m.SourceID, m.Label, at), href}, true
}

// History says when and why the loop stopped, or what it would do next, and counts the sources and their independent origins.
func (v *view) History() string {
	says := []string{after(v.T("As of")+" ", AsSentence(v.AsOf))}
	if why := AsSentence(v.Decision.StopReason); why != "" {
		says = append(says, v.T("Why the loop stopped")+": "+why)
	} else if next := strings.ReplaceAll(sanitize.Line(v.Decision.NextAction), "_", " "); next != "" {
		says = append(says, "The loop has not stopped; next: "+next+".")
	}
	if len(v.Sources) > 0 && v.Origins > 0 {
		says = append(says, number.Plural(len(v.Sources), "source", "")+", "+number.Plural(v.Origins, "independent origin", "")+".")
	}
	return strings.Join(append(nonEmpty(says...), AsSentence(after(v.T("written")+" ", Minute(v.GeneratedAt)))), " ")
}

// page writes the view as a page, with a text in the format of the page and the title that the text has, if it has one.
func (v *view) page(template interface{ Execute(io.Writer, any) error }, title string, text any) ([]byte, error) {
	if title != "" && !strings.Contains(v.Title, title) {
		v.Asked = v.Title
	}
	v.Title = cmp.Or(title, v.Title)
	v.prove()
	var b bytes.Buffer
	err := template.Execute(&b, struct {
		*view
		Text any
	}{v, text})
	return b.Bytes(), err
}
