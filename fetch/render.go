package fetch

import (
	"context"
	"net/http"
	"net/url"
	"time"

	"github.com/citeloop/citeloop/fetch/address"
	"github.com/citeloop/citeloop/fetch/extract/document"
)

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
