package web

import (
	"log/slog"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/citeloop/citeloop/channels"
	"github.com/citeloop/citeloop/internal/docid"
	"github.com/citeloop/citeloop/internal/report/messages"
	"github.com/citeloop/citeloop/internal/report/style"
	"github.com/citeloop/citeloop/loopstate"
)

// The response to a visitor depends on the code, not on the words.
func TestProblemsAreClassifiedByCode(t *testing.T) {
	p := &Page{Config: Config{Logger: slog.New(slog.DiscardHandler)}}
	for _, code := range loopstate.Codes() {
		want := http.StatusUnprocessableEntity
		if code == loopstate.CodeUnknownLoop || code == loopstate.CodeUnreadSource {
			want = http.StatusNotFound
		}
		e := &loopstate.Error{Code: code, Subject: "there is no loop", Value: "was never read in this loop", Valid: []string{"w"}}
		status, why := p.problem(t.Context(), e)
		if status != want || (why == nil) != (want == http.StatusNotFound) || remedyOf(e)(messages.For("de")) == "" {
			t.Errorf("%s: %d, %t", code, status, why == nil)
		}
	}
}

// Words that the page looks up by a code have translations too.
func TestWordsOfCodesAreTranslated(t *testing.T) {
	var keys []string
	for _, v := range style.Verdicts() {
		keys = append(keys, v.Word)
	}
	for _, words := range style.Actions() {
		keys = append(keys, words)
	}
	for _, words := range guardrails {
		keys = append(keys, words)
	}
	for _, a := range loopstate.ReviewAnswers() {
		keys = append(keys, answerWords(a))
	}
	for _, s := range []channels.Status{channels.StatusOK, channels.StatusEmpty, channels.StatusDegraded, channels.StatusRateLimited, channels.StatusBlocked, channels.StatusAuthRequired, channels.StatusUnavailable, channels.StatusMalformed, channels.StatusError} {
		keys = append(keys, statusWords(string(s)))
	}
	keys = append(keys, docid.SourceTypes()...)
	keys = append(keys, loopstate.StatusRunning, loopstate.StatusFinished, loopstate.StatusAborted)
	for _, lang := range messages.Languages()[1:] {
		for _, key := range keys {
			if !messages.For(lang).Has(key) {
				t.Errorf("%s: no translation of %q", lang, key)
			}
		}
	}
}

func TestBrowserLanguage(t *testing.T) {
	for accept, want := range map[string]string{"": "en", "de-AT,de;q=0.9,en;q=0.5": "de", "pt-BR,fr;q=0.7": "fr", "zh-Hant-TW": "zh", "ko": "en", "ja": "ja", "*": "en", "no such;;": "en"} {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, Root, nil)
		r.Header.Set("Accept-Language", accept)
		if got := browserLanguage(r); got != want {
			t.Errorf("%q: %s, want %s", accept, got, want)
		}
	}
}
