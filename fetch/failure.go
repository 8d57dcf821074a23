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
	var (
		forbidden *address.ForbiddenError
		urlErr    *url.Error
		dnsErr    *net.DNSError
		netErr    net.Error
		opErr     *net.OpError
		errno     syscall.Errno
		down      *resilience.DownError
		busy      *resilience.BusyError
	)
	cause := err
	if errors.As(err, &urlErr) { // its text repeats the method and the address
		cause = urlErr.Err
	}
	say := func(s Status, format string, args ...any) Page {
		return Page{Status: s, Reason: fmt.Sprintf(format, args...)}
	}
	switch {
	case errors.As(err, &forbidden):
		return say(StatusBlocked, "%s", forbidden.Error())
	case errors.As(err, &down):
		return Page{Status: StatusError, Reason: down.Error(), RetryAfter: down.Left}
	case errors.As(err, &busy):
		return Page{Status: StatusTimeout, Reason: busy.Error(), RetryAfter: busy.Wait}
	case errors.Is(err, errRobots):
		return say(StatusRobots, "%s", strings.TrimPrefix(cause.Error(), errRobots.Error()+": "))
	case errors.Is(err, document.ErrUnsupported):
		return say(StatusUnsupported, "%s", strings.TrimPrefix(err.Error(), document.ErrUnsupported.Error()+": "))
	case errors.Is(err, errStalled):
		return say(StatusTimeout, "%s", errStalled)
	case errors.Is(err, context.Canceled):
		return say(StatusTimeout, "reading was cancelled")
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, os.ErrDeadlineExceeded), errors.As(err, &netErr) && netErr.Timeout():
		return say(StatusTimeout, "no answer within the time allowed: the server is slow or does not answer")
	case errors.As(err, &dnsErr) && dnsErr.IsNotFound:
		return Page{Status: StatusError, Reason: fmt.Sprintf("the host %s does not exist", dnsErr.Name), NoHost: true}
	case errors.As(err, &dnsErr): // its text has the address of a name server
		return say(StatusError, "the name of the host %s could not be looked up", dnsErr.Name)
	case errors.As(err, &opErr) && errors.As(err, &errno): // its text has addresses, of a proxy too
		return say(StatusError, "the connection failed: %s", errno.Error())
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

// answered returns the page for a response before its body is extracted. Its status is StatusRead if the body may contain
// the text. body is that of an error, to tell a bot check from a refusal.
func answered(resp *http.Response, body []byte, now time.Time) Page {
	code := resp.StatusCode
	p := Page{FinalURL: resp.Request.URL.String(), HTTPStatus: code, Status: StatusRead}
	if code >= 200 && code < 300 {
		return p
	}
	refused := code == http.StatusForbidden || code == http.StatusServiceUnavailable || code == http.StatusTooManyRequests
	if refused && code != http.StatusForbidden {
		p.RetryAfter = resilience.RetryAfter(resp.Header, now)
	}
	again := "try again later"
	if p.RetryAfter > 0 {
		again = fmt.Sprintf("try again after %s", p.RetryAfter.Round(time.Second))
	}
	p.Status, p.Reason = StatusError, "the site does not accept the request"
	switch {
	case refused && (resp.Header.Get("Cf-Mitigated") == "challenge" || challengeWords.MatchString(string(body))):
		p.Status, p.Reason, p.RetryAfter = StatusBlocked, challengeReason, 0
	case code == http.StatusNotFound, code == http.StatusGone:
		p.Status, p.Reason = StatusNotFound, "there is no page at this address"
	case code == http.StatusUnauthorized:
		p.Status, p.Reason = StatusBlocked, loginReason
	case code == http.StatusPaymentRequired:
		p.Status, p.Reason = StatusPaywalled, "the site asks for payment"
	case code == http.StatusForbidden:
		p.Status, p.Reason = StatusBlocked, deniedReason
	case code == http.StatusUnavailableForLegalReasons:
		p.Status, p.Reason = StatusBlocked, "the site withholds the page for legal reasons"
	case code == http.StatusTooManyRequests:
		p.Status, p.Reason = StatusBlocked, "the site asks for fewer requests; "+again
	case code == http.StatusServiceUnavailable:
		p.Reason = "the site is unavailable; " + again
	case code >= 500:
		p.Reason = "the site failed to answer"
	case code >= 300 && code < 400:
		p.Reason = "the site redirects without saying where to"
	}
	p.Reason = fmt.Sprintf("%s (HTTP %d)", p.Reason, code)
	return p
}

// failedThere is [failed] for a request. Without a network, every host seems not to exist: name servers of machines that are
// offline differ in what they answer. A machine is offline if no host can be looked up that exists as long as the web does.
func failedThere(ctx context.Context, err error, resolver *net.Resolver) Page {
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
