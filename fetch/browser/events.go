package browser

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/citeloop/citeloop/fetch/address"

	cdpfetch "github.com/chromedp/cdproto/fetch"
	"github.com/chromedp/cdproto/inspector"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"

	"github.com/citeloop/citeloop/fetch/extract/document"
)

var errMethod = errors.New("the page submits a form to continue, and forms are not submitted")

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
	case *cdpfetch.EventAuthRequired:
		go v.identify(ev)
	case *page.EventJavascriptDialogOpening:
		go v.send(page.HandleJavaScriptDialog.Method, page.HandleJavaScriptDialogParams{Accept: false})
	case *inspector.EventTargetCrashed:
		v.fail(errTab)
	case *network.EventRequestWillBeSent:
		if countsAsOpen(ev) {
			v.update(func(p *progress) {
				if !p.dropped[ev.RequestID] {
					p.open[ev.RequestID] = time.Now()
				}
			})
		}
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
				if ev.Frame.UnreachableURL != "" {
					p.failure = v.unreachable(ev.Frame.UnreachableURL, p.broken)
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

// unreachable returns the reason why the browser shows an error page instead of a document.
func (v *visit) unreachable(at, said string) error {
	u, err := url.Parse(at)
	if err != nil {
		return err
	}
	said = cmp.Or(said, "that "+u.Host+" cannot be reached")
	return v.navigationError(said, u)
}

// countsAsOpen reports whether a page is settled only after a request has finished. Streams never finish.
func countsAsOpen(ev *network.EventRequestWillBeSent) bool {
	switch ev.Type {
	case network.ResourceTypeEventSource, network.ResourceTypeWebSocket, network.ResourceTypePing:
		return false
	}
	return strings.HasPrefix(ev.Request.URL, "http")
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

// identify answers requests for a password: the page's own proxy gets its password, sites get no password.
func (v *visit) identify(ev *cdpfetch.EventAuthRequired) {
	answer := &cdpfetch.AuthChallengeResponse{Response: cdpfetch.AuthChallengeResponseResponseCancelAuth}
	if ev.AuthChallenge != nil && ev.AuthChallenge.Source == cdpfetch.AuthChallengeSourceProxy {
		answer = &cdpfetch.AuthChallengeResponse{
			Response: cdpfetch.AuthChallengeResponseResponseProvideCredentials, Username: v.proxy.user, Password: v.proxy.password,
		}
	}
	v.send(cdpfetch.ContinueWithAuth.Method, cdpfetch.ContinueWithAuthParams{RequestID: ev.RequestID, AuthChallengeResponse: answer})
}

// unread are the types of requests that do not contribute text.
var unread = []network.ResourceType{
	network.ResourceTypeImage, network.ResourceTypeMedia, network.ResourceTypeFont, network.ResourceTypeTextTrack, network.ResourceTypeManifest,
	network.ResourceTypePing, network.ResourceTypePrefetch, network.ResourceTypeSignedExchange, network.ResourceTypeCSPViolationReport, network.ResourceTypeFedCM,
}

// needless reports a request that does not contribute text: one of those types, an icon, or a prefetch.
func needless(ev *cdpfetch.EventRequestPaused) bool {
	header := func(name string) string {
		s, _ := ev.Request.Headers[name].(string)
		return s
	}
	return slices.Contains(unread, ev.ResourceType) || strings.HasPrefix(header("Sec-Purpose"), "prefetch") ||
		ev.ResourceType == network.ResourceTypeOther && strings.HasPrefix(header("Accept"), "image/")
}

// decide allows a request or not. The proxy makes the final decision about its address.
func (v *visit) decide(ev *cdpfetch.EventRequestPaused) {
	refuse := func() {
		v.update(func(p *progress) { // for some of these the browser sends no end
			p.dropped[ev.NetworkID] = true
			delete(p.open, ev.NetworkID)
		})
		v.send(cdpfetch.FailRequest.Method, cdpfetch.FailRequestParams{RequestID: ev.RequestID,
			ErrorReason: network.ErrorReasonBlockedByClient})
	}
	u, err := url.Parse(ev.Request.URL)
	switch {
	case err != nil || u.Scheme != "http" && u.Scheme != "https" && u.Scheme != "data" && u.Scheme != "blob", needless(ev):
		refuse()
	case ev.ResourceType == network.ResourceTypeStylesheet:
		// An empty response: scripts wait for their styles, and would handle a failure as their own.
		v.send(cdpfetch.FulfillRequest.Method, cdpfetch.FulfillRequestParams{
			RequestID: ev.RequestID, ResponseCode: http.StatusOK,
			ResponseHeaders: []*cdpfetch.HeaderEntry{{Name: "Content-Type", Value: "text/css"},
				{Name: "Access-Control-Allow-Origin", Value: "*"}},
		})
	case ev.ResourceType == network.ResourceTypeDocument && ev.FrameID != v.frame: // frames are not part of the document
		refuse()
	case ev.ResourceType == network.ResourceTypeDocument:
		if err := v.mayLoad(ev, u); err != nil {
			v.fail(err)
			refuse()
			return
		}
		v.send(cdpfetch.ContinueRequest.Method, cdpfetch.ContinueRequestParams{RequestID: ev.RequestID})
	default:
		v.send(cdpfetch.ContinueRequest.Method, cdpfetch.ContinueRequestParams{RequestID: ev.RequestID})
	}
}

// mayLoad reports whether the page may navigate to another document.
func (v *visit) mayLoad(ev *cdpfetch.EventRequestPaused, u *url.URL) error {
	count := 0
	v.update(func(p *progress) {
		p.documents++
		count = p.documents
	})
	if count > v.cfg.limits.documents {
		return fmt.Errorf("%w: more than %d documents, one after the other", errLimit, v.cfg.limits.documents)
	}
	if ev.Request.Method != http.MethodGet {
		return errMethod
	}
	ctx, cancel := context.WithCancel(v.tab)
	defer cancel()
	return v.allow(ctx, u)
}

// navigationError returns why a document did not load: the proxy's reason if there is one, else the browser's.
func (v *visit) navigationError(text string, at *url.URL) error {
	if err := v.proxy.refusal(address.HostPort(at)); err != nil {
		return err
	}
	return fmt.Errorf("browser error: %s", strings.TrimPrefix(text, "net::"))
}
