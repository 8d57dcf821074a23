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
		!r.guard.isPublic(target) {
		return page
	}
	doi := document.First(page.DOI, docid.AddressDOI(target.String()))
	if doi != "" && !r.registered(ctx, target, doi) {
		doi = ""
	}
	page.DOI = doi
	var tried []string
	reads := 0
	for _, w := range r.ways(target, page) {
		all, err := w.find(ctx)
		tried = append(tried, w.name)
		if err != nil {
			r.cfg.Logger.Debug("no copy", "service", w.via, "url", target.String(), "error", err)
			tried[len(tried)-1] += ": no answer"
		}
		for _, found := range all {
			at, err := address.Parse(found)
			if err != nil || at.String() == target.String() || at.String() == page.FinalURL {
				continue
			}
			if reads++; reads > maxCopyReads || ctx.Err() != nil {
				break
			}
			at.Fragment, at.RawFragment = "", ""
			got := (&visit{Reader: r}).read(ctx, at)
			if got.Status != StatusRead {
				continue
			}
			got.Via = strings.TrimSuffix(w.via+", "+got.Via, ", ") // a copy may need the browser as well
			got.Document = withKnown(got.Document, document.Document{Head: document.Head{DOI: page.DOI}}, page.Document)
			if w.via == ViaWayback {
				got.CopiedAt = snapshotDate(found)
			} else if page.DOI != "" {
				got.ProvenDOI, got.ProvenBy = page.DOI, ProvenByRegistry
			}
			r.cfg.Logger.Info("read as a copy", "url", target.String(), "status", string(page.Status), "via", w.via, "copy", got.FinalURL)
			return got
		}
	}
	if len(tried) > 0 {
		page.Reason += fmt.Sprintf("; no other copy was found (%s)", strings.Join(tried, ", "))
	}
	return page
}

// way is one way to find a copy.
type way struct {
	via, name string
	find      func(context.Context) ([]string, error) // the error is that of a service that did not answer
}

// ways lists the ways to find a copy, the best first.
func (r *Reader) ways(target *url.URL, page Page) (out []way) {
	c := r.cfg.Copies
	add := func(base, via, name string, find func(context.Context) ([]string, error)) {
		if base != "" {
			out = append(out, way{via, name, find})
		}
	}
	at := func(address string) func(context.Context) ([]string, error) {
		return func(context.Context) ([]string, error) { return []string{address}, nil }
	}
	epmc := func(query string) {
		add(c.EuropePMC, ViaEuropePMC, "Europe PMC", func(ctx context.Context) ([]string, error) { return r.europePMC(ctx, query) })
	}
	switch kind, id, _ := strings.Cut(docid.CanonicalKey(target.String(), page.DOI), ":"); kind {
	case "arxiv":
		add(c.ArXiv, ViaArXiv, "arXiv", at(c.ArXiv+"/pdf/"+id))
	case "doi":
		if c.Contact != "" {
			add(c.Unpaywall, ViaUnpaywall, "Unpaywall", func(ctx context.Context) ([]string, error) { return r.unpaywall(ctx, id) })
		}
		epmc(`DOI:"` + id + `"`)
		add(c.DOI, ViaDOI, "the DOI's landing page", at(c.doiAddress(id)))
	case "pmid":
		epmc("EXT_ID:" + id + " AND SRC:MED")
	case "pmcid":
		epmc("PMCID:" + id)
	}
	// An archive must not be a way to bypass a site's restriction (robots.txt, a paywall, the law); it is for pages that are
	// gone, hosts that do not answer, and checks for browsers.
	gone := page.Status == StatusNotFound || page.Status == StatusTimeout || page.Status == StatusError ||
		page.Status == StatusBlocked && page.HTTPStatus != http.StatusUnavailableForLegalReasons &&
			page.HTTPStatus != http.StatusUnauthorized
	if gone && c.Archive != "" {
		add(c.Wayback, ViaWayback, "the Wayback Machine", func(ctx context.Context) ([]string, error) { return r.wayback(ctx, target) })
	}
	return out
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
	return addresses(out), err
}

var pmcID = lazyregexp.New(`^PMC[0-9]{1,10}$`)

// europePMC finds an article at Europe PMC: its full text as XML, then the pages and files that are listed as free.
func (r *Reader) europePMC(ctx context.Context, query string) ([]string, error) {
	base := r.cfg.Copies.EuropePMC + "/webservices/rest/"
	answer, err := r.ask(ctx, base+"search?format=json&resultType=core&pageSize=1&query="+url.QueryEscape(query))
	article := answer.Get("resultList.result.0")
	var whole []string
	// Open access articles have XML with tables, formulas and references.
	if id := article.Get("pmcid").String(); article.Get("isOpenAccess").String() == "Y" && pmcID.MatchString(id) {
		whole = append(whole, base+id+"/fullTextXML")
	}
	listed := map[string][]string{} // by style
	for _, u := range article.Get("fullTextUrlList.fullTextUrl").Array() {
		code, said := u.Get("availabilityCode").String(), u.Get("availability").String()
		if style := u.Get("documentStyle").String(); code == "OA" || code == "F" || said == "Open access" || said == "Free" {
			listed[style] = append(listed[style], u.Get("url").String())
		}
	}
	return addresses(slices.Concat(whole, listed["html"], listed["pdf"])), err
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
