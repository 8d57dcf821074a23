package document

import (
	"net/url"
	"testing"
)

func TestNormalDate(t *testing.T) {
	for in, want := range map[string]string{
		"2021": "2021", "2021-3": "2021-03", "2021-03-04": "2021-03-04", "2021/3/4": "2021-03-04", "2021.03.04": "2021-03-04",
		"2021-03-04T05:06:07+09:00": "2021-03-04", "2021-03-04 05:06": "2021-03-04", "20210304": "2021-03-04",
		"20210304T050607Z": "2021-03-04",
		"March 4, 2021":    "2021-03-04", "Mar. 4th 2021": "2021-03-04", "4 March 2021": "2021-03-04",
		"Thu, 04 Mar 2021 05:06:07 GMT": "2021-03-04",
		"Sept 2021":                     "2021-09", "2021-13-01": "2021", "2021-02-30": "2021-02", "3/4/2021": "", "yesterday": "", "": "",
		"0000-00-00": "",
		"99999999":   "", "1709625600": "2024-03-05", "1709625600000": "2024-03-05", "20240305080000": "2024-03-05",
	} {
		if got := Date(in); got != want {
			t.Errorf("Date(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestSourceType(t *testing.T) {
	tests := []struct {
		name, url string
		doc       Document
		want      string
	}{
		{"a DOI of its publisher", "https://www.nature.com/articles/x", Document{Head: Head{DOI: "10.1038/x"}}, "peer"},
		{"a DOI of an archive", "https://pmc.ncbi.nlm.nih.gov/articles/PMC1/", Document{Head: Head{DOI: "10.1234/x"}}, "peer"},
		{"a DOI that any page claims", "https://x.example/", Document{Head: Head{DOI: "10.1234/x"}}, ""},
		{"a preprint's DOI that any page claims", "https://x.example/", Document{Head: Head{DOI: "10.48550/arxiv.2101.00001"}}, ""},
		{"another publisher's DOI", "https://www.nature.com/articles/x", Document{Head: Head{DOI: "10.1126/x"}}, ""},
		{"a preprint by its host", "https://www.biorxiv.org/content/x", Document{}, "primary"},
		{"a government", "https://www.epa.gov/x", Document{}, "primary"},
		{"a government elsewhere", "https://ons.gov.uk/x", Document{}, "primary"},
		{"a university", "https://cs.uni.edu/x", Document{}, "primary"},
		{"documentation", "https://docs.tool.example/x", Document{}, "primary"},
		{"a name that only ends so", "https://notarxiv.org/x", Document{}, ""},
		{"anything", "https://x.example/", Document{}, ""},
		{"a file", "file:///x/y.md", Document{}, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			at, err := url.Parse(tt.url)
			if err != nil {
				t.Fatal(err)
			}
			if got := SourceType(tt.doc, at, Says{Journal: true}); got != tt.want {
				t.Errorf("SourceType = %q, want %q", got, tt.want)
			}
		})
	}
}
