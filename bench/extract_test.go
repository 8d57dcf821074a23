package bench

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"net/url"
	"os"
	"path/filepath"
	"testing"

	readeck "codeberg.org/readeck/go-readability/v2"
	"github.com/citeloop/citeloop/fetch/extract"
	"github.com/markusmobius/go-trafilatura"
)

var extractor = extract.New(extract.Config{MaxDecoded: 20 << 20})

// extractors are compared: each returns the text of a page.
var extractors = []struct {
	name string
	text func(body []byte, u *url.URL) (string, error)
}{
	{"citeloop", func(body []byte, u *url.URL) (string, error) {
		d, err := extractor.Extract(context.Background(), "text/html", body, u)
		return d.Content(), err
	}},
	{"citeloop-stored", func(body []byte, u *url.URL) (string, error) {
		d, err := extractor.Extract(context.Background(), "text/html", body, u)
		return d.Text, err
	}},
	{"readeck", func(body []byte, u *url.URL) (string, error) {
		a, err := readeck.FromReader(bytes.NewReader(body), u)
		if err != nil || a.Node == nil {
			return "", err
		}
		var b bytes.Buffer
		err = a.RenderText(&b)
		return b.String(), err
	}},
	{"trafilatura", func(body []byte, u *url.URL) (string, error) {
		x, err := trafilatura.Extract(bytes.NewReader(body), trafilatura.Options{OriginalURL: u, EnableFallback: true,
			HtmlDateMode: trafilatura.Disabled})
		if err != nil {
			return "", err
		}
		return x.ContentText, nil
	}},
}

// BenchmarkGold reads a whole set in each iteration and reports pages a second, by wall-clock time and by processor time,
// which other programs affect less.
func BenchmarkGold(b *testing.B) {
	for _, set := range []string{"aeb", "wcxb", "trafseg"} {
		b.Run(set, func(b *testing.B) {
			pages := gold(b, set)
			for _, x := range extractors {
				b.Run(x.name, func(b *testing.B) {
					n, before := 0, processorTime()
					for b.Loop() {
						for _, p := range pages {
							_, _ = x.text(p.body, p.url) // pages without an article are included
							n++
						}
					}
					b.ReportMetric(float64(n)/b.Elapsed().Seconds(), "pages/s")
					if used := processorTime() - before; used > 0 {
						b.ReportMetric(float64(n)/used.Seconds(), "pages/cpu-s")
					}
				})
			}
		})
	}
}

var out = flag.String("out", "", "a folder to which TestTexts writes SET-EXTRACTOR.jsonl, one {id, text} for each gold page")

// TestTexts writes the texts of each extractor for a scorer.
func TestTexts(t *testing.T) {
	if *out == "" {
		t.Skip("no -out folder")
	}
	for _, set := range []string{"aeb", "wcxb", "trafseg"} {
		pages := gold(t, set)
		for _, x := range extractors {
			f, err := os.Create(filepath.Join(*out, set+"-"+x.name+".jsonl"))
			if err != nil {
				t.Fatal(err)
			}
			enc := json.NewEncoder(f)
			for _, p := range pages {
				text, _ := x.text(p.body, p.url)
				if err := enc.Encode(map[string]string{"id": p.id, "text": text}); err != nil {
					t.Fatal(err)
				}
			}
			if err := f.Close(); err != nil {
				t.Fatal(err)
			}
		}
	}
}
