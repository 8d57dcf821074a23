package channels_test

import (
	"encoding/json"
	"encoding/xml"
	"strings"

	"github.com/citeloop/citeloop/channels"
)

// listed returns a counter of the records at a path that have all the named fields; -1 if there is no such list or
// record.
func listed(path, fields string) func([]byte) int {
	return func(body []byte) int {
		var v any
		if json.Unmarshal(body, &v) != nil {
			return -1
		}
		for key := range strings.FieldsSeq(path) {
			object, ok := v.(map[string]any)
			if !ok {
				return -1
			}
			v = object[key]
		}
		list, ok := v.([]any)
		if !ok {
			return -1
		}
		whole := 0
		for _, record := range list {
			object, _ := record.(map[string]any)
			good := true
			for field := range strings.FieldsSeq(fields) {
				value := object[field]
				good = good && value != nil && value != ""
			}
			if good {
				whole++
			}
		}
		if whole == 0 && len(list) > 0 {
			return -1
		}
		return whole
	}
}

// items counts the entries of an RSS document.
func items(body []byte) int {
	var v struct {
		XMLName xml.Name
		Items   []struct{} `xml:"channel>item"`
	}
	if xml.Unmarshal(body, &v) != nil || v.XMLName.Local != "rss" {
		return -1
	}
	return len(v.Items)
}

// posts counts the posts of Reddit's listings.
func posts(body []byte) int {
	type listing struct {
		Data struct {
			Children []struct{ Kind string }
		}
	}
	var all []listing
	if json.Unmarshal(body, &all) != nil {
		all = make([]listing, 1)
		if json.Unmarshal(body, &all[0]) != nil {
			return -1
		}
	}
	n := 0
	for _, l := range all {
		n += strings.Count(func() (kinds string) {
			for _, c := range l.Data.Children {
				kinds += " " + c.Kind
			}
			return kinds
		}(), "t3")
	}
	if n == 0 {
		return -1
	}
	return n
}

// generalSources returns the channels of the web, people, news, archives and public records. The Wayback Machine has
// its own tests: it searches by address, and its empty answer is an empty body.
func generalSources() []webSource {
	type evidence = channels.Evidence
	const (
		asJSON  = "application/json"
		failed  = `{"error":"resting"}`
		message = `{"message":"resting"}`
	)
	return []webSource{
		{
			name: "searxng", fixture: "searxng.json", kind: asJSON, folder: "searxng_json",
			empty:  `{"query":"x","number_of_results":0,"results":[],"unresponsive_engines":[]}`,
			broken: `{"query":"x","results":[{"url":`, other: `{"config":{"engines":[]}}`,
			inside: failed, insideS: channels.StatusError,
			count: listed("results", "url title"),
			want: []channels.Result{
				{Evidence: evidence{Title: "Mills turn again & again", URL: "https://www.reuters.com/invented/mills", Snippet: "The mills of Invented Bay…", Source: "searxng", SourceType: "press", PublishedAt: "2025-03-04"}},
				{Evidence: evidence{Title: "Über Gezeitenmühlen", URL: "https://mills.example.org/about", Source: "searxng", Authors: []string{"Bo Flut"}}},
				{Evidence: evidence{Title: "A paper on mills", URL: "https://doi.org/10.5555/mills.1", Snippet: "We measured.", Source: "searxng", PublishedAt: "2021-01-02", Authors: []string{"Ada Miller"}, DOI: "10.5555/mills.1"}},
			},
		},
		{
			name: "hackernews", fixture: "hackernews.json", kind: asJSON, folder: "hackernews_algolia",
			empty:  `{"hits":[],"nbHits":0,"page":0}`,
			broken: `{"hits":[{"objectID":"1","title":`, other: `{"id":1,"children":[]}`,
			inside: `{"message":"invalid numeric attribute(x)","status":400}`, insideS: channels.StatusError,
			count: listed("hits", "objectID title"),
			want: []channels.Result{
				{Evidence: evidence{Title: "Tidal mills & the grid – a survey", URL: "https://mills.example.org/grid", Snippet: "120 points, 45 comments: https://news.ycombinator.com/item?id=900001", Source: "hackernews", PublishedAt: "2025-02-03"}},
				{Evidence: evidence{Title: "Ask HN: Who still runs a tidal mill?", URL: "https://news.ycombinator.com/item?id=900002", Snippet: "I run one / two. You?; 3 points, 1 comments", Source: "hackernews", SourceType: "practitioner", PublishedAt: "2024-12-31", Authors: []string{"bo"}}},
			},
		},
		{
			name: "stackexchange", fixture: "stackexchange.json", kind: "application/json; charset=utf-8",
			empty:  `{"items":[],"has_more":false,"quota_max":300,"quota_remaining":1}`,
			broken: `{"items":[{"tags":["go"],"title":`, other: `{"has_more":false,"quota_max":300}`,
			inside: `{"error_id":400,"error_name":"bad_parameter","error_message":"site is required"}`, insideS: channels.StatusError,
			count: listed("items", "title link"),
			want: []channels.Result{
				{Evidence: evidence{Title: `Why does my mill's wheel say "a < b" – and stop?`, URL: "https://stackoverflow.com/questions/900001/why", Snippet: "go, tides; 2 answers, one accepted; score 7", Source: "stackexchange", SourceType: "practitioner", PublishedAt: "2025-05-31", Authors: []string{"Ada Müller"}}},
				{Evidence: evidence{Title: "When is high tide?", URL: "https://stackoverflow.com/questions/900002/when", Snippet: "1 answers, none well received; score -1", Source: "stackexchange", SourceType: "practitioner"}},
			},
		},
		{
			name: "github", fixture: "github.json", kind: asJSON,
			empty:  `{"total_count":0,"incomplete_results":false,"items":[]}`,
			broken: `{"total_count":1,"items":[{"id":1,"full_name":`, other: `{"rate":{"limit":60}}`,
			inside: message, insideS: channels.StatusError,
			count: listed("items", "html_url"), refused: map[int]channels.Status{401: channels.StatusAuthRequired, 403: channels.StatusRateLimited},
			want: []channels.Result{
				{Evidence: evidence{Title: "tides/mill", URL: "https://github.com/tides/mill", Snippet: "Tidal mills <in> Go – simulated; Go; 42 stars; tides", Source: "github", SourceType: "primary", PublishedAt: "2025-05-06", Authors: []string{"tides"}}},
				{Evidence: evidence{Title: "The wheel stops at low tide", URL: "https://github.com/tides/mill/issues/7", Snippet: "closed; 3 comments; It stops. ``` panic: low ```", Source: "github", SourceType: "practitioner", PublishedAt: "2024-04-05", Authors: []string{"bo"}}},
				{Evidence: evidence{Title: "tides/mill: internal/wheel.go", URL: "https://github.com/tides/mill/blob/0000/internal/wheel.go", Source: "github", SourceType: "primary"}},
			},
		},
		{
			name: "feeds", fixture: "feeds.xml", kind: "application/rss+xml; charset=utf-8", folder: "google_news_rss",
			empty:  `<rss version="2.0"><channel><title>none</title></channel></rss>`,
			broken: `<rss version="2.0"><channel><item><title>Ti`, other: `<opml version="2.0"><body/></opml>`,
			inside: `<error>resting</error>`, insideS: channels.StatusError,
			count: items,
			want: []channels.Result{
				{Evidence: evidence{Title: "Tidal mills turn & turn", URL: "https://news.google.com/rss/articles/AAAA?oc=5", Snippet: "Tidal mills turn The Invented Courier; The Invented Courier", Source: "feeds", SourceType: "press", PublishedAt: "2025-03-04", Language: "en-US"}},
				{Evidence: evidence{Title: "Über Mühlen", URL: "https://news.example.org/2", Snippet: "Sie drehen sich.", Source: "feeds", PublishedAt: "2025-02-01", Authors: []string{"Bo Flut"}, Language: "en-US"}},
				{Evidence: evidence{Title: "An entry that is a text alone.", URL: "https://blog.example.org/3", Snippet: "An entry that is a text alone.", Source: "feeds", Language: "en-US"}},
			},
		},
		{
			name: "edgar", fixture: "edgar.json", kind: asJSON, folder: "sec_edgar",
			empty:  `{"took":1,"hits":{"total":{"value":0},"hits":[]}}`,
			broken: `{"hits":{"hits":[{"_id":`, other: `{"cik":"1","filings":{"recent":{}}}`,
			inside: `{"message":"Internal server error"}`, insideS: channels.StatusError,
			count: listed("hits hits", "_id"),
			want: []channels.Result{
				{Evidence: evidence{Title: "TIDAL MILLS & SLUICES – INC (TIDE): 10-K", URL: "https://www.sec.gov/Archives/edgar/data/900001/000090000125000012/mill-10k.htm", Snippet: "ANNUAL REPORT; period ending 2024-12-31", Source: "edgar", SourceType: "primary", PublishedAt: "2025-02-03", Authors: []string{"TIDAL MILLS & SLUICES – INC (TIDE)"}, Language: "en"}},
				{Evidence: evidence{Title: "Ebb Corp: 8-K, EX-99.1", URL: "https://www.sec.gov/Archives/edgar/data/900002/000090000224000007/ex99_1.htm", Snippet: "items 2.02, 9.01", Source: "edgar", SourceType: "primary", PublishedAt: "2024-06-07", Authors: []string{"Ebb Corp", "Flow LLC"}, Language: "en"}},
			},
		},
		{
			name: "kiwix", fixture: "kiwix.xml", kind: "application/rss+xml; charset=utf-8", folder: "kiwix_serve",
			empty:  `<?xml version="1.0"?><rss version="2.0"><channel><title>Search: x</title></channel></rss>`,
			broken: `<?xml version="1.0"?><rss version="2.0"><channel><item><title>Ti`, other: `<feed xmlns="http://www.w3.org/2005/Atom"/>`,
			inside: `<error>No such book</error>`, insideS: channels.StatusError,
			count: items,
			want: []channels.Result{
				{Evidence: evidence{Title: "Tidal mill", URL: "https://kiwix.example.org/content/invented/A/Tidal_mill", Snippet: "...a mill that the tides turn & turn – twice a day...; Invented Encyclopedia", Source: "kiwix"}},
				{Evidence: evidence{Title: "Mühle", URL: "https://kiwix.example.org/content/invented/A/M%C3%BChle", Source: "kiwix"}},
			},
		},
		{
			name: "zotero", fixture: "zotero.json", kind: asJSON,
			empty:  `[]`,
			broken: `[{"key":"TIDE2345","data":{"title":`, other: `{"key":"TIDE2345","data":{"title":"One item"}}`,
			inside: failed, insideS: channels.StatusError,
			want: []channels.Result{
				{Evidence: evidence{Title: "Energy from tidal mills & their wheels", URL: "zotero://select/library/items/TIDE2345", Snippet: "We measured three mills. All turned.; Journal of Tides", Source: "zotero", SourceType: "peer", PublishedAt: "2021-07-03", Authors: []string{"Ada Müller", "The Tide Group"}, DOI: "10.5555/tide.2021.07", Language: "en-US"}},
				{Evidence: evidence{Title: "Sluices", URL: "zotero://select/library/items/BOOK2345", Snippet: "The Book of Mills", Source: "zotero", PublishedAt: "1999", Authors: []string{"Flut"}, DOI: "10.5555/sluices"}},
				{Evidence: evidence{Title: "Rules for mills", URL: "zotero://select/library/items/PAGE2345", Snippet: "Tides Office", Source: "zotero", SourceType: "primary"}},
			},
		},
		{
			name: "courtlistener", fixture: "courtlistener.json", kind: asJSON,
			empty:  `{"count":0,"next":null,"previous":null,"results":[]}`,
			broken: `{"count":1,"results":[{"caseName":`, other: `{"id":1,"case_name":"One"}`,
			inside: `{"detail":"Request was throttled."}`, insideS: channels.StatusError,
			count: listed("results", "caseName"),
			want: []channels.Result{
				{Evidence: evidence{Title: "Miller v. Tide & Sons (Supreme Court of Invention)", URL: "https://www.courtlistener.com/opinion/900001/miller-v-tide/", Snippet: "1 U.S. 1, 2 S. Ct. 2; 24-1; We hold that the tide belongs to all.", Source: "courtlistener", SourceType: "primary", PublishedAt: "2024-05-06", Authors: []string{"Supreme Court of Invention"}, Language: "en"}},
				{Evidence: evidence{Title: "Ebb v. Flow", URL: "https://www.courtlistener.com/docket/900002/ebb-v-flow/", Snippet: "1:25-cv-1; 28:1331 Federal Question; COMPLAINT – by Ebb", Source: "courtlistener", SourceType: "primary", PublishedAt: "2025-01-02", Language: "en"}},
			},
		},
		{
			name: "federalregister", fixture: "federalregister.json", kind: asJSON, folder: "federal_register",
			empty:  `{"description":"Documents matching 'x'","count":0}`,
			broken: `{"count":1,"results":[{"title":`, other: `{"document_number":"2025-1","title":"One"}`,
			inside: `{"errors":{"conditions":"is not valid"}}`, insideS: channels.StatusError,
			count: listed("results", "title html_url"),
			want: []channels.Result{
				{Evidence: evidence{Title: "Rules for Tidal Mills & Sluices", URL: "https://www.federalregister.gov/documents/2025/01/02/2025-00001/rules", Snippet: "Rule 2025-00001; The Office sets rules – for mills.", Source: "federalregister", SourceType: "primary", PublishedAt: "2025-01-02", Authors: []string{"Tides Office", "BUREAU OF MILLS"}, Language: "en"}},
				{Evidence: evidence{Title: "A notice on tides", URL: "https://www.govinfo.gov/content/pkg/FR-2024-02-03/pdf/2024-00002.pdf", Snippet: "Notice 2024-00002; of tidal mills", Source: "federalregister", SourceType: "primary", PublishedAt: "2024-02-03", Language: "en"}},
			},
		},
		{
			name: "gdelt", fixture: "gdelt.json", kind: asJSON,
			empty:  `{}`,
			broken: `{"articles":[{"url":`, other: `{"timeline":[]}`,
			inside: `Your query was too short or too long.`, insideS: channels.StatusError,
			want: []channels.Result{
				{Evidence: evidence{Title: "Tidal mills turn again & again – slowly", URL: "https://www.bbc.co.uk/news/invented-1", Snippet: "bbc.co.uk; United Kingdom", Source: "gdelt", SourceType: "press", PublishedAt: "2025-03-04", Language: "en"}},
				{Evidence: evidence{Title: "Mühlen drehen sich", URL: "https://zeitung.example.org/2", Snippet: "zeitung.example.org; Germany", Source: "gdelt", PublishedAt: "2025-03-03", Language: "de"}},
			},
		},
		{
			name: "duckduckgo", fixture: "duckduckgo.html", kind: "text/html; charset=UTF-8", folder: "duckduckgo_html",
			empty:  `<html><body><div id="links" class="results"><div class="no-results">No results.</div></div></body></html>`,
			broken: `<html><body><div id="links" class="results"><div cl`, other: `<html><body><p>Settings</p></body></html>`,
			inside: `<html><body><div class="anomaly-modal__title">Unfortunately, bots use it too.</div></body></html>`, insideS: channels.StatusBlocked,
			count: func(b []byte) int { return strings.Count(string(b), `class="result__a"`) },
			want: []channels.Result{
				{Evidence: evidence{Title: "Tidal mills – Vec<T> & more", URL: "https://gov.uk/mills?a=1&b=2", Snippet: "A mill that the tides turn.", Source: "duckduckgo", SourceType: "primary"}},
				{Evidence: evidence{Title: "Über Mühlen", URL: "https://mills.example.org/direct", Source: "duckduckgo"}},
			},
		},
		{
			name: "lobsters", fixture: "lobsters.json", kind: asJSON,
			empty:  `[]`,
			broken: `[{"short_id":"a","title":`, other: `{"short_id":"a","title":"One story"}`,
			inside: failed, insideS: channels.StatusError,
			want: []channels.Result{
				{Evidence: evidence{Title: "Tidal mills & Go – a story", URL: "https://blog.example.org/mills", Snippet: "go, tides; score 12, 4 comments; https://lobste.rs/s/aaaaaa/tidal_mills", Source: "lobsters", PublishedAt: "2025-03-04"}},
				{Evidence: evidence{Title: "What mills do you run?", URL: "https://lobste.rs/s/bbbbbb/what", Snippet: "I run one.; ask, mills; score 5, 9 comments", Source: "lobsters", SourceType: "practitioner", PublishedAt: "2025-03-03"}},
			},
		},
		{
			name: "devto", fixture: "devto.json", kind: asJSON,
			empty:  `[]`,
			broken: `[{"id":1,"title":`, other: `{"id":1,"title":"One article"}`,
			inside: `{"error":"param is missing or the value is empty","status":422}`, insideS: channels.StatusError,
			want: []channels.Result{
				{Evidence: evidence{Title: "Tidal mills in five minutes & more – part 1", URL: "https://ada.example.org/mills-1", Snippet: "How I built one.; mills, go; 7 reactions", Source: "devto", SourceType: "practitioner", PublishedAt: "2025-03-04", Authors: []string{"Ada Miller"}}},
				{Evidence: evidence{Title: "Sluices", URL: "https://dev.to/bo/sluices", Snippet: "mills, sluices; 0 reactions", Source: "devto", SourceType: "practitioner", PublishedAt: "2024-03-04"}},
			},
		},
		{
			name: "brave", fixture: "brave.json", kind: asJSON,
			empty:  `{"type":"search","query":{"original":"x"}}`,
			broken: `{"type":"search","web":{"results":[{"title":`, other: `{"type":"suggest","results":[]}`,
			inside: `{"type":"ErrorResponse","error":{"code":"OPTION_NOT_IN_PLAN","detail":"Not in your plan"}}`, insideS: channels.StatusError,
			want: []channels.Result{
				{Evidence: evidence{Title: "Tidal mills & the law – explained", URL: "https://www.nytimes.com/invented/mills", Snippet: "The tidal mills of Invented Bay", Source: "brave", SourceType: "press", PublishedAt: "2025-03-04", Language: "en"}},
				{Evidence: evidence{Title: "Sluices", URL: "https://mills.example.org/sluices", Source: "brave", PublishedAt: "2024-02-03", Language: "de"}},
			},
		},
		{
			name: "tavily", fixture: "tavily.json", kind: asJSON,
			empty:  `{"query":"x","results":[]}`,
			broken: `{"query":"x","results":[{"url":`, other: `{"url":"https://example.org"}`,
			inside: `{"detail":{"error":"Query is too long"}}`, insideS: channels.StatusError,
			count: listed("results", "title url"),
			want: []channels.Result{
				{Evidence: evidence{Title: "[2601.01234] Learning the tides – & mills", URL: "https://arxiv.org/abs/2601.01234", Snippet: "We learn tides. # They are regular.", Source: "tavily", SourceType: "primary", PublishedAt: "2025-03-04"}},
				{Evidence: evidence{Title: "Mills", URL: "https://mills.example.org/1", Source: "tavily"}},
			},
		},
		{
			name: "exa", fixture: "exa.json", kind: asJSON,
			empty:  `{"requestId":"0","results":[]}`,
			broken: `{"requestId":"0","results":[{"title":`, other: `{"requestId":"0","answer":"x"}`,
			inside: `{"requestId":"0","error":"numResults must be below 100","tag":"INVALID_REQUEST_BODY"}`, insideS: channels.StatusError,
			count: listed("results", "title url"),
			want: []channels.Result{
				{Evidence: evidence{Title: "Mills & tides – a visit", URL: "https://theguardian.com/invented", Snippet: "# Mills We went there.", Source: "exa", SourceType: "press", PublishedAt: "2025-03-04", Authors: []string{"Ada Miller"}}},
				{Evidence: evidence{Title: "Sluices", URL: "https://mills.example.org/sluices", Snippet: "One passage. … Another.", Source: "exa"}},
			},
		},
		{
			name: "serper", fixture: "serper.json", kind: asJSON,
			empty:  `{"searchParameters":{"q":"x"},"organic":[]}`,
			broken: `{"searchParameters":{"q":"x"},"organic":[{"title":`, other: `{"images":[]}`,
			inside: `{"message":"Query not allowed","statusCode":400}`, insideS: channels.StatusError,
			want: []channels.Result{
				{Evidence: evidence{Title: "Tidal mill – an introduction", URL: "https://www.w3.org/invented", Snippet: "A mill & the sea ...", Source: "serper", SourceType: "primary", PublishedAt: "2025-03-04"}},
				{Evidence: evidence{Title: "Mills, lately", URL: "https://mills.example.org/2", Snippet: "x", Source: "serper"}},
			},
		},
		{
			name: "marginalia", fixture: "marginalia.json", kind: asJSON,
			empty:  `{"license":"x","query":"x","results":[]}`,
			broken: `{"license":"x","results":[{"url":`, other: `{"license":"x"}`,
			inside: message, insideS: channels.StatusError,
			want: []channels.Result{
				{Evidence: evidence{Title: "My tidal mill & me – since 1998", URL: "https://old.example.org/mills.html", Snippet: "I have a mill", Source: "marginalia"}},
				{Evidence: evidence{Title: "Tides", URL: "https://someone.wordpress.com/tides", Source: "marginalia", SourceType: "practitioner"}},
			},
		},
		{
			name: "jina", fixture: "jina.json", kind: asJSON,
			empty:  `{"code":200,"status":20000,"data":[]}`,
			broken: `{"code":200,"data":[{"title":`, other: `{"code":200,"status":20000}`,
			inside: `{"data":null,"code":400,"name":"ParamValidationError","message":"q is required"}`, insideS: channels.StatusError,
			want: []channels.Result{
				{Evidence: evidence{Title: "Tidal mills & – tides", URL: "https://www.economist.com/invented", Snippet: "Mills turn.", Source: "jina", SourceType: "press", PublishedAt: "2025-03-04"}},
				{Evidence: evidence{Title: "Sluices", URL: "https://mills.example.org/2", Snippet: "# Sluices They open.", Source: "jina"}},
			},
		},
		{
			name: "reddit", fixture: "reddit.json", kind: asJSON,
			empty:  `{"kind":"Listing","data":{"after":null,"dist":0,"children":[]}}`,
			broken: `{"kind":"Listing","data":{"children":[{"kind":"t3","data":`, other: `{"kind":"t5","data":{}}`,
			inside: message, insideS: channels.StatusError,
			count: posts, refused: map[int]channels.Status{403: channels.StatusBlocked},
			want: []channels.Result{
				{Evidence: evidence{Title: "Tidal mills & you – ask", URL: "https://www.reddit.com/r/mills/comments/aaa/tidal_mills/", Snippet: "I run one. You?; r/mills; score 5, 2 comments", Source: "reddit", SourceType: "practitioner", PublishedAt: "2025-03-04", Authors: []string{"ada"}}},
				{Evidence: evidence{Title: "A mill", URL: "https://www.reddit.com/r/pics/comments/bbb/a_mill/", Snippet: "links to https://img.example.org/mill.jpg; r/pics; score 1, 0 comments", Source: "reddit", SourceType: "practitioner", PublishedAt: "2023-11-14"}},
			},
		},
		{
			name: "youtube", fixture: "youtube.json", kind: asJSON, folder: "youtube_api",
			empty:  `{"kind":"youtube#searchListResponse","items":[]}`,
			broken: `{"kind":"youtube#searchListResponse","items":[{"id":`, other: `{"kind":"youtube#video","id":"x"}`,
			inside: `{"error":{"code":400,"message":"Invalid value","errors":[{"reason":"invalidParameter"}]}}`, insideS: channels.StatusError,
			count: listed("items", "id snippet"),
			want: []channels.Result{
				{Evidence: evidence{Title: "The miller's day – a talk", URL: "https://www.youtube.com/watch?v=AAAAAAAAAAA", Snippet: "On tidal mills.", Source: "youtube", PublishedAt: "2025-03-04", Authors: []string{"Mills & Tides"}}},
				{Evidence: evidence{Title: "Sluices", URL: "https://www.youtube.com/watch?v=BBBBBBBBBBB", Source: "youtube", PublishedAt: "2024-01-02", Language: "de-DE"}},
			},
		},
	}
}
