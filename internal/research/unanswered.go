package research

import (
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"net/url"
	"syscall"

	"github.com/openai/openai-go/v3/packages/ssestream"
)

// notAnswered gives a failed round trip its failure. Errors of the transport are not repeated word for word: they
// name addresses of the network.
func (m *Model) notAnswered(err error) *failure {
	if f, ok := errors.AsType[*failure](err); ok {
		return f
	}
	if broken, ok := errors.AsType[*ssestream.StreamError](err); ok {
		f := errorWords(broken.Event.Data)
		f.ModelError = ModelError{Kind: Unavailable, Problem: "the endpoint broke off the answer: " + oneLine(m.redact(f.words), maxWords)}
		f.retry, f.worked = true, true
		return f
	}
	if whole, ok := errors.AsType[*url.Error](err); ok {
		err = whole.Err
	}
	const look = "Look at its address, and whether it is running"
	host := m.base.Host
	var dns *net.DNSError
	var op *net.OpError
	switch {
	case errors.Is(err, errAnswerTooLarge):
		return &failure{ModelError: ModelError{Kind: BadAnswer, Problem: errAnswerTooLarge.Error()}, worked: true}
	case errors.As(err, &dns):
		return &failure{ModelError: ModelError{Misconfigured, "there is no host " + m.base.Hostname(), look}}
	case errors.Is(err, syscall.ECONNREFUSED):
		return &failure{ModelError: ModelError{Misconfigured, "nothing listens at " + host, look}}
	case errors.As(err, new(*tls.CertificateVerificationError)):
		return &failure{ModelError: ModelError{Misconfigured, "the certificate of " + host + " is not trusted", ""}}
	case errors.As(err, new(tls.RecordHeaderError)):
		return &failure{ModelError: ModelError{Misconfigured, host + " does not speak TLS", "Its address may begin with http, not https"}}
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, context.Canceled):
		return &failure{ModelError: ModelError{Kind: Unavailable, Problem: host + " did not answer in time"}, retry: true, worked: true}
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, syscall.ECONNRESET), errors.Is(err, syscall.EPIPE),
		errors.As(err, &op) && (op.Op == "read" || op.Op == "write"):
		return &failure{ModelError: ModelError{Kind: Unavailable, Problem: host + " cut the connection"}, retry: true, worked: true}
	case errors.As(err, &op):
		return &failure{ModelError: ModelError{Kind: Unavailable, Problem: host + " could not be reached", Next: look}, retry: true}
	}
	return &failure{ModelError: ModelError{Kind: Unavailable, Problem: "the answer of " + host + " cannot be read"}, retry: true, worked: true}
}
