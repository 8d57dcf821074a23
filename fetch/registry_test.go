package fetch

import (
	"maps"
	"net/http"
	"strings"
	"testing"
)

// namedByRegistry adds a registry that names an address for a DOI.
func namedByRegistry(sites map[string]http.HandlerFunc, doi, address string) map[string]http.HandlerFunc {
	out := maps.Clone(sites)
	if out == nil {
		out = map[string]http.HandlerFunc{}
	}
	next := out["doi.example/"+doi]
	out["doi.example/"+doi] = func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodHead || next == nil {
			http.Redirect(w, r, address, http.StatusFound)
			return
		}
		next(w, r)
	}
	return out
}

// What a page says of itself is its DOI only if the registry names its site for it.
func TestDOIOfAPage(t *testing.T) {
	const doi = "10.1234/tide.7"
	claims := func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = w.Write([]byte(`<html><head><title>Tides</title><meta name="citation_doi" content="` + doi + `"></head><body><article><p>` +
			longText + `</p></article></body></html>`))
	}
	for name, tt := range map[string]struct{ url, registry, want string }{
		"the site that the registry names":     {"http://journal.example/7", "http://www.journal.example/articles/7", doi},
		"another site":                         {"http://evil.example/7", "http://journal.example/7", ""},
		"a site whose name ends like it":       {"http://evil-journal.example/7", "http://journal.example/7", ""},
		"an unknown DOI":                       {"http://journal.example/7", "", ""},
		"a site where anybody uploads":         {"http://evil.github.io/7", "http://real.github.io/7", ""},
		"that site itself, where anybody does": {"http://zenodo.org/7", "http://zenodo.org/8", ""},
	} {
		t.Run(name, func(t *testing.T) {
			w := &web{sites: map[string]http.HandlerFunc{strings.TrimPrefix(tt.url, "http://"): claims}}
			if tt.registry != "" {
				w.sites = namedByRegistry(w.sites, doi, tt.registry)
			}
			p := onWeb(t, w).Read(t.Context(), tt.url)
			if p.Status != StatusRead || p.DOI != doi || p.ProvenDOI != tt.want {
				t.Errorf("%s %q: claimed %q, proven %q by %q", p.Status, p.Reason, p.DOI, p.ProvenDOI, p.ProvenBy)
			}
		})
	}
}

// A page that cannot be read and names the DOI of another site's paper gets no copy of that paper.
func TestNoCopyForAClaimedDOI(t *testing.T) {
	const doi = "10.1234/tide.7"
	for name, url := range map[string]string{"in its path": "http://evil.example/doi/" + doi, "in its query": "http://evil.example/a?doi=" +
		doi} {
		t.Run(name, func(t *testing.T) {
			w := &web{sites: namedByRegistry(map[string]http.HandlerFunc{
				"unpaywall.example/v2/" + doi: answers(200, "application/json",
					`{"best_oa_location":{"url_for_pdf":"http://repository.example/7"}}`),
				"repository.example/7": page(article),
			}, doi, "http://journal.example/7")}
			if p := onWeb(t, w).Read(t.Context(), url); p.Status == StatusRead || w.has("unpaywall") {
				t.Errorf("%s via %s, final %s; asked for %v", p.Status, p.Via, p.FinalURL, w.asked)
			}
		})
	}
}
