package bench

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"testing"
)

// page is one page and its address.
type page struct {
	id   string
	url  *url.URL
	body []byte
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
