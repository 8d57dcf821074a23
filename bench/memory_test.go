package bench

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"strings"
	"testing"
	"time"

	"github.com/citeloop/citeloop/fetch/extract"
)

// Limits for any page of 10 MB. Memory is asserted. Time is only reported, because it depends on the load of the machine.
const (
	largePage   = 10 << 20
	memoryLimit = 750 << 20
)

// filled returns a page of 10 MB: head, then as many pieces as fit.
func filled(head string, piece func(i int) string) []byte {
	var b strings.Builder
	b.Grow(largePage + 4<<10)
	b.WriteString(head)
	for i := 0; b.Len() < largePage; i++ {
		b.WriteString(piece(i))
	}
	return []byte(b.String())
}

func same(piece string) func(int) string { return func(int) string { return piece } }

// largePages are pages of 10 MB: realistic ones, and hostile ones that are meant to be slow.
func largePages() []struct {
	name, contentType string
	body              func() []byte
} {
	return []struct {
		name, contentType string
		body              func() []byte
	}{
		{"article", "text/html", func() []byte {
			return filled("<title>T</title><article>",
				func(i int) string { return fmt.Sprintf("<p>%d. %s<a href=/n/%d>note</a></p>\n", i, sentence, i) })
		}},
		{"one paragraph", "text/html", func() []byte { return filled("<title>T</title><article><p>", same(sentence)) }},
		{"table", "text/html", func() []byte {
			return filled("<table>", func(i int) string { return fmt.Sprintf("<tr><td>%d<td>%d cm<td>high</tr>", i, i%90) })
		}},
		{"listing", "text/html", func() []byte {
			return filled("<ul>", func(i int) string { return fmt.Sprintf(`<li class=card><a href="/t/%d"><h3>Table %d</h3></a>`, i, i) })
		}},
		{"forum", "text/html", func() []byte {
			return filled("<main>", func(i int) string {
				return fmt.Sprintf(`<div class=post id=p%d><a href=/u/%d>user</a><p>%s</p></div>`, i, i, sentence)
			})
		}},
		{"code", "text/html", func() []byte {
			return filled("<main>", same("<pre><code class=language-go>func f() int {\n\treturn 1\n}</code></pre>"))
		}},
		{"formulas", "text/html", func() []byte {
			return filled("<main>", same("<p>where <math><mfrac><mi>q</mi><mn>2</mn></mfrac></math> is the load"))
		}},
		{"footnotes", "text/html", func() []byte {
			return filled("<main>", func(i int) string {
				return fmt.Sprintf("<p>%s<sup><a href=#n%d>%d</a></sup></p><p id=n%d>A note.</p>", sentence, i, i, i)
			})
		}},
		{"nested elements", "text/html", func() []byte { return filled("", same("<div>a ")) }},
		{"nested lists", "text/html", func() []byte { return filled("", same("<ul><li>a ")) }},
		{"nested quotations", "text/html", func() []byte { return filled("", same("<blockquote>a ")) }},
		{"nested tables", "text/html", func() []byte { return filled("", same("<table><tr><td>a ")) }},
		{"open formatting", "text/html", func() []byte {
			return filled(strings.Repeat("<b><i><u><s><em><font>", 80), same("<p>a</p>"))
		}},
		{"nothing but tags", "text/html", func() []byte { return filled("", same("<p>")) }},
		{"attributes", "text/html", func() []byte { return filled("<p ", func(i int) string { return fmt.Sprintf("a%d ", i) }) }},
		{"comments", "text/html", func() []byte { return filled("<p>a", same("<!---->")) }},
		{"entities", "text/html", func() []byte { return filled("<p>", same("&amp;")) }},
		{"linked data", "text/html", func() []byte {
			return filled(`<p>a<script type="application/ld+json">[`, same(`{"@type":"Article","author":["a","b"]},`))
		}},
		{"plain text", "text/plain", func() []byte { return filled("", same(sentence+"\n\n")) }},
		{"markdown", "text/markdown", func() []byte { return filled("", same("## Tides\n\n"+sentence+"\n\n- ebb\n")) }},
		{"another charset", "text/html; charset=gb18030",
			func() []byte { return filled("<p>", same("\xd6\xd0\xb9\xfa\xb5\xc4\xca\xc7 ")) }},
		{"JATS", "application/xml", func() []byte {
			return filled("<article><front><article-meta/></front><body>",
				same("<sec><title>Tides</title><p>"+sentence+`<xref ref-type="bibr" rid="b">1</xref></p></sec>`))
		}},
		{"feed", "application/rss+xml", func() []byte {
			return append(filled("<rss><channel><title>Tides</title>",
				same("<item><title>Ebb</title><description>&lt;p&gt;"+sentence+"&lt;/p&gt;</description></item>")), "</channel></rss>"...)
		}},
	}
}

// BenchmarkLargePages reads pages of 10 MB. It reports peak memory (peak-MB) and processor time, and fails if the memory
// exceeds the limit.
func BenchmarkLargePages(b *testing.B) {
	e := extract.New(extract.Config{MaxDecoded: 20 << 20, Logger: slog.New(slog.NewTextHandler(io.Discard, nil))})
	defer e.Close()
	for _, p := range largePages() {
		b.Run(p.name, func(b *testing.B) {
			body := p.body()
			var most uint64
			var cpu time.Duration
			for b.Loop() {
				debug.FreeOSMemory()
				stop, before := peak(), processorTime()
				_, err := e.Extract(context.Background(), p.contentType, body, nil)
				cpu += processorTime() - before
				most = max(most, stop())
				if err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(most)/(1<<20), "peak-MB")
			b.ReportMetric(cpu.Seconds()/float64(b.N), "cpu-s/op")
			if most > memoryLimit {
				b.Errorf("%d MB at once, the limit is %d MB", most>>20, memoryLimit>>20)
			}
			runtime.KeepAlive(body)
		})
	}
}

// peak samples the memory of the process until stop, which returns the maximum.
func peak() (stop func() uint64) {
	samples := []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
	var most uint64
	look := func() {
		metrics.Read(samples)
		most = max(most, samples[0].Value.Uint64()-samples[1].Value.Uint64())
	}
	end, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		tick := time.NewTicker(time.Millisecond)
		defer tick.Stop()
		for {
			look()
			select {
			case <-tick.C:
			case <-end:
				look()
				return
			}
		}
	}()
	return func() uint64 { close(end); <-ended; return most }
}
