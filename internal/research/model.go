package research

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"
	"time"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"
)

// ModelConfig says whom to ask. URL and Name are needed.
type ModelConfig struct {
	URL  string // the base address, such as https://api.openai.com/v1 or http://127.0.0.1:11434/v1
	Name string
	Key  string // empty: no Authorization header is sent, as local servers expect

	AnswerTokens int           // of one answer, thinking included; default 8,000, at most 100,000
	AnswerTime   time.Duration // of one answer; default 5 min: a model on a processor without help takes that long
	SilentTime   time.Duration // between two pieces of an answer that has begun; default 90 s

	HTTPClient *http.Client                               // default: a client of its own; redirects are never followed
	Wait       func(context.Context, time.Duration) error // between attempts; default: by the clock
	Logger     *slog.Logger                               // default: nothing is logged
}

const (
	defaultAnswerTokens = 8_000
	mostAnswerTokens    = 100_000
	defaultAnswerTime   = 5 * time.Minute
	defaultSilentTime   = 90 * time.Second
	mostNameChars       = 200
)

// Model is one model at one endpoint. It is safe for concurrent use.
type Model struct {
	cfg     ModelConfig
	base    *url.URL
	chat    openai.ChatCompletionService
	dialect atomic.Pointer[dialect] // the one that was understood last
	pace    pace
}

// NewModel checks the configuration; errors are [*ConfigError]. Nothing is sent before the first question.
func NewModel(cfg ModelConfig) (*Model, error) {
	base, err := readEndpoint(cfg.URL)
	if err != nil {
		return nil, err
	}
	cfg.Name, cfg.Key = strings.TrimSpace(cfg.Name), strings.TrimSpace(cfg.Key)
	switch {
	case cfg.Name == "":
		return nil, &ConfigError{"Name", "is empty", "name a model that the endpoint serves"}
	case len(cfg.Name) > mostNameChars || oneLine(cfg.Name, mostNameChars) != cfg.Name:
		return nil, &ConfigError{"Name", "is not the name of a model", ""}
	case strings.IndexFunc(cfg.Key, func(r rune) bool { return r <= ' ' || r > '~' }) >= 0:
		return nil, &ConfigError{"Key", "has characters that no key has", "look for a line break or a quotation mark in it"}
	case cfg.AnswerTokens < 0 || cfg.AnswerTokens > mostAnswerTokens:
		return nil, &ConfigError{"AnswerTokens", fmt.Sprintf("%d is not between 1 and %d", cfg.AnswerTokens, mostAnswerTokens), "leave it out for 8000"}
	}
	if cfg.AnswerTokens == 0 {
		cfg.AnswerTokens = defaultAnswerTokens
	}
	if cfg.AnswerTime <= 0 {
		cfg.AnswerTime = defaultAnswerTime
	}
	if cfg.SilentTime <= 0 {
		cfg.SilentTime = defaultSilentTime
	}
	if cfg.Wait == nil {
		cfg.Wait = wait
	}
	if cfg.Logger == nil {
		cfg.Logger = slog.New(slog.DiscardHandler)
	}
	m := &Model{cfg: cfg, base: base}
	m.dialect.Store(&dialect{})
	options := []option.RequestOption{
		option.WithBaseURL(base.String()),
		option.WithHTTPClient(ownClient(cfg.HTTPClient)),
		option.WithMaxRetries(0), // Ask knows what is worth another attempt, and counts what is spent
		option.WithHeader("User-Agent", "citeloop"),
	}
	for _, name := range []string{"Lang", "Package-Version", "Os", "Arch", "Runtime", "Runtime-Version", "Retry-Count", "Timeout"} {
		options = append(options, option.WithHeaderDel("X-Stainless-"+name)) // nobody's business
	}
	if cfg.Key != "" {
		options = append(options, option.WithAPIKey(cfg.Key))
	}
	// Not openai.NewClient: it would take keys, organisation and addresses out of the environment.
	m.chat = openai.NewChatCompletionService(options...)
	return m, nil
}

// ownClient never follows a redirect: the texts were meant for the configured host alone.
func ownClient(given *http.Client) *http.Client {
	c := &http.Client{}
	if given != nil {
		*c = *given
	} else if t, ok := http.DefaultTransport.(*http.Transport); ok {
		t = t.Clone()
		t.MaxIdleConnsPerHost = mostSearchers
		c.Transport = t
	}
	c.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return c
}

// String names the model and the host, and whether there is a key.
func (m *Model) String() string {
	key := "without a key"
	if m.cfg.Key != "" {
		key = "with a key"
	}
	return fmt.Sprintf("%s at %s, %s", m.redact(m.cfg.Name), m.base.Host, key)
}

// Format answers every verb as String does: the fields hold the key.
func (m *Model) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, m.String()) }

// LogValue implements slog.LogValuer.
func (m *Model) LogValue() slog.Value { return slog.StringValue(m.String()) }

// redact takes the key out of a text that others wrote, before any shortening that would leave a part of it.
func (m *Model) redact(text string) string {
	if m.cfg.Key == "" {
		return text
	}
	return strings.ReplaceAll(text, m.cfg.Key, "[key]")
}

// Tokens are what an answer took, as the endpoint says, or about.
type Tokens struct {
	Prompt, Completion int
	Estimated          bool // the endpoint did not tell
}

// Total is all of them.
func (t Tokens) Total() int { return t.Prompt + t.Completion }

func (t Tokens) plus(u Tokens) Tokens {
	return Tokens{t.Prompt + u.Prompt, t.Completion + u.Completion, t.Estimated || u.Estimated}
}

// reply is an answer of the model.
type reply struct {
	text   string
	calls  []toolCall
	cut    bool // it ended at the limit of its tokens
	tokens Tokens
}

// maxRetries after the first attempt (chosen: with the waits between them, half a minute of an endpoint's trouble).
const maxRetries = 4

// ask sends the conversation and reads the answer, which it does not add. Tokens are told beside an error as well:
// they were spent. The error is a [*ModelError], or the context's. A conversation that is too long for the model is
// shortened in place.
func (m *Model) ask(ctx context.Context, c *conversation, arrived func(chars int)) (reply, error) {
	d := *m.dialect.Load()
	var spent Tokens
	for retries := 0; ; {
		if err := m.pace.enter(ctx, m.cfg.Wait); err != nil {
			return reply{tokens: spent}, err
		}
		got, f := m.send(ctx, c, d, arrived)
		spent = spent.plus(got.tokens)
		got.tokens = spent
		if f == nil {
			m.dialect.Store(&d)
			return got, nil
		}
		if err := ctx.Err(); err != nil {
			return got, err
		}
		m.cfg.Logger.LogAttrs(ctx, slog.LevelDebug, "the model did not answer", slog.String("host", m.base.Host), slog.String("problem", f.Problem))
		if next, ok := d.next(f); ok {
			d = next
			continue
		}
		if f.tooLong && c.shorten() {
			continue
		}
		if !f.retry || retries == maxRetries || f.after > mostWait {
			return got, &f.ModelError
		}
		if f.after > 0 {
			m.pace.holdOff(f.after)
		} else if err := m.cfg.Wait(ctx, backoffBase<<retries); err != nil {
			return got, err
		}
		retries++
	}
}

// send makes one request and reads the stream that answers it.
func (m *Model) send(ctx context.Context, c *conversation, d dialect, arrived func(int)) (reply, *failure) {
	ctx, cancel := context.WithTimeout(ctx, m.cfg.AnswerTime)
	defer cancel()
	silence := time.AfterFunc(m.cfg.AnswerTime, cancel) // from the first piece on, SilentTime
	defer silence.Stop()
	var whole []byte // of an endpoint that does not stream
	stream := m.chat.NewStreaming(ctx, d.request(m.cfg.Name, m.cfg.AnswerTokens, c), option.WithMiddleware(m.received(&whole)))
	defer stream.Close()
	a := assembly{}
	for stream.Next() {
		silence.Reset(m.cfg.SilentTime)
		n, err := a.add(stream.Current())
		if err != nil {
			return m.spent(reply{}, c, &a), &failure{ModelError: ModelError{Kind: BadAnswer, Problem: err.Error()}}
		}
		if arrived != nil {
			arrived(n)
		}
	}
	if whole != nil {
		if f := a.whole(whole); f != nil {
			return m.spent(reply{}, c, &a), f
		}
	} else if err := stream.Err(); err != nil {
		f := m.notAnswered(err)
		if !f.worked && !a.begun() {
			return reply{}, f
		}
		return m.spent(reply{}, c, &a), f
	}
	got, f := a.finished()
	return m.spent(got, c, &a), f
}

// spent counts the tokens of an answer, whole or not.
func (m *Model) spent(r reply, c *conversation, a *assembly) reply {
	r.tokens = a.tokens
	if r.tokens.Prompt == 0 {
		r.tokens.Prompt, r.tokens.Estimated = c.estimate(), true
	}
	if r.tokens.Completion == 0 && a.begun() {
		r.tokens.Completion, r.tokens.Estimated = a.estimate(), true
	}
	return r
}
