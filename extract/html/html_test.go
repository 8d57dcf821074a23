package html

import (
	"net/url"
	"strings"
	"testing"

	"github.com/citeloop/citeloop/extract/document"
)

// longText is long enough to be a source.
var longText = strings.Repeat("The tide tables of the harbour were printed every year until 1931. ", 8)

// article is a page whose text is longText.
var article = "<!doctype html><html lang=en><title>Tide tables</title><body><article><h1>Tide tables</h1><p>" + longText + "</p></article>"

// readPage reads a page that came from an address, or from none when that is empty.
func readPage(t testing.TB, src, at string) document.Document {
	t.Helper()
	var base *url.URL
	if at != "" {
		u, err := url.Parse(at)
		if err != nil {
			t.Fatal(err)
		}
		base = u
	}
	x, err := Read(t.Context(), src, base)
	if err != nil {
		t.Fatal(err)
	}
	return x.Document
}
