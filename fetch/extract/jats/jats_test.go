package jats

import (
	"errors"
	"fmt"
	"net/url"
	"os"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/citeloop/citeloop/fetch/extract/document"
	"github.com/citeloop/citeloop/fetch/extract/limit"
)

func tides(t testing.TB) []byte {
	t.Helper()
	b, err := os.ReadFile("testdata/tides.xml")
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestRead(t *testing.T) {
	base, err := url.Parse("https://archive.example/rest/PMC6543210/fullTextXML")
	if err != nil {
		t.Fatal(err)
	}
	x, err := Read(t.Context(), tides(t), base)
	if err != nil {
		t.Fatal(err)
	}
	x.Write()
	got := x.Document
	want, err := os.ReadFile("testdata/tides.txt")
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(want), got.Text+"\n"); d != "" {
		t.Errorf("text (-want +got):\n%s", d)
	}
	for _, s := range []string{"f1.jpg", "documentclass", "J Harb"} {
		if strings.Contains(got.Text, s) {
			t.Errorf("%q is in the text", s)
		}
	}
	if got.Chars != utf8.RuneCountInString(got.Text) {
		t.Errorf("%d characters, counted %d", got.Chars, utf8.RuneCountInString(got.Text))
	}
	got.Text, got.Blocks, got.Chars, got.Furniture = "", nil, 0, nil
	if d := cmp.Diff(document.Document{Head: document.Head{Title: "Silting of a small harbour: the case of Port Arden",
		Authors: []string{"Ada Writer", "Harbour Study Group"}, Publisher: "Journal of Harbours", Container: document.Journal,
		PublishedAt: "2019-03-07", DOI: "10.1234/harb.2019.5", PMID: "31234567", Language: "en",
		Licence: "https://creativecommons.org/licenses/by/4.0/"}}, got); d != "" {
		t.Errorf("Read (-want +got):\n%s", d)
	}
}

func TestIs(t *testing.T) {
	for name, tt := range map[string]struct {
		body string
		want bool
	}{
		"an article":                   {string(tides(t)), true},
		"in a service's answer":        {`<pmc-articleset><article><front><article-meta/></front></article></pmc-articleset>`, true},
		"DocBook":                      {`<article xmlns="http://docbook.org/ns/docbook"><title>x</title></article>`, false},
		"a page with such an element":  {`<html><article>&lt;article-meta <article-meta></article></html>`, false},
		"a feed":                       {`<rss><channel><title>article-meta</title></channel></rss>`, false},
		"an article's beginning alone": {`<?xml version="1.0"?><!-- <article-meta> -->`, false},
		"nothing":                      {"", false},
	} {
		if got := Is([]byte(tt.body)); got != tt.want {
			t.Errorf("%s: %v, want %v", name, got, tt.want)
		}
	}
}

// Forms of dates, names, formulas and lists.
func TestReadForms(t *testing.T) {
	front := func(meta string) string {
		return `<article><front><journal-meta/><article-meta>` + meta + `</article-meta></front><body><p>Silt.</p></body></article>`
	}
	body := func(b string) string {
		return `<article xmlns:mml="m" xmlns:xlink="x"><front><article-meta/></front><body>` + b + `</body></article>`
	}
	back := func(b string) string {
		return `<article><front><article-meta/></front><back>` + b + `</back></article>`
	}
	tests := []struct {
		name, xml string
		of        func(document.Document) string
		want      string
	}{
		{"a date of one publication", front(`<pub-date date-type="pub" iso-8601-date="2021-04-05"/>`),
			func(d document.Document) string { return d.PublishedAt }, "2021-04-05"},
		{"a month by its name", front(`<pub-date pub-type="collection"><month>April</month><year>2021</year></pub-date>`),
			func(d document.Document) string { return d.PublishedAt }, "2021-04"},
		{"a season", front(`<pub-date pub-type="ppub"><season>Spring</season><year>2021</year></pub-date>`),
			func(d document.Document) string { return d.PublishedAt }, "2021"},
		{"no date that makes sense", front(`<pub-date pub-type="epub"><year>soon</year></pub-date><pub-date ` +
			`pub-type="ppub"><year>1999</year></pub-date>`), func(d document.Document) string { return d.PublishedAt }, "1999"},
		{"a name in two scripts", front(`<contrib-group><contrib ` +
			`contrib-type="author"><name-alternatives><name><surname>Li</surname><given-names>Na</given-names></name><string-name>` +
			`李娜</string-name></name-alternatives></contrib></contrib-group>`),
			func(d document.Document) string { return strings.Join(d.Authors, ",") }, "Na Li"},
		{"a name without parts", front(`<contrib-group><contrib><string-name>Plato</string-name></contrib></contrib-group>`),
			func(d document.Document) string { return strings.Join(d.Authors, ",") }, "Plato"},
		{"a preprint's number", front(`<article-id pub-id-type="arxiv">2101.00001v2</article-id>`),
			func(d document.Document) string { return d.ArXiv }, "2101.00001"},
		{"a licence in words", front(`<permissions><license><license-p>Free for all.</license-p></license></permissions>`),
			func(d document.Document) string { return d.Licence }, "Free for all."},
		{"a licence by a link in words", front(`<permissions><license><license-p>By <ext-link xmlns:xlink="x" ` +
			`xlink:href="http://creativecommons.org/licenses/by/4.0/">CC ` +
			`BY</ext-link>.</license-p></license></permissions>`), func(d document.Document) string { return d.Licence },
			"http://creativecommons.org/licenses/by/4.0/"},
		{"markup in a title", front(`<title-group><article-title>On <italic>H</italic><sub>2</sub>O</article-title></title-group>`),
			func(d document.Document) string { return d.Title }, "On H2O"},
		{"a formula in letters", body(`<p>as <inline-formula>E = mc<sup>2</sup></inline-formula> says</p>`),
			func(d document.Document) string { return d.Text }, "as E = mc² says"},
		{"a formula in TeX alone", body(`<disp-formula><tex-math>\begin{document}$a^2$\end{document}</tex-math></disp-formula>`),
			func(d document.Document) string { return d.Text }, "$$a^2$$"},
		{"a bullet list in an item", body(`<list><list-item><p>a</p><list ` +
			`list-type="order"><list-item><p>b</p></list-item></list></list-item></list>`),
			func(d document.Document) string { return d.Text }, "- a\n  1. b"},
		{"labels of a list", body(`<list list-type="order"><list-item><label>(i)</label><p>a</p></list-item><list-item><label>3.</label>` +
			`<p>b</p></list-item></list>`), func(d document.Document) string { return d.Text }, "(i) a\n3. b"},
		{"a work in two forms", back(`<ref-list><title>Works</title><ref><citation-alternatives><element-citation>Dup</element-citation>` +
			`<mixed-citation>Dup 1990</mixed-citation></citation-alternatives></ref></ref-list>`),
			func(d document.Document) string { return d.Text }, "## Works\n\nDup 1990"},
		{"an abstract in another language", front(`<trans-abstract xml:lang="es"><p>Limo.</p></trans-abstract>`),
			func(d document.Document) string { return d.Text }, "## Abstract\n\nLimo.\n\nSilt."},
		{"a definition", body(`<def-list><def-item><term>ebb</term><def><p>the tide goes out</p></def></def-item></def-list>`),
			func(d document.Document) string { return d.Text }, "- ebb\n  the tide goes out"},
		{"a quotation", body(`<disp-quote><p>It silts.</p><attrib>the keeper</attrib></disp-quote>`),
			func(d document.Document) string { return d.Text }, "It silts.\n\nthe keeper"},
		{"a table given as a picture too", body(`<table-wrap><alternatives><graphic/><table><tr><td>1</td><td>2</td></tr></table>` +
			`</alternatives></table-wrap>`), func(d document.Document) string { return d.Text }, "1 | 2"},
		{"deep sections stay headings", body(strings.Repeat("<sec><title>t</title>", 9) + strings.Repeat("</sec>", 9)),
			func(d document.Document) string { return d.Text[strings.LastIndexByte(d.Text, '\n')+1:] }, "###### t"},
		{"references without numbers", back(`<ref-list><ref><citation>Older O. On harbours.</citation></ref></ref-list>`),
			func(d document.Document) string { return d.Text }, "## References\n\nOlder O. On harbours."},
		{"references with labels of their own", back(
			`<ref-list><title>Sources</title><ref><label>[Old88]</label><mixed-citation>Older O.</mixed-citation></ref></ref-list>`),
			func(d document.Document) string { return d.Text }, "## Sources\n\n[Old88] Older O."},
		{"letters that nobody sees", body("<p>si\u202elt</p>"), func(d document.Document) string { return fmt.Sprint(d.Text, d.Invisible) },
			"silt1"},
		{"a script in a link", body(`<p><ext-link xlink:href="javascript:alert(1)">silt</ext-link></p>`),
			func(d document.Document) string { return d.Text }, "silt"},
		{"a script as an element", body(`<p>silt<script>alert(1)</script></p>`), func(d document.Document) string { return d.Text },
			"siltalert(1)"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			x, err := Read(t.Context(), []byte(tt.xml), nil)
			if err != nil {
				t.Fatal(err)
			}
			x.Write()
			if d := cmp.Diff(tt.want, tt.of(x.Document)); d != "" {
				t.Errorf("(-want +got):\n%s", d)
			}
		})
	}
}

func TestReadRefuses(t *testing.T) {
	whole := string(tides(t))
	cut, err := Read(t.Context(), []byte(whole[:strings.Index(whole, "<back>")]), nil)
	cut.Write()
	if err != nil || cut.Partial == "" || !strings.Contains(cut.Text, "the load.") {
		t.Errorf("cut: %v, partial %q", err, cut.Partial)
	}
	for name, tt := range map[string]struct {
		xml  string
		want error
	}{
		"no article":      {`<svg></svg>`, document.ErrUnsupported},
		"no XML":          {`all work and no play`, document.ErrUnsupported},
		"no text":         {`<article><front><article-meta/></front></article>`, document.ErrUnsupported},
		"nested too deep": {`<article>` + strings.Repeat("<sec>", 100_000), limit.ErrTooLarge},
		"too many":        {`<article>` + strings.Repeat("<p/>", 1_000_001), limit.ErrTooLarge},
		"entities that multiply": {`<!DOCTYPE article [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]><article>&b;</article>`,
			document.ErrUnsupported},
	} {
		if _, err := Read(t.Context(), []byte(tt.xml), nil); !errors.Is(err, tt.want) {
			t.Errorf("%s: %v, want %v", name, err, tt.want)
		}
	}
}
