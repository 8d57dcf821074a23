package hooks_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/citeloop/citeloop/internal/hooks"
	"github.com/citeloop/citeloop/internal/loops"
	"github.com/citeloop/citeloop/loopstate"
	"github.com/citeloop/citeloop/loopstate/sqlite"
)

const text = "The light of Skerrow was lit in 1874. Its keeper was Maria Holt, who wrote a line into her book in every night of the " +
	"year. The northern board paid her 214 crowns, and the parish gave her coal for the winter. A second keeper came later."

// conversation is a loop with one source, and the transcript of a conversation that works on it. Its service has no reader
// of pages, so that a hook that requests one fails.
type conversation struct {
	t          *testing.T
	svc        *loops.Service
	loop       string
	transcript string
}

func newConversation(t *testing.T) *conversation {
	t.Helper()
	store, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "citeloop.db"), sqlite.Options{Unsynced: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { store.Close() })
	newID := func() string { return uuid.Must(uuid.NewV7()).String() }
	svc := loops.New(loops.Config{Store: store, Owner: loops.LocalOwner, Now: time.Now, NewID: newID, Generator: "citeloop test"})
	started, err := svc.Start(t.Context(), loopstate.StartInput{Query: "Who keeps the light?"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := svc.Read(t.Context(), loops.ReadInput{Loop: started.StateID, Text: text, Title: "Skerrow"}); err != nil {
		t.Fatal(err)
	}
	c := &conversation{t, svc, started.StateID, filepath.Join(t.TempDir(), "transcript.jsonl")}
	c.says(called(c.loop))
	return c
}

func called(loop string) string {
	return `{"type":"assistant","message":{"content":[{"type":"text","text":"x"},{"type":"tool_use","name":"fetch","input":{"state_id":"` +
		loop + `"}}]}}`
}

func (c *conversation) says(lines ...string) {
	c.t.Helper()
	if err := os.WriteFile(c.transcript, []byte(strings.Join(lines, "\n")), 0o600); err != nil {
		c.t.Fatal(err)
	}
}

func (c *conversation) answer(client hooks.Client, e hooks.Event) string {
	c.t.Helper()
	e.Transcript = c.transcript
	out, err := hooks.Answer(loops.WithOwner(c.t.Context(), loops.LocalOwner), c.svc, client, e,
		func(v loops.View) (string, error) { return "BRIEF of " + v.Query, nil })
	if err != nil {
		c.t.Fatal(err)
	}
	return string(out)
}

func TestStop(t *testing.T) {
	c := newConversation(t)
	const wrong = "The light was lit in 1880 [S9]. The board pays for it."
	for _, tt := range []struct {
		name   string
		client hooks.Client
		e      hooks.Event
		want   []string // none: no answer
	}{
		{"wrong", hooks.ClaudeCode, hooks.Event{Last: wrong}, []string{`{"hookSpecificOutput":{"additionalContext":"citeloop checked`,
			`"hookEventName":"Stop"`, "S9", "cites nothing"}},
		{"wrong in Codex", hooks.Codex, hooks.Event{Last: wrong}, []string{`{"decision":"block","reason":"citeloop checked`, "S9"}},
		{"wrong again", hooks.ClaudeCode, hooks.Event{Last: wrong, Active: true}, []string{`{"systemMessage":"citeloop: fail: `}},
		{"right", hooks.ClaudeCode, hooks.Event{Last: "The light was lit in 1874 [S1:1]."}, []string{`{"systemMessage":"citeloop: `}},
		{"cites nothing of the loop", hooks.ClaudeCode, hooks.Event{Last: "See [the page](https://example.org/) (a link)."}, nil},
		{"cites nothing", hooks.ClaudeCode, hooks.Event{Last: "Done."}, nil},
	} {
		tt.e.Name = "Stop"
		got := c.answer(tt.client, tt.e)
		if len(tt.want) == 0 && got != "" || got != "" && !json.Valid([]byte(got)) {
			t.Errorf("%s: %s", tt.name, got)
		}
		for _, want := range tt.want {
			if !strings.Contains(got, want) {
				t.Errorf("%s: %s lacks %s", tt.name, got, want)
			}
		}
	}
	long := "It was lit [S9]."
	for i := range 200 {
		long += fmt.Sprintf(" The board of Skerrow paid for %d lamps.", i)
	}
	if got := c.answer(hooks.Codex, hooks.Event{Name: "Stop", Last: long}); len(got) > 2_500 || !strings.Contains(got, "more") {
		t.Errorf("%d bytes", len(got))
	}
}

// An address could carry words of the conversation away, and a file was shown to nobody.
func TestStopReadsNothing(t *testing.T) {
	c := newConversation(t)
	secret := filepath.Join(t.TempDir(), "secret.md")
	if err := os.WriteFile(secret, []byte("hunter2 is the password of the northern board"), 0o600); err != nil {
		t.Fatal(err)
	}
	before, err := c.svc.Revision(t.Context(), c.loop)
	if err != nil {
		t.Fatal(err)
	}
	got := c.answer(hooks.ClaudeCode, hooks.Event{Name: "Stop",
		Last: "It was lit in 1874 [S1:1]. It was sold [then](https://evil.example/?q=words). The password is known [here](file://" +
			secret + ")."})
	after, err := c.svc.Revision(t.Context(), c.loop)
	if err != nil || after != before || strings.Contains(got, "hunter2") {
		t.Errorf("the loop changed from %v to %v, %v: %s", before, after, err, got)
	}
}

// After a compaction, the brief is of the loop that the conversation worked on.
func TestWhichLoop(t *testing.T) {
	c := newConversation(t)
	second, err := c.svc.Start(t.Context(), loopstate.StartInput{Query: "Second?"})
	if err != nil {
		t.Fatal(err)
	}
	const unknown = "0199c1d2-0000-7000-8000-000000000003"
	answered := `{"type":"user","message":{"content":[{"type":"tool_result","content":"{\"state_id\":\"` + second.StateID + `\"}"}]}}`
	for _, tt := range []struct {
		name  string
		lines []string
		want  string
	}{
		{"nothing", nil, ""},
		{"an unknown loop", []string{called(unknown)}, ""},
		{"the last call", []string{called(second.StateID), called(c.loop), called(unknown)}, "Who keeps the light?"},
		{"an answer is no call", []string{called(c.loop), answered}, "Who keeps the light?"},
		{"started, not used yet", []string{answered}, "Second?"},
		{"a cut line", []string{called(second.StateID), called(c.loop)[:60]}, "Second?"},
	} {
		c.says(tt.lines...)
		got := c.answer(hooks.ClaudeCode, hooks.Event{Name: "SessionStart", Source: "compact"})
		if _, query, _ := strings.Cut(got, "BRIEF of "); query != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, query, tt.want)
		}
	}
	for _, source := range []string{"startup", "resume", "clear"} {
		if got := c.answer(hooks.ClaudeCode, hooks.Event{Name: "SessionStart", Source: source}); got != "" {
			t.Errorf("%s: %q", source, got)
		}
	}
}

func TestRead(t *testing.T) {
	for in, ok := range map[string]bool{`{"hook_event_name":"Stop","stop_hook_active":true}`: true, `{`: false, `[]`: false, "": false,
		`"` + strings.Repeat("x", 5<<20) + `"`: false} {
		if _, err := hooks.Read(strings.NewReader(in)); (err == nil) != ok {
			t.Errorf("%.40s: %v", in, err)
		}
	}
}
