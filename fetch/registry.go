package fetch

import (
	"context"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/citeloop/citeloop/fetch/extract/document"
	"github.com/citeloop/citeloop/internal/docid"
)

// Values of [Page].ProvenBy.
const (
	ProvenByRegistry = "registry" // doi.org leads to this site
	ProvenByLibrary  = "library"  // the user's library has the DOI for this item
)

// registryTime bounds the request to the registry (chosen: it answers in some 200 ms).
const registryTime = 4 * time.Second

// prove asks the registry about the DOI that a page claims, unless the address proves or disproves it.
func (r *Reader) prove(ctx context.Context, asked *url.URL, page Page) Page {
	id := docid.Identify(docid.Reading{Asked: asked.String(), Final: page.FinalURL, Claimed: page.DOI})
	final, err := url.Parse(page.FinalURL)
	if err != nil || id.DOI != "" || !strings.HasPrefix(id.Key, "url:") || !r.guard.isPublic(final) {
		return page
	}
	if doi := document.First(id.Claimed, docid.AddressDOI(page.FinalURL)); doi != "" && r.registered(ctx, final, doi) {
		page.ProvenDOI, page.ProvenBy = doi, ProvenByRegistry
	}
	return page
}

// registered reports whether the registry names the site of an address for a DOI. Sites where anybody can upload files never
// count: the registry names their host for the files of all.
func (r *Reader) registered(ctx context.Context, at *url.URL, doi string) bool {
	host := docid.Host(at.String())
	switch {
	case docid.Uploads(host):
		return false
	case docid.Registered(host, doi) || docid.IsRegistry(at.String()):
		return true
	case r.cfg.Copies.DOI == "":
		return false
	}
	ctx, cancel := context.WithTimeout(ctx, registryTime)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodHead, r.cfg.Copies.doiAddress(doi), nil)
	if err != nil {
		return false
	}
	client := http.Client{Transport: r.pages, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	resp, err := client.Do(req)
	if err != nil {
		r.cfg.Logger.Debug("the registry did not answer", "doi", doi, "error", err)
		return false
	}
	defer resp.Body.Close()
	return resp.StatusCode >= 300 && resp.StatusCode < 400 && docid.SameSite(resp.Header.Get("Location"), at.String())
}

func (c *Copies) doiAddress(doi string) string {
	return c.DOI + "/" + (&url.URL{Path: doi}).EscapedPath()
}
