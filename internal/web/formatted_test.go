package web

import (
	"fmt"
	"html"
	"regexp"
	"strings"
	"testing"

	"github.com/citeloop/citeloop/internal/loops"
	"github.com/citeloop/citeloop/loopstate"
)

// formattedWith returns a text as HTML with one mark on a stretch of it.
func formattedWith(t *testing.T, text, marked string) string {
	t.Helper()
	before, _, found := strings.Cut(text, marked)
	if !found {
		t.Fatalf("%q is not in %q", marked, text)
	}
	start := len([]rune(before))
	pieces, _ := cut(loops.Span{Text: text}, []mark{{ID: "C1", Status: loopstate.Grounded, Start: start, End: start + len([]rune(marked))}}, loopstate.Spans{{0, len([]rune(text))}})
	return strings.ReplaceAll(string(formatted(pieces, false)), ` dir="auto"`, "")
}

// A stored text keeps its structure, and a mark covers the words at its offsets.
func TestFormattedText(t *testing.T) {
	const here = `<span class="anchor" id="C1"></span><mark class="v-grounded" data-marks="C1">`
	for _, row := range []struct{ name, text, marked, want string }{
		{"a heading", "灯塔 intro\n\n# 🗼 Tower\n\nBuilt in 1874.", "Tower", "<h3>🗼 " + here + "Tower</mark></h3>"},
		{"levels are not skipped", "# One\n\n#### Four\n\n## Two", "Two", "<h4>Four</h4>\n<h4>" + here + "Two</mark></h4>"},
		{"a list", "- one\n- two\n", "two", "<ul><li>one</li>\n<li>" + here + "two</mark></li>\n</ul>"},
		{"a year at the start of a line", "1874\\. was early", "was", "<p>1874. " + here + "was</mark> early</p>"},
		{"a list that begins later", "7. seven\n8. eight", "eight", `<ol start="7">`},
		{"a table", "| Year | m |\n| --- | --- |\n| 1874 | 42 |\n", "42", `<th scope="col">m</th></tr></thead>` + "\n<tbody>\n<tr><td>1874</td><td>" + here + "42</mark></td>"},
		{"code", "```go\nif a < b {\n```\n", "a <", "<code>if " + here + "a &lt;</mark> b {\n</code>"},
		{"across emphasis", "It was **built in** 1874.", "built in** 18", "<strong>" + here + "built in</mark></strong><mark class=\"v-grounded\" data-marks=\"C1\"> 18</mark>74."},
		{"across a line", "one two\nthree four", "two\nthree", "one " + here + "two</mark><mark class=\"v-grounded\" data-marks=\"C1\">\n</mark><mark class=\"v-grounded\" data-marks=\"C1\">three</mark> four"},
		{"a link", "See [the tower](https://example.org/a?b=1&c=2).", "tower", `href="https://example.org/a?b=1&amp;c=2" rel="noreferrer noopener nofollow">the ` + here + "tower</mark></a>"},
		{"a script link", "See [the tower](javascript:alert(1)).", "tower", "<p>See the " + here + "tower</mark>.</p>"},
		{"a definition of a link stays visible", "[a]: https://example.org/hidden\n\ntext", "text", "example.org/hidden"},
		{"markup is text", "a <img src=x onerror=alert(1)> b\n\n<script>alert(1)</script>", "b", `<p class="markup">` + "&lt;script&gt;alert(1)&lt;/script&gt;</p>"},
		{"an entity", "AT&amp;T &lt;b&gt;", "T ", "AT&amp;" + here + "T </mark>&lt;b&gt;"},
		{"a heading without Markdown", "Crashes by year\n\nThey fell.\n\nThe end", "fell", "<p class=\"heading\">Crashes by year</p>\n<p>They " + here + "fell</mark>.</p>\n<p>The end</p>"},
		{"a table without Markdown", "Year | m\n1874 | 42\n1875 | 43", "42", "<table><tr><th>Year</th><th>m</th></tr>\n<tr><td>1874</td><td>" + here + "42</mark></td></tr>"},
		{"bars in prose", "a | b\nand c", "and", "<p>a | b\n" + here + "and</mark> c</p>"},
		{"only syntax is marked", "text\n\n---\n\nmore", "---", `<span class="anchor" id="C1"></span>more`},
		{"nested too deeply", strings.Repeat("> ", 500) + "deep", "deep", `<div class="verbatim">`},
	} {
		t.Run(row.name, func(t *testing.T) {
			if got := formattedWith(t, row.text, row.marked); !strings.Contains(got, row.want) {
				t.Errorf("%s\nlacks %s", got, row.want)
			}
		})
	}
}

// Each line that shows something has its number and its anchor, once.
func TestNumberedLines(t *testing.T) {
	pieces, _ := cut(loops.Span{Start: 90, Line: 7, Text: "rest\n# Tower\n\n- one\n- two\n\n```\ncode\n```\n\nYear | m\n1874 | 42\nlast"}, []mark{{ID: "C1", Start: 97, End: 102}}, nil)
	got := strings.ReplaceAll(string(formatted(pieces, false)), ` dir="auto"`, "")
	for _, want := range []string{`<h3><span class="anchor" id="C1"></span><span class="line" id="L8" data-n="8"></span>`, `<li><span class="line" id="L10" data-n="10"></span>`, `<span class="anchor" id="L13"></span><span class="line" id="L14" data-n="14"></span>`, `<span class="line" id="L19" data-n="19"></span>`} {
		if !strings.Contains(got, want) {
			t.Errorf("%s\nlacks %s", got, want)
		}
	}
	if strings.Contains(got, `id="L7"`) { // the text begins within this line
		t.Errorf("a line that begins before the text has a number:\n%s", got)
	}
	for n := 8; n < 20; n++ {
		if count := strings.Count(got, fmt.Sprintf(`id="L%d"`, n)); count > 1 {
			t.Errorf("line %d has %d anchors", n, count)
		}
	}
}

var tag = regexp.MustCompile(`<[^>]*>`)

// Whatever the text is, its words are shown and none of its markup works.
func FuzzFormattedText(f *testing.F) {
	for _, seed := range []string{"# a\n\n- b\n\t- c\n\n| d | e |\n|---|---|\n| f | g |", "```\nx\n", "<a href=x>\n\n<!-- h", "[a][b] ![c](d)", "<http://a.example> &amp; \\* **x", "1. a\n   > b\n\n***"} {
		f.Add(seed, uint16(1), uint16(5))
	}
	allowed := regexp.MustCompile(`^</?(p|h[3-6]|ul|ol|li|blockquote|hr|pre|code|div|table|thead|tbody|tr|th|td|strong|em|a|mark|span|wbr)( (dir|scope|start|rel|href|tabindex|role|aria-labelledby|class|id|data-marks|data-n)="[^"<>]*")*>$`)
	word := regexp.MustCompile(`[a-z]+`)
	f.Fuzz(func(t *testing.T, text string, from, to uint16) {
		pieces, _ := cut(loops.Span{Line: 1, Text: strings.ToValidUTF8(text, "?")}, []mark{{ID: "C1", Start: int(from), End: int(to)}}, nil)
		got := string(formatted(pieces, false))
		for _, element := range tag.FindAllString(got, -1) {
			if !allowed.MatchString(element) {
				t.Fatalf("%q has %s", text, element)
			}
		}
		if strings.ContainsAny(text, "[<`~&") { // addresses of links and names of languages are not shown
			return
		}
		shown := strings.Join(word.FindAllString(html.UnescapeString(tag.ReplaceAllString(got, "")), -1), "")
		if want := strings.Join(word.FindAllString(text, -1), ""); shown != want {
			t.Fatalf("%q shows %q", text, shown)
		}
	})
}
