package fetch

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"strings"
	"syscall"
	"time"

	"github.com/citeloop/citeloop/fetch/address"
	"github.com/citeloop/citeloop/fetch/extract/document"
	"github.com/citeloop/citeloop/fetch/extract/limit"
	"github.com/citeloop/citeloop/internal/resilience"
)

// Explain returns the status of a request or reading that failed, and the reason in words that name no address of a private
// network and no key.
func Explain(err error) (Status, string) {
	p := failed(err)
	return p.Status, p.Reason
}

// failed converts an error to a page with a status and a reason.
func failed(err error) Page {
	cause := err
	if at, ok := errors.AsType[*url.Error](err); ok { // its text repeats the method and the address
		cause = at.Err
	}
	if down, ok := errors.AsType[*resilience.DownError](err); ok {
		return Page{Status: StatusError, Reason: down.Error(), RetryAfter: down.Left}
	}
	if busy, ok := errors.AsType[*resilience.BusyError](err); ok {
		return Page{Status: StatusTimeout, Reason: busy.Error(), RetryAfter: busy.Wait}
	}
	say := func(s Status, format string, args ...any) Page {
		return Page{Status: s, Reason: fmt.Sprintf(format, args...)}
	}
	without := func(prefix error) string { return strings.TrimPrefix(cause.Error(), prefix.Error()+": ") }
	forbidden, refused := errors.AsType[*address.ForbiddenError](err)
	dns, unnamed := errors.AsType[*net.DNSError](err)
	network, _ := errors.AsType[net.Error](err)
	_, dialled := errors.AsType[*net.OpError](err)
	errno, said := errors.AsType[syscall.Errno](err)
	switch {
	case refused:
		return say(StatusBlocked, "%s", forbidden)
	case errors.Is(err, errRobots):
		return say(StatusRobots, "%s", without(errRobots))
	case errors.Is(err, document.ErrUnsupported):
		return say(StatusUnsupported, "%s", without(document.ErrUnsupported))
	case errors.Is(err, context.Canceled):
		return say(StatusTimeout, "reading was cancelled")
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, os.ErrDeadlineExceeded), network != nil && network.Timeout():
		return say(StatusTimeout, "no answer within the time allowed: the server is slow or does not answer")
	case unnamed && dns.IsNotFound:
		return Page{Status: StatusError, Reason: fmt.Sprintf("the host %s does not exist", dns.Name), NoHost: true}
	case unnamed: // its text has the address of a name server
		return say(StatusError, "the name of the host %s could not be looked up", dns.Name)
	case dialled && said: // its text has addresses, of a proxy too
		return say(StatusError, "the connection failed: %s", errno)
	case errors.Is(err, limit.ErrTooLarge):
		return say(StatusError, "the page is %s", cause)
	case errors.Is(err, errEncoding):
		return say(StatusError, "the page could not be unpacked: %s", cause)
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		return say(StatusError, "the server closed the connection before the page was whole")
	case errors.Is(err, ErrTooManyRedirects):
		return say(StatusError, "%s", cause)
	}
	return say(StatusError, "the page could not be read: %s", cause)
}

// Reasons that two checks share.
const (
	challengeReason = "the site answers with a bot check that a program cannot pass"
	deniedReason    = "the site refuses automatic readers, or this one"
	loginReason     = "the site asks for a log-in"
	shellReason     = "the page is a shell that needs JavaScript to show its text"
)

// outcomes are the statuses of HTTP that say more than that there is no page.
var outcomes = map[int]struct {
	status Status
	reason string
}{
	http.StatusUnauthorized:               {StatusBlocked, loginReason},
	http.StatusPaymentRequired:            {StatusPaywalled, "the site asks for payment"},
	http.StatusForbidden:                  {StatusBlocked, deniedReason},
	http.StatusNotFound:                   {StatusNotFound, "there is no page at this address"},
	http.StatusGone:                       {StatusNotFound, "there is no page at this address"},
	http.StatusTooManyRequests:            {StatusBlocked, "the site asks for fewer requests; try again "},
	http.StatusUnavailableForLegalReasons: {StatusBlocked, "the site withholds the page for legal reasons"},
	http.StatusServiceUnavailable:         {StatusError, "the site is unavailable; try again "},
}

// answered returns the page for a response before its body is extracted. Its status is StatusRead if the body may contain
// the text. body is that of an error, to tell a bot check from a refusal.
func answered(resp *http.Response, body []byte, now time.Time) Page {
	code := resp.StatusCode
	p := Page{FinalURL: resp.Request.URL.String(), HTTPStatus: code, Status: StatusRead}
	if code >= 200 && code < 300 {
		return p
	}
	known, ok := outcomes[code]
	p.Status, p.Reason = known.status, known.reason
	later := code == http.StatusServiceUnavailable || code == http.StatusTooManyRequests
	switch {
	case (later || code == http.StatusForbidden) &&
		(resp.Header.Get("Cf-Mitigated") == "challenge" || challengeWords.MatchString(string(body))):
		p.Status, p.Reason = StatusBlocked, challengeReason
	case later:
		when := "later"
		if p.RetryAfter = resilience.RetryAfter(resp.Header, now); p.RetryAfter > 0 {
			when = "after " + p.RetryAfter.Round(time.Second).String()
		}
		p.Reason += when
	case ok:
	case code >= 500:
		p.Status, p.Reason = StatusError, "the site failed to answer"
	case code >= 400:
		p.Status, p.Reason = StatusError, "the site does not accept the request"
	default:
		p.Status, p.Reason = StatusError, "the site redirects without saying where to"
	}
	p.Reason = fmt.Sprintf("%s (HTTP %d)", p.Reason, code)
	return p
}

// failedThere is [failed] for a request. Without a network, every host seems not to exist: name servers of machines that are
// offline differ in what they answer. A machine is offline if no host can be looked up that exists as long as the web does.
func failedThere(ctx context.Context, err error, resolver *net.Resolver) Page {
	if ctx.Err() != nil { // the connection was closed because of it
		return failed(ctx.Err())
	}
	page := failed(err)
	var dns *net.DNSError
	switch {
	case errors.Is(err, syscall.ENETUNREACH):
		page.Offline, page.Reason = true, "no network connection: no route to the host"
	case errors.As(err, &dns) && !found(ctx, resolver, "doi.org") && !found(ctx, resolver, "archive.org") && ctx.Err() == nil:
		return Page{Status: StatusError, Offline: true, Reason: "no network connection: no public host name can be looked up"}
	}
	return page
}

func found(ctx context.Context, resolver *net.Resolver, host string) bool {
	ctx, cancel := context.WithTimeout(ctx, 2*time.Second) // chosen
	defer cancel()
	_, err := cmp.Or(resolver, net.DefaultResolver).LookupHost(ctx, host)
	return err == nil
}
