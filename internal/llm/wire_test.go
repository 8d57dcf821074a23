package judge

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/citeloop/citeloop/internal/grounding"
)

// at makes a judge that asks a scripted endpoint over a socket. log gets all that is logged.
func at(t *testing.T, log io.Writer, steps ...step) (*Judge, *endpointScript) {
	t.Helper()
	script := &endpointScript{t: t, steps: steps}
	server := httptest.NewServer(script)
	t.Cleanup(server.Close)
	if log == nil {
		log = io.Discard
	}
	j, err := New(Config{URL: server.URL + "/v1", Model: "m", Key: NewKey(secret), MaxConcurrent: 1, HTTPClient: server.Client(),
		Logger: slog.New(slog.NewTextHandler(log, &slog.HandlerOptions{Level: slog.LevelDebug}))})
	if err != nil {
		t.Fatal(err)
	}
	return j, script
}

const quoteOfSaid = "admissions of children to hospital fell after the vaccine was introduced"

func TestOneQuestion(t *testing.T) {
	good := opinionJSON(Supported, "P1", quoteOfSaid)
	supported := Opinion{Verdict: Supported, SourceID: "S1", Quote: quoteOfSaid, Because: "so it says"}
	long := `{"choices":[{"message":{"content":"` + strings.Repeat("x", maxBodyBytes) + `"}}]}`
	for _, row := range []struct {
		name     string
		steps    []step
		want     Opinion // Failure: a part of it
		requests int
		tokens   int  // -1: some, estimated
		final    bool // an *EndpointError
	}{
		{"a good answer", []step{says(good)}, with(supported, FormatSchema), 1, 760, false},
		{"an answer in words around", []step{says("Here:\n```json\n" + good + "\n```")}, with(supported, FormatSchema), 1, 760, false},
		{"an answer labelled as text", []step{respond(200, "text/plain", completion(good))}, with(supported, FormatSchema), 1, 760, false},
		{"an answer without a usage", []step{respond(200, "application/json", `{"choices":[{"message":{"content":`+quoted(good)+`}}]}`)}, with(supported, FormatSchema), 1, -1, false},
		{"not supported", []step{says(opinionJSON(NotSupported, "", ""))}, Opinion{Verdict: NotSupported, Because: "so it says", Format: FormatSchema}, 1, 760, false},

		{"an invented quote", []step{says(opinionJSON(Supported, "P1", "admissions fell by half in all districts"))}, failing("does not stand in the passages"), 1, 760, false},
		{"no quote", []step{says(opinionJSON(Contradicted, "P1", ""))}, failing("contradicted without a quote"), 1, 760, false},
		{"a label made up", []step{says(opinionJSON(Supported, "P7", quoteOfSaid))}, failing("is the label of no passage"), 1, 760, false},
		{"a refusal", []step{respond(200, "application/json", finished("", "stop", `"I cannot help with that."`))}, failing("the model refused: I cannot help with that."), 1, 760, false},
		{"a content filter", []step{respond(200, "application/json", finished("", "content_filter", "null"))}, failing("content filter"), 1, 760, false},
		{"a content filter of the prompt", []step{respond(400, "application/json", `{"error":{"message":"filtered","code":"content_filter"}}`)}, failing("refused the question (400 Bad Request): filtered"), 1, 0, false},
		{"cut off by the limit", []step{respond(200, "application/json", finished(good[:40], "length", "null"))}, failing("cut off at the limit of its tokens"), 1, 760, false},
		{"a tool call", []step{respond(200, "application/json", finished("", "tool_calls", "null"))}, failing("called a tool"), 1, 760, false},
		{"an empty answer", []step{says(" ")}, failing("the answer is empty"), 1, 760, false},
		{"malformed JSON inside", []step{says(`{"verdict":"supported",`)}, failing("no JSON object"), 1, 760, false},
		{"the wrong schema inside", []step{says(`{"answer":true}`)}, failing("no JSON object with a verdict"), 1, 760, false},
		{"malformed JSON outside", []step{respond(200, "application/json", `{"choices":[`)}, failing("something else than JSON"), 1, -1, false},
		{"an event stream", []step{respond(200, "text/event-stream", "data: {\"choices\":[]}\n\n")}, failing("something else than JSON"), 1, -1, false},
		{"an empty body", []step{respond(200, "application/json", "")}, failing("something else than JSON"), 1, -1, false},
		{"no choices", []step{respond(200, "application/json", `{"object":"chat.completion","choices":[]}`)}, failing("has no choices"), 1, -1, false},
		{"an error inside a 200", []step{respond(200, "application/json", `{"error":{"message":"provider is down","code":502}}`)}, failing("the endpoint reports: provider is down"), 1, -1, false},
		{"a huge body", []step{respond(200, "application/json", long)}, failing("larger than 1 MB"), 1, -1, false},
		{"a huge refusal", []step{refuses(403, strings.Repeat("no ", 100_000))}, failing("refused the question (403 Forbidden)"), 1, 0, false},
		{"a web page", []step{respond(200, "text/html; charset=utf-8", "<!doctype html>")}, failing("web page"), 1, 0, true},
		{"elsewhere", []step{respond(308, "text/plain", "", "Location", "/v2/chat/completions")}, failing("leads elsewhere"), 1, 0, true},
		{"a wrong key", []step{refuses(401, "Incorrect API key provided: "+secret)}, failing("does not accept the key"), 1, 0, true},
		{"no such model", []step{refuses(404, "The model 'm' does not exist")}, failing("no such model"), 1, 0, true},

		{"the rate, once", []step{refuses(429, "slow down", "Retry-After-Ms", "1"), says(good)}, with(supported, FormatSchema), 2, 760, false},
		{"broken, once", []step{refuses(500, "oops"), says(good)}, with(supported, FormatSchema), 2, 760, false},
		{"the rate, for longer than there is time", []step{refuses(429, "slow down", "Retry-After", "120")}, failing("slow down; it asks to wait 2m0s"), 1, 0, false},
		{"cut before the answer, once", []step{cuts(""), says(good)}, with(supported, FormatSchema), 2, -1, false},
		{"cut within the answer, once", []step{cuts(`{"choices":[`), says(good)}, with(supported, FormatSchema), 2, -1, false},

		{"no schemas", []step{refuses(400, "response_format json_schema is not supported"), says(good)}, with(supported, FormatObject), 2, 760, false},
		{"no formats at all", []step{refuses(400, "unknown field response_format"), refuses(422, "unknown field response_format"), says("Well: " + good)}, with(supported, FormatPlain), 3, 760, false},
		{"a reasoning model", []step{refuses(400, "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead."), refuses(400, "'temperature' does not support 0"), says(good)}, with(supported, FormatSchema), 3, 760, false},
		{"nothing is good enough", []step{refuses(400, "bad request")}, failing("refused the question (400 Bad Request): bad request"), 3, 0, false},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			var log bytes.Buffer
			j, script := at(t, &log, row.steps...)
			q := question(grounding.Unsupported, 0.15, nil, said)
			opinions, usage, err := j.Opine(t.Context(), []Question{q})
			if len(opinions) != 1 {
				t.Fatalf("%d opinions", len(opinions))
			}
			got := opinions[0]
			if row.want.Failure != "" {
				if !strings.Contains(got.Failure, row.want.Failure) || got.Verdict != "" || got.Quote != "" || got.Format == "" {
					t.Errorf("got %+v, want the failure %q", got, row.want.Failure)
				}
				if v := Combine(q, got); v.Status != q.Verdict.Status || v.Support != q.Verdict.Support {
					t.Errorf("a failure changed the verdict to %s %.2f", v.Status, v.Support)
				}
			} else if diff := cmp.Diff(row.want, got); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
			if n := len(script.requests()); n != row.requests || usage.Requests != n {
				t.Errorf("%d requests, %d counted, want %d", n, usage.Requests, row.requests)
			}
			switch {
			case row.tokens >= 0 && (usage.Tokens() != row.tokens || usage.Estimated):
				t.Errorf("usage %+v, want %d tokens", usage, row.tokens)
			case row.tokens < 0 && (usage.Tokens() < 300 || !usage.Estimated):
				t.Errorf("usage %+v, want an estimate", usage)
			}
			_, final := errors.AsType[*EndpointError](err)
			if final != row.final || err != nil && !final {
				t.Errorf("error %v, want an *EndpointError: %v", err, row.final)
			}
			for _, text := range []string{log.String(), fmt.Sprintf("%+v %v", got, err), strings.Join(Combine(q, got).Flags, " ")} {
				if strings.Contains(text, secret) || strings.Contains(text, said) {
					t.Errorf("the key or the text of a source is in %q", text)
				}
			}
		})
	}
}

func with(o Opinion, format string) Opinion { o.Format = format; return o }

func failing(part string) Opinion { return Opinion{Failure: part} }

func TestRequestAsTheEndpointSeesIt(t *testing.T) {
	t.Setenv("OPENAI_API_KEY", "sk-of-the-environment")
	t.Setenv("OPENAI_ADMIN_KEY", "sk-admin-of-the-environment")
	t.Setenv("OPENAI_ORG_ID", "org-of-the-environment")
	t.Setenv("OPENAI_BASE_URL", "http://127.0.0.1:1/elsewhere")
	j, script := at(t, nil, says(opinionJSON(NotSupported, "", "")))
	if _, _, err := j.Opine(t.Context(), []Question{question(grounding.Inferred, 0.3, nil, said)}); err != nil {
		t.Fatal(err)
	}
	a := script.requests()[0]
	if a.path != "/v1/chat/completions" || a.Model != "m" || a.MaxTokens != defaultMaxTokens || a.MaxCompletion != 0 || a.Temperature == nil || *a.Temperature != 0 {
		t.Errorf("got %+v", a)
	}
	if a.Format.Type != "json_schema" || !a.Format.JSON.Strict {
		t.Errorf("the format is %+v", a.Format)
	}
	if len(a.Messages) != 2 || a.Messages[0].Role != "system" || a.Messages[1].Role != "user" || strings.Contains(a.Messages[0].Content, said) || !strings.Contains(a.question(), said) {
		t.Errorf("the messages are %+v", a.Messages)
	}
	want := http.Header{"Authorization": {"Bearer " + secret}, "Content-Type": {"application/json"}, "Accept": {"application/json"},
		"User-Agent": {"citeloop"}, "Accept-Encoding": {"gzip"}}
	a.header.Del("Content-Length")
	if diff := cmp.Diff(want, a.header); diff != "" {
		t.Errorf("headers (-want +got)\n%s", diff)
	}
}

func TestNoKeyNoHeader(t *testing.T) {
	t.Setenv("OPENAI_API_KEY", "sk-of-the-environment")
	script := &endpointScript{t: t, steps: []step{says(opinionJSON(CannotTell, "", ""))}}
	server := httptest.NewServer(script)
	defer server.Close()
	j, err := New(Config{URL: server.URL, Model: "m"})
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := j.Opine(t.Context(), []Question{question(grounding.Inferred, 0.3, nil, said)}); err != nil {
		t.Fatal(err)
	}
	if h, ok := script.requests()[0].header["Authorization"]; ok {
		t.Errorf("Authorization is %q", h)
	}
}

// A redirect would carry the texts to a host that nobody configured.
func TestRedirectsAreNotFollowed(t *testing.T) {
	var followed atomic.Int32
	other := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { followed.Add(1) }))
	defer other.Close()
	for _, code := range []int{301, 302, 303, 307, 308} {
		j, _ := at(t, nil, respond(code, "text/plain", "", "Location", other.URL))
		opinions, _, err := j.Opine(t.Context(), []Question{question(grounding.Inferred, 0.3, nil, said)})
		if _, ok := errors.AsType[*EndpointError](err); !ok || opinions[0].Failure == "" {
			t.Errorf("%d: %+v, %v", code, opinions, err)
		}
	}
	if n := followed.Load(); n != 0 {
		t.Errorf("%d redirects were followed", n)
	}
}

func TestOrderAndBounds(t *testing.T) {
	j, script := at(t, nil, func(w http.ResponseWriter, r *http.Request, a asked) {
		for _, v := range []Verdict{NotSupported, CannotTell} {
			if strings.Contains(a.question(), "Say "+string(v)+".") {
				says(opinionJSON(v, "", ""))(w, r, a)
			}
		}
	})
	j.cfg.MaxClaims, j.cfg.MaxConcurrent = 3, 2
	verdicts := []Verdict{CannotTell, "", NotSupported, CannotTell, NotSupported}
	var list []Question
	for _, v := range verdicts {
		q := question(grounding.Inferred, 0.3, nil, said)
		if v == "" {
			q.Passages = nil
		}
		q.Claim = "Say " + string(v) + "."
		list = append(list, q)
	}
	opinions, usage, err := j.Opine(t.Context(), list)
	if err != nil {
		t.Fatal(err)
	}
	want := []Opinion{{Verdict: CannotTell, Because: "so it says", Format: FormatSchema}, {Skipped: "there is no passage to judge by"},
		{Verdict: NotSupported, Because: "so it says", Format: FormatSchema}, {Verdict: CannotTell, Because: "so it says", Format: FormatSchema},
		{Skipped: "at most 3 claims are judged in a call"}}
	if diff := cmp.Diff(want, opinions); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if want := (Usage{Requests: 3, PromptTokens: 2100, CompletionTokens: 180, Answered: 3, Skipped: 2}); usage != want {
		t.Errorf("usage %+v, want %+v", usage, want)
	}
	if n := len(script.requests()); n != 3 {
		t.Errorf("%d requests", n)
	}
	if opinions, usage, err := j.Opine(t.Context(), nil); len(opinions) != 0 || usage != (Usage{}) || err != nil {
		t.Errorf("nothing asked: %v, %+v, %v", opinions, usage, err)
	}
}

// An endpoint that refuses the key is asked once, not once a claim.
func TestFinalFailureStopsTheCall(t *testing.T) {
	j, script := at(t, nil, refuses(401, "no"))
	list := make([]Question, 20)
	for i := range list {
		list[i] = question(grounding.Inferred, 0.3, nil, said)
	}
	opinions, usage, err := j.Opine(t.Context(), list)
	if e, ok := errors.AsType[*EndpointError](err); !ok || !strings.Contains(e.Error(), "does not accept the key") {
		t.Errorf("error %v", err)
	}
	if n := len(script.requests()); n != 1 || usage.Failed != 1 || usage.Skipped != 19 {
		t.Errorf("%d requests, usage %+v", n, usage)
	}
	for i, o := range opinions[1:] {
		if !strings.Contains(o.Skipped, "does not accept the key") {
			t.Errorf("opinion %d is %+v", i+1, o)
		}
	}
}

// The dialect that was understood is kept: the detour is made once.
func TestDialectIsRemembered(t *testing.T) {
	j, script := at(t, nil, func(w http.ResponseWriter, r *http.Request, a asked) {
		switch {
		case a.MaxCompletion == 0:
			refuses(400, "use 'max_completion_tokens'")(w, r, a)
		case a.format() != FormatPlain:
			refuses(400, "response_format is unknown")(w, r, a)
		default:
			says(opinionJSON(CannotTell, "", ""))(w, r, a)
		}
	})
	q := question(grounding.Inferred, 0.3, nil, said)
	for range 2 {
		if opinions, _, err := j.Opine(t.Context(), []Question{q, q}); err != nil || opinions[1].Format != FormatPlain {
			t.Fatalf("%+v, %v", opinions, err)
		}
	}
	if n := len(script.requests()); n != 3+4 {
		t.Errorf("%d requests, want 4 and 3 for the dialect", n)
	}
}

// A refusal for another reason does not cost the schema.
func TestDialectIsNotForgotten(t *testing.T) {
	bad := refuses(400, "bad request")
	j, script := at(t, nil, bad, bad, bad, says(opinionJSON(CannotTell, "", "")))
	q := question(grounding.Inferred, 0.3, nil, said)
	opinions, _, _ := j.Opine(t.Context(), []Question{q, q})
	if opinions[0].Failure == "" || opinions[1].Format != FormatSchema {
		t.Errorf("%+v", opinions)
	}
	if got := script.requests()[3].format(); got != FormatSchema {
		t.Errorf("the question after a failure is asked as %s", got)
	}
}

func TestAbsurdUsage(t *testing.T) {
	for _, row := range []struct {
		name, usage string
		most        int
	}{
		{"too many", `{"prompt_tokens":900000000000000,"completion_tokens":900000000000000}`, 2 * mostTokensCounted},
		{"negative", `{"prompt_tokens":-700,"completion_tokens":-60}`, 5_000},
		{"no numbers", `{"prompt_tokens":"many","completion_tokens":null}`, 5_000},
		{"null", `null`, 5_000},
	} {
		t.Run(row.name, func(t *testing.T) {
			j, _ := at(t, nil, respond(200, "application/json", `{"choices":[{"message":{"content":`+quoted(opinionJSON(CannotTell, "", ""))+`},"finish_reason":"stop"}],"usage":`+row.usage+`}`))
			opinions, usage, err := j.Opine(t.Context(), []Question{question(grounding.Inferred, 0.3, nil, said)})
			if err != nil || opinions[0].Verdict != CannotTell {
				t.Fatalf("%+v, %v", opinions, err)
			}
			if n := usage.Tokens(); n <= 0 || n > row.most {
				t.Errorf("usage %+v", usage)
			}
		})
	}
}

func TestCancelledByTheCaller(t *testing.T) {
	arrived := make(chan struct{})
	ctx, cancel := context.WithCancel(t.Context())
	j, _ := at(t, nil, func(_ http.ResponseWriter, r *http.Request, _ asked) {
		close(arrived)
		<-r.Context().Done()
	})
	go func() {
		<-arrived
		cancel()
	}()
	q := question(grounding.Inferred, 0.3, nil, said)
	opinions, usage, err := j.Opine(ctx, []Question{q, q})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	if !strings.Contains(opinions[0].Failure, "cancelled") || !strings.Contains(opinions[1].Skipped, "cancelled") {
		t.Errorf("opinions %+v", opinions)
	}
	if usage.Tokens() == 0 || !usage.Estimated {
		t.Errorf("a question given up is free: %+v", usage)
	}
}

// Nothing listens there: one attempt tells, and the rest is not asked.
func TestRefusedConnection(t *testing.T) {
	server := httptest.NewServer(http.NotFoundHandler())
	url := server.URL
	server.Close()
	j, err := New(Config{URL: url, Model: "m", MaxConcurrent: 1})
	if err != nil {
		t.Fatal(err)
	}
	q := question(grounding.Inferred, 0.3, nil, said)
	opinions, usage, err := j.Opine(t.Context(), []Question{q, q, q})
	if _, ok := errors.AsType[*EndpointError](err); !ok || usage.Requests != 1 || usage.Tokens() != 0 || opinions[2].Skipped == "" {
		t.Errorf("%+v, %+v, %v", opinions, usage, err)
	}
}

func TestUntrustedCertificate(t *testing.T) {
	server := httptest.NewUnstartedServer(http.NotFoundHandler())
	server.Config.ErrorLog = slog.NewLogLogger(slog.DiscardHandler, slog.LevelInfo)
	server.StartTLS()
	defer server.Close()
	j, err := New(Config{URL: server.URL, Model: "m", Key: NewKey(secret)})
	if err != nil {
		t.Fatal(err)
	}
	opinions, _, err := j.Opine(t.Context(), []Question{question(grounding.Inferred, 0.3, nil, said)})
	if !strings.Contains(opinions[0].Failure, "certificate is not trusted") || err == nil {
		t.Errorf("%+v, %v", opinions, err)
	}
}
