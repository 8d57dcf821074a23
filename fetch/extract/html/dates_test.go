package html

import (
	"net/url"
	"strings"
	"testing"
)

// Pages that declare no date for programs, as their readers see it.
func TestShownDates(t *testing.T) {
	t.Parallel()
	prose := prosePieces(3)
	tests := []struct{ name, lang, path, html, published, modified string }{
		{"below the title", "en", "", `<h1>Tides of Port Arden</h1><p class="byline">By Mara Lind, 12 January 2026</p>` + prose,
			"2026-01-12", ""},
		{"published and updated", "en", "", `<h1>Tides of Port Arden</h1><p class="meta">Published 3 March 2024. Last updated 12 Jan ` +
			`2026</p>` + prose, "2024-03-03", "2026-01-12"},
		{"the history of a manuscript", "en", "", `<h1>Tides of Port Arden</h1><p>Received: 3 May 2022 / Accepted: 16 December 2022 / ` +
			`Published online: 2 January 2023</p>` + prose, "2023-01-02", ""},
		{"submitted before it was published", "en", "",
			`<h1>Tides of Port Arden</h1><p>Submitted 3 May 2022. Published 2 January 2023.</p>` + prose, "2023-01-02", ""},
		{"submitted and accepted", "en", "", `<h1>Tides of Port Arden</h1><p>Submitted 3 March 2022; accepted 9 November 2022</p>` + prose,
			"", ""},
		{"received, in Chinese", "zh", "",
			`<h1>港口潮汐</h1><p>收稿日期：2022年3月3日 出版日期：2023年1月2日</p>` + prose, "2023-01-02", ""},
		{"received, in Korean", "ko", "",
			`<h1>항구의 조수</h1><p>접수일 2022년 3월 3일, 게재일 2023년 1월 2일</p>` + prose, "2023-01-02", ""},
		{"submitted alone", "en", "", `<h1>Tides of Port Arden</h1><p>Submitted by ann, 3 May 2022</p>` + prose, "2022-05-03", ""},
		{"updated alone", "en", "", `<h1>Tides of Port Arden</h1><p>Last updated: 12 Jan 2026</p>` + prose, "", "2026-01-12"},
		{"a time element without a mark", "en", "",
			`<h1>Tides of Port Arden</h1><time datetime="2026-01-12T08:00:00+01:00">two days ago</time>` + prose, "2026-01-12", ""},
		{"a time in a sentence", "en", "",
			`<h1>Tides of Port Arden</h1><p>The weir was opened on <time datetime="1916-07-01">1 July</time> by the mayor of the ` +
				`town.</p>` +
				prose, "", ""},
		{"a time behind an author", "en", "",
			`<h1>Tides of Port Arden</h1><p>By <a href=/lind>M. Lind</a>, <time datetime="2023-01-02T10:00:00Z">2 Jan</time></p>` +
				prose, "2023-01-02", ""},
		{"a time behind a few words", "en", "",
			`<h1>Tides of Port Arden</h1><p>Mara Lind · <time datetime="2023-01-02">2 Jan</time> · 5 minutes</p>` + prose,
			"2023-01-02", ""},
		{"a time behind a few words of a sentence", "en", "",
			`<h1>Tides of Port Arden</h1><p>By the law it closed on <time datetime="1916-07-01">1 July</time>.</p>` + prose, "", ""},
		{"a time behind a word that tells another", "en", "",
			`<h1>Tides of Port Arden</h1><p>Received, <time datetime="2016-07-01">1 July</time></p>` + prose, "", ""},
		{"a time in a cell", "en", "", `<h1>Tides of Port Arden</h1><table><tr><td><time datetime="2011-03-05">5 May</time></table>` +
			prose, "", ""},
		{"a dateline", "en", "", `<h1>Tides of Port Arden</h1><p>PORT ARDEN, January 12, 2026 — The water rose by four metres in the ` +
			`night, and the lock was closed until the morning of the next day.</p>` + prose, "2026-01-12", ""},
		{"German", "de", "", `<h1>Gezeiten im Hafen</h1><div class="info"><span>Stand: 04.02.2026</span> <span class="datum">12. ` +
			`Jänner 2026</span></div>` + prose, "2026-01-12", "2026-02-04"},
		{"French", "fr", "", `<h1>Les marées du port</h1><p>Publié le 9 juin 2019, mis à jour le 1er juillet 2020</p>` + prose,
			"2019-06-09", "2020-07-01"},
		{"slashes in British English", "en-GB", "", `<h1>Tides of Port Arden</h1><p class="date">03/04/2021</p>` + prose, "2021-04-03", ""},
		{"slashes in American English", "en-US", "", `<h1>Tides of Port Arden</h1><p class="date">03/04/2021</p>` + prose, "2021-03-04",
			""},
		{"slashes that may be either", "en", "", `<h1>Tides of Port Arden</h1><p class="date">03/04/2021</p>` + prose, "", ""},
		{"the address", "en", "/2019/08/02/tides/", `<h1>Tides of Port Arden</h1>` + prose, "2019-08-02", ""},
		{"a comment", "en", "", `<h1>Tides of Port Arden</h1>` + prose + prosePieces(9) +
			`<div class="comments"><div class="comment"><span class="date">3 May 2021</span><p>Good to know, I have always wondered ` +
			`about the bank.</p></div></div>`, "", ""},
		{"an event in the prose", "en", "", `<h1>Tides of Port Arden</h1><p>On 12 January 2026 the lock will be opened by the mayor, ` +
			`and there will be music by the band of the fire brigade.</p>` + prose, "", ""},
		{"a copyright", "en", "", `<h1>Tides of Port Arden</h1>` + prose + `<footer>© 1 January 2020 Port Arden</footer>`, "", ""},
		{"a version", "en", "", `<h1>Tides of Port Arden</h1><p class="date">Version 1.2.34 of 10.12.20.23</p>` + prose, "", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			src := `<html lang="` + tt.lang + `"><head><title>Tides of Port Arden</title></head><body><main>` + tt.html +
				`</main></body></html>`
			x, err := written(t.Context(), src, &url.URL{Scheme: "https", Host: "arden.example", Path: tt.path})
			if err != nil {
				t.Fatal(err)
			}
			if x.PublishedAt != tt.published || x.ModifiedAt != tt.modified {
				t.Errorf("published %q, modified %q; want %q and %q", x.PublishedAt, x.ModifiedAt, tt.published, tt.modified)
			}
		})
	}
}

// What a page declares for programs counts for more than what it shows.
func TestDeclaredDates(t *testing.T) {
	t.Parallel()
	for head, want := range map[string]string{
		`<meta property="article:published_time" ` +
			`content="10.12.2022">`: "2022-12-10",
		`<meta property="article:published_time" content="Mon, 12 Jan 2026 08:00:00 ` +
			`GMT">`: "2026-01-12",
		`<meta name="citation_publication_date" content="2017/01"><meta name="citation_online_date" ` +
			`content="2017/01/30">`: "2017-01-30",
		`<script ` +
			`type="application/ld+json">{"@type":"WebPage","datePublished":"2021-05-06"}</script>`: "2021-05-06",
		`<script ` +
			`type="application/ld+json">[{"@type":"Article","headline":"x"},{"@type":"WebPage",` +
			`"datePublished":"2021-05-06"}]</script>`: "2021-05-06",
	} {
		x, err := written(t.Context(), `<head><title>Tides</title>`+head+`</head><body><h1>Tides</h1><p class="date">1 February `+
			`2003</p>`+prosePieces(2), nil)
		if err != nil {
			t.Fatal(err)
		}
		if x.PublishedAt != want {
			t.Errorf("%s: published %q, want %q", head, x.PublishedAt, want)
		}
	}
}

func TestAuthorsArePeopleOrOrganisations(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, head, body, want string }{
		{"a web agency", `<meta name="author" content="Northlight Web Agency, www.northlight.example">`,
			`<p class="byline">By <a rel="author" href="/lind">Mara Lind</a></p>`, "Mara Lind"},
		{"a program", `<meta name="generator" content="Sitewright 4.2"><meta name="author" content="Sitewright">`, ``, ""},
		{"a role", `<meta name="author" content="admin">`,
			`<span itemprop="author" itemscope><span itemprop="name">Mara Lind</span></span>`, "Mara Lind"},
		{"an organisation", `<meta name="author" content="Port Arden Harbour Office">`, ``, "Port Arden Harbour Office"},
		{"a byline in German", ``, `<a rel="author">Von Mara Lind</a>`, "Mara Lind"},
		{"the author of a comment", ``, `<div class="comment"><span itemprop="author">old_pilot</span></div>`, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			x, err := written(t.Context(), `<head><title>Tides</title>`+tt.head+`</head><body><main><h1>Tides</h1>`+tt.body+prosePieces(
				3)+`</main>`, nil)
			if err != nil {
				t.Fatal(err)
			}
			got := ""
			if len(x.Authors) > 0 {
				got = x.Authors[0]
			}
			if got != tt.want || len(x.Authors) > 1 {
				t.Errorf("authors %q, want %q", x.Authors, tt.want)
			}
		})
	}
}

// prosePieces are paragraphs of prose.
func prosePieces(n int) (out string) {
	for i := range n {
		out += "<p>" + strings.Repeat("The water rose by four metres in the night, and the lock was closed. ", i+2) + "</p>"
	}
	return out
}
