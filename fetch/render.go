package fetch

import (
	"context"
	"net/http"
	"net/url"
	"time"

	"github.com/citeloop/citeloop/fetch/address"
	"github.com/citeloop/citeloop/fetch/extract/document"
)

// ViaBrowser means that a browser ran the page's scripts before its text was taken.
const ViaBrowser = "browser"

const (
	// The browser's share of the remaining time, so that some is left for extraction.
	renderShare = 0.8
	// Starting a browser and loading a page takes at least 2 s; with less time left it is not tried. Chosen.
	minRenderTime = 3 * time.Second
)

// rendered renders a page that needs its scripts, if there is a browser, and returns other pages unchanged. The result is
// extracted and classified like any page.
func (r *Reader) rendered(ctx context.Context, page Page, target *url.URL, p *permission) Page {
	if !page.NeedsScript {
		return page
	}
	if r.cfg.Renderer == nil {
		page.Reason += "; set CITELOOP_BROWSER=chromium to render it in a browser"
		return page
	}
	within := ctx
	if deadline, ok := ctx.Deadline(); ok {
		left := time.Until(deadline)
		if left < minRenderTime {
			page.Reason += "; no time was left to render it in the browser"
			return page
		}
		var cancel context.CancelFunc
		within, cancel = context.WithTimeout(ctx, time.Duration(renderShare*float64(left)))
		defer cancel()
	}
	got, err := r.cfg.Renderer.Render(within, target, func(ctx context.Context, u *url.URL) error {
		clean, err := address.Check(u)
		if err != nil {
			return err
		}
		if err := r.guard.checkHost(address.HostPort(clean)); err != nil {
			return err
		}
		return r.permitted(ctx, clean, p)
	})
	if err != nil {
		return notRendered(page, err)
	}
	final, err := url.Parse(got.FinalURL)
	if err != nil {
		return notRendered(page, err)
	}
	seen := answered(&http.Response{StatusCode: got.HTTPStatus, Request: &http.Request{URL: final}}, r.cfg.Now())
	seen.Via = ViaBrowser
	if seen.Status != StatusRead {
		return seen
	}
	seen = r.extract(ctx, seen, document.TypeHTML+"; charset=utf-8", got.HTML, final)
	if seen.Status != StatusRead {
		seen.Reason += "; a browser gave the same result"
		return seen
	}
	// A rendered document combines many responses, so the capture has no status and no header.
	seen.Capture = capturedBody(got.HTML, r.cfg.KeepBody)
	return seen
}

// notRendered returns a page that could not be rendered. A refusal by the address rules or by robots.txt becomes the
// outcome of the page; any other error is added to its reason.
func notRendered(page Page, err error) Page {
	f := failed(err)
	switch f.Status {
	case StatusRobots:
		page.Status, page.Reason = f.Status, f.Reason
	case StatusBlocked:
		page.Status, page.Reason, page.HTTPStatus = f.Status, f.Reason, 0
	default:
		page.Reason += "; the browser failed as well: " + f.Reason
	}
	return page
}
