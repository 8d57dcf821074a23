package fetch

import (
	"context"
	"fmt"
	"net/http"
	"net/http/cookiejar"
	"net/url"

	"golang.org/x/net/publicsuffix"

	"github.com/citeloop/citeloop/fetch/extract"
)

// readDirect reads a checked target: robots.txt, the page with its redirects, the text.
func (r *Reader) readDirect(ctx context.Context, target *url.URL, p *permission, known validators) Page {
	page := r.readPermitted(ctx, target, p, known)
	page.RobotsIgnored = p.ignored
	return page
}

func (r *Reader) readPermitted(ctx context.Context, target *url.URL, p *permission, known validators) Page {
	if err := r.permitted(ctx, target, p); err != nil {
		return failedThere(ctx, err, r.cfg.Resolver)
	}
	resp, body, err := r.get(ctx, target, p, known)
	if err != nil {
		page := failedThere(ctx, err, r.cfg.Resolver)
		if resp != nil {
			page.HTTPStatus, page.FinalURL = resp.StatusCode, resp.Request.URL.String()
		}
		return page
	}
	if known != (validators{}) && resp.StatusCode == http.StatusNotModified {
		return Page{FinalURL: resp.Request.URL.String(), HTTPStatus: resp.StatusCode, Status: StatusUnchanged}
	}
	page := answered(resp, r.cfg.Now())
	if page.Status != StatusRead {
		return challenge(page, resp, body)
	}
	page = r.extract(ctx, page, resp.Header.Get("Content-Type"), body, resp.Request.URL)
	if page.NeedsScript {
		return r.rendered(ctx, page, resp.Request.URL, p)
	}
	if page.Status == StatusRead {
		page.Capture = captured(resp, body, r.cfg.KeepBody)
	}
	return page
}

// acceptPages names Markdown first: some sites offer it to programs, and the others ignore it.
const acceptPages = "text/markdown,text/html;q=0.9,application/xhtml+xml;q=0.9,application/pdf;q=0.8,text/plain;q=0.8,*/*;q=0.1"

// get sends one request and reads its body. On an error it also returns the response, if there is one, with its body
// closed.
func (r *Reader) get(ctx context.Context, target *url.URL, p *permission, known validators) (*http.Response, []byte, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, target.String(), nil)
	if err != nil {
		return nil, nil, fmt.Errorf("the address is not valid: %w", err)
	}
	req.Header.Set("Accept", acceptPages)
	req.Header.Set("Accept-Encoding", acceptEncoding)
	known.ask(req)
	// Some publishers redirect to the same address until they get their cookie back. The jar is for this page only, so that
	// no site can track the reader.
	jar, err := cookiejar.New(&cookiejar.Options{PublicSuffixList: publicsuffix.List})
	if err != nil {
		return nil, nil, err
	}
	client := http.Client{Transport: r.pages, Jar: jar, CheckRedirect: redirectPolicy(maxRedirects, func(req *http.Request) error {
		return r.permitted(req.Context(), req.URL, p)
	})}
	resp, err := client.Do(req)
	if err != nil {
		return nil, nil, err
	}
	defer resp.Body.Close()
	if resp.StatusCode >= 400 || resp.StatusCode == http.StatusNotModified {
		// The status decides; the body of an error page is only used to recognise a challenge.
		body, _ := readBody(resp, errorBytes, min(r.cfg.MaxDecoded, errorBytes))
		return resp, body, nil
	}
	// An unsupported type is recognised by its header, before the body is received.
	if err := extract.MayRead(resp.Header.Get("Content-Type"), resp.Request.URL); err != nil {
		return resp, nil, err
	}
	body, err := readBody(resp, maxBytes, r.cfg.MaxDecoded)
	return resp, body, err
}

// errorBytes is how much of an error page is read.
const errorBytes = 64 << 10

// Known is a page that was read before.
type Known struct {
	URL    string
	Header http.Header // of the response that was read, as in [Capture]; nil has the page read in any case
}

// validators name a version of a page: RFC 9110, 8.8.
type validators struct {
	tag, modified string
}

func (k Known) validators() validators {
	return validators{k.Header.Get("Etag"), k.Header.Get("Last-Modified")}
}

// ask has the server send the page only if it is another version.
func (v validators) ask(req *http.Request) {
	if v.tag != "" {
		req.Header.Set("If-None-Match", v.tag)
	}
	if v.modified != "" {
		req.Header.Set("If-Modified-Since", v.modified)
	}
}
