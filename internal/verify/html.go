package verify

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"io"
	"slices"
	"time"

	"github.com/citeloop/citeloop/internal/grounding"
	"github.com/citeloop/citeloop/internal/sanitize"
)

//go:embed page.gohtml
var pageSource string

//go:embed page.css
var pageStyle string

var pageTemplate = template.Must(template.New("page").Parse(pageSource))

// look is how a status is shown: never by colour alone. Signs and words are those of the reports.
type look struct{ Sign, Word, Class, Meaning string }

func looks() []struct {
	Status grounding.Status
	look
} {
	return []struct {
		Status grounding.Status
		look
	}{
		{grounding.Grounded, look{"✓", "grounded", "v-grounded", "a passage of a cited text says it"}},
		{grounding.Inferred, look{"≈", "inferred", "v-inferred", "its parts stand in the cited texts, but no single passage says it"}},
		{grounding.Unsupported, look{"✗", "unsupported", "v-unsupported", "the cited texts do not say it"}},
		{statusUncited, look{"○", "uncited", "v-uncited", "it claims something and cites nothing"}},
		{NotChecked, look{"–", "not checked", "v-unchecked", "a text that it cites could not be read"}},
	}
}

const statusUncited grounding.Status = "uncited"

func lookOf(status grounding.Status) look {
	all := looks()
	for _, l := range all {
		if l.Status == status {
			return l.look
		}
	}
	return all[len(all)-1].look
}

// note is what stands beside a sentence.
type note struct {
	N         int
	Look      look
	Because   template.HTML
	Passage   *passageView
	Citations []citationView
	Flags     []string
}

type passageView struct {
	Text   template.HTML
	Place  string
	Source sourceView
}

type citationView struct {
	Marker template.HTML
	Status string
	Reason template.HTML
	Link   string
	Bad    bool
}

type sourceView struct {
	Title  template.HTML
	Link   string
	Shown  template.HTML
	Status string
	Reason template.HTML
	Read   string
	Stamp  string
	SHA256 string
	Chars  int
	Cited  int
	OK     bool
}

type conflictView struct {
	Line    int
	Because template.HTML
	Sides   [2]struct {
		Value template.HTML
		passageView
	}
}

type fileView struct {
	Name      string
	Anchor    string
	Verdict   string
	Pass      bool
	Summary   string
	Blocks    []block
	Conflicts []conflictView
	Others    []otherView
}

// otherView is a finding that no sentence has.
type otherView struct {
	Line      int
	Kind      string
	Text, Why template.HTML
}

type pageView struct {
	Policy    string
	Style     template.CSS
	Title     string
	Verdict   string
	Pass      bool
	Summary   string
	Counts    []countView
	Files     []fileView
	Sources   []sourceView
	Generated string
	Stamp     string
	Generator string
}

type countView struct {
	look
	N int
}

// writeHTML writes one page that needs nothing but itself: no script, no request. Text of others comes into it
// through foreignHTML and html/template only.
func writeHTML(w io.Writer, r *Result) error {
	sum := sha256.Sum256([]byte(pageStyle))
	p := pageView{
		Policy: "default-src 'none'; style-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'; base-uri 'none'; form-action 'none'",
		Style:  template.CSS(pageStyle), //nolint:gosec // our own file
		Title:  "Citations checked", Verdict: verdictWord(r.Verdict), Pass: r.Verdict == Pass, Summary: r.Summary(),
		Generated: minute(r.GeneratedAt), Stamp: stamp(r.GeneratedAt), Generator: sanitize.Line(r.Generator),
	}
	if len(r.Files) == 1 {
		p.Title += ": " + sanitize.Line(r.Files[0].File)
	}
	for _, l := range looks() {
		n := 0
		for _, c := range r.Claims {
			if c.Status == l.Status {
				n++
			}
		}
		if l.Status == statusUncited {
			n = len(r.Uncited)
		}
		if n > 0 {
			p.Counts = append(p.Counts, countView{l.look, n})
		}
	}
	number := 0
	for i := range r.drafts {
		p.Files = append(p.Files, r.fileView(i, &number))
	}
	for _, src := range r.Sources {
		p.Sources = append(p.Sources, viewOf(src))
	}
	var b bytes.Buffer
	if err := pageTemplate.Execute(&b, p); err != nil {
		return err
	}
	_, err := w.Write(b.Bytes())
	return err
}

func (r *Result) fileView(draft int, number *int) fileView {
	f := r.Files[draft]
	v := fileView{Name: sanitize.Line(f.File), Anchor: fmt.Sprintf("file%d", draft+1), Verdict: verdictWord(f.Verdict), Pass: f.Verdict == Pass, Summary: r.summary(f)}
	var stretches []stretch
	var links []link
	notes := map[int]note{}
	mark := func(start, end int, n note) {
		stretches = append(stretches, stretch{start, end, n.N, n.Look})
		notes[n.N] = n
	}
	type at struct {
		start int
		claim *Claim
		plain *Sentence
	}
	var order []at
	for i := range r.Claims {
		if r.Claims[i].draft == draft {
			order = append(order, at{r.Claims[i].start, &r.Claims[i], nil})
		}
	}
	for i := range r.Uncited {
		if r.Uncited[i].draft == draft {
			order = append(order, at{r.Uncited[i].start, nil, &r.Uncited[i]})
		}
	}
	slices.SortStableFunc(order, func(a, b at) int { return a.start - b.start })
	for _, o := range order {
		*number++
		if o.plain != nil {
			mark(o.plain.start, o.plain.end, note{N: *number, Look: lookOf(statusUncited), Because: foreignHTML(o.plain.why())})
			continue
		}
		mark(o.claim.start, o.claim.end, r.noteOn(*o.claim, *number))
		for _, cite := range o.claim.Citations {
			if n := len(links); n > 0 && links[n-1].start == cite.start { // [1, 2] is one mark
				continue
			}
			links = append(links, link{cite.start, cite.end, sanitize.Link(cite.URL), cite.Status == statusUnresolved || cite.Status == statusNotFound})
		}
	}
	v.Blocks = annotated(r.drafts[draft].text, stretches, links, notes)
	for _, x := range r.Conflicts {
		if x.draft != draft {
			continue
		}
		c := conflictView{Line: x.Line, Because: foreignHTML(sanitize.Line(x.Because))}
		c.Sides[0].Value, c.Sides[0].passageView = foreignHTML(x.ValueA), r.passageView(x.A)
		c.Sides[1].Value, c.Sides[1].passageView = foreignHTML(x.ValueB), r.passageView(x.B)
		v.Conflicts = append(v.Conflicts, c)
	}
	for _, h := range r.Hallucinated {
		if h.draft == draft && h.stray {
			v.Others = append(v.Others, otherView{h.Line, string(Hallucinated), foreignHTML(h.Citation), foreignHTML(h.Why)})
		}
	}
	for _, x := range r.Mistitled {
		if x.draft == draft {
			v.Others = append(v.Others, otherView{x.Line, string(Mistitled), foreignHTML(x.Listed), foreignHTML("The page is titled “" + sanitize.Line(x.Title) + "”.")})
		}
	}
	return v
}

func (r *Result) noteOn(c Claim, n int) note {
	out := note{N: n, Look: lookOf(c.Status), Because: foreignHTML(c.why())}
	if c.Passage != nil {
		p := r.passageView(*c.Passage)
		out.Passage = &p
	}
	for _, cite := range c.Citations {
		out.Citations = append(out.Citations, citationView{Marker: foreignHTML(shorten(cite.Marker, 80)), Status: verdictWord(cite.Status), Reason: foreignHTML(sanitize.Line(cite.Reason)), Link: sanitize.Link(cite.URL), Bad: cite.Status != statusRead})
	}
	for _, flag := range c.Flags {
		out.Flags = append(out.Flags, sanitize.Line(flag))
	}
	return out
}

func (r *Result) passageView(p Passage) passageView {
	v := passageView{Text: foreignHTML(p.Text), Place: p.place()}
	for _, src := range r.Sources {
		if src.ID == p.SourceID {
			v.Source = viewOf(src)
		}
	}
	return v
}

func viewOf(src Source) sourceView {
	address := src.FinalURL
	if address == "" {
		address = src.URL
	}
	title := sanitize.Line(src.Title)
	if title == "" {
		title = sanitize.Line(src.URL)
	}
	v := sourceView{Title: foreignHTML(title), Link: sanitize.Link(address), Shown: foreignHTML(shorten(address, textAddressChars)), Status: verdictWord(src.Status),
		Reason: foreignHTML(sanitize.Line(src.Reason)), SHA256: src.SHA256, Chars: src.Chars, Cited: src.Cited, OK: src.read()}
	if src.FetchedAt != nil {
		v.Read, v.Stamp = minute(*src.FetchedAt), stamp(*src.FetchedAt)
	}
	return v
}

func minute(t time.Time) string { return t.UTC().Format("2006-01-02 15:04 UTC") }
func stamp(t time.Time) string  { return t.UTC().Format(time.RFC3339) }
