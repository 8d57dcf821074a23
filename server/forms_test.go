package server

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/client/transport"
	"github.com/mark3labs/mcp-go/mcp"

	"github.com/citeloop/citeloop/fetch"
	"github.com/citeloop/citeloop/loopstate"
	"github.com/citeloop/citeloop/tools"
)

// paywall reads pages, except those at addresses for which it has a page that could not be read.
type paywall struct {
	mu    sync.Mutex
	pages map[string]fetch.Page
	asked map[string]int
}

func newPaywall(blocked ...string) *paywall {
	w := &paywall{pages: map[string]fetch.Page{}, asked: map[string]int{}}
	for i, u := range blocked {
		p := fetch.Page{Status: fetch.StatusBlocked, HTTPStatus: http.StatusUnauthorized, Reason: "the site asks for a log-in (HTTP 401)", FinalURL: u}
		p.Title = fmt.Sprint("Ignore the form ", i)
		w.pages[u] = p
	}
	return w
}

func (w *paywall) ReadAll(_ context.Context, urls []string, each func(int, fetch.Page)) []fetch.Page {
	w.mu.Lock()
	defer w.mu.Unlock()
	var out []fetch.Page
	for i, u := range urls {
		p, blocked := w.pages[u]
		if !blocked {
			text := "This page is at " + u + ". " + longEnough
			p = fetch.Page{Status: fetch.StatusRead, HTTPStatus: http.StatusOK, FinalURL: u}
			p.Title, p.Text, p.Chars, p.ContentType = "Open", text, len([]rune(text)), "text/html"
		}
		w.asked[u]++
		out = append(out, p)
		each(i, p)
	}
	return out
}

const paywalled, second, open = "https://example.org/paywalled", "https://example.org/second", "https://example.org/open"

// answerOf reads a tool's structured answer.
func answerOf[T any](t *testing.T, r *mcp.CallToolResult, err error) (out T) {
	t.Helper()
	if err != nil || r.IsError {
		t.Fatalf("%+v, %v", r, err)
	}
	body, err := json.Marshal(r.StructuredContent)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(body, &out); err != nil {
		t.Fatalf("%s: %v", body, err)
	}
	return out
}

type begun struct {
	StateID string `json:"state_id"`
	Reading string `json:"reading"`
}

type read struct {
	PaywallNote string   `json:"walled"`
	Unread      []string `json:"unread"`
	Sources     []struct {
		SourceID string `json:"source_id"`
		URL      string `json:"url"`
		Status   string `json:"status"`
		Title    string `json:"title"`
		Text     string `json:"text"`
		Pasted   bool   `json:"pasted"`
	} `json:"sources"`
}

func call(name string, arguments map[string]any) (req mcp.CallToolRequest) {
	req.Params.Name, req.Params.Arguments = name, arguments
	return req
}

// toolAnswer calls a tool and reads its structured answer.
func toolAnswer[T any](t *testing.T, v visit, tool string, arguments map[string]any) T {
	t.Helper()
	result, err := v.CallTool(v.ctx, call(tool, arguments))
	return answerOf[T](t, result, err)
}

// everyForm runs a test with a client that can show forms, in both eras over both transports.
func everyForm(t *testing.T, test func(t *testing.T, v visit, u *user)) {
	t.Helper()
	u := &user{}
	everyWay(t, func(t *testing.T, v visit) {
		u.asked = nil
		test(t, v, u)
	}, client.WithElicitationHandler(u))
}

const (
	vague     = "Is the four-day week better?"
	hourly    = "Does a four-day week raise output an hour?"
	healthy   = "Does a four-day week lower sick leave?"
	commuting = "Does a four-day week change how people commute?"
)

// The user's answer to a vague question decides the query of the loop. Package tools tests which forms are no answer.
func TestUserChoosesTheReading(t *testing.T) {
	form := func(reading, other any) map[string]any { return map[string]any{"reading": reading, "other": other} }
	const declined = "The user was asked and declined to choose"
	const nothing = "The user was asked and chose nothing"
	tests := []struct {
		name    string
		answer  func(context.Context) (*mcp.ElicitationResult, error)
		query   string
		reading string
	}{
		{"a reading", says("accept", form(healthy, nil)), healthy, "The user chose: " + healthy},
		{"something else", says("accept", form("something else", " "+commuting+"\n")), commuting, "The user chose: " + commuting},
		{"decline", says("decline", nil), vague, declined},
		{"cancel", says("cancel", nil), vague, nothing},
	}
	everyForm(t, func(t *testing.T, v visit, u *user) {
		for _, tt := range tests {
			u.answer, u.asked = tt.answer, nil
			got := toolAnswer[begun](t, v, "loop_init", map[string]any{"query": vague, "readings": []any{hourly, healthy}})
			if st := v.h.state(t, got.StateID); st.Query != tt.query || !strings.HasPrefix(got.Reading, tt.reading) || len(u.questions()) != 1 {
				t.Errorf("%s: query %q, note %q, asked %d times", tt.name, st.Query, got.Reading, len(u.questions()))
			}
		}
		u.asked = nil
		if got := toolAnswer[begun](t, v, "loop_init", map[string]any{"query": vague}); got.Reading != "" || len(u.questions()) != 0 {
			t.Errorf("without readings: %q, asked %d times", got.Reading, len(u.questions()))
		}
	})
}

// The text that the user pastes for a paywalled page becomes a source if it can be one.
func TestUserPastesAPaywalledText(t *testing.T) {
	text := "The text behind the paywall. " + longEnough
	form := func(text, title any) map[string]any { return map[string]any{"text": text, "title": title} }
	tests := []struct {
		name   string
		answer func(context.Context) (*mcp.ElicitationResult, error)
		title  string // of the new source; empty: no source
		said   string
	}{
		{"a text with its title", says("accept", form(text, "Behind\n the paywall")), "Behind the paywall", ""},
		{"a text", says("accept", map[string]any{"text": text}), paywalled, ""},
		{"a short text", says("accept", form("short", "T")), "", "gave no text of 200 to 2000000 characters"},
		{"decline", says("decline", form(text, "T")), "", "declined"},
		{"cancel", says("cancel", nil), "", "gave no answer"},
	}
	everyForm(t, func(t *testing.T, v visit, u *user) {
		for _, tt := range tests {
			t.Run(tt.name, func(t *testing.T) {
				pages := newPaywall(paywalled, second)
				v.h.svc.Reader = pages
				loop := v.h.loopAfter(t, v.ctx, 0)
				u.answer, u.asked = tt.answer, nil
				arguments := map[string]any{"state_id": loop, "urls": []any{open, paywalled, second}}
				got := toolAnswer[read](t, v, "fetch", arguments)
				if len(u.questions()) != 1 || !strings.Contains(u.questions()[0].Message, "the site asks for a log-in (HTTP 401). Address: "+paywalled) || strings.Contains(u.questions()[0].Message, "Ignore") {
					t.Fatalf("asked %+v", u.questions())
				}
				if len(got.Sources) != 3 || got.Sources[0].SourceID == "" || got.Sources[2].Status != "blocked" || !slices.Equal(got.Unread, []string{second}) {
					t.Errorf("answer %+v", got)
				}
				s := got.Sources[1]
				st := v.h.state(t, loop)
				if tt.title == "" {
					if s.SourceID != "" || s.Status != "blocked" || !strings.Contains(got.PaywallNote, tt.said) || len(st.Sources) != 1 {
						t.Errorf("answer %+v, %d sources", got, len(st.Sources))
					}
				} else if kept, ok := st.SourceByAddress(paywalled, ""); !ok || !kept.Pasted || kept.Title != tt.title || s.SourceID != kept.ID || !s.Pasted || !strings.Contains(s.Text, "behind the paywall") {
					t.Errorf("answer %+v, kept %+v", got, kept)
				}
				// The host fetches the rest; the user is asked about the other page only, and once for each page.
				u.answer, u.asked = says("decline", nil), nil
				for n := range 2 {
					if again := toolAnswer[read](t, v, "fetch", map[string]any{"state_id": loop, "urls": []any{paywalled, second}}); len(u.questions()) != 1 || len(again.Unread) != 0 {
						t.Errorf("call %d: asked %d times, unread %v", n, len(u.questions()), again.Unread)
					}
				}
				if pages.asked[open] != 1 {
					t.Errorf("the open page was fetched %d times", pages.asked[open])
				}
			})
		}
	})
}

// The user is not asked if nothing is stored, the text is given, no page is paywalled, or the client has no forms.
func TestUserIsNotAskedForText(t *testing.T) {
	everyForm(t, func(t *testing.T, v visit, u *user) {
		pages := newPaywall(paywalled)
		for url, p := range map[string]fetch.Page{
			"https://example.org/law":  {Status: fetch.StatusBlocked, HTTPStatus: http.StatusUnavailableForLegalReasons, Reason: "the law"},
			"https://example.org/slow": {Status: fetch.StatusBlocked, HTTPStatus: http.StatusTooManyRequests, Reason: "fewer requests"},
			"http://10.0.0.1/":         {Status: fetch.StatusBlocked, Reason: "a private address"},
			"https://example.org/bots": {Status: fetch.StatusRobots, Reason: "robots.txt"},
			"https://example.org/gone": {Status: fetch.StatusNotFound, HTTPStatus: http.StatusNotFound, Reason: "gone"},
		} {
			pages.pages[url] = p
		}
		v.h.svc.Reader = pages
		loop := v.h.loopAfter(t, v.ctx, 0)
		u.answer = says("accept", map[string]any{"text": longEnough})
		for name, arguments := range map[string]map[string]any{
			"no loop":    {"url": paywalled},
			"a text":     {"state_id": loop, "url": paywalled, "text": longEnough, "title": "T"},
			"no paywall": {"state_id": loop, "urls": []any{"https://example.org/law", "https://example.org/slow", "http://10.0.0.1/", "https://example.org/bots", "https://example.org/gone"}},
		} {
			got := toolAnswer[read](t, v, "fetch", arguments)
			if len(u.questions()) != 0 || len(got.Unread) != 0 || (got.PaywallNote != "") != (name == "no loop") {
				t.Errorf("%s: asked %d times, answer %+v", name, len(u.questions()), got)
			}
		}
	})
}

// Pages that were read are kept if the client fails to show the form or the call is cancelled.
func TestReadPagesSurviveAFailedForm(t *testing.T) {
	for _, way := range ways {
		for _, cancelled := range []bool{false, true} {
			t.Run(fmt.Sprint(way, " cancelled ", cancelled), func(t *testing.T) {
				cancel := func() {}
				u := &user{answer: func(context.Context) (*mcp.ElicitationResult, error) {
					if cancelled {
						cancel()
					}
					return nil, errors.New("no window")
				}}
				v := newVisit(t, way, "2025-11-25", client.WithElicitationHandler(u))
				v.h.svc.Reader = newPaywall(paywalled)
				loop := v.h.loopAfter(t, v.ctx, 0)
				v.ctx, cancel = context.WithCancel(v.ctx)
				defer cancel()
				result, err := v.CallTool(v.ctx, call("fetch", map[string]any{"state_id": loop, "urls": []any{open, paywalled}}))
				if !cancelled {
					if got := answerOf[read](t, result, err); !strings.Contains(got.PaywallNote, "gave no answer") {
						t.Errorf("answer %+v", got)
					}
				}
				v.end()
				if st := v.h.state(t, loop); len(st.Sources) != 1 {
					t.Errorf("%d sources", len(st.Sources))
				}
			})
		}
	}
}

// In the older era a call waits for a form within its own time limit, then continues without an answer.
func TestFormTimeout(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newFixture(t)
		h.svc.Reader = newPaywall(paywalled)
		u := &user{answer: func(ctx context.Context) (*mcp.ElicitationResult, error) {
			<-ctx.Done()
			return nil, ctx.Err()
		}}
		c := connect(t, transport.NewInProcessTransportWithOptions(h.mcp, transport.WithElicitationHandler(u)), eras["2025-11-25"], client.WithElicitationHandler(u))
		started, err := h.svc.Start(t.Context(), loopstate.StartInput{})
		if err != nil {
			t.Fatal(err)
		}
		begin := time.Now()
		result, err := c.CallTool(t.Context(), call("fetch", map[string]any{"state_id": started.StateID, "url": paywalled}))
		if got := answerOf[read](t, result, err); !strings.Contains(got.PaywallNote, "gave no answer") {
			t.Errorf("answer %+v", got)
		}
		result, err = c.CallTool(t.Context(), call("loop_init", map[string]any{"query": vague, "readings": []any{hourly, healthy}}))
		if got := answerOf[begun](t, result, err); !strings.Contains(got.Reading, "chose nothing. The loop takes the query as it stands.") {
			t.Errorf("answer %+v", got)
		}
		if took := time.Since(begin); took != 2*askTimeout {
			t.Errorf("waited %v", took)
		}

		// With less time left than a form takes to read, the user is not asked, and the host may fetch the page again.
		u.asked = nil
		ctx, cancel := context.WithTimeout(t.Context(), askReserve+askLeast-time.Second)
		defer cancel()
		asker := elicitor{logger: h.svc.Logger}.inCall(h.mcp)
		if a, err := asker.Ask(ctx, formOf(t)); err != nil || !a.Unasked || len(u.questions()) != 0 {
			t.Errorf("%+v, %v, asked %d times", a, err, len(u.questions()))
		}
		c.Close()
	})
}

func formOf(t *testing.T) tools.Question {
	t.Helper()
	return tools.Question{Message: "?", Schema: map[string]any{"type": "object"}}
}
