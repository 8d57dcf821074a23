package judge

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"
)

// Judge asks one model at one endpoint. It is safe for concurrent use.
type Judge struct {
	cfg     Config
	host    string
	chat    openai.ChatCompletionService
	slots   chan struct{}
	pace    pace
	dialect atomic.Pointer[dialect] // the one that was understood last
}

// New checks the configuration; errors are [*ConfigError]. Nothing is sent before the first Opine.
func New(cfg Config) (*Judge, error) {
	at, err := readEndpoint(cfg.URL)
	if err != nil {
		return nil, err
	}
	if cfg, err = cfg.completed(); err != nil {
		return nil, err
	}
	j := &Judge{cfg: cfg, host: at.base.Host, slots: make(chan struct{}, cfg.MaxConcurrent)}
	j.dialect.Store(&dialect{})
	options := []option.RequestOption{
		option.WithBaseURL(at.base.String()),
		option.WithHTTPClient(client(cfg)),
		option.WithMaxRetries(0), // this package knows the deadline and counts what is spent
		option.WithMiddleware(j.receive),
		option.WithHeader("User-Agent", "citeloop"),
	}
	for _, name := range []string{"Lang", "Package-Version", "Os", "Arch", "Runtime", "Runtime-Version", "Retry-Count", "Timeout"} {
		options = append(options, option.WithHeaderDel("X-Stainless-"+name)) // nobody's business
	}
	if !cfg.Key.IsZero() {
		options = append(options, option.WithAPIKey(cfg.Key.reveal()))
	}
	// Not openai.NewClient: it would take keys, organisation and addresses out of the environment.
	j.chat = openai.NewChatCompletionService(options...)
	return j, nil
}

// client never follows a redirect: a judge that moved is a configuration to be corrected, and the texts were
// meant for the configured host alone.
func client(cfg Config) *http.Client {
	c := &http.Client{}
	if cfg.HTTPClient != nil {
		*c = *cfg.HTTPClient
	} else if t, ok := http.DefaultTransport.(*http.Transport); ok {
		t = t.Clone()
		t.MaxIdleConnsPerHost = cfg.MaxConcurrent
		c.Transport = t
	}
	c.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return c
}

// String names the endpoint and the model.
func (j *Judge) String() string { return j.cfg.String() }

// Format answers every verb as String does.
func (j *Judge) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, j.String()) }

// LogValue implements slog.LogValuer.
func (j *Judge) LogValue() slog.Value { return slog.StringValue(j.String()) }

const (
	maxBodyBytes  = 1 << 20 // of a response; an answer has some kB, thoughts included
	maxBodyText   = "1 MB"
	maxErrorBytes = 64 << 10
)

// receive stands between the client library and the wire: it turns refusals into failures before the library
// reads them whole, and bounds the bodies that it does read.
func (j *Judge) receive(req *http.Request, next option.MiddlewareNext) (*http.Response, error) {
	resp, err := next(req)
	if err != nil {
		return nil, err
	}
	if resp.StatusCode < 200 || resp.StatusCode >= 300 {
		defer resp.Body.Close()
		body, _ := io.ReadAll(io.LimitReader(resp.Body, maxErrorBytes)) // a refusal is one, whether or not its words arrived whole
		return nil, readRefusal(resp, body, j.cfg.Key, time.Now()).failure()
	}
	if isPage(resp.Header) {
		_ = resp.Body.Close()
		return nil, &failure{message: "the address leads to a web page, not to an API; most base addresses end in /v1", final: true}
	}
	resp.Body = &boundedBody{body: resp.Body, left: maxBodyBytes}
	return resp, nil
}

// boundedBody fails, instead of ending, where a body is too long.
type boundedBody struct {
	body io.ReadCloser
	left int
}

func (b *boundedBody) Read(p []byte) (int, error) {
	n, err := b.body.Read(p[:min(len(p), b.left+1)])
	if b.left -= n; b.left < 0 {
		return 0, errTooLarge
	}
	return n, err
}

func (b *boundedBody) Close() error { return b.body.Close() }

// reply is the raw answer to one request.
type reply struct {
	raw  []byte
	took time.Duration
}

// send makes one request. The context bounds it, body included.
func (j *Judge) send(ctx context.Context, p prompt, d dialect) (reply, error) {
	ctx, cancel := context.WithTimeout(ctx, j.cfg.RequestTimeout)
	defer cancel()
	start := time.Now()
	var r reply
	_, err := j.chat.New(ctx, d.request(j.cfg.Model, j.cfg.MaxTokens, p), option.WithResponseBodyInto(&r.raw))
	r.took = time.Since(start)
	result := "answered"
	if err != nil {
		f := notAnswered(err)
		result, err = f.message, f
	}
	j.cfg.Logger.LogAttrs(ctx, slog.LevelDebug, "asked the judge", slog.String("host", j.host), slog.String("model", j.cfg.Key.redact(j.cfg.Model)),
		slog.String("format", d.formatName()), slog.String("result", result), slog.Duration("took", r.took))
	return r, err
}
