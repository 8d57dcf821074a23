package html

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestIdentifiersAndLicence(t *testing.T) {
	t.Parallel()
	type found struct{ ArXiv, PMID, DOI, Modified, Licence string }
	tests := []struct {
		name, url, head string
		want            found
	}{
		{"arXiv by its tag", "https://x.example/", `<meta name=citation_arxiv_id content="2101.00001v2">`, found{ArXiv: "2101.00001"}},
		{"arXiv by its address", "https://arxiv.org/abs/hep-th/9901001v3", "", found{ArXiv: "hep-th/9901001"}},
		{"arXiv's HTML", "https://arxiv.org/html/2101.00001v1", "", found{ArXiv: "2101.00001"}},
		{"another site's path", "https://x.example/abs/2101.00001", "", found{}},
		{"PubMed by its tag", "https://x.example/", `<meta name=citation_pmid content="12345678">`, found{PMID: "12345678"}},
		{"PubMed by its address", "https://pubmed.ncbi.nlm.nih.gov/12345678/", "", found{PMID: "12345678"}},
		{"a number that is no PMID", "https://x.example/", `<meta name=ncbi_uid content=12345678><meta name=ncbi_db content=pmc>`, found{}},
		{"modified", "https://x.example/", `<meta property="article:modified_time" content="2024-05-06T07:08:09Z">`,
			found{Modified: "2024-05-06"}},
		{"modified, linked data", "https://x.example/",
			`<script ` +
				`type="application/ld+json">{"@type":"Article","dateModified":"2024-05-07",` +
				`"license":"https://creativecommons.org/licenses/by/4.0/"}</script>`,
			found{Modified: "2024-05-07", Licence: "https://creativecommons.org/licenses/by/4.0/"}},
		{"licence by a link", "https://x.example/dir/p", `<link rel=license href="/licence">`, found{Licence: "https://x.example/licence"}},
		{"licence in Dublin Core", "https://x.example/", `<meta name="DC.rights" content="CC BY 4.0">`, found{Licence: "CC BY 4.0"}},
		{"an empty page", "https://x.example/", "", found{}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d := readPage(t, "<!doctype html><head>"+tt.head+"<body><p>"+longText, tt.url)
			got := found{d.ArXiv, d.PMID, d.DOI, d.ModifiedAt, d.Licence}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// Forums that run in the browser serve their threads to others in a <noscript>.
func TestNoscriptThatHoldsThePage(t *testing.T) {
	t.Parallel()
	thread := "<div id=main-outlet><h1>Tides</h1>" + strings.Repeat("<div class=topic-body><p>"+longText+"</p></div>", 4) + "</div>"
	tests := []struct {
		name, page string
		want       bool
	}{
		{"an empty page around it", "<div id=app></div><noscript data-path=/t/1>" + thread + "</noscript>", true},
		{"the page is there without it", strings.Repeat("<p>"+strings.Repeat("Other words. ", 40)+"</p>", 8) + "<noscript>" + thread +
			"</noscript>", false},
		{"a short notice", "<p>" + strings.Repeat("Other words. ", 40) + "</p><noscript>Please enable JavaScript.</noscript>", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d := readPage(t, "<title>T</title><body>"+tt.page, "")
			if got := strings.Contains(d.Text, "tide tables"); got != tt.want {
				t.Errorf("the content of the noscript is in the text: %v, want %v", got, tt.want)
			}
		})
	}
}
