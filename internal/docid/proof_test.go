package docid

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestIdentify(t *testing.T) {
	tests := []struct {
		name string
		in   Reading
		want Identity
	}{
		{"a page of any host that claims a DOI", Reading{Asked: "https://evil.example/a", Claimed: "10.1038/x"},
			Identity{Key: "url:evil.example/a", Claimed: "10.1038/x", Keys: []string{"url:evil.example/a"}}},
		{"with the DOI in its path", Reading{Asked: "https://evil.example/doi/10.1038/x", Claimed: "10.1038/x"},
			Identity{Key: "url:evil.example/doi/10.1038/x", Claimed: "10.1038/x", Keys: []string{"url:evil.example/doi/10.1038/x"}}},
		{"an arXiv id claimed as a DOI", Reading{Asked: "https://evil.example/a", Claimed: "10.48550/arXiv.1706.03762"},
			Identity{Key: "url:evil.example/a", Claimed: "10.48550/arxiv.1706.03762", Keys: []string{"url:evil.example/a"}}},
		{"the registry's host", Reading{Asked: "https://www.nature.com/articles/x", Claimed: "10.1038/X"},
			Identity{Key: "doi:10.1038/x", DOI: "10.1038/x", Keys: []string{"doi:10.1038/x", "url:nature.com/articles/x"}}},
		{"a publisher that claims another's DOI", Reading{Asked: "https://www.nature.com/articles/x", Claimed: "10.1126/science.1"},
			Identity{Key: "url:nature.com/articles/x", Claimed: "10.1126/science.1", Keys: []string{"url:nature.com/articles/x"}}},
		{"reached from doi.org", Reading{Asked: "https://doi.org/10.1000/X", Final: "https://small.example/a/1"},
			Identity{Key: "doi:10.1000/x", DOI: "10.1000/x", Keys: []string{"doi:10.1000/x", "url:small.example/a/1"}}},
		{"reached from doi.org, and claims another DOI", Reading{Asked: "https://doi.org/10.1000/x", Final: "https://small.example/a/1",
			Claimed: "10.1038/y"},
			Identity{Key: "doi:10.1000/x", DOI: "10.1000/x", Claimed: "10.1038/y",
				Keys: []string{"doi:10.1000/x", "url:small.example/a/1"}}},
		{"doi.org between two addresses", Reading{Asked: "https://short.example/1",
			Redirects: []string{"https://short.example/1", "https://doi.org/10.1000/x"}, Final: "https://small.example/a/1"},
			Identity{Key: "doi:10.1000/x", DOI: "10.1000/x", Keys: []string{"doi:10.1000/x", "url:short.example/1",
				"url:small.example/a/1"}}},
		{"the registry led to an archive", Reading{Asked: "https://doi.org/10.1000/x", Final: "https://arxiv.org/abs/1706.03762"},
			Identity{Key: "arxiv:1706.03762", Keys: []string{"arxiv:1706.03762", "doi:10.1000/x"}}},
		{"a publisher's address that redirects elsewhere", Reading{Asked: "https://www.nature.com/go?doi=10.1038/x&to=evil.example",
			Final: "https://evil.example/a", Claimed: "10.1038/x"},
			Identity{Key: "url:evil.example/a", Claimed: "10.1038/x", Keys: []string{"url:evil.example/a"}}},
		{"an archive's address that redirects elsewhere", Reading{Asked: "https://arxiv.org/abs/1706.03762",
			Final: "https://evil.example/a"},
			Identity{Key: "url:evil.example/a", Keys: []string{"url:evil.example/a"}}},
		{"a DOI in the address of a mirror", Reading{Asked: "https://papers.example/abs/1706.03762"},
			Identity{Key: "url:papers.example/abs/1706.03762", Keys: []string{"url:papers.example/abs/1706.03762"}}},
		{"an archive with a DOI", Reading{Asked: "https://pmc.ncbi.nlm.nih.gov/articles/PMC12/", Claimed: "10.1000/x"},
			Identity{Key: "pmcid:PMC12", DOI: "10.1000/x", Keys: []string{"pmcid:PMC12"}}},
		{"the registry was asked", Reading{Asked: "https://small.example/a/1", Claimed: "10.1000/x", Proven: "10.1000/x"},
			Identity{Key: "doi:10.1000/x", DOI: "10.1000/x", Keys: []string{"doi:10.1000/x", "url:small.example/a/1"}}},
		{"a file that claims a DOI", Reading{Asked: "file:///papers/a.pdf", Claimed: "10.1038/x"},
			Identity{Key: "file:/papers/a.pdf", Claimed: "10.1038/x", Keys: []string{"file:/papers/a.pdf"}}},
		{"proven by the registry", Reading{Asked: "https://small.example/b", Final: "https://small.example/a", Proven: "10.1000/x"},
			Identity{Key: "doi:10.1000/x", DOI: "10.1000/x", Keys: []string{"doi:10.1000/x", "url:small.example/a",
				"url:small.example/b"}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, Identify(tt.in)); diff != "" {
				t.Errorf("Identify(%+v) (-want +got):\n%s", tt.in, diff)
			}
		})
	}
}

// Nothing that a host writes into its own page or address gives it another document's key.
func FuzzIdentifyOfAnyHost(f *testing.F) {
	f.Add("doi/10.1038/x", "10.1038/x")
	f.Add("?doi=10.1038/x", "")
	f.Add("%2e%2e/10.1038%2Fx#10.1038/x", "https://doi.org/10.1038/x")
	f.Fuzz(func(t *testing.T, path, claimed string) {
		id := Identify(Reading{Asked: "https://evil.example/" + path, Claimed: claimed})
		for _, key := range append(id.Keys, id.Key) {
			if isIdentifier(key) {
				t.Errorf("%q has the key %s", path, key)
			}
		}
		if id.DOI != "" {
			t.Errorf("%q has the DOI %s", path, id.DOI)
		}
	})
}
