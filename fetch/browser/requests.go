package browser

import (
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strings"

	cdpfetch "github.com/chromedp/cdproto/fetch"
	"github.com/chromedp/cdproto/network"
)

var errMethod = errors.New("the page submits a form to continue, and forms are not submitted")

// textual are the types of requests that may contribute text. Workers are of the type Other.
var textual = []network.ResourceType{network.ResourceTypeDocument, network.ResourceTypeStylesheet, network.ResourceTypeScript,
	network.ResourceTypeXHR, network.ResourceTypeFetch, network.ResourceTypeEventSource, network.ResourceTypeWebSocket,
	network.ResourceTypePreflight, network.ResourceTypeOther}

// decide allows a request or not. The proxy makes the final decision about its address.
func (v *visit) decide(ev *cdpfetch.EventRequestPaused) {
	u, err := url.Parse(ev.Request.URL)
	accept, _ := ev.Request.Headers["Accept"].(string) // icons, and pages that are loaded ahead, are Other as well
	purpose, _ := ev.Request.Headers["Sec-Purpose"].(string)
	allowed := err == nil && slices.Contains([]string{"http", "https", "data", "blob"}, u.Scheme) &&
		slices.Contains(textual, ev.ResourceType) && !strings.HasPrefix(accept, "image/") && !strings.HasPrefix(purpose, "prefetch")
	var refusal error
	switch {
	case allowed && ev.ResourceType == network.ResourceTypeStylesheet:
		// An empty response: scripts wait for their styles, and would handle a failure as their own.
		v.send(cdpfetch.FulfillRequest.Method, cdpfetch.FulfillRequestParams{
			RequestID: ev.RequestID, ResponseCode: http.StatusOK,
			ResponseHeaders: []*cdpfetch.HeaderEntry{{Name: "Content-Type", Value: "text/css"},
				{Name: "Access-Control-Allow-Origin", Value: "*"}},
		})
		return
	case allowed && ev.ResourceType == network.ResourceTypeDocument && ev.FrameID != v.frame: // frames are not part of the document
		allowed = false
	case allowed && ev.ResourceType == network.ResourceTypeDocument:
		refusal = v.mayLoad(ev.Request.Method, u)
		allowed = refusal == nil
	}
	if allowed {
		v.send(cdpfetch.ContinueRequest.Method, cdpfetch.ContinueRequestParams{RequestID: ev.RequestID})
		return
	}
	v.send(cdpfetch.FailRequest.Method, cdpfetch.FailRequestParams{RequestID: ev.RequestID,
		ErrorReason: network.ErrorReasonBlockedByClient})
	if refusal != nil { // after its request has failed: the browser goes on with paused requests when the visit ends
		v.fail(refusal)
	}
}

// mayLoad reports whether the page may navigate to another document.
func (v *visit) mayLoad(method string, u *url.URL) error {
	v.update(func(p *progress) {
		p.documents++
		p.loading, p.pending = u, true
	})
	if method != http.MethodGet {
		return errMethod
	}
	return v.allow(v.tab, u)
}
