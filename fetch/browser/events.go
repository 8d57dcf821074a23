package browser

import (
	"cmp"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	cdpfetch "github.com/chromedp/cdproto/fetch"
	"github.com/chromedp/cdproto/inspector"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"

	"github.com/citeloop/citeloop/fetch/address"
	"github.com/citeloop/citeloop/fetch/extract/document"
)

var (
	errLimit  = errors.New("the page exceeded a limit")
	errMethod = errors.New("the page submits a form to continue, and forms are not submitted")
	errTab    = errors.New("the page crashed its browser tab")
)

// event handles an event of the browser. One goroutine calls it, and it must not wait for the browser.
func (v *visit) event(ev any) {
	switch ev := ev.(type) {
	case *cdpfetch.EventRequestPaused:
		over := false
		v.update(func(p *progress) {
			p.requests++
			over = p.requests > v.cfg.limits.requests
		})
		if over { // the request stays paused until the page is closed
			v.fail(fmt.Errorf("%w: more than %d requests", errLimit, v.cfg.limits.requests))
			return
		}
		go v.decide(ev)
	case *page.EventJavascriptDialogOpening:
		go v.send(page.HandleJavaScriptDialog.Method, page.HandleJavaScriptDialogParams{Accept: false})
	case *inspector.EventTargetCrashed:
		v.fail(errTab)
	case *network.EventRequestWillBeSent:
		switch ev.Type {
		case network.ResourceTypeEventSource, network.ResourceTypeWebSocket, network.ResourceTypePing: // these may never finish
			return
		}
		v.update(func(p *progress) {
			if strings.HasPrefix(ev.Request.URL, "http") && !p.dropped[ev.RequestID] {
				p.open[ev.RequestID] = time.Now()
			}
		})
	case *network.EventLoadingFinished:
		v.update(func(p *progress) { delete(p.open, ev.RequestID) })
	case *network.EventLoadingFailed:
		v.update(func(p *progress) {
			delete(p.open, ev.RequestID)
			if ev.Type == network.ResourceTypeDocument { // of the page itself: documents of frames are not requested
				p.broken = ev.ErrorText
			}
		})
	case *network.EventResponseReceived:
		if ev.Type == network.ResourceTypeDocument && ev.FrameID == v.frame {
			v.answered(ev.Response)
		}
	case *page.EventFrameNavigated:
		if ev.Frame.ID == v.frame {
			v.update(func(p *progress) {
				p.address, p.parsed = ev.Frame.URL+ev.Frame.URLFragment, false
				if u, err := url.Parse(ev.Frame.UnreachableURL); err == nil && u.Host != "" {
					p.failure = v.navigationError(cmp.Or(p.broken, "that "+u.Host+" cannot be reached"), u)
				}
			})
		}
	case *page.EventNavigatedWithinDocument:
		if ev.FrameID == v.frame {
			v.update(func(p *progress) { p.address = ev.URL })
		}
	case *page.EventDomContentEventFired:
		v.update(func(p *progress) { p.parsed = true })
	}
}

// send sends the browser a command and ignores its result.
func (v *visit) send(method string, params any) {
	_ = v.commands(true, []command{{method, params}})
}

// answered records the response with a document of the page itself.
func (v *visit) answered(r *network.Response) {
	v.update(func(p *progress) {
		p.status = int(r.Status)
		switch r.MimeType {
		case "text/html", "application/xhtml+xml", "text/plain":
		default:
			p.failure = fmt.Errorf("%w: the page leads to %s, which cannot be rendered", document.ErrUnsupported, r.MimeType)
		}
	})
}

// textual are the types of requests that may contribute text. Workers are of the type Other.
var textual = []network.ResourceType{network.ResourceTypeDocument, network.ResourceTypeStylesheet, network.ResourceTypeScript,
	network.ResourceTypeXHR, network.ResourceTypeFetch, network.ResourceTypeEventSource, network.ResourceTypeWebSocket,
	network.ResourceTypePreflight, network.ResourceTypeOther}

// decide allows a request or not. The proxy makes the final decision about its address.
func (v *visit) decide(ev *cdpfetch.EventRequestPaused) {
	var forbidden error
	u, err := url.Parse(ev.Request.URL)
	accept, _ := ev.Request.Headers["Accept"].(string) // icons, and pages that are loaded ahead, are Other as well
	purpose, _ := ev.Request.Headers["Sec-Purpose"].(string)
	allowed := err == nil && slices.Contains([]string{"http", "https", "data", "blob"}, u.Scheme) &&
		slices.Contains(textual, ev.ResourceType) && !strings.HasPrefix(accept, "image/") && !strings.HasPrefix(purpose, "prefetch")
	switch {
	case allowed && ev.ResourceType == network.ResourceTypeStylesheet:
		// An empty response: scripts wait for their styles, and would handle a failure as their own.
		v.send(cdpfetch.FulfillRequest.Method, cdpfetch.FulfillRequestParams{
			RequestID: ev.RequestID, ResponseCode: http.StatusOK,
			ResponseHeaders: []*cdpfetch.HeaderEntry{{Name: "Content-Type", Value: "text/css"},
				{Name: "Access-Control-Allow-Origin", Value: "*"}},
		})
		return
	case allowed && ev.ResourceType == network.ResourceTypeDocument:
		if allowed = ev.FrameID == v.frame; allowed { // frames are not part of the document
			forbidden = v.mayLoad(ev, u)
			allowed = forbidden == nil
		}
	}
	if allowed {
		v.send(cdpfetch.ContinueRequest.Method, cdpfetch.ContinueRequestParams{RequestID: ev.RequestID})
		return
	}
	v.update(func(p *progress) { // for some of these the browser sends no end
		p.dropped[ev.NetworkID] = true
		delete(p.open, ev.NetworkID)
	})
	v.send(cdpfetch.FailRequest.Method, cdpfetch.FailRequestParams{RequestID: ev.RequestID,
		ErrorReason: network.ErrorReasonBlockedByClient})
	if forbidden != nil { // after its request has failed: the browser goes on with paused requests when the visit ends
		v.fail(forbidden)
	}
}

// mayLoad reports whether the page may navigate to another document.
func (v *visit) mayLoad(ev *cdpfetch.EventRequestPaused, u *url.URL) error {
	count := 0
	v.update(func(p *progress) {
		p.documents++
		count = p.documents
	})
	switch {
	case count > v.cfg.limits.documents:
		return fmt.Errorf("%w: more than %d documents, one after the other", errLimit, v.cfg.limits.documents)
	case ev.Request.Method != http.MethodGet:
		return errMethod
	}
	return v.allow(v.tab, u)
}

// navigationError returns why a document did not load: the proxy's reason if there is one, else the browser's.
func (v *visit) navigationError(text string, at *url.URL) error {
	if err := v.proc.proxy.refusal(address.HostPort(at)); err != nil {
		return err
	}
	return fmt.Errorf("browser error: %s", strings.TrimPrefix(text, "net::"))
}
