package bench

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// page is one page and its address.
type page struct {
	id   string
	url  *url.URL
	body []byte
}

// samples are pages of the most common kinds, written for this benchmark.
func samples() []page {
	at := &url.URL{Scheme: "https", Host: "example.org", Path: "/page"}
	sample := func(id, body string) page {
		return page{id: id, url: at, body: []byte("<!doctype html><html lang=en><head><title>Sample</title></head><body>" + frame(body) + "</body></html>")}
	}
	return []page{
		sample("article", "<article><h1>The harbour</h1>"+paragraphs(30)+"</article>"),
		sample("documentation", "<main><h1>Reference</h1>"+sections(60)+"</main>"),
		sample("listing", "<main><h1>All tables</h1><ul>"+teasers(200)+"</ul></main>"),
		sample("forum", "<main><h1>How do tides work?</h1>"+posts(60)+"</main>"),
		sample("table", "<article><h1>Heights</h1>"+paragraphs(2)+rows(500)+"</article>"),
		sample("long", "<article><h1>The book</h1>"+paragraphs(4000)+"</article>"),
	}
}

const sentence = "In the spring of that year, the keeper wrote down the height of the tide at every hour, as he had been told to. "

// frame surrounds content with the usual frame of pages.
func frame(content string) string {
	var links strings.Builder
	for i := range 40 {
		fmt.Fprintf(&links, `<li><a href="/section/%d">Section %d</a></li>`, i, i)
	}
	menu := "<ul>" + links.String() + "</ul>"
	return "<header><nav>" + menu + "</nav></header>" + content + `<aside class="related">` + menu + "</aside><footer>" + menu + "<p>Imprint</p></footer><script>window.x = {}</script>"
}

func paragraphs(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "<p>%d. %s<a href=\"/note/%d\">A note</a> follows. %s</p>\n", i, strings.Repeat(sentence, 2+i%3), i, sentence)
	}
	return b.String()
}

func sections(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "<section><h2>Function %d</h2><p>%s</p><pre><code>func f%d(x int) int {\n\treturn x * %d\n}</code></pre><dl><dt>x</dt><dd>%s</dd></dl></section>\n", i, sentence, i, i, sentence)
	}
	return b.String()
}

func teasers(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `<li class="card"><a href="/table/%d"><h3>Tide table number %d</h3></a><p>%s</p><span class="date">2024-01-02</span></li>`+"\n", i, i, sentence[:60])
	}
	return b.String()
}

func posts(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `<div class="post" id="p%d"><div class="author"><a href="/u/%d">user%d</a></div><div class="body"><p>%s</p><blockquote>%s</blockquote></div></div>`+"\n", i, i, i, strings.Repeat(sentence, 1+i%4), sentence)
	}
	return b.String()
}

func rows(n int) string {
	var b strings.Builder
	b.WriteString("<table><tr><th>Day</th><th>High</th><th>Low</th></tr>")
	for i := range n {
		fmt.Fprintf(&b, "<tr><td>%d</td><td>%d cm</td><td>%d cm</td></tr>\n", i, 400+i%90, 40+i%30)
	}
	return b.String() + "</table>"
}

// goldFolder has manually labelled pages. They are third-party texts and not part of the project.
const goldFolder = "../../shared/data/extraction"

func gold(tb testing.TB, set string) []page {
	tb.Helper()
	f, err := os.Open(filepath.Join(goldFolder, set, "gold.jsonl"))
	if err != nil {
		tb.Skip("the gold pages are not here: ", goldFolder)
	}
	defer f.Close()
	var pages []page
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 64<<20)
	for lines.Scan() {
		var g struct{ ID, URL string }
		if err := json.Unmarshal(lines.Bytes(), &g); err != nil {
			tb.Fatal(err)
		}
		u, err := url.Parse(g.URL)
		if err != nil {
			tb.Fatal(err)
		}
		pages = append(pages, page{id: g.ID, url: u, body: gunzip(tb, filepath.Join(goldFolder, set, "pages", g.ID+".html.gz"))})
	}
	if err := lines.Err(); err != nil {
		tb.Fatal(err)
	}
	return pages
}

func gunzip(tb testing.TB, name string) []byte {
	tb.Helper()
	f, err := os.Open(name)
	if err != nil {
		tb.Fatal(err)
	}
	defer f.Close()
	zr, err := gzip.NewReader(f)
	if err != nil {
		tb.Fatal(err)
	}
	body, err := io.ReadAll(zr)
	if err != nil {
		tb.Fatal(err)
	}
	return body
}
