package fetch

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/citeloop/citeloop/fetch/address"
	"github.com/citeloop/citeloop/fetch/extract/document"
	"github.com/citeloop/citeloop/internal/docid"
	"github.com/citeloop/citeloop/internal/lazyregexp"
)

// Values of [Page].Via: the service that named the copy that was read.
const (
	ViaUnpaywall = "unpaywall"
	ViaArXiv     = "arxiv"
	ViaEuropePMC = "europe-pmc"
	ViaDOI       = "doi"
	ViaWayback   = "wayback"
)

const (
	maxCopyAnswer = 2 << 20 // bytes of a service's answer; Europe PMC's longest have some 200 KB
	maxCopyReads  = 4       // copies that are tried for one page
	// The share of a page's time for the page itself if copies may be looked up.
	directShare = 0.6
)

// way is one way to find a copy.
type way struct {
	via, name string
	find      func(context.Context) ([]string, error) // the error is that of a service that did not answer
	date      func(address string) string
}

// copyOf looks for a copy of a page that could not be read. Without a copy it returns the page and adds the attempts to
// its reason.
func (r *Reader) copyOf(ctx context.Context, target *url.URL, page Page) Page {
	page.DOI = r.ownDOI(ctx, target, page)
	ways := r.ways(target, page)
	if len(ways) == 0 || page.Offline {
		return page
	}
	var tried, silent []string
	reads := 0
	for _, w := range ways {
		all, err := w.find(ctx)
		if err != nil {
			r.cfg.Logger.Debug("no copy", "service", w.via, "url", target.String(), "error", err)
			silent = append(silent, w.name)
			continue
		}
		tried = append(tried, w.name)
		for _, found := range all {
			copied, err := address.Parse(found)
			if err != nil || sameAddress(copied, target) || page.FinalURL != "" && copied.String() == page.FinalURL {
				continue
			}
			if reads++; reads > maxCopyReads || ctx.Err() != nil {
				break
			}
			copied.Fragment, copied.RawFragment = "", ""
			got := r.readDirect(ctx, copied, &permission{}, validators{})
			if got.Status != StatusRead {
				continue
			}
			got.Via = strings.TrimSuffix(w.via+", "+got.Via, ", ") // a copy may need the browser as well
			if w.date != nil {
				got.CopiedAt = w.date(found)
			}
			got.Document = fillFrom(got.Document, page.Document)
			if page.DOI != "" && w.via != ViaWayback {
				got.ProvenDOI, got.ProvenBy = page.DOI, ProvenByRegistry
			}
			r.cfg.Logger.Info("read as a copy", "url", target.String(), "status", string(page.Status), "via", w.via, "copy", got.FinalURL)
			return got
		}
	}
	if len(tried) > 0 {
		page.Reason += fmt.Sprintf("; no other copy was found (%s)", strings.Join(tried, ", "))
	}
	if len(silent) > 0 {
		page.Reason += fmt.Sprintf("; no answer about copies from %s", strings.Join(silent, ", "))
	}
	return page
}

// ownDOI returns the DOI of a page that could not be read, or "": its address has it or it claims it, and the registry names
// its site for it. A copy of another document must not answer for this address.
func (r *Reader) ownDOI(ctx context.Context, target *url.URL, page Page) string {
	if doi := document.First(page.DOI, docid.AddressDOI(target.String())); doi != "" && r.mayHaveCopies(target, page) && r.registered(ctx, target, doi) {
		return doi
	}
	return ""
}

func sameAddress(a, b *url.URL) bool { return a.String() == b.String() }

// fillFrom completes a copy's metadata with that of the page.
func fillFrom(d, page document.Document) document.Document {
	d.Title = document.First(d.Title, page.Title)
	if d.Publisher == "" {
		d.Publisher, d.Container = page.Publisher, page.Container
	}
	d.DocStatus = document.First(d.DocStatus, page.DocStatus)
	d.PublishedAt = document.First(d.PublishedAt, page.PublishedAt)
	d.DOI = document.First(page.DOI, d.DOI)
	d.SourceType = document.First(d.SourceType, page.SourceType)
	if len(d.Authors) == 0 {
		d.Authors = page.Authors
	}
	return d
}

// ways lists the ways to find a copy, the best first. It is empty for pages that were read, for addresses that our own
// rules refuse, and for hosts that are not public, because their names must not be sent to services.
func (r *Reader) ways(target *url.URL, page Page) []way {
	c := r.cfg.Copies
	if !r.mayHaveCopies(target, page) {
		return nil
	}
	var out []way
	kind, id, _ := strings.Cut(docid.CanonicalKey(target.String(), page.DOI), ":")
	add := func(base, via, name string, find func(context.Context) ([]string, error)) {
		if base != "" {
			out = append(out, way{via: via, name: name, find: find})
		}
	}
	switch kind {
	case "arxiv":
		add(c.ArXiv, ViaArXiv, "arXiv", func(context.Context) ([]string, error) { return []string{c.ArXiv + "/pdf/" + id}, nil })
	case "doi":
		if c.Contact != "" {
			add(c.Unpaywall, ViaUnpaywall, "Unpaywall", func(ctx context.Context) ([]string, error) { return r.unpaywall(ctx, id) })
		}
		add(c.EuropePMC, ViaEuropePMC, "Europe PMC", func(ctx context.Context) ([]string, error) { return r.europePMC(ctx, `DOI:"`+id+`"`) })
		add(c.DOI, ViaDOI, "the DOI's landing page", func(context.Context) ([]string, error) {
			return []string{c.DOI + "/" + (&url.URL{Path: id}).EscapedPath()}, nil
		})
	case "pmid":
		add(c.EuropePMC, ViaEuropePMC, "Europe PMC", func(ctx context.Context) ([]string, error) { return r.europePMC(ctx, "EXT_ID:"+id+" AND SRC:MED") })
	case "pmcid":
		add(c.EuropePMC, ViaEuropePMC, "Europe PMC", func(ctx context.Context) ([]string, error) { return r.europePMC(ctx, "PMCID:"+id) })
	}
	// An archive must not be a way to bypass a site's restriction (robots.txt, a paywall, the law); it is for pages that are
	// gone, hosts that do not answer, and checks for browsers.
	gone := page.Status == StatusNotFound || page.Status == StatusTimeout || page.Status == StatusError ||
		page.Status == StatusBlocked && page.HTTPStatus != http.StatusUnavailableForLegalReasons && page.HTTPStatus != http.StatusUnauthorized
	if gone && c.Wayback != "" && c.Archive != "" {
		out = append(out, way{via: ViaWayback, name: "the Wayback Machine", find: func(ctx context.Context) ([]string, error) { return r.wayback(ctx, target) }, date: snapshotDate})
	}
	return out
}

func (r *Reader) mayHaveCopies(target *url.URL, page Page) bool {
	return r.cfg.Copies != nil && page.Status != StatusRead && page.Status != StatusUnsupported && r.guard.isPublic(target) &&
		(page.Status != StatusBlocked || page.HTTPStatus != 0)
}

// ask returns the JSON answer of a service, or nothing from one that does not know the document (404).
func (r *Reader) ask(ctx context.Context, address string) (none gjson.Result, err error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return none, err
	}
	req.Header.Set("Accept", "application/json")
	req.Header.Set("Accept-Encoding", acceptEncoding)
	client := http.Client{Transport: r.pages, CheckRedirect: redirectPolicy(maxRedirects, nil)}
	resp, err := client.Do(req)
	if err != nil {
		return none, err
	}
	defer resp.Body.Close()
	body, err := readBody(resp, maxCopyAnswer, maxCopyAnswer)
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
		out = append(out, document.First(location.Get("url_for_pdf").String(), location.Get("url").String()))
	}
	return addresses(out), err
}

var pmcID = lazyregexp.New(`^PMC[0-9]{1,10}$`)

// europePMC finds an article at Europe PMC: its full text as XML, then the pages and files that are listed as free.
func (r *Reader) europePMC(ctx context.Context, query string) ([]string, error) {
	base := r.cfg.Copies.EuropePMC + "/webservices/rest/"
	answer, err := r.ask(ctx, base+"search?format=json&resultType=core&pageSize=1&query="+url.QueryEscape(query))
	article := answer.Get("resultList.result.0")
	var whole, pages, files []string
	// Open access articles have XML with tables, formulas and references.
	if id := article.Get("pmcid").String(); article.Get("isOpenAccess").String() == "Y" && pmcID.MatchString(id) {
		whole = append(whole, base+id+"/fullTextXML")
	}
	for _, u := range article.Get("fullTextUrlList.fullTextUrl").Array() {
		code, said := u.Get("availabilityCode").String(), u.Get("availability").String()
		if code != "OA" && code != "F" && said != "Open access" && said != "Free" {
			continue
		}
		switch u.Get("documentStyle").String() {
		case "html":
			pages = append(pages, u.Get("url").String())
		case "pdf":
			files = append(files, u.Get("url").String())
		}
	}
	return addresses(slices.Concat(whole, pages, files)), err
}

var snapshotTime = lazyregexp.New(`^[0-9]{14}$`)

func (r *Reader) wayback(ctx context.Context, target *url.URL) ([]string, error) {
	c := r.cfg.Copies
	answer, err := r.ask(ctx, c.Wayback+"/wayback/available?url="+url.QueryEscape(target.String()))
	closest := answer.Get("archived_snapshots.closest")
	at, status := closest.Get("timestamp").String(), closest.Get("status").String()
	if !closest.Get("available").Bool() || !snapshotTime.MatchString(at) || status != "" && status != "200" {
		return nil, err
	}
	// id_ requests the page as it was, without the archive's frame.
	return []string{c.Archive + "/web/" + at + "id_/" + target.String()}, nil
}

// snapshotDate returns the day in the address of an archived copy.
func snapshotDate(address string) string {
	_, rest, _ := strings.Cut(address, "/web/")
	if len(rest) < 8 {
		return ""
	}
	return document.DateOf(rest[:4], rest[4:6], rest[6:8])
}

// addresses returns the valid addresses, without repeats, at most maxCopyReads.
func addresses(all []string) []string {
	var out []string
	for _, a := range all {
		if a = strings.TrimSpace(a); strings.HasPrefix(a, "http") && !slices.Contains(out, a) && len(out) < maxCopyReads {
			out = append(out, a)
		}
	}
	return out
}
