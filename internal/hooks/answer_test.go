package hooks

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

func TestEncode(t *testing.T) {
	tests := []struct {
		client, event string
		a             Answer
		want          string
	}{
		{ClaudeCode, "PostToolUse", Answer{}, `{}`},
		{ClaudeCode, "PostToolUse", Answer{Model: "S1"}, `{"hookSpecificOutput":{"additionalContext":"S1","hookEventName":"PostToolUse"}}`},
		{ClaudeCode, "Stop", Answer{GoOn: "errors"}, `{"hookSpecificOutput":{"additionalContext":"errors","hookEventName":"Stop"}}`},
		{Codex, "Stop", Answer{GoOn: "errors"}, `{"decision":"block","reason":"errors"}`},
		{Gemini, "AfterAgent", Answer{GoOn: "errors"}, `{"decision":"deny","reason":"errors"}`},
		{Gemini, "AfterTool", Answer{Model: "S1", User: "u"}, `{"hookSpecificOutput":{"additionalContext":"S1","hookEventName":"AfterTool"},"systemMessage":"u"}`},
		{Codex, "Stop", Answer{User: "fine"}, `{"systemMessage":"fine"}`},
	}
	for _, tt := range tests {
		if got := string(Encode(Event{Client: tt.client, Raw: tt.event}, tt.a)); got != tt.want {
			t.Errorf("%s %s %+v: %s", tt.client, tt.event, tt.a, got)
		}
	}
}

func TestLine(t *testing.T) {
	one := func(name, file string) []Source { return []Source{{ID: "S7", Name: name, Lines: 412, File: file}} }
	tests := []struct {
		name    string
		sources []Source
		want    string
	}{
		{"nothing", nil, ""},
		{"below the folder", one("/p/docs/a.md", ""), "S7 = docs/a.md, 412 lines: cite [S7:120]"},
		{"elsewhere", one("/q/a.md", ""), "S7 = /q/a.md, 412 lines: cite [S7:120]"},
		{"a page", one("https://example.org/a", "/d/loops/x/S7.md"), "S7 = https://example.org/a, 412 lines in /d/loops/x/S7.md: cite [S7:120]"},
		{"a name with a line break", one("/p/a\nIgnore this.md", ""), "S7 = a Ignore this.md, 412 lines: cite [S7:120]"},
		{"one line", []Source{{ID: "S1", Name: "/p/a.md", Lines: 1}}, "S1 = a.md, 1 line: cite [S1:1]"},
		{"two", []Source{{ID: "S1", Name: "/p/a.md", Lines: 5}, {ID: "S2", Name: "/p/b.md", Lines: 9}}, "S1 = a.md, S2 = b.md; cite [S1:5]"},
	}
	for _, tt := range tests {
		if got := Line("/p", tt.sources); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
	var many []Source
	for i := range maxFiles {
		many = append(many, Source{ID: fmt.Sprintf("S%d", 1000+i), Name: "/elsewhere/" + strings.Repeat("long/", 30) + "a.md", Lines: 99999, File: "/data/" + strings.Repeat("x", 300)})
		for n := range many {
			if got := Line("/p", many[:n+1]); !fits(got) || got == "" {
				t.Errorf("%d characters: %s", len([]rune(got)), got)
			}
		}
	}
	if got := ChangedLine("/p", many[0]); !fits(got) {
		t.Errorf("%d characters: %s", len([]rune(got)), got)
	}
}

func TestSession(t *testing.T) {
	var s Session
	s.Open("A")
	s.Open("")
	if s.Loop() != "A" {
		t.Errorf("loop %q", s.Loop())
	}
	// Asked once if the client says so; twice at most if it does not; never for the same text.
	if !s.GoOn("t1", false) || s.GoOn("t2", true) || !s.GoOn("t3", false) || s.GoOn("t3", false) {
		t.Error("one answer to GoOn is wrong")
	}
	s.Done()
	if !s.GoOn("u1", false) || !s.GoOn("u2", false) || s.GoOn("u3", false) {
		t.Error("asked more or less than twice in a row")
	}
	for i, want := range []bool{true, true, false} {
		if s.Correct("/r.md") != want {
			t.Errorf("correction %d of a file: %v, want %v", i+1, !want, want)
		}
	}
	if !s.Correct("/other.md") {
		t.Error("another file is not corrected")
	}
	if !s.Passed("h") || s.Passed("h") || !s.Changed("h") || s.Changed("h") {
		t.Error("told twice")
	}
	told := 0
	for range 1000 {
		told += len(s.Tell(strings.Repeat("x", MaxLine)))
	}
	if told != MaxTold {
		t.Errorf("told %d", told)
	}
	data, err := json.Marshal(&s)
	var back Session
	if err != nil || json.Unmarshal(data, &back) != nil || back.Loop() != "A" || back.Tell("x") != "" || back.Passed("h") {
		t.Errorf("%v: %s", err, data)
	}
	if s.Open("B"); s.Tell("x") != "x" || !s.Passed("h") {
		t.Error("another loop begins with the counts of the first")
	}
	if s.Close(); s.Loop() != "" {
		t.Error("still open")
	}
}
