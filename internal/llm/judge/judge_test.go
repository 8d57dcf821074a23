package judge

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/citeloop/citeloop/internal/grounding"
	"github.com/citeloop/citeloop/internal/llm"
)

const quoteOfSaid = "admissions of children to hospital fell after the vaccine was introduced"

func quoted(s string) string {
	b, _ := json.Marshal(s)
	return string(b)
}

// opinionJSON is what a model writes.
func opinionJSON(verdict Verdict, passage, quote string) string {
	return fmt.Sprintf(`{"because":"so it says","passage":%s,"quote":%s,"verdict":%s}`, quoted(passage), quoted(quote), quoted(string(verdict)))
}

// endpoint starts a server and a judge that asks it one question after the other. asked returns the questions so far.
func endpoint(t *testing.T, answer func(w http.ResponseWriter, r *http.Request, question string)) (j *Judge, asked func() []string) {
	t.Helper()
	var mu sync.Mutex
	var questions []string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var in struct{ Messages []struct{ Content string } }
		if err := json.NewDecoder(r.Body).Decode(&in); err != nil || len(in.Messages) != 2 {
			t.Errorf("%+v, %v", in, err)
			return
		}
		mu.Lock()
		questions = append(questions, in.Messages[1].Content)
		mu.Unlock()
		w.Header().Set("Content-Type", "application/json")
		answer(w, r, in.Messages[1].Content)
	}))
	t.Cleanup(server.Close)
	j, err := New(llm.Config{URL: server.URL, Model: "m", MaxConcurrent: 1, MaxRetryDelay: time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	return j, func() []string {
		mu.Lock()
		defer mu.Unlock()
		return append([]string(nil), questions...)
	}
}

// at is an endpoint with a model that answers by the question.
func at(t *testing.T, model func(question string) string) (j *Judge, asked func() []string) {
	return endpoint(t, func(w http.ResponseWriter, _ *http.Request, question string) { says(w, model(question), "stop") })
}

func says(w http.ResponseWriter, content, finish string) {
	fmt.Fprintf(w, `{"choices":[{"message":{"content":%s},"finish_reason":%q}],"usage":{"prompt_tokens":700,"completion_tokens":60}}`, quoted(content), finish)
}

func refuses(code int, headers ...string) func(http.ResponseWriter, *http.Request, string) {
	return func(w http.ResponseWriter, _ *http.Request, _ string) {
		for i := 0; i+1 < len(headers); i += 2 {
			w.Header().Set(headers[i], headers[i+1])
		}
		w.WriteHeader(code)
		fmt.Fprint(w, `{"error":{"message":"no"}}`)
	}
}

func questions(n int) []Question {
	list := make([]Question, n)
	for i := range list {
		list[i] = question(grounding.Inferred, 0.3, nil, said)
	}
	return list
}

func TestOneQuestion(t *testing.T) {
	for _, row := range []struct {
		name, answer, finish string
		want                 Opinion // Failure: a part of it
	}{
		{"supported", opinionJSON(Supported, "P1", quoteOfSaid), "stop", Opinion{Verdict: Supported, SourceID: "S1", Quote: quoteOfSaid, Because: "so it says", Format: llm.FormatSchema}},
		{"not supported", opinionJSON(NotSupported, "", ""), "stop", Opinion{Verdict: NotSupported, Because: "so it says", Format: llm.FormatSchema}},
		{"an invented quote", opinionJSON(Supported, "P1", "admissions fell by half in all districts"), "stop", Opinion{Failure: "does not stand in the passages"}},
		{"no quote", opinionJSON(Contradicted, "P1", ""), "stop", Opinion{Failure: "contradicted without a quote"}},
		{"an invented label", opinionJSON(Supported, "P7", quoteOfSaid), "stop", Opinion{Failure: `unknown passage "P7"`}},
		{"broken off", opinionJSON(NotSupported, "", "")[:30], "length", Opinion{Failure: "reached its token limit"}},
		{"no text", " ", "stop", Opinion{Failure: "no JSON object"}},
		{"another schema", `{"answer":true}`, "stop", Opinion{Failure: "no JSON object with a verdict"}},
	} {
		t.Run(row.name, func(t *testing.T) {
			j, asked := endpoint(t, func(w http.ResponseWriter, _ *http.Request, _ string) { says(w, row.answer, row.finish) })
			q := question(grounding.Unsupported, 0.15, nil, said)
			opinions, usage, err := j.Opine(t.Context(), []Question{q})
			if err != nil || usage.Total() != 760 || len(asked()) != 1 {
				t.Fatalf("%v, %+v, %d requests", err, usage, len(asked()))
			}
			if row.want.Failure == "" {
				if diff := cmp.Diff(row.want, opinions[0]); diff != "" {
					t.Errorf("(-want +got)\n%s", diff)
				}
				return
			}
			if got := opinions[0]; !strings.Contains(got.Failure, row.want.Failure) || got.Verdict != "" || got.Quote != "" || got.Format == "" {
				t.Errorf("got %+v, want the failure %q", got, row.want.Failure)
			}
			if v := Combine(q, opinions[0]); v.Status != q.Verdict.Status || v.Support != q.Verdict.Support {
				t.Errorf("a failure changed the verdict to %s %.2f", v.Status, v.Support)
			}
		})
	}
}

func TestOrderAndBounds(t *testing.T) {
	j, asked := at(t, func(question string) string {
		if strings.Contains(question, "Say nothing.") {
			return opinionJSON(CannotTell, "", "")
		}
		return opinionJSON(NotSupported, "", "")
	})
	list := questions(maxClaims + 3)
	list[0].Claim, list[1].Passages = "Say nothing.", nil
	opinions, usage, err := j.Opine(t.Context(), list)
	if err != nil || len(asked()) != maxClaims || usage.Total() != 760*maxClaims {
		t.Fatalf("%v, %d requests, %+v", err, len(asked()), usage)
	}
	if opinions[0].Verdict != CannotTell || opinions[1].Skipped != "no passage to judge by" || opinions[2].Verdict != NotSupported ||
		!strings.Contains(opinions[maxClaims+2].Skipped, "more than 40 claims") {
		t.Errorf("%+v", opinions)
	}
}

// An endpoint that refuses the key is asked once, not once a claim; so is one that wants to be left alone.
func TestRefusalEndsTheCall(t *testing.T) {
	for _, row := range []struct {
		name   string
		answer func(http.ResponseWriter, *http.Request, string)
		code   llm.Code // of the error
		words  string
	}{
		{"wrong key", refuses(401), llm.CodeKey, "rejects the key"},
		{"rate limit", refuses(429, "Retry-After", "60"), "", "it asks to wait 1m0s"},
	} {
		t.Run(row.name, func(t *testing.T) {
			j, asked := endpoint(t, row.answer)
			opinions, usage, err := j.Opine(t.Context(), questions(20))
			if e, _ := errors.AsType[*llm.Error](err); (e != nil) != (row.code != "") || e != nil && e.Code != row.code {
				t.Errorf("%v", err)
			}
			if len(asked()) != 1 || usage.Total() != 0 || !strings.Contains(opinions[0].Failure, row.words) {
				t.Errorf("%d requests, %+v, %+v", len(asked()), usage, opinions[0])
			}
			for i, o := range opinions[1:] {
				if !strings.Contains(o.Skipped, row.words) {
					t.Errorf("opinion %d is %+v", i+1, o)
				}
			}
		})
	}
}

func TestCancelledByTheCaller(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	j, _ := endpoint(t, func(_ http.ResponseWriter, r *http.Request, _ string) {
		cancel()
		<-r.Context().Done()
	})
	opinions, usage, err := j.Opine(ctx, questions(2))
	if !errors.Is(err, context.Canceled) || !strings.Contains(opinions[0].Failure, "cancelled") || !strings.Contains(opinions[1].Skipped, "cancelled") {
		t.Errorf("%v, %+v", err, opinions)
	}
	if usage.Total() == 0 || !usage.Estimated {
		t.Errorf("a question that was given up is free: %+v", usage)
	}
}

// The caller's answer must still be written when its deadline comes.
func TestNoTime(t *testing.T) {
	j, asked := at(t, func(string) string { return opinionJSON(CannotTell, "", "") })
	ctx, cancel := context.WithTimeout(t.Context(), reserve)
	defer cancel()
	opinions, _, err := j.Opine(ctx, questions(3))
	if err != nil || len(asked()) != 0 || opinions[0].Skipped != "the time was up" {
		t.Errorf("%v, %d requests, %+v", err, len(asked()), opinions)
	}
}
