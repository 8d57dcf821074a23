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

// failed converts an error to a page with a status and a reason.
func failed(err error) Page {
	var (
		forbidden *address.ForbiddenError
		urlErr    *url.Error
		dnsErr    *net.DNSError
		netErr    net.Error
		opErr     *net.OpError
		errno     syscall.Errno
		down      *HostDownError
	)
	cause := err
	if errors.As(err, &urlErr) { // its text repeats the method and the address
		cause = urlErr.Err
	}
	switch {
	case errors.As(err, &forbidden):
		return Page{Status: StatusBlocked, Reason: forbidden.Error()}
	case errors.As(err, &down):
		return Page{Status: StatusError, Reason: down.Error(), RetryAfter: down.Left}
	case errors.Is(err, errRobots):
		return Page{Status: StatusRobots, Reason: strings.TrimPrefix(cause.Error(), errRobots.Error()+": ")}
	case errors.Is(err, document.ErrUnsupported):
		return Page{Status: StatusUnsupported, Reason: strings.TrimPrefix(err.Error(), document.ErrUnsupported.Error()+": ")}
	case errors.Is(err, errStalled):
		return Page{Status: StatusTimeout, Reason: errStalled.Error()}
	case errors.Is(err, context.Canceled):
		return Page{Status: StatusTimeout, Reason: "reading was cancelled"}
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, os.ErrDeadlineExceeded), errors.As(err, &netErr) && netErr.Timeout():
		return Page{Status: StatusTimeout, Reason: "the page did not arrive within the time allowed; the server is slow or does not answer"}
	case errors.As(err, &dnsErr) && dnsErr.IsNotFound:
		return Page{Status: StatusError, Reason: fmt.Sprintf("the host %s does not exist", dnsErr.Name), NoHost: true}
	case errors.As(err, &dnsErr): // its text has the address of a name server
		return Page{Status: StatusError, Reason: fmt.Sprintf("the name of the host %s could not be looked up", dnsErr.Name)}
	case errors.As(err, &opErr) && errors.As(err, &errno): // its text has addresses, of a proxy too
		return Page{Status: StatusError, Reason: "the connection failed: " + errno.Error()}
	case errors.Is(err, limit.ErrTooLarge):
		return Page{Status: StatusError, Reason: "the page is " + cause.Error()}
	case errors.Is(err, errEncoding):
		return Page{Status: StatusError, Reason: "the page could not be unpacked: " + cause.Error()}
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		return Page{Status: StatusError, Reason: "the server closed the connection before the page was whole"}
	case errors.Is(err, ErrTooManyRedirects):
		return Page{Status: StatusError, Reason: cause.Error()}
	default:
		return Page{Status: StatusError, Reason: "the page could not be read: " + cause.Error()}
	}
}

// answered returns the page for a response before its body is extracted. Its status is StatusRead if the body may contain
// the text.
func answered(resp *http.Response, now time.Time) Page {
	p := Page{FinalURL: resp.Request.URL.String(), HTTPStatus: resp.StatusCode}
	code := resp.StatusCode
	say := func(s Status, reason string) {
		p.Status, p.Reason = s, fmt.Sprintf("%s (HTTP %d)", reason, code)
	}
	switch {
	case code >= 200 && code < 300:
		p.Status = StatusRead
	case code == http.StatusNotFound, code == http.StatusGone:
		say(StatusNotFound, "there is no page at this address")
	case code == http.StatusUnauthorized:
		say(StatusBlocked, loginReason)
	case code == http.StatusPaymentRequired:
		say(StatusPaywalled, "the site asks for payment")
	case code == http.StatusForbidden:
		say(StatusBlocked, deniedReason)
	case code == http.StatusUnavailableForLegalReasons:
		say(StatusBlocked, "the site withholds the page for legal reasons")
	case code == http.StatusTooManyRequests:
		p.RetryAfter = resilience.RetryAfter(resp.Header, now)
		say(StatusBlocked, "the site asks for fewer requests; "+tryAgain(p.RetryAfter))
	case code == http.StatusServiceUnavailable:
		p.RetryAfter = resilience.RetryAfter(resp.Header, now)
		say(StatusError, "the site is unavailable; "+tryAgain(p.RetryAfter))
	case code >= 500:
		say(StatusError, "the site failed to answer")
	case code >= 300 && code < 400:
		say(StatusError, "the site redirects without saying where to")
	default:
		say(StatusError, "the site does not accept the request")
	}
	return p
}

func tryAgain(after time.Duration) string {
	if after > 0 {
		return fmt.Sprintf("try again after %s", after.Round(time.Second))
	}
	return "try again later"
}

// challenge recognises a bot check in an error response, and reports it instead of the HTTP status.
func challenge(p Page, resp *http.Response, body []byte) Page {
	if resp.StatusCode != http.StatusForbidden && resp.StatusCode != http.StatusServiceUnavailable && resp.StatusCode != http.StatusTooManyRequests {
		return p
	}
	if resp.Header.Get("Cf-Mitigated") != "challenge" && !saysChallenge(string(body)) {
		return p
	}
	p.Status, p.Reason = StatusBlocked, fmt.Sprintf("%s (HTTP %d)", challengeReason, resp.StatusCode)
	return p
}

// offlineReason says why no address can be read.
const offlineReason = "no network connection: no public host name can be looked up"

// knownHosts exist as long as the web does. If none of them can be looked up, the fault is not the address's.
func knownHosts() []string { return []string{"doi.org", "archive.org"} }

// offlineTime is how long the look-up of each known host may take (chosen).
const offlineTime = 2 * time.Second

// failedThere is [failed] for a request. Without a network, every host seems not to exist: name servers of machines that are
// offline differ in what they answer.
func failedThere(ctx context.Context, err error, resolver *net.Resolver) Page {
	page := failed(err)
	var dns *net.DNSError
	switch {
	case errors.Is(err, syscall.ENETUNREACH):
		page.Offline, page.Reason = true, "no network connection: no route to the host"
	case errors.As(err, &dns) && offline(ctx, resolver):
		page = Page{Status: StatusError, Offline: true, Reason: offlineReason}
	}
	return page
}

// offline reports whether none of the known hosts can be looked up.
func offline(ctx context.Context, resolver *net.Resolver) bool {
	for _, host := range knownHosts() {
		looking, cancel := context.WithTimeout(ctx, offlineTime)
		_, err := cmp.Or(resolver, net.DefaultResolver).LookupHost(looking, host)
		cancel()
		if err == nil {
			return false
		}
	}
	return ctx.Err() == nil
}
