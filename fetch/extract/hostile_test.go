package extract

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/citeloop/citeloop/internal/cputime"
)

// hostileBound is the processor time that the slowest page may take. Measured, the slowest takes a tenth of it without the race
// detector; a quadratic step would take minutes.
const hostileBound = 15 * time.Second

const sentence = "The quick brown fox jumps over the lazy dog near the river bank today. "

// hostilePages are pages that repeat a piece so often, by what they do, and part of their text.
var hostilePages = map[string]struct {
	begin, repeated string
	count           int
	end, want       string
}{
	"nested elements":                 {"", "<div>", 200_000, prose, fox},
	"nested, with text at each level": {"", "<div>alpha beta gamma delta ", 200_000, "", "gamma delta"},
	"nested lists":                    {"", "<ul><li>item ", 100_000, prose, fox},
	"nested tables":                   {"", "<table><tr><td>cell ", 60_000, prose, fox},
	"nested paragraphs":               {strings.Repeat("<div><p>"+sentence+"</p>", 240), "", 0, prose, fox},
	"formatting that is cloned into every block": {numbered("<div><b id=%d>", 400) + strings.Repeat("</div>", 400),
		"<div>x y z</div>", 100_000, "", "x y z"},
	"attributes":                 {"<p " + numbered("a%d ", 100_000), "", 0, ">" + prose, fox},
	"end tags without a start":   {"<p>", "word </x>", 300_000, "", "word word"},
	"line breaks":                {"<p>", "a<br>", 300_000, "", "a\na"},
	"paragraphs":                 {"", "<p>alpha beta, gamma</p>", 150_000, "", "alpha beta, gamma"},
	"paragraphs in divisions":    {"", "<div><p>alpha beta, gamma delta epsilon zeta eta theta</p></div>", 100_000, "", "alpha beta"},
	"links in one list":          {"<ul>", `<li><a href="/x">alpha beta</a>`, 100_000, "", "alpha beta"},
	"rows of a table":            {"<table>", "<tr><td>alpha</td><td>beta</td></tr>", 100_000, "", "alpha | beta"},
	"20 MB of text":              {"<p>", sentence, 280_000, "", fox},
	"open tags":                  {"", "<", 4 << 20, "", ""},
	"comments":                   {"", "<!---->", 600_000, prose, fox},
	"a comment that never ends":  {prose + "<!--", "-", 4 << 20, "", fox},
	"entities":                   {"", "&amp;", 400_000, "", "&&&"},
	"headings around everything": {strings.Repeat("<h1>", 200), "<i></i>", 300_000, prose, fox},
	"posts":                      {"", post + "</div>", 10_000, "", fox},
	"posts inside of posts":      {"", post, 10_000, "", fox},
	"authors inside of authors":  {strings.Repeat(`<div class="post"><div itemprop="author">`, 200), "<p>" + sentence, 20_000, "", fox},
	"days inside of days": {strings.Repeat(`<div itemprop="datePublished" class="author">`, 200), "<p>" + sentence, 20_000, "",
		fox},
	"lists with great numbers": {"", `<ol type="i" start="999999999999"><li>item <ol type="A" start="2147483647"><li>`, 50_000, prose,
		fox},
	"signs inside of headings":     {"", `<h2>Tides<a href="#a">¶</a></h2>`, 100_000, prose, fox},
	"linked data that nests":       {linked + strings.Repeat(`{"@graph":[`, 50_000) + "</script>", "", 0, prose, fox},
	"pieces of text in JATS":       {jatsBody + "<p>", "<![CDATA[a]]>", 400_000, "</p>", "aaa"},
	"references in references":     {inJATS(`<xref ref-type="bibr" rid="b">`, 480), "<p>a</p>", 100_000, "", "a"},
	"citations in citations":       {inJATS("<element-citation>", 480), "<name/>", 200_000, "<p>a</p>", "a"},
	"written citations":            {inJATS("<mixed-citation>a", 480), "<p>a</p>", 100_000, "", "a"},
	"raised letters":               {inJATS("<sup>", 480), `<xref ref-type="bibr" rid="b">1</xref>`, 100_000, "", "1"},
	"figures in figures":           {inJATS("<fig>", 480), "<caption><title>a</title></caption>", 50_000, "", "a"},
	"notes in notes":               {inJATS(`<fn id="f">`, 480), `<xref ref-type="fn" rid="f">1</xref>`, 100_000, "", "1"},
	"references to one note":       {jatsBody, `<p><xref ref-type="bibr" rid="b">1</xref></p>`, 100_000, `<p id="b">a</p>`, "1"},
	"lists in lists in JATS":       {inJATS("<list><list-item>", 240), "<p>a</p>", 50_000, "", "a"},
	"a wide table in JATS":         {jatsBody + "<table-wrap><table><tr>", "<td>a</td>", 200_000, "</tr></table></table-wrap>", "a | a"},
	"5,000 scripts of linked data": {strings.Repeat(linked+`{"@type":"Article","author":["a"]}</script>`, 5_000), "", 0, prose, fox},
}

const (
	fox    = "quick brown fox"
	prose  = sentence + sentence + sentence + sentence
	post   = `<div class="post"><a class="author" href="/u">mareike</a> <time datetime="2024-03-02">Mar 2</time><p>` + sentence + "</p>"
	linked = `<script type="application/ld+json">`
)

// inJATS begins an article with a tag in itself.
func inJATS(tag string, times int) string { return jatsBody + strings.Repeat(tag, times) }

const jatsBody = "<article><front><article-meta/></front><body>"

// numbered writes the numbers up to n into a form.
func numbered(form string, n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, form, i)
	}
	return b.String()
}

func TestHostilePages(t *testing.T) {
	for name, tt := range hostilePages {
		t.Run(name, func(t *testing.T) {
			count := tt.count
			if os.Getenv("CITELOOP_TEST_LONG") == "" { // a tenth shows what fails, and the whole what is slow
				count /= 10
			}
			page := tt.begin + strings.Repeat(tt.repeated, count) + tt.end
			start := cputime.Used()
			kind := "text/html"
			if strings.HasPrefix(page, jatsBody) {
				kind = "application/xml"
			}
			d, err := Text(t.Context(), kind, []byte(page), nil)
			took := cputime.Used() - start
			if err != nil {
				t.Fatal(err)
			}
			t.Logf("%d KB in %s, %d characters of text", len(page)>>10, took.Round(time.Millisecond), d.Chars)
			if took > hostileBound {
				t.Errorf("took %s, more than %s", took, hostileBound)
			}
			if !strings.Contains(d.Text, tt.want) {
				t.Errorf("the text does not hold %q; it begins %.200q", tt.want, d.Text)
			}
		})
	}
}

// An extraction ends soon after its context, in every phase of the work.
func TestExtractionEndsWithItsContext(t *testing.T) {
	page := []byte("<title>T</title>" + strings.Repeat("<div><p>"+longText+" <a href=/x>link</a></p></div>", 4_000))
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Text(ended, "text/html", page, nil); !errors.Is(err, context.Canceled) {
		t.Fatalf("Text with an ended context: %v", err)
	}
	whole := &countedContext{Context: t.Context(), end: math.MaxInt}
	if _, err := Text(whole, "text/html", page, nil); err != nil {
		t.Fatal(err)
	}
	if whole.looks < 20 {
		t.Fatalf("the context is looked at %d times", whole.looks)
	}
	for _, share := range []int{10, 4, 2} {
		ctx := &countedContext{Context: t.Context(), end: whole.looks / share}
		if _, err := Text(ctx, "text/html", page, nil); !errors.Is(err, context.Canceled) || ctx.looks > ctx.end+5 {
			t.Errorf("after %d of %d looks: %d looks, %v", ctx.end, whole.looks, ctx.looks, err)
		}
	}
}

// countedContext ends after a number of checks.
type countedContext struct {
	context.Context
	looks, end int
}

func (c *countedContext) Err() error {
	if c.looks++; c.looks > c.end {
		return context.Canceled
	}
	return nil
}
