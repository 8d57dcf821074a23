package extract

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/citeloop/citeloop/internal/cputime"
)

// hostileBound is the processor time that the slowest page may take. Measured, the slowest takes a tenth of it without the race
// detector; a quadratic step would take minutes.
const hostileBound = 15 * time.Second

func TestHostilePages(t *testing.T) {
	n := func(count int) int { // a tenth shows what fails, and the whole what is slow
		if count /= slowdown; os.Getenv("CITELOOP_TEST_LONG") == "" {
			count /= 10
		}
		return count
	}
	const sentence = "The quick brown fox jumps over the lazy dog near the river bank today. "
	prose := strings.Repeat(sentence, 20)
	tests := []struct {
		name string
		page func() string
		want string // part of the text; empty = any text
	}{
		{"200,000 nested elements", func() string {
			return strings.Repeat("<div>", n(200_000)) + prose + strings.Repeat("</div>", n(200_000))
		}, "quick brown fox"},
		{"nested, with text at each level", func() string {
			return strings.Repeat("<div>alpha beta gamma delta ", n(200_000))
		}, "gamma delta"},
		{"nested lists", func() string { return strings.Repeat("<ul><li>item ", n(100_000)) + prose }, "quick brown fox"},
		{"nested tables", func() string { return strings.Repeat("<table><tr><td>cell ", n(60_000)) + prose }, "quick brown fox"},
		{"nested paragraphs", func() string {
			return strings.Repeat("<div><p>"+sentence+"</p>", 240) + prose
		}, "quick brown fox"},
		{"formatting that is cloned into every block", func() string {
			var b strings.Builder
			for i := range 400 {
				fmt.Fprintf(&b, "<div><b id=%d>", i)
			}
			return b.String() + strings.Repeat("</div>", 400) + strings.Repeat("<div>x y z</div>", n(100_000))
		}, "x y z"},
		{"300,000 attributes", func() string {
			var b strings.Builder
			b.WriteString("<p ")
			for i := range n(300_000) {
				fmt.Fprintf(&b, "a%d ", i)
			}
			return b.String() + ">" + prose + "</p>"
		}, "quick brown fox"},
		{"300,000 end tags without a start", func() string { return "<p>" + strings.Repeat("word </x>", n(300_000)) }, "word word"},
		{"300,000 line breaks", func() string { return "<p>" + strings.Repeat("a<br>", n(300_000)) }, "a\na"},
		{"150,000 paragraphs", func() string { return strings.Repeat("<p>alpha beta, gamma</p>", n(150_000)) }, "alpha beta, gamma"},
		{"one paragraph in 100,000 divisions", func() string {
			return strings.Repeat("<div><p>alpha beta, gamma delta epsilon zeta eta theta</p></div>", n(100_000))
		}, "alpha beta"},
		{"100,000 links in one list", func() string { return "<ul>" + strings.Repeat(`<li><a href="/x">alpha beta</a>`, n(100_000)) },
			"alpha beta"},
		{"a table of 100,000 rows", func() string {
			return "<table>" + strings.Repeat("<tr><td>alpha</td><td>beta</td></tr>", n(100_000)) + "</table>"
		}, "alpha | beta"},
		{"20 MB of text", func() string { return "<p>" + strings.Repeat(sentence, n(280_000)) }, "quick brown fox"},
		{"4 MB of open tags", func() string { return strings.Repeat("<", n(4<<20)) }, ""},
		{"4 MB of comments", func() string { return strings.Repeat("<!---->", n(600_000)) + prose }, "quick brown fox"},
		{"a comment that never ends", func() string { return prose + "<!--" + strings.Repeat("-", n(4<<20)) }, "quick brown fox"},
		{"2 MB of entities", func() string { return strings.Repeat("&amp;", n(400_000)) }, "&&&"},
		{"headings around everything", func() string { return strings.Repeat("<h1>", 200) + strings.Repeat("<i></i>", n(300_000)) + prose },
			"quick brown fox"},
		{"10,000 posts", func() string {
			return strings.Repeat(`<div class="post"><a class="author" href="/u">mareike</a> <time datetime="2024-03-02">Mar `+
				`2</time><p>`+sentence+`</p></div>`, n(10_000))
		}, "quick brown fox"},
		{"posts inside of posts", func() string {
			return strings.Repeat(`<div class="post"><a class="author" href="/u">mareike</a> <time datetime="2024-03-02">Mar `+
				`2</time><p>`+sentence+`</p>`, n(10_000))
		}, "quick brown fox"},
		{"authors inside of authors around everything", func() string {
			return strings.Repeat(`<div class="post"><div itemprop="author">`, 200) + strings.Repeat("<p>"+sentence+"</p>", n(20_000))
		}, "quick brown fox"},
		{"days inside of days around everything", func() string {
			return strings.Repeat(`<div class="post"><div itemprop="datePublished" class="vote-count author">`, 200) +
				strings.Repeat("<p>"+sentence+"</p>", n(20_000))
		}, "quick brown fox"},
		{"a table of divs of 100,000 rows", func() string {
			return `<div class="spec-table">` + strings.Repeat("<div><div>alpha</div><div>beta</div></div>", n(100_000)) + "</div>" + prose
		}, ""},
		{"tables of divs inside of tables of divs", func() string {
			const cells = "<div><span>alpha</span><span>beta</span></div>"
			return strings.Repeat(`<div class="table">`+cells+cells+"<div><span>alpha</span><span>"+strings.Repeat("<i></i>", 400),
				n(400)) + prose
		}, "quick brown fox"},
		{"lettered lists that nest, with a number that is out of range", func() string {
			return strings.Repeat(`<ol type="i" start="999999999999"><li>item <ol type="A" start="2147483647"><li>item `, n(50_000)) + prose
		}, "quick brown fox"},
		{"signs inside of headings", func() string { return strings.Repeat(`<h2>Tides<a href="#a">¶</a></h2>`, n(100_000)) + prose },
			"quick brown fox"},
		{"linked data that nests", func() string {
			return `<script type="application/ld+json">` + strings.Repeat(`{"@graph":[`, 50_000) + `</script><p>` + prose
		}, "quick brown fox"},
		{"5,000 scripts of linked data", func() string {
			return strings.Repeat(`<script type="application/ld+json">{"@type":"Article","author":["a","b"]}</script>`, 5_000) + prose
		}, "quick brown fox"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			page := tt.page()
			start := cputime.Used()
			d, err := Text(t.Context(), "text/html", []byte(page), nil)
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
