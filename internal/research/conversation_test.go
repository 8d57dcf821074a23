package research

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/citeloop/citeloop/internal/llm"
)

func TestShorten(t *testing.T) {
	t.Parallel()
	c := newConversation("system", strings.Repeat("a", 8000))
	c.addAnswer(llm.Answer{Calls: []llm.ToolCall{{ID: "1", Name: "fetch", Arguments: "no json"}}})
	c.answered("1", strings.Repeat("b", 5000))
	c.addAnswer(llm.Answer{Text: "more"})
	c.say("go on")
	var sizes []int
	for c.shorten() {
		n := 0
		for _, m := range c.messages {
			n += len(m.Text)
		}
		sizes = append(sizes, n)
	}
	if len(sizes) < 3 || c.messages[3].Text != leftOut || c.messages[0].Text != "system" || sizes[len(sizes)-1] > 2*shortEnough {
		t.Errorf("%v", sizes)
	}
	if args := c.messages[2].Calls[0].Arguments; args != "{}" || !json.Valid([]byte(args)) {
		t.Errorf("arguments %q go back", args)
	}
}

// A conversation that is too long is shortened until it fits or cannot be shortened.
func TestTooLongConversation(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		name string
		fits int // bytes of a request
		ok   bool
	}{{"it fits in the end", 4_000, true}, {"it never fits", 100, false}} {
		t.Run(row.name, func(t *testing.T) {
			requests := 0
			s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				body, _ := io.ReadAll(r.Body)
				requests++
				w.Header().Set("Content-Type", "application/json")
				if len(body) > row.fits {
					w.WriteHeader(http.StatusBadRequest)
					_, _ = io.WriteString(w, `{"error":{"message":"This model's maximum context length is 1024 tokens"}}`)
					return
				}
				_, _ = io.WriteString(w, `{"choices":[{"message":{"content":"It is so."},"finish_reason":"stop"}]}`)
			}))
			defer s.Close()
			m, err := NewModel(llm.Config{URL: s.URL, Model: "m"})
			if err != nil {
				t.Fatal(err)
			}
			got, err := newConversation("system", strings.Repeat("long ", 2000)).ask(t.Context(), m)
			if ends(err) || (err == nil) != row.ok || row.ok && got.Text != "It is so." || requests < 3 {
				t.Errorf("%q, %v after %d requests", got.Text, err, requests)
			}
		})
	}
}
