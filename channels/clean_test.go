package channels

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/citeloop/citeloop/channels/normal"
	"github.com/google/go-cmp/cmp"
)

func TestClean(t *testing.T) {
	long := strings.Repeat("tide ", 500)
	tests := []struct {
		name  string
		plain bool
		in    Evidence
		want  Evidence
		kept  bool
	}{
		{"everything", false,
			Evidence{Title: "<b>T</b>", URL: " https://example.org/a ", Snippet: "s &amp; s", Source: "somebody", SourceType: "press",
				PublishedAt: "2020-02-03T04:05:06Z", Authors: []string{" A <i>B</i> ", ""}, DOI: "https://doi.org/10.1000/X",
				Language: "en"},
			Evidence{Title: "T", URL: "https://example.org/a", Snippet: "s & s", Source: "x", SourceType: "press",
				PublishedAt: "2020-02-03", Authors: []string{"A B"}, DOI: "10.1000/x", Language: "en"}, true},
		{"plain text is unchanged", true,
			Evidence{Title: "<b> in HTML", URL: "file:///a/b.md", Snippet: "write &amp; for &"},
			Evidence{Title: "<b> in HTML", URL: "file:///a/b.md", Snippet: "write &amp; for &", Source: "x"}, true},
		{"the address of a DOI", false, Evidence{Title: "T", DOI: "10.1000/x"}, Evidence{Title: "T", URL: "https://doi.org/10.1000/x",
			DOI: "10.1000/x", Source: "x"}, true},
		{"invalid fields are dropped", false,
			Evidence{Title: "T", URL: "https://example.org", SourceType: "blog", PublishedAt: "last week", DOI: "none",
				Language: "<script>"},
			Evidence{Title: "T", URL: "https://example.org", Source: "x"}, true},
		{"no title", false, Evidence{Title: " <i></i>\u200b ", URL: "https://example.org"}, Evidence{}, false},
		{"no address", false, Evidence{Title: "T"}, Evidence{}, false},
		{"a relative address", false, Evidence{Title: "T", URL: "/wiki/T"}, Evidence{}, false},
		{"a script as the address", false, Evidence{Title: "T", URL: "javascript:alert(1)"}, Evidence{}, false},
		{"a very long address", false, Evidence{Title: "T", URL: "https://example.org/" + strings.Repeat("x", normal.MaxURL)}, Evidence{},
			false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, kept := clean(Result{Evidence: tt.in}, "x", tt.plain)
			if kept != tt.kept {
				t.Fatalf("kept %v, want %v", kept, tt.kept)
			}
			if diff := cmp.Diff(tt.want, got.Evidence); kept && diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
	got, _ := clean(Result{Evidence: Evidence{Title: long, URL: "https://example.org", Snippet: long, Authors: strings.Fields(long)}}, "x",
		false)
	if n := utf8.RuneCountInString(got.Snippet); n > maxSnippet || n < maxSnippet*4/5 {
		t.Errorf("snippet of %d code points", n)
	}
	if utf8.RuneCountInString(got.Title) > maxTitle || len(got.Authors) != normal.MaxAuthors {
		t.Errorf("title of %d code points, %d authors", utf8.RuneCountInString(got.Title), len(got.Authors))
	}
}
