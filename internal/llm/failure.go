package judge

import (
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"net/url"
	"syscall"
)

// failure is why a request brought no answer.
type failure struct {
	message string // for people; never the key
	retry   bool   // the same request may succeed later
	final   bool   // no request will succeed before the configuration changes
	spent   bool   // the endpoint may have begun to work, and to count
	refusal refusal
}

func (f *failure) Error() string { return f.message }

// EndpointError says why an endpoint cannot be used as it is configured.
type EndpointError struct {
	Host    string
	Problem string
}

func (e *EndpointError) Error() string { return "judge: " + e.Host + ": " + e.Problem }

var errTooLarge = errors.New("judge: answer too large")

// notAnswered gives a failed round trip its failure. Errors of the transport are not repeated word for word:
// they name addresses of the network.
func notAnswered(err error) *failure {
	if f, ok := errors.AsType[*failure](err); ok {
		return f
	}
	if whole, ok := errors.AsType[*url.Error](err); ok {
		err = whole.Err
	}
	var dns *net.DNSError
	var op *net.OpError
	switch {
	case errors.Is(err, errTooLarge):
		return &failure{message: "the endpoint's answer is larger than " + maxBodyText, spent: true}
	case errors.As(err, &dns):
		return &failure{message: "the endpoint's name does not resolve", final: true}
	case errors.Is(err, syscall.ECONNREFUSED):
		return &failure{message: "the endpoint refuses connections", final: true}
	case errors.As(err, new(*tls.CertificateVerificationError)):
		return &failure{message: "the endpoint's certificate is not trusted", final: true}
	case errors.As(err, new(tls.RecordHeaderError)):
		return &failure{message: "the endpoint does not speak TLS: its address may begin with http, not https", final: true}
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, syscall.ECONNRESET), errors.Is(err, syscall.EPIPE),
		errors.As(err, &op) && (op.Op == "read" || op.Op == "write"):
		return &failure{message: "the endpoint cut the connection", retry: true, spent: true}
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, context.Canceled):
		return &failure{message: "the endpoint did not answer in time", spent: true}
	}
	return &failure{message: "the endpoint could not be reached"}
}
