package channels

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// work returns a result.
func work(title, author, date, url, doi string, ids ...string) Result {
	e := Evidence{Title: title, URL: url, DOI: doi, PublishedAt: date}
	if author != "" {
		e.Authors = []string{author}
	}
	return Result{Evidence: e, IDs: ids}
}

func TestFuse(t *testing.T) {
	const title = "Learning the tides of Invented Bay"
	arxiv := work(title, "Ana Marée", "2025-11-01", "https://arxiv.org/abs/2511.00001", "10.48550/arXiv.2511.00001", "arxiv:2511.00001")
	published := work(title+".", "Maree A", "2026", "https://doi.org/10.5555/tides.1", "10.5555/tides.1")
	at := func(url, date string) Result { return work(url, "", date, "https://example.org/"+url, "") }
	related := func(r Result, ids ...string) Result { r.Related = ids; return r }
	type row struct {
		Key     string
		IDs     []string
		Related []string
		Ranks   map[string]int
	}
	one := map[string]int{"a": 1}
	two := map[string]int{"a": 1, "b": 1}
	tests := []struct {
		name string
		a, b []Result
		want []row
	}{
		{"nothing", nil, nil, nil},
		{"one list keeps its order", []Result{at("3", ""), at("1", ""), at("2", "")}, nil, []row{{"url:example.org/3", nil, nil, one},
			{"url:example.org/1", nil, nil, map[string]int{"a": 2}}, {"url:example.org/2", nil, nil, map[string]int{"a": 3}}}},
		{"two second places beat one first", []Result{at("x", "2021"), at("both", "")}, []Result{at("y", ""), at("both?utm_source=b", "")},
			[]row{{"url:example.org/both", nil, nil, map[string]int{"a": 2, "b": 2}}, {"url:example.org/x", nil, nil, one},
				{"url:example.org/y", nil, nil, map[string]int{"b": 1}}}},
		{"repeats in one list collapse before they are ranked", []Result{at("x", "2021"), at("x#top", ""), at("y", "")},
			[]Result{at("z", ""), at("w", "")},
			[]row{{"url:example.org/x", nil, nil, one}, {"url:example.org/z", nil, nil, map[string]int{"b": 1}},
				{"url:example.org/w", nil, nil, map[string]int{"b": 2}}, {"url:example.org/y", nil, nil, map[string]int{"a": 2}}}},
		{"the newer result wins a tie", []Result{at("old", "2019")}, []Result{at("new", "2020-01")},
			[]row{{"url:example.org/new", nil, nil, map[string]int{"b": 1}}, {"url:example.org/old", nil, nil, one}}},
		{"one DOI in two spellings", []Result{work("T", "", "", "https://x.example/1", "10.5555/A%281%29")},
			[]Result{work("U", "", "", "https://doi.org/10.5555/a(1)", "")},
			[]row{{"doi:10.5555/a(1)", nil, nil, two}}},
		{"a DOI of arXiv, an address with a version, and an id",
			[]Result{work("T", "", "", "https://doi.org/10.48550/arXiv.2511.00001", "")},
			[]Result{work("U", "", "", "https://arxiv.org/pdf/2511.00001v3", "")},
			[]row{{"arxiv:2511.00001", nil, nil, two}}},
		{"a PMID that one has as its address and the other as an id",
			[]Result{work("T", "", "", "https://pubmed.ncbi.nlm.nih.gov/77/", "")},
			[]Result{work("U", "", "", "https://doi.org/10.5555/b", "10.5555/b", "pmid:77")},
			[]row{{"doi:10.5555/b", []string{"pmid:77"}, nil, two}}},
		{"through a third", []Result{work("T", "", "", "https://x.example/1", "", "pmid:77"),
			work("U", "", "", "https://x.example/2", "", "pmcid:PMC88")},
			[]Result{work("V", "", "", "https://x.example/3", "", "pmid:77", "pmcid:PMC88")},
			[]row{{"url:x.example/1", []string{"pmcid:PMC88", "pmid:77"}, nil, two}}},
		{"OpenAlex and Semantic Scholar ids", []Result{work("T", "", "", "https://x.example/1", "", "openalex:W1")},
			[]Result{work("U", "", "", "https://x.example/2", "", "openalex:W1")},
			[]row{{"url:x.example/1", []string{"openalex:W1"}, nil, two}}},
		{"chapters with one ISBN are not merged", []Result{work("Chapter one", "", "", "https://doi.org/10.5555/c.1", "10.5555/c.1",
			"isbn:9783161484100")}, []Result{work("Chapter two", "", "", "https://x.example/c2", "", "isbn:9783161484100")},
			[]row{{"doi:10.5555/c.1", []string{"isbn:9783161484100"}, nil, one}, {"url:x.example/c2", []string{"isbn:9783161484100"}, nil,
				map[string]int{"b": 1}}}},
		{"an id with two DOIs only relates", []Result{work("T", "", "", "https://doi.org/10.5555/x", "10.5555/x", "pmid:77")},
			[]Result{work("U", "", "", "https://doi.org/10.5555/y", "10.5555/y", "pmid:77")},
			[]row{{"doi:10.5555/x", []string{"pmid:77"}, []string{"doi:10.5555/y"}, one},
				{"doi:10.5555/y", []string{"pmid:77"}, []string{"doi:10.5555/x"}, map[string]int{"b": 1}}}},
		{"a preprint and its published version, by title", []Result{arxiv}, []Result{published},
			[]row{{"doi:10.5555/tides.1", nil, []string{"arxiv:2511.00001"}, map[string]int{"b": 1}},
				{"arxiv:2511.00001", []string{"arxiv:2511.00001"}, []string{"doi:10.5555/tides.1"}, one}}},
		{"a preprint that names its published version",
			[]Result{related(work("Another title", "", "2025", "https://arxiv.org/abs/2511.00001", "", "arxiv:2511.00001"),
				"doi:10.5555/tides.1")}, []Result{published},
			[]row{{"doi:10.5555/tides.1", nil, []string{"arxiv:2511.00001"}, map[string]int{"b": 1}},
				{"arxiv:2511.00001", []string{"arxiv:2511.00001"}, []string{"doi:10.5555/tides.1"}, one}}},
		{"a related version outside of the answer", []Result{related(arxiv, "doi:10.5555/tides.9")}, nil,
			[]row{{"arxiv:2511.00001", []string{"arxiv:2511.00001"}, []string{"doi:10.5555/tides.9"}, one}}},
		{"a source gives both ids to one record", []Result{arxiv, published},
			[]Result{work(title, "Ana Marée", "2026", "https://doi.org/10.5555/tides.1", "10.5555/tides.1", "arxiv:2511.00001",
				"s2:0123456789012345678901234567890123456789")},
			[]row{{"doi:10.5555/tides.1", []string{"arxiv:2511.00001", "s2:0123456789012345678901234567890123456789"}, nil, two}}},
		{"a page without ids, by title, author and year", []Result{published},
			[]Result{work("Learning the Tides of Invented Bay", "Marée, Ana", "2025-12", "https://lab.example/tides.html", "")},
			[]row{{"doi:10.5555/tides.1", nil, nil, two}}},
		{"two years apart", []Result{published}, []Result{work(title, "Ana Marée", "2023", "https://lab.example/tides.html", "")},
			[]row{{"doi:10.5555/tides.1", nil, nil, one}, {"url:lab.example/tides.html", nil, nil, map[string]int{"b": 1}}}},
		{"another author", []Result{published}, []Result{work(title, "Bo Flut", "2026", "https://lab.example/tides.html", "")},
			[]row{{"doi:10.5555/tides.1", nil, nil, one}, {"url:lab.example/tides.html", nil, nil, map[string]int{"b": 1}}}},
		{"the same title only", []Result{work(title, "", "2026", "https://x.example/1", "")},
			[]Result{work(title, "", "2026", "https://y.example/1", "")},
			[]row{{"url:x.example/1", nil, nil, one}, {"url:y.example/1", nil, nil, map[string]int{"b": 1}}}},
		{"a common title", []Result{work("Editorial", "A Miller", "2026", "https://x.example/1", "")},
			[]Result{work("Editorial", "A Miller", "2026", "https://y.example/1", "")},
			[]row{{"url:x.example/1", nil, nil, one}, {"url:y.example/1", nil, nil, map[string]int{"b": 1}}}},
		{"two DOIs with one title are related", []Result{published},
			[]Result{work(title, "Ana Maree", "2026", "https://doi.org/10.5555/tides.2", "10.5555/tides.2")},
			[]row{{"doi:10.5555/tides.1", nil, []string{"doi:10.5555/tides.2"}, one},
				{"doi:10.5555/tides.2", nil, []string{"doi:10.5555/tides.1"}, map[string]int{"b": 1}}}},
	}
	for _, tt := range tests {
		for _, turned := range []bool{false, true} {
			t.Run(tt.name, func(t *testing.T) {
				lists := []List{{Channel: "a", Results: tt.a}, {Channel: "b", Results: tt.b}}
				if turned { // the order of the lists must not matter
					lists[0], lists[1] = lists[1], lists[0]
				}
				var got []row
				for _, r := range Fuse(lists) {
					if r.Key != r.Evidence.Key() {
						t.Errorf("key %s, evidence's %s", r.Key, r.Evidence.Key())
					}
					got = append(got, row{r.Key, r.IDs, r.Related, r.Ranks})
					score, best := 0.0, r.Ranks[r.Source]
					for _, rank := range r.Ranks {
						score += 1 / float64(fusionK+rank)
						best = min(best, rank)
					}
					if math.Abs(score-r.Score) > 1e-12 || best == 0 || r.Ranks[r.Source] != best {
						t.Errorf("%s: score %v, want %v; source %s", r.Key, r.Score, score, r.Source)
					}
				}
				if diff := cmp.Diff(tt.want, got); diff != "" {
					t.Errorf("(-want +got)\n%s", diff)
				}
			})
		}
	}
}

func TestFuseFillsTheGapsOfTheFirstRecord(t *testing.T) {
	one := Evidence{Title: "The whole title", URL: "https://publisher.example/x", DOI: "10.1000/x", Source: "a", PublishedAt: "2020"}
	two := Evidence{Title: "t", URL: "https://doi.org/10.1000/x", Source: "b", SourceType: "peer", Authors: []string{"A"}, Language: "en",
		Snippet: "An abstract.", PublishedAt: "2020-05-06"}
	want := one
	want.SourceType, want.Authors, want.Language, want.Snippet, want.PublishedAt = "peer", two.Authors, "en", two.Snippet, two.PublishedAt
	want.Score = 2 / float64(fusionK+1)
	got := Fuse([]List{{"b", []Result{{Evidence: two}}}, {"a", []Result{{Evidence: one}}}})
	if len(got) != 1 {
		t.Fatalf("%d results, want 1", len(got))
	}
	if diff := cmp.Diff(want, got[0].Evidence); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}
