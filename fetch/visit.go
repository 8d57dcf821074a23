package fetch

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"strconv"
	"strings"
	"time"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
	"golang.org/x/net/publicsuffix"

	"github.com/citeloop/citeloop/fetch/address"
	"github.com/citeloop/citeloop/fetch/extract/document"
	"github.com/citeloop/citeloop/internal/lazyregexp"
)

// visit is one reading of a page of the web, with its redirects.
type visit struct {
	*Reader
	ignore   bool     // read pages that robots.txt forbids
	ignored  bool     // a forbidden page was read
	forwards []string // pages that led to this one by themselves
}

// read reads a checked target: robots.txt, the page with its redirects, the text.
func (v *visit) read(ctx context.Context, target *url.URL) Page {
	page := v.load(ctx, target)
	page.RobotsIgnored = v.ignored
	return page
}

func (v *visit) load(ctx context.Context, target *url.URL) Page {
	if err := v.permitted(ctx, target); err != nil {
		return failedThere(ctx, err, v.cfg.Resolver)
	}
	resp, body, err := v.get(ctx, target)
	if err != nil {
		page := failedThere(ctx, err, v.cfg.Resolver)
		if resp != nil {
			page.HTTPStatus, page.FinalURL = resp.StatusCode, resp.Request.URL.String()
		}
		return page
	}
	final := resp.Request.URL
	page := answered(resp, body, v.cfg.Now())
	if page.Status != StatusRead {
		return page
	}
	page = v.extract(ctx, page, resp.Header.Get("Content-Type"), body, final)
	if page.Chars < shellChars && (page.Status == StatusRead || page.Status == StatusTooShort || page.Status == StatusBlocked) {
		if to := forwarding(resp.Header, body, final); to != nil && to.String() != final.String() && len(v.forwards) < maxForwards {
			v.forwards = append(v.forwards, final.String())
			return v.load(ctx, to)
		}
	}
	if page.NeedsScript {
		return v.render(ctx, page, final)
	}
	if page.Status == StatusRead {
		page.Capture = captured(resp, v.forwards, body)
	}
	return page
}

// permitted checks an address against its site's robots.txt.
func (v *visit) permitted(ctx context.Context, target *url.URL) error {
	err := v.robots.allows(ctx, target)
	if v.ignore && errors.Is(err, errRobots) {
		v.ignored = true
		return nil
	}
	return err
}

// acceptPages names Markdown first: some sites offer it to programs, and the others ignore it.
const acceptPages = "text/markdown,text/html;q=0.9,application/xhtml+xml;q=0.9,application/pdf;q=0.8,text/plain;q=0.8,*/*;q=0.1"

// errorBytes is how much of an error page is read.
const errorBytes = 64 << 10

// get sends one request and reads its body. On an error it also returns the response, if there is one, with its body
// closed.
func (v *visit) get(ctx context.Context, target *url.URL) (*http.Response, []byte, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, target.String(), nil)
	if err != nil {
		return nil, nil, fmt.Errorf("the address is not valid: %w", err)
	}
	req.Header.Set("Accept", acceptPages)
	req.Header.Set("Accept-Encoding", AcceptEncoding)
	// Some publishers redirect to the same address until they get their cookie back. The jar is for this page only, so that
	// no site can track the reader.
	jar, err := cookiejar.New(&cookiejar.Options{PublicSuffixList: publicsuffix.List})
	if err != nil {
		return nil, nil, err
	}
	client := http.Client{Transport: v.pages, Jar: jar, CheckRedirect: redirectPolicy(maxRedirects, func(req *http.Request) error {
		return v.permitted(req.Context(), req.URL)
	})}
	resp, err := client.Do(req)
	if err != nil {
		return nil, nil, err
	}
	defer resp.Body.Close()
	if resp.StatusCode >= 400 {
		body, _ := ReadBody(resp, errorBytes, errorBytes) // the status decides
		return resp, body, nil
	}
	if played.MatchString(resp.Header.Get("Content-Type")) {
		return resp, nil, fmt.Errorf("%w: audio and video are not read", document.ErrUnsupported)
	}
	body, err := ReadBody(resp, maxBytes, v.cfg.MaxDecoded)
	return resp, body, err
}

// played matches types of what may play without an end. No document is declared as such.
var played = lazyregexp.New(`(?i)^\s*(?:audio|video)/`)

const (
	maxForwards     = 4        // of one reading
	maxForwardDelay = 15       // seconds; pages that are shown for longer are meant to be read
	forwardBytes    = 64 << 10 // of a page that are searched
)

var refresh = lazyregexp.New(`(?is)^\s*(\d{0,6})(?:\.\d*)?\s*[;,]?\s*(?:url\s*=\s*)?["']?\s*([^"']*)`)

// forwarding returns where a short page sends its readers by the header Refresh or a meta element, also one inside of noscript,
// or nil.
func forwarding(header http.Header, body []byte, at *url.URL) *url.URL {
	base, said := at, header.Get("Refresh")
	page, err := html.ParseWithOptions(bytes.NewReader(body[:min(len(body), forwardBytes)]), html.ParseOptionEnableScripting(false))
	if err != nil { // nested too deeply
		page = &html.Node{}
	}
	for n := range page.Descendants() {
		attr := map[string]string{}
		for _, a := range n.Attr {
			attr[a.Key] = a.Val
		}
		switch {
		case n.DataAtom == atom.Base && base == at:
			if u, err := at.Parse(attr["href"]); err == nil {
				base = u
			}
		case n.DataAtom == atom.Meta && said == "" && strings.EqualFold(attr["http-equiv"], "refresh"):
			said = attr["content"]
		}
	}
	m := refresh.FindStringSubmatch(said)
	if m == nil || m[2] == "" {
		return nil
	}
	to, err := base.Parse(strings.TrimSpace(m[2]))
	if delay, _ := strconv.Atoi(m[1]); err != nil || delay > maxForwardDelay {
		return nil
	}
	if to, err = address.Check(to); err != nil {
		return nil
	}
	to.Fragment, to.RawFragment = "", ""
	return to
}

const (
	// The browser's share of the remaining time, so that some is left for extraction.
	renderShare = 0.8
	// Starting a browser and loading a page takes at least 2 s; with less time left it is not tried. Chosen.
	minRenderTime = 3 * time.Second
)

// render renders a page that needs its scripts, if there is a browser. The result is extracted and classified like any page.
func (v *visit) render(ctx context.Context, page Page, target *url.URL) Page {
	deadline, _ := ctx.Deadline()
	left := time.Until(deadline)
	switch {
	case v.cfg.Renderer == nil:
		page.Reason += "; set CITELOOP_BROWSER=chromium to render it in a browser"
		return page
	case left < minRenderTime:
		page.Reason += "; no time was left to render it in the browser"
		return page
	}
	within, cancel := context.WithTimeout(ctx, time.Duration(renderShare*float64(left)))
	defer cancel()
	got, err := v.cfg.Renderer.Render(within, target, func(ctx context.Context, u *url.URL) error {
		clean, err := address.Check(u)
		if err == nil {
			err = v.gate.guard.checkHost(address.HostPort(clean))
		}
		if err != nil {
			return err
		}
		return v.permitted(ctx, clean)
	})
	var final *url.URL
	if err == nil {
		final, err = url.Parse(got.FinalURL)
	}
	if err != nil { // a refusal becomes the outcome of the page
		switch f := failed(err); f.Status {
		case StatusRobots:
			page.Status, page.Reason = f.Status, f.Reason
		case StatusBlocked:
			page.Status, page.Reason, page.HTTPStatus = f.Status, f.Reason, 0
		default:
			page.Reason += "; the browser failed as well: " + f.Reason
		}
		return page
	}
	seen := answered(&http.Response{StatusCode: got.HTTPStatus, Request: &http.Request{URL: final}}, nil, v.cfg.Now())
	seen.Via = ViaBrowser
	if seen.Status != StatusRead {
		return seen
	}
	seen = v.extract(ctx, seen, document.TypeHTML+"; charset=utf-8", got.HTML, final)
	if seen.Status != StatusRead {
		seen.Reason += "; a browser gave the same result"
		return seen
	}
	// A rendered document combines many responses, so the capture has no status and no header.
	seen.Capture = capturedBody(got.HTML)
	return seen
}
