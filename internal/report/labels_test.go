package report

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/citeloop/citeloop/internal/text/draft"
	"github.com/citeloop/citeloop/internal/text/lines"
	"github.com/citeloop/citeloop/internal/verify"
	"github.com/citeloop/citeloop/loopstate"
)

// labelled returns a document of one paragraph for each sentence, whose marks all cite sources in order, as a check does.
func labelled(t *testing.T, text string, ids ...string) Document {
	t.Helper()
	d := english(t)
	d.Text, d.Sentences, d.Parts = text, nil, nil
	for i := range d.Sources {
		d.Sources[i].Number = i + 1
	}
	for _, s := range draft.Parse(text).Sentences {
		out := Sentence{Text: s.Text, Start: s.Start, End: s.End, Status: loopstate.Inferred, Pending: true, Flags: []string{}}
		for _, m := range s.Markers {
			at, _ := lines.ParseRanges(m.Lines)
			id := ids[0]
			ids = ids[1:]
			out.Markers = append(out.Markers, MarkOf(verify.Citation{Marker: m, SourceID: id, Lines: at}))
			out.Receipts = append(out.Receipts, Receipt{SourceID: id, URL: "https://go.dev/ref/mem", SHA256: hash(1), Start: 10, End: 10 + utf8.RuneCountInString("Otters swim.\nThey dive."), Lines: "18-19", Passage: "Otters swim.\nThey dive.", Heading: "Animals > Otters"})
		}
		d.Sentences = append(d.Sentences, out)
	}
	return d
}

// Citations keep the labels that the author wrote, with the lines beside them, in the text and in the list.
func TestOwnLabelsStay(t *testing.T) {
	const text = "Otters swim [7]. They dive [^note]. They eat (Smith et al., 2020; Jones 2021). They rest [here](https://go.dev/ref/mem). They play [S5:18].\n\n" +
		"## References\n\n7. Hoare. https://dl.acm.org/a\n\nSmith, A. (2020). Otters. https://example.org/s\n\nJones, B. (2021). More otters. https://example.org/j\n\n[^note]: https://go.dev/ref/mem\n"
	d := labelled(t, text, "S3", "S1", "S2", "S4", "S1", "S5")
	d.Sentences = d.Sentences[:5]
	page := strings.ReplaceAll(string(render(t, HTML, d)), `<span class="vh">passage in source </span>`, "")
	for _, want := range []string{">[7, lines 18–19]</a>", ">[^note, lines 18–19]</a>", ">(Smith et al., 2020, lines 18–19)</a>", ">(Jones 2021, lines 18–19)</a>", ">[^note, lines 18–19]</a>", ">[S5:18]</a>", `<span class="number">[7]</span>`, `<span class="number">[Smith et al., 2020]</span>`,
		`<p class="above" dir="auto">Animals &gt; Otters</p>`, `<span class="n c" data-n="18"></span>Otters swim.`, `<span class="n c" data-n="19"></span>They dive.`} {
		if !strings.Contains(page, want) {
			t.Errorf("HTML lacks %s", want)
		}
	}
	md := string(render(t, Markdown, d))
	for _, want := range []string{`swim [\[7, lines 18–19\]](#p1)`, `dive [\[^note, lines 18–19\]](#p2)`, `eat [(Smith et al., 2020, lines 18–19)](#p3)[(Jones 2021, lines 18–19)](#p3)`, `<a id="source-3"></a>\[7\]`, "Animals \\> Otters: “Otters swim. They dive.”"} {
		if !strings.Contains(md, want) {
			t.Errorf("Markdown lacks %s in\n%s", want, md)
		}
	}
	for _, w := range append(checkPage(d, render(t, HTML, d)), checkMarkdown(d, []byte(md))...) {
		t.Error(w)
	}
}

// A source without a label of the author gets a number that no label has.
func TestFreeNumbers(t *testing.T) {
	d := labelled(t, "Otters swim [2]. They rest [here](https://go.dev/ref/mem).\n\n## References\n\n2. https://dl.acm.org/a\n", "S1", "S2")
	f := factsOf(d)
	if a, b := f.Sources[0].label(), f.Sources[1].label(); a != "2" || b == "2" || b == "" {
		t.Errorf("labels %q and %q", a, b)
	}
}

// A text fragment is within blocks of the page, and its signs are escaped.
func TestPassageLinks(t *testing.T) {
	const at = "https://example.org/a"
	for _, tt := range []struct{ passage, want string }{
		{"Oil, gas & coal-fired.", "Oil%2C%20gas%20%26%20coal%2Dfired."},
		{"Speeds\n\nAt 36 measuring points the average speed fell from 41 to 36.", "At%2036%20measuring%20points%20the%20average%20speed%20fell%20from%2041%20to%2036."},
		{"one two three four five six seven eight nine ten eleven", "one%20two%20three%20four%20five%20six%20seven%20eight%20nine%20ten%20eleven"},
		{"one two three four five six seven eight nine ten eleven twelve thirteen fourteen", "one%20two%20three%20four%20five,ten%20eleven%20twelve%20thirteen%20fourteen"},
		{"alphabetical incomprehensible straightforward characteristics", "alphabetical%20incomprehensible%20straightforward%20characteristics"},
		{"- a first item\n- a second item", "a%20first%20item,a%20second%20item"},
		{"## A heading of it\n\nWords.", "A%20heading%20of%20it,Words."},
		{"2019 | 214 crashes | 3", "214%20crashes,3"},
		{strings.Repeat("塔", 80), strings.Repeat("%E5%A1%94", 14) + "," + strings.Repeat("%E5%A1%94", 14)},
		{"", ""}, {" \n", ""},
	} {
		want := at + "#:~:text=" + tt.want
		if tt.want == "" {
			want = ""
		}
		if got := passageLink(at, tt.passage); got != want {
			t.Errorf("%.30q: %s, want %s", tt.passage, got, want)
		}
	}
	if got := passageLink("https://example.org/a#top", "x y"); got != "https://example.org/a#top:~:text=x%20y" {
		t.Error(got)
	}
}
