package channels

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// byChannel returns one list for each channel.
func byChannel(found map[string][]Result) []List {
	var lists []List
	for channel, results := range found {
		lists = append(lists, List{Channel: channel, Results: results})
	}
	return lists
}

func TestFuse(t *testing.T) {
	page := func(url, date string) Result {
		return Result{Evidence: Evidence{Title: url, URL: "https://example.org/" + url, PublishedAt: date, Score: 99}}
	}
	type row struct {
		Key, Source string
		Ranks       map[string]int
	}
	tests := []struct {
		name  string
		lists map[string][]Result
		want  []row
	}{
		{"nothing", nil, nil},
		{"one list keeps its order", map[string][]Result{"a": {page("3", ""), page("1", ""), page("2", "")}}, []row{
			{"url:example.org/3", "a", map[string]int{"a": 1}},
			{"url:example.org/1", "a", map[string]int{"a": 2}},
			{"url:example.org/2", "a", map[string]int{"a": 3}},
		}},
		{"two second places beat one first", map[string][]Result{
			"a": {page("x", ""), page("both", "")}, "b": {page("y", ""), page("both?utm_source=b", "")}}, []row{
			{"url:example.org/both", "a", map[string]int{"a": 2, "b": 2}},
			{"url:example.org/x", "a", map[string]int{"a": 1}},
			{"url:example.org/y", "b", map[string]int{"b": 1}},
		}},
		{"repeats in one list collapse before they are ranked", map[string][]Result{
			"a": {page("x", ""), page("x#top", ""), page("y", "")}, "b": {page("z", ""), page("w", "")}}, []row{
			{"url:example.org/x", "a", map[string]int{"a": 1}},
			{"url:example.org/z", "b", map[string]int{"b": 1}},
			{"url:example.org/w", "b", map[string]int{"b": 2}},
			{"url:example.org/y", "a", map[string]int{"a": 2}},
		}},
		{"the newer result wins a tie", map[string][]Result{"a": {page("old", "2019")}, "b": {page("new", "2020-01")},
			"c": {page("never", "")}}, []row{
			{"url:example.org/new", "b", map[string]int{"b": 1}},
			{"url:example.org/old", "a", map[string]int{"a": 1}},
			{"url:example.org/never", "c", map[string]int{"c": 1}},
		}},
		{"the source is the channel with the best rank", map[string][]Result{"a": {page("x", ""), page("both", "")},
			"b": {page("both", "")}}, []row{
			{"url:example.org/both", "b", map[string]int{"a": 2, "b": 1}},
			{"url:example.org/x", "a", map[string]int{"a": 1}},
		}},
		{"a DOI and its address are merged", map[string][]Result{
			"a": {{Evidence: Evidence{Title: "T", URL: "https://publisher.example/full/10.1000/x", DOI: "10.1000/X"}}},
			"b": {{Evidence: Evidence{Title: "T", URL: "https://doi.org/10.1000/x"}}}}, []row{
			{"doi:10.1000/x", "a", map[string]int{"a": 1, "b": 1}},
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var got []row
			for _, r := range Fuse(byChannel(tt.lists)) {
				got = append(got, row{r.Key, r.Source, r.Ranks})
				var score float64
				for _, rank := range r.Ranks {
					score += 1 / float64(60+rank)
				}
				if math.Abs(score-r.Score) > 1e-12 {
					t.Errorf("%s: score %v, want %v", r.Key, r.Score, score)
				}
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

func TestFuseKeepsTheRicherRecordAndFillsItsGaps(t *testing.T) {
	poor := Evidence{Title: "t", URL: "https://doi.org/10.1000/x", Source: "a", Language: "en", PublishedAt: "2020-05-06"}
	rich := Evidence{Title: "The whole title", URL: "https://publisher.example/x", DOI: "10.1000/x", Source: "b", SourceType: "peer",
		Authors: []string{"A"}, Snippet: "An abstract.", PublishedAt: "2020"}
	want := rich
	want.Language, want.PublishedAt, want.Source, want.Score = "en", "2020-05-06", "a", 2/float64(fusionK+1)
	for _, lists := range []map[string][]Result{{"a": {{Evidence: poor}}, "b": {{Evidence: rich}}},
		{"a": {{Evidence: rich}}, "b": {{Evidence: poor}}}} {
		got := Fuse(byChannel(lists))
		if len(got) != 1 {
			t.Fatalf("%d results, want 1", len(got))
		}
		if diff := cmp.Diff(want, got[0].Evidence); diff != "" {
			t.Errorf("(-want +got)\n%s", diff)
		}
	}
}
