package fetch

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/tidwall/gjson"

	"github.com/citeloop/citeloop/fetch/address"
	"github.com/citeloop/citeloop/fetch/extract/document"
	"github.com/citeloop/citeloop/internal/docid"
	"github.com/citeloop/citeloop/internal/lazyregexp"
)

const (
	maxCopyAnswer = 2 << 20 // bytes of a service's answer; Europe PMC's longest have some 200 KB
	maxCopyReads  = 4       // copies that are tried for one page
	// The share of a page's time for the page itself if copies may be looked up.
	directShare = 0.6
)

// copyOf looks for a copy of a page that could not be read: first an open copy of the paper, then the nearest copy in the
// archive. Without a copy it returns the page and adds the attempts to its reason.
//
// Nothing is asked about hosts that are not public, because their names must not be sent to services, nor about addresses that
// our own rules refuse. A copy of another document must not answer for an address: a DOI counts only if the registry names the
// page's site for it.
func (r *Reader) copyOf(ctx context.Context, target *url.URL, page Page) Page {
	if page.Offline || page.Status == StatusUnsupported || page.Status == StatusBlocked && page.HTTPStatus == 0 ||
		!r.gate.guard.isPublic(target) {
		return page
	}
	page.DOI = document.First(page.DOI, docid.AddressDOI(target.String()))
	if page.DOI != "" && !r.registered(ctx, target, page.DOI) {
		page.DOI = ""
	}
	var tried []string
	seen := []string{target.String(), page.FinalURL}
	for _, w := range r.ways(target, page) {
		all, err := w.find(ctx)
		tried = append(tried, w.name)
		if err != nil {
			r.cfg.Logger.Debug("no copy", "service", w.via, "url", target.String(), "error", err)
			tried[len(tried)-1] += ": no answer"
		}
		for _, found := range all {
			at, err := address.Parse(found)
			if err != nil || slices.Contains(seen, at.String()) || len(seen)-2 >= maxCopyReads || ctx.Err() != nil {
				continue
			}
			seen = append(seen, at.String())
			at.Fragment, at.RawFragment = "", ""
			if got := (&visit{Reader: r}).read(ctx, at); got.Status == StatusRead {
				r.cfg.Logger.Info("read as a copy", "url", target.String(), "status", string(page.Status), "via", w.via, "copy",
					got.FinalURL)
				return asCopy(got, page, w.via, found)
			}
		}
	}
	if len(tried) > 0 {
		page.Reason += fmt.Sprintf("; no other copy was found (%s)", strings.Join(tried, ", "))
	}
	return page
}

// asCopy completes a copy with what is known of the page.
func asCopy(got, page Page, via, found string) Page {
	got.Via = strings.TrimSuffix(via+", "+got.Via, ", ") // a copy may need the browser as well
	got.Document = completed(got.Document, page.Document)
	if via == ViaWayback {
		got.CopiedAt = snapshotDate(found)
	} else if page.DOI != "" {
		got.ProvenDOI, got.ProvenBy = page.DOI, ProvenByRegistry
	}
	return got
}

// way is one way to find a copy.
type way struct {
	via, name string
	may       bool
	find      func(context.Context) ([]string, error) // the error is that of a service that did not answer
}

// europePMCQueries find an article by its identifier.
var europePMCQueries = map[string]string{"doi": `DOI:"%s"`, "pmid": "EXT_ID:%s AND SRC:MED", "pmcid": "PMCID:%s"}

// ways lists the ways to find a copy, the best first.
func (r *Reader) ways(target *url.URL, page Page) []way {
	c := r.cfg.Copies
	kind, id, _ := strings.Cut(docid.CanonicalKey(target.String(), page.DOI), ":")
	at := func(address string) func(context.Context) ([]string, error) {
		return func(context.Context) ([]string, error) { return []string{address}, nil }
	}
	all := []way{
		{ViaArXiv, "arXiv", kind == "arxiv" && c.ArXiv != "", at(c.ArXiv + "/pdf/" + id)},
		{ViaUnpaywall, "Unpaywall", kind == "doi" && c.Unpaywall != "" && c.Contact != "", func(ctx context.Context) ([]string, error) {
			return r.unpaywall(ctx, id)
		}},
		{ViaEuropePMC, "Europe PMC", europePMCQueries[kind] != "" && c.EuropePMC != "", func(ctx context.Context) ([]string, error) {
			return r.europePMC(ctx, fmt.Sprintf(europePMCQueries[kind], id))
		}},
		{ViaDOI, "the DOI's landing page", kind == "doi" && c.DOI != "", at(c.doiAddress(id))},
		{ViaWayback, "the Wayback Machine", mayBeArchived(page) && c.Archive != "" && c.Wayback != "",
			func(ctx context.Context) ([]string, error) { return r.wayback(ctx, target) }},
	}
	return slices.DeleteFunc(all, func(w way) bool { return !w.may })
}

// mayBeArchived reports whether a copy in an archive may be read. It must not be a way to bypass a site's restriction (robots.txt,
// a paywall, the law); it is for pages that are gone, hosts that do not answer, and checks for browsers.
func mayBeArchived(page Page) bool {
	return page.Status == StatusNotFound || page.Status == StatusTimeout || page.Status == StatusError ||
		page.Status == StatusBlocked && page.HTTPStatus != http.StatusUnavailableForLegalReasons &&
			page.HTTPStatus != http.StatusUnauthorized
}

// ask returns the JSON answer of a service, or nothing from one that does not know the document (404).
func (r *Reader) ask(ctx context.Context, address string) (none gjson.Result, err error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return none, err
	}
	req.Header.Set("Accept", "application/json")
	req.Header.Set("Accept-Encoding", AcceptEncoding)
	client := http.Client{Transport: r.pages, CheckRedirect: redirectPolicy(maxRedirects, nil)}
	resp, err := client.Do(req)
	if err != nil {
		return none, err
	}
	defer resp.Body.Close()
	body, err := ReadBody(resp, maxCopyAnswer, maxCopyAnswer)
	switch {
	case err != nil:
		return none, err
	case resp.StatusCode == http.StatusNotFound:
		return none, nil
	case resp.StatusCode != http.StatusOK:
		return none, fmt.Errorf("HTTP %d", resp.StatusCode)
	case !json.Valid(body): // bounds the nesting, unlike gjson
		return none, errors.New("the answer is not JSON")
	}
	return gjson.ParseBytes(body), nil
}

func (r *Reader) unpaywall(ctx context.Context, doi string) ([]string, error) {
	c := r.cfg.Copies
	answer, err := r.ask(ctx, c.Unpaywall+"/v2/"+(&url.URL{Path: doi}).EscapedPath()+"?email="+url.QueryEscape(c.Contact))
	out := []string{answer.Get("best_oa_location.url_for_pdf").String(), answer.Get("best_oa_location.url").String()}
	for _, location := range answer.Get("oa_locations").Array() {
		out = append(out, cmp.Or(location.Get("url_for_pdf").String(), location.Get("url").String()))
	}
	return out, err
}

var pmcID = lazyregexp.New(`^PMC[0-9]{1,10}$`)

// europePMC finds the XML of an open article at Europe PMC, with its tables, formulas and references.
func (r *Reader) europePMC(ctx context.Context, query string) ([]string, error) {
	base := r.cfg.Copies.EuropePMC + "/webservices/rest/"
	answer, err := r.ask(ctx, base+"search?format=json&resultType=core&pageSize=1&query="+url.QueryEscape(query))
	article := answer.Get("resultList.result.0")
	id := article.Get("pmcid").String()
	if article.Get("isOpenAccess").String() != "Y" || !pmcID.MatchString(id) {
		return nil, err
	}
	return []string{base + id + "/fullTextXML"}, err
}

var snapshotTime = lazyregexp.New(`^[0-9]{14}$`)

func (r *Reader) wayback(ctx context.Context, target *url.URL) ([]string, error) {
	c := r.cfg.Copies
	answer, err := r.ask(ctx, c.Wayback+"/wayback/available?url="+url.QueryEscape(target.String()))
	closest := answer.Get("archived_snapshots.closest")
	at, status := closest.Get("timestamp").String(), cmp.Or(closest.Get("status").String(), "200")
	if !closest.Get("available").Bool() || !snapshotTime.MatchString(at) || status != "200" {
		return nil, err
	}
	// id_ requests the page as it was, without the archive's frame.
	return []string{c.Archive + "/web/" + at + "id_/" + target.String()}, nil
}

// snapshotDate returns the day in the address of an archived copy.
func snapshotDate(address string) string {
	_, rest, _ := strings.Cut(address, "/web/")
	return document.DateOf(rest[:4], rest[4:6], rest[6:8])
}

// ProvenByRegistry is the value of [Page].ProvenBy: doi.org leads to this site.
const ProvenByRegistry = "registry"

// registryTime bounds the request to the registry (chosen: it answers in some 200 ms).
const registryTime = 4 * time.Second

// prove asks the registry about the DOI that a page claims, unless the address proves or disproves it.
func (r *Reader) prove(ctx context.Context, asked *url.URL, page Page) Page {
	id := docid.Identify(docid.Reading{Asked: asked.String(), Final: page.FinalURL, Claimed: page.DOI})
	final, err := url.Parse(page.FinalURL)
	if err != nil || id.DOI != "" || !strings.HasPrefix(id.Key, "url:") || !r.gate.guard.isPublic(final) {
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

// completed fills the gaps in the metadata of a copy with that of the page, whose DOI is proven.
func completed(d, page document.Document) document.Document {
	d.Title = document.First(d.Title, page.Title)
	d.DOI = document.First(page.DOI, d.DOI)
	if d.Publisher == "" {
		d.Publisher, d.Container = page.Publisher, cmp.Or(page.Container, d.Container)
	}
	if len(d.Authors) == 0 {
		d.Authors = page.Authors
	}
	d.DocStatus = document.First(d.DocStatus, page.DocStatus)
	d.PublishedAt = document.First(d.PublishedAt, page.PublishedAt)
	d.SourceType = document.First(d.SourceType, page.SourceType)
	return d
}
