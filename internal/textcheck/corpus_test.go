package textcheck

import (
	"net/url"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/citeloop/citeloop/fetch"
	"github.com/citeloop/citeloop/internal/docid"
)

func TestCorpusReplacesAddresses(t *testing.T) {
	t.Parallel()
	root := writeFiles(t, map[string]string{
		"notes/saved.html":             "<!-- saved from url=(0031)https://saved.example/page?id=7 --><html><title>x</title></html>",
		"notes/canonical.html":         `<html><head><link href='https://canonical.example/a/' rel=canonical></head></html>`,
		"notes/og.htm":                 `<meta property="og:url" content="https://og.example/b">`,
		"notes/doi.html":               `<meta name="citation_doi" content="10.1234/ABC">`,
		"notes/clip.md":                "---\ntitle: T\nsource: \"https://clip.example/c\"\n---\n# T\nurl: https://other.example/\n",
		"notes/paper.md":               "---\ndoi: 10.5555/xyz\n---\ntext",
		"notes/plain.md":               "url: https://plain.example/\n",
		"mirror.example/d/page.html":   "<html></html>",
		"mirror.example/e/index.html":  "<html></html>",
		"mirror.example/picture.png":   "https://never.example/",
		"folder/without/a/host.md":     "text",
		"second.example/a.md":          "---\nurl: https://canonical.example/a\n---\n",
		"notes/script-is-no-page.html": `<script>var x = '<link rel="canonical">'</script>`,
	})
	corpus, err := OpenCorpus(t.Context(), []string{root})
	if err != nil {
		t.Fatal(err)
	}
	for address, want := range map[string]string{
		"https://saved.example/page?id=7":      "notes/saved.html",
		"http://www.canonical.example/a":       "notes/canonical.html",
		"https://og.example/b#part":            "notes/og.htm",
		"https://doi.org/10.1234/abc":          "notes/doi.html",
		"https://clip.example/c":               "notes/clip.md",
		"https://doi.org/10.5555/XYZ":          "notes/paper.md",
		"https://mirror.example/d/page.html":   "mirror.example/d/page.html",
		"https://mirror.example/d/page":        "mirror.example/d/page.html",
		"https://mirror.example/e/":            "mirror.example/e/index.html",
		"https://plain.example/":               "",
		"https://other.example/":               "",
		"https://never.example/":               "",
		"https://folder/without/a/host":        "",
		"https://mirror.example/picture.png":   "",
		"https://second.example/a":             "second.example/a.md",
		"https://mirror.example/d/page.html?q": "",
	} {
		got, err := filepath.Rel(root, strings.TrimPrefix(corpus.address(docid.CanonicalKey(address, "")), "file://"))
		if corpus.address(docid.CanonicalKey(address, "")) == "" {
			got, err = "", nil
		}
		if err != nil || filepath.ToSlash(got) != want {
			t.Errorf("%s: %q, want %q (%v)", address, got, want, err)
		}
	}
}

// Offline, with the real reader, only file: addresses and saved pages are read.
func TestOfflineWithCorpus(t *testing.T) {
	t.Parallel()
	root := writeFiles(t, map[string]string{
		"tower.md":                "# The tower\n\n" + towerText,
		"arden.example/cost.html": "<html><head><title>Cost</title></head><body><article><h1>Cost</h1><p>" + costText + "</p></article></body></html>",
	})
	reader, err := fetch.New(fetch.Config{Corpus: []string{root}})
	if err != nil {
		t.Fatal(err)
	}
	corpus, err := OpenCorpus(t.Context(), []string{root})
	if err != nil {
		t.Fatal(err)
	}
	cfg := config(nil)
	cfg.Reader, cfg.Corpus, cfg.Offline = reader, corpus, true
	file := (&url.URL{Scheme: "file", Path: filepath.ToSlash(filepath.Join(root, "tower.md"))}).String()
	r := check(t, cfg, Draft{"a.md", "The tower of Arden was built in 1874 by two [brothers](" + file + ").\n\nThe harbour pays two thirds of the upkeep [1].\n\nThe work took three summers, as " + file + " says.\n\nIt is green (https://elsewhere.example/).\n\nIt is lost (file:///nowhere/at/all.md).\n\n[1]: https://arden.example/cost\n"})
	want := []string{
		"1:1 inferred " + file + "=read",
		"3:1 inferred https://arden.example/cost=read",
		"5:1 inferred " + file + "=read",
		"7:1 inferred https://elsewhere.example/=not_read",
		"9:1 inferred file:///nowhere/at/all.md=blocked",
	}
	if diff := cmp.Diff(want, brief(r)); diff != "" {
		t.Errorf("claims (-want +got):\n%s", diff)
	}
	if got := r.Claims[2].Citations[0].Marker; got != file {
		t.Errorf("the mark is shown as %q", got)
	}
	if r.Claims[2].Claim != "The work took three summers, as says." {
		t.Errorf("the sentence is %q", r.Claims[2].Claim)
	}
}
