package fetch

import (
	"maps"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// onWeb returns a reader that sees only w. No name resolves, so the proxy gets all requests.
func onWeb(t *testing.T, w *web, change ...func(*Config)) *Reader {
	t.Helper()
	return reader(t, append([]func(*Config){func(c *Config) {
		c.Proxy = w.proxy(t)
		c.Resolver, c.AllowPrivate = resolver(t, nil), []string{"wiki.example:80"}
		c.Copies = &Copies{Contact: "me@example.org", Unpaywall: "http://unpaywall.example", EuropePMC: "http://europepmc.example",
			ArXiv: "http://arxiv.example",
			DOI:   "http://doi.example", Wayback: "http://wayback.example", Archive: "http://web.archive.example"}
	}}, change...)...)
}

// jats is an open article as an archive serves it.
var jats = `<!DOCTYPE article><article><front><article-meta><article-id ` +
	`pub-id-type="doi">10.1234/tide.7</article-id><title-group><article-title>Tide ` +
	`tables</article-title></title-group></article-meta></front><body><p>` + longText + `</p></body></article>`

const doi = "10.1234/tide.7"

func sends(s string) http.HandlerFunc { return answers(200, "application/json", s) }

var snapshot = sends(`{"archived_snapshots":{"closest":{"available":true,"status":"200","timestamp":"20190304050607",` +
	`"url":"http://elsewhere.example/"}}}`)

func TestReadCopies(t *testing.T) {
	denied := answers(403, "text/html", "no")
	tests := []struct {
		name, url  string
		sites      map[string]http.HandlerFunc
		via, final string
		copied     string
		status     Status
		reason     string
		not        string // part of an address that must not be requested
	}{
		{name: "Unpaywall", url: "http://journal.example/doi/" + doi, via: ViaUnpaywall, final: "http://repository.example/7.pdf",
			status: StatusRead,
			sites: map[string]http.HandlerFunc{
				"journal.example/doi/" + doi:  denied,
				"unpaywall.example/v2/" + doi: sends(`{"best_oa_location":{"url_for_pdf":"http://repository.example/7.pdf"}}`),
				"repository.example/7.pdf":    page(article)}},
		{name: "Unpaywall names a private address", url: "http://journal.example/doi/" + doi, status: StatusBlocked,
			reason: "no other copy was found (Unpaywall, Europe PMC, the DOI's landing page, the Wayback Machine)", not: "127.0.0.1",
			sites: map[string]http.HandlerFunc{
				"journal.example/doi/" + doi: denied,
				"unpaywall.example/v2/" + doi: sends(
					`{"best_oa_location":{"url_for_pdf":"http://127.0.0.1/7.pdf"},"oa_locations":[{"url":"http://localhost/x"},` +
						`{"url":"file:///etc/passwd"}]}`)}},
		{name: "Europe PMC's XML of an open article", url: "http://journal.example/doi/" + doi, via: ViaEuropePMC,
			final: "http://europepmc.example/webservices/rest/PMC12/fullTextXML", status: StatusRead,
			sites: map[string]http.HandlerFunc{
				"journal.example/doi/" + doi: denied,
				"europepmc.example/webservices/rest/search": sends(
					`{"resultList":{"result":[{"pmcid":"PMC12","isOpenAccess":"Y"}]}}`),
				"europepmc.example/webservices/rest/PMC12/fullTextXML": answers(200, "application/xml", jats)}},
		{name: "an identifier that is an address", url: "http://journal.example/doi/" + doi, status: StatusBlocked,
			reason: "no other copy was found", not: "secret",
			sites: map[string]http.HandlerFunc{
				"journal.example/doi/" + doi: denied,
				"europepmc.example/webservices/rest/search": sends(
					`{"resultList":{"result":[{"pmcid":"../../secret","isOpenAccess":"Y"}]}}`)}},
		{name: "DOI", url: "http://journal.example/doi/" + doi, via: ViaDOI, final: "http://doi.example/" + doi, status: StatusRead,
			sites: map[string]http.HandlerFunc{"journal.example/doi/" + doi: answers(500, "text/html", ""),
				"doi.example/" + doi: page(article)}},
		{name: "arXiv", url: "http://arxiv.org/abs/2101.00001v2", via: ViaArXiv, final: "http://arxiv.example/pdf/2101.00001",
			status: StatusRead,
			sites:  map[string]http.HandlerFunc{"arxiv.example/pdf/2101.00001": page(article)}},
		{name: "Wayback", url: "http://gone.example/a?b=1", via: ViaWayback,
			final: "http://web.archive.example/web/20190304050607id_/http://gone.example/a?b=1", copied: "2019-03-04", status: StatusRead,
			sites: map[string]http.HandlerFunc{"wayback.example/wayback/available": snapshot,
				"web.archive.example/web/20190304050607id_/http://gone.example/a": page(article)}},
		{name: "the archive is not used to bypass a paywall", url: "http://news.example/a", status: StatusPaywalled, not: "wayback",
			sites: map[string]http.HandlerFunc{"news.example/a": answers(402, "text/html", ""),
				"wayback.example/wayback/available": snapshot}},
		{name: "nor to bypass robots.txt", url: "http://news.example/a", status: StatusRobots, not: "wayback",
			sites: map[string]http.HandlerFunc{"news.example/robots.txt": answers(200, "text/plain", "User-agent: *\nDisallow: /"),
				"wayback.example/wayback/available": snapshot}},
		{name: "an allowed private host is sent to no service", url: "http://wiki.example/secret", status: StatusNotFound, not: "wayback"},
		{name: "private addresses are sent to no service", url: "http://127.0.0.1:9/secret", status: StatusBlocked, not: "secret"},
		{name: "an archive that is down", url: "http://gone.example/a", status: StatusNotFound,
			reason: "at this address (HTTP 404); no other copy was found (the Wayback Machine: no answer)",
			sites:  map[string]http.HandlerFunc{"wayback.example/wayback/available": answers(500, "text/html", "")}},
		{name: "an archive with an invalid answer", url: "http://gone.example/a", status: StatusNotFound,
			reason: "; no other copy was found",
			sites: map[string]http.HandlerFunc{"wayback.example/wayback/available": sends(
				`{"archived_snapshots":{"closest":{"available":true,"timestamp":"../../evil.ex"}}}`)}},
	}
	for _, tt := range tests {
		w := named("http://journal.example/7", tt.sites)
		p := onWeb(t, w).Read(t.Context(), tt.url)
		if p.Status != tt.status || p.Via != tt.via || tt.final != "" && p.FinalURL != tt.final || p.CopiedAt != tt.copied ||
			!strings.Contains(p.Reason, tt.reason) || p.URL != tt.url {
			t.Errorf("%s: %s, %q, via %q, final %s, copied %q", tt.name, p.Status, p.Reason, p.Via, p.FinalURL, p.CopiedAt)
		}
		if tt.not != "" && w.has(tt.not) || tt.via == ViaUnpaywall && !w.has("email=me%40example.org") {
			t.Errorf("%s: asked for %v", tt.name, w.asked)
		}
	}
}

// RoundTrip answers without a network, for tests in a synctest bubble.
func (w *web) RoundTrip(r *http.Request) (*http.Response, error) {
	answer := httptest.NewRecorder()
	w.ServeHTTP(answer, r)
	if err := r.Context().Err(); err != nil {
		return nil, err
	}
	resp := answer.Result()
	resp.Request = r
	return resp, nil
}

// A page that does not answer leaves time for its copy.
func TestReadCopyOfSlowPage(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := reader(t, func(c *Config) {
			c.Timeout, c.Copies = defaultTimeout, &Copies{Wayback: "http://wayback.example", Archive: "http://web.archive.example"}
		})
		w := &web{sites: map[string]http.HandlerFunc{
			"slow.example/a":                    func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() },
			"wayback.example/wayback/available": snapshot,
			"web.archive.example/web/20190304050607id_/http://slow.example/a": page(article)}}
		r.robots.transport, r.pages = w, w
		start := time.Now()
		p := r.Read(t.Context(), "http://slow.example/a")
		if took := time.Since(start); p.Status != StatusRead || p.Via != ViaWayback || took >= defaultTimeout {
			t.Errorf("%s, %q, after %v", p.Status, p.Reason, took)
		}
	})
}

// named is the web with a registry that names an address for doi.
func named(address string, sites map[string]http.HandlerFunc) *web {
	w := &web{sites: map[string]http.HandlerFunc{}}
	maps.Copy(w.sites, sites)
	if next := sites["doi.example/"+doi]; address != "" {
		w.sites["doi.example/"+doi] = func(w http.ResponseWriter, r *http.Request) {
			if r.Method == http.MethodHead || next == nil {
				leads(address)(w, r)
				return
			}
			next(w, r)
		}
	}
	return w
}

// What a page says of itself is its DOI only if the registry names its site for it. A page that cannot be read and names the DOI
// of another site's paper gets no copy of that paper.
func TestDOIOfAPage(t *testing.T) {
	claims := page(`<html><head><title>Tides</title><meta name="citation_doi" content="` + doi + `"></head><body><article><p>` + longText +
		`</p></article></body></html>`)
	for name, tt := range map[string]struct{ url, registry, want string }{
		"the site that the registry names":     {"http://journal.example/7", "http://www.journal.example/articles/7", doi},
		"another site":                         {"http://evil.example/7", "http://journal.example/7", ""},
		"a site whose name ends like it":       {"http://evil-journal.example/7", "http://journal.example/7", ""},
		"an unknown DOI":                       {"http://journal.example/7", "", ""},
		"a site where anybody uploads":         {"http://evil.github.io/7", "http://real.github.io/7", ""},
		"that site itself, where anybody does": {"http://zenodo.org/7", "http://zenodo.org/8", ""},
	} {
		w := named(tt.registry, map[string]http.HandlerFunc{strings.TrimPrefix(tt.url, "http://"): claims})
		if p := onWeb(t, w).Read(t.Context(), tt.url); p.Status != StatusRead || p.DOI != doi || p.ProvenDOI != tt.want {
			t.Errorf("%s: %s %q: claimed %q, proven %q by %q", name, p.Status, p.Reason, p.DOI, p.ProvenDOI, p.ProvenBy)
		}
	}
	for _, at := range []string{"http://evil.example/doi/" + doi, "http://evil.example/a?doi=" + doi} {
		w := named("http://journal.example/7", map[string]http.HandlerFunc{"repository.example/7": page(article),
			"unpaywall.example/v2/" + doi: sends(`{"best_oa_location":{"url_for_pdf":"http://repository.example/7"}}`)})
		if p := onWeb(t, w).Read(t.Context(), at); p.Status == StatusRead || w.has("unpaywall") {
			t.Errorf("%s: %s via %s, final %s; asked for %v", at, p.Status, p.Via, p.FinalURL, w.asked)
		}
	}
}
