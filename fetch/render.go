package fetch

import (
	"context"
	"net/http"
	"net/url"
	"time"

	"github.com/citeloop/citeloop/fetch/address"
	"github.com/citeloop/citeloop/fetch/extract/document"
)

// ViaBrowser says that a browser ran the page's scripts, and that the text is what they made of it.
const ViaBrowser = "browser"

// Renderer reads a page as a browser does: its scripts run, and the document that they leave is returned.
type Renderer interface {
	// Render loads an address until the page has settled or its time is nearly over. allow is asked before each
	// document that the page itself loads, the first one and those it leads to; its error ends the rendering and
	// is returned. Every connection must keep the address rules, and a refusal wraps address.ErrForbidden.
	Render(ctx context.Context, target *url.URL, allow func(context.Context, *url.URL) error) (Rendered, error)
	// Close ends what the renderer has started.
	Close() error
}

// Rendered is what a browser made of a page.
type Rendered struct {
	FinalURL   string // after redirects and after what the scripts did to it
	HTTPStatus int    // of the last document
	HTML       []byte // the document in UTF-8, without its scripts and styles, open shadow roots in place
}

const (
	// The share of the time left that the browser gets, so that some remains for its document.
	renderShare = 0.8
	// Starting a browser and loading a page takes some 2 s at the least; with less it is not begun. Chosen.
	minRenderTime = 3 * time.Second
)

// needsScript reports a page whose text appears only when its scripts run: it says so, or it shows next to
// nothing and has scripts.
func needsScript(x document.Extraction, status Status, reason string) bool {
	switch status {
	case StatusBlocked:
		return reason == shellReason
	case StatusTooShort:
		return x.ContentType == document.TypeHTML && (x.NeedsScript || x.HasScripts && x.ForwardsTo == "" && x.ShownChars < shellChars)
	}
	return false
}

// rendered reads a page that needs its scripts in the browser, when there is one, and returns the page unchanged
// otherwise. What the browser shows is extracted and classified like any page.
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
	seen.Capture = r.capturedBody(got.HTML)
	return seen
}

// notRendered is a page that the browser could not read. A refusal by the rules, or by the site's robots.txt, is
// the page's outcome; any other error is appended to the page's reason.
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
