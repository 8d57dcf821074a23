package channels_test

import (
	"encoding/json"

	"github.com/citeloop/citeloop/channels"
)

// decoded returns count for a body that decodes into v and is the answer of a search, otherwise -1.
func decoded(body []byte, v any, count func() (int, bool)) int {
	if json.Unmarshal(body, v) != nil {
		return -1
	}
	n, ok := count()
	if !ok {
		return -1
	}
	return n
}

func length(list *[]any) int {
	if list == nil {
		return 0
	}
	return len(*list)
}

// scholarlySources returns the reference and scholarly channels without the first four.
func scholarlySources() []webSource {
	type evidence = channels.Evidence
	const asJSON = "application/json"
	return []webSource{
		{
			name: "wikidata", fixture: "wikidata.json", kind: asJSON,
			empty:  `{"searchinfo":{"search":"x"},"search":[],"success":1}`,
			broken: `{"search":[{"id":"Q1`, other: `{"batchcomplete":"","query":{"search":[]}}`,
			inside: `{"error":{"code":"param-missing","info":"A parameter that is required was missing"}}`, insideS: channels.StatusError,
			count: func(b []byte) int {
				var v struct{ Entities map[string]any }
				return decoded(b, &v, func() (int, bool) { return len(v.Entities), v.Entities != nil })
			},
			want: []channels.Result{
				{Evidence: evidence{Title: "Tidal mill at Invented Bay", URL: "https://www.wikidata.org/wiki/Q900000001", Snippet: "water mill driven by tides; also known as Invented Bay Mill, The <Old> Mill", Source: "wikidata", Language: "en"}},
				{Evidence: evidence{Title: "Ada Miller", URL: "https://www.wikidata.org/wiki/Q900000002", Source: "wikidata", Language: "en"}},
			},
		},
		{
			name: "europepmc", fixture: "europepmc.json", kind: asJSON,
			empty:  `{"version":"6.9","hitCount":0,"resultList":{"result":[]}}`,
			broken: `{"hitCount":4,"resultList":{"result":[{"id":`, other: `{"version":"3.0.1","hitCount":1,"citationList":{"citation":[{"id":"1"}]}}`,
			inside: `{"version":"6.9","errCode":400,"errMsg":"Invalid page size"}`, insideS: channels.StatusError,
			count: func(b []byte) int {
				var v struct{ ResultList struct{ Result *[]any } }
				return decoded(b, &v, func() (int, bool) { return length(v.ResultList.Result), v.ResultList.Result != nil })
			},
			want: []channels.Result{
				{IDs: []string{"pmcid:PMC800001", "pmid:900001"}, Related: []string{"pmid:900009"}, Evidence: evidence{Title: "Breathing in tidal mills: H2S & dust", URL: "https://pmc.ncbi.nlm.nih.gov/articles/PMC800001/", Snippet: "Background We asked three millers. Results All breathed.", Source: "europepmc", SourceType: "peer", PublishedAt: "2021-07-03", Authors: []string{"Ada Miller", "The Tide Group"}, DOI: "10.5555/tide.health.1", Language: "en"}},
				{Evidence: evidence{Title: "Millers' lungs", URL: "https://doi.org/10.1101/2020.01.02.000001", Snippet: "Preprint", Source: "europepmc", SourceType: "primary", PublishedAt: "2020", Authors: []string{"Ebb C", "Maree D"}, DOI: "10.1101/2020.01.02.000001", Language: "en"}},
				{IDs: []string{"pmid:900002"}, Evidence: evidence{Title: "Letter from a miller", URL: "https://pubmed.ncbi.nlm.nih.gov/900002/", Snippet: "Lancet of the Sea; letter; journal article", Source: "europepmc", PublishedAt: "2019"}},
			},
		},
		{
			name: "pubmed", fixture: "pubmed.json", kind: asJSON,
			aside:  map[string]string{"/esearch.fcgi": `{"header":{},"esearchresult":{"count":"3","idlist":["900001","900002","900003"]}}`},
			empty:  `{"header":{},"result":{"uids":[]}}`,
			broken: `{"header":{},"result":{"uids":["1"`, other: `{"header":{},"linksets":[]}`,
			inside: `{"header":{},"esummaryresult":["Invalid uid x at position=0"]}`, insideS: channels.StatusError,
			want: []channels.Result{
				{IDs: []string{"pmcid:PMC800001", "pmid:900001"}, Evidence: evidence{Title: "Breathing in tidal mills: dust & salt", URL: "https://pubmed.ncbi.nlm.nih.gov/900001/", Snippet: "Journal of invented medicine; Journal Article, Review", Source: "pubmed", SourceType: "peer", PublishedAt: "2021-07-03", Authors: []string{"Miller A", "Flut BC"}, DOI: "10.5555/tide.health.1", Language: "en"}},
				{IDs: []string{"pmid:900002"}, Evidence: evidence{Title: "[What the millers say]", URL: "https://pubmed.ncbi.nlm.nih.gov/900002/", Snippet: "Sea News; News", Source: "pubmed", SourceType: "press", PublishedAt: "1998", Language: "fr"}},
			},
		},
		{
			name: "dblp", fixture: "dblp.json", kind: asJSON,
			empty:  `{"result":{"status":{"@code":"200","text":"OK"},"hits":{"@total":"0","@computed":"0","@sent":"0","@first":"0"}}}`,
			broken: `{"result":{"hits":{"hit":[{"info":{"title":"Ti`, other: `{"result":{"status":{"@code":"200","text":"OK"},"completions":{}}}`,
			inside: `{"result":{"status":{"@code":"500","text":"internal error"}}}`, insideS: channels.StatusError,
			count: func(b []byte) int {
				var v struct {
					Result struct{ Hits struct{ Hit *[]any } }
				}
				return decoded(b, &v, func() (int, bool) { return length(v.Result.Hits.Hit), v.Result.Hits.Hit != nil })
			},
			want: []channels.Result{
				{Evidence: evidence{Title: "Scheduling Tidal Mills & Sluices", URL: "https://doi.org/10.5555/MILLS.2022.1", Snippet: "MILLS; Conference and Workshop Papers; pages 1-9", Source: "dblp", SourceType: "peer", PublishedAt: "2022", Authors: []string{"Ada Miller", "Bo Flut"}, DOI: "10.5555/mills.2022.1"}},
				{Evidence: evidence{Title: "Learning the tides", URL: "https://doi.org/10.48550/arXiv.2601.01234", Snippet: "CoRR, Tides; Informal and Other Publications", Source: "dblp", SourceType: "primary", PublishedAt: "2026", Authors: []string{"C. Ebb"}}},
				{Evidence: evidence{Title: "Proceedings of the First Workshop on Mills", URL: "https://dblp.org/rec/conf/mills/2021", Snippet: "MILLS; Editorship", Source: "dblp", PublishedAt: "2021"}},
			},
		},
		{
			name: "datacite", fixture: "datacite.json", kind: "application/vnd.api+json; charset=utf-8",
			empty:  `{"data":[],"meta":{"total":0}}`,
			broken: `{"data":[{"id":"10.5555/x","type":`, other: `{"data":{"id":"x","type":"clients"}}`,
			inside: `{"errors":[{"status":"400","title":"The query cannot be parsed"}]}`, insideS: channels.StatusError,
			count: func(b []byte) int {
				var v struct{ Data struct{ Type string } }
				return decoded(b, &v, func() (int, bool) { return 1, v.Data.Type == "dois" })
			},
			want: []channels.Result{
				{Related: []string{"doi:10.5555/tides.data"}, Evidence: evidence{Title: "Tide gauges of Invented Bay", URL: "https://doi.org/10.5555/tides.data.1", Snippet: "Hourly levels. Three gauges.", Source: "datacite", SourceType: "primary", PublishedAt: "2017-04-07", Authors: []string{"Ada Miller", "Bo Flut", "Tide Office"}, DOI: "10.5555/tides.data.1", Language: "en-US"}},
				{Evidence: evidence{Title: "On gauges", URL: "https://doi.org/10.5555/tides.paper.2", Snippet: "Text; ConferencePaper; Invented Press", Source: "datacite", SourceType: "peer", PublishedAt: "2013-11-05", DOI: "10.5555/tides.paper.2"}},
			},
		},
		{
			name: "zenodo", fixture: "zenodo.json", kind: asJSON,
			empty:  `{"hits":{"hits":[],"total":0},"aggregations":{}}`,
			broken: `{"hits":{"hits":[{"id":1,`, other: `{"response":{"header":{},"results":{"result":[]}}}`,
			inside: `{"status":400,"message":"Page size cannot be greater than 25."}`, insideS: channels.StatusError,
			count: func(b []byte) int {
				var v struct{ Hits struct{ Hits *[]any } }
				return decoded(b, &v, func() (int, bool) { return length(v.Hits.Hits), v.Hits.Hits != nil })
			},
			want: []channels.Result{
				{Related: []string{"doi:10.5555/zenodo.8999999", "doi:10.5555/zenodo.9000000"}, Evidence: evidence{Title: "Levels & flows at the mill", URL: "https://zenodo.org/records/9000001", Snippet: "One file a day.", Source: "zenodo", SourceType: "primary", PublishedAt: "2023-02-01", Authors: []string{"Ada Miller"}, DOI: "10.5555/zenodo.9000001", Language: "en"}},
				{Evidence: evidence{Title: "Slides on sluices", URL: "https://zenodo.org/records/9000002", Snippet: "Presentation", Source: "zenodo", SourceType: "primary", PublishedAt: "2022"}},
			},
		},
		{
			name: "doaj", fixture: "doaj.json", kind: asJSON,
			empty:  `{"total":0,"page":1,"pageSize":10,"results":[]}`,
			broken: `{"total":4,"results":[{"id":"1","bibjson":`, other: `{"id":"1","bibjson":{"title":"One article"}}`,
			inside: `{"status":"bad_request","error":"Unable to parse the query (ref: x)"}`, insideS: channels.StatusError,
			count: func(b []byte) int {
				var v struct{ Results *[]any }
				return decoded(b, &v, func() (int, bool) { return length(v.Results), v.Results != nil })
			},
			want: []channels.Result{
				{Evidence: evidence{Title: "Moinhos de maré", URL: "http://journal.example.org/mare/1", Snippet: "Medimos três moinhos.", Source: "doaj", SourceType: "peer", PublishedAt: "2020-04", Authors: []string{"Ada Miller", "Bo Flut"}, DOI: "10.5555/mare.1", Language: "pt"}},
				{Evidence: evidence{Title: "Two languages, no link", URL: "https://doaj.org/article/00000000000000000000000000000002", Snippet: "Journal of Two", Source: "doaj", SourceType: "peer", PublishedAt: "2019-11"}},
				{Evidence: evidence{Title: "A journal of mills", URL: "https://mills.example.org/", Source: "doaj"}},
			},
		},
		{
			name: "unpaywall", fixture: "unpaywall.json", kind: asJSON,
			empty:  `{"elapsed_seconds":0.1,"results":[]}`,
			broken: `{"results":[{"response":{"doi":`, other: `{"elapsed_seconds":0.1}`,
			inside: `{"error":true,"message":"Search is resting"}`, insideS: channels.StatusError,
			count: func(b []byte) int {
				var v struct {
					Results *[]any
					DOI     string
				}
				return decoded(b, &v, func() (int, bool) { return max(length(v.Results), 1), v.Results != nil || v.DOI != "" })
			},
			want: []channels.Result{
				{Evidence: evidence{Title: "Tidal mills & grids", URL: "https://press.example.org/1.pdf", Snippet: "open copy at a publisher; publishedVersion; cc-by; hybrid; Journal of Invented Hydraulics; Example Press", Source: "unpaywall", SourceType: "peer", PublishedAt: "2024-05-08", Authors: []string{"Ada Miller", "Bo Flut"}, DOI: "10.5555/tide.2024.1"}},
				{Evidence: evidence{Title: "Sluices", URL: "https://archive.example.org/2", Snippet: "open copy at a repository; submittedVersion; green", Source: "unpaywall", SourceType: "primary", PublishedAt: "2020", DOI: "10.5555/tide.2020.2"}},
				{Evidence: evidence{Title: "Gates", URL: "https://doi.org/10.5555/tide.1999.3", Snippet: "no open copy is known; closed", Source: "unpaywall", PublishedAt: "1999", DOI: "10.5555/tide.1999.3"}},
			},
		},
		{
			name: "huggingface", fixture: "huggingface.json", kind: asJSON,
			empty:  `[]`,
			broken: `[{"_id":"1","id":"a/b`, other: `{"url":"https://huggingface.co/spaces/a/b","name":"a/b","id":"0001"}`,
			inside: `{"error":"Invalid search"}`, insideS: channels.StatusError,
			folder: "huggingface_hub",
			count: func(b []byte) int {
				var v struct {
					Inner string `json:"_id"`
				}
				return decoded(b, &v, func() (int, bool) { return 1, v.Inner != "" })
			},
			want: []channels.Result{
				{Evidence: evidence{Title: "tides/mill-base", URL: "https://huggingface.co/tides/mill-base", Snippet: "text-classification; transformers; licence mit; papers: arXiv 2601.01234; 120 downloads a month, 3 likes", Source: "huggingface", SourceType: "primary", PublishedAt: "2024-03-02", Authors: []string{"tides"}}},
				{Evidence: evidence{Title: "old-mill", URL: "https://huggingface.co/old-mill", Snippet: "0 downloads a month, 0 likes", Source: "huggingface", SourceType: "primary", PublishedAt: "2020-01-01"}},
			},
		},
		{
			name: "openalex", fixture: "openalex.json", kind: asJSON,
			empty:  `{"meta":{"count":0},"results":[]}`,
			broken: `{"meta":{"count":4},"results":[{"id":`, other: `{"open_access":{"is_oa":true},"doi":"https://doi.org/10.5555/x"}`,
			inside: `{"error":"Invalid query parameters error.","message":"titel is not a valid field."}`, insideS: channels.StatusError,
			count: func(b []byte) int {
				var v struct {
					Results *[]any
					ID      string
				}
				return decoded(b, &v, func() (int, bool) { return max(length(v.Results), 1), v.Results != nil || v.ID != "" })
			},
			want: []channels.Result{
				{IDs: []string{"openalex:W9000000001", "pmcid:PMC800001", "pmid:900001"}, Evidence: evidence{Title: "Energy from tides: H2O moves", URL: "https://archive.example.org/tide", Snippet: "RETRACTED; We measured three mills. All turned mills.", Source: "openalex", SourceType: "peer", PublishedAt: "2021-07-03", Authors: []string{"Ada Miller", "Flut, Bo"}, DOI: "10.5555/tide.2021.07", Language: "en"}},
				{IDs: []string{"openalex:W9000000002"}, Evidence: evidence{Title: "Learning the tides", URL: "https://doi.org/10.48550/arxiv.2601.01234", Snippet: "arXiv; preprint", Source: "openalex", SourceType: "primary", PublishedAt: "2026-01-05", DOI: "10.48550/arxiv.2601.01234"}},
				{IDs: []string{"openalex:W9000000003"}, Evidence: evidence{Title: "A working paper", URL: "https://openalex.org/W9000000003", Snippet: "article", Source: "openalex", PublishedAt: "2001"}},
			},
		},
		{
			name: "core", fixture: "core.json", kind: asJSON,
			empty:  `{"totalHits":0,"limit":10,"offset":0,"results":[]}`,
			broken: `{"totalHits":3,"results":[{"id":1,"title":`, other: `[{"status":"OK","totalHits":1,"data":[{"_source":{"title":"of version 2"}}]}]`,
			inside: `{"message":"The query is not valid"}`, insideS: channels.StatusError,
			count: func(b []byte) int {
				var v struct{ Results *[]any } // the recordings are of version 2
				return decoded(b, &v, func() (int, bool) { return length(v.Results), v.Results != nil })
			},
			want: []channels.Result{
				{IDs: []string{"pmid:900001"}, Evidence: evidence{Title: "The tidal mills of Invented Bay", URL: "https://core.ac.uk/download/90000001.pdf", Snippet: "A thesis on mills.", Source: "core", SourceType: "primary", PublishedAt: "2018-06-01", Authors: []string{"Ada Miller"}, DOI: "10.5555/thesis.1", Language: "en"}},
				{IDs: []string{"arxiv:2601.01234"}, Evidence: evidence{Title: "Learning the tides", URL: "https://core.ac.uk/works/90000002", Snippet: "research", Source: "core", PublishedAt: "2026"}},
			},
		},
	}
}
