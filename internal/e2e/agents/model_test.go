package agents

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"

	"github.com/tidwall/gjson"
)

type object = map[string]any

// call is an answer of the scripted model: a tool call, or text if Tool is empty.
type call struct {
	Tool string
	Args object
	Say  string // the text; "done" if empty
	has  string // a text that the answer of the tool must have
}

// script is the answers of a model. Each may look at what the calls before it were answered.
type script []func(m *model) call

// model answers every request with the next step of a script. Requests without citeloop's tools, such as for the title of a
// conversation, get one word.
type model struct {
	protocol protocol
	*httptest.Server

	mu       sync.Mutex
	steps    script
	next     int
	calls    []call
	results  []string // of the calls, in order
	requests []request
	fault    error
}

// startModel serves a script until it is closed.
func startModel(p protocol, steps script) *model {
	m := &model{protocol: p, steps: steps}
	m.Server = httptest.NewServer(http.HandlerFunc(m.serve))
	return m
}

func (m *model) serve(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	switch path := strings.ToLower(r.URL.Path); {
	case strings.Contains(path, "count"): // of tokens
		reply(w, object{"input_tokens": 1000, "totalTokens": 1000})
	case r.Method != http.MethodPost:
		reply(w, object{"data": []any{}, "models": []any{}})
	default:
		w.Header().Set("Content-Type", "text/event-stream")
		m.answer(w, string(body))
	}
}

func reply(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json")
	_, _ = io.WriteString(w, encoded(v))
}

// answer writes the next step.
func (m *model) answer(w io.Writer, body string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	req := m.protocol.read(gjson.Parse(body))
	m.requests = append(m.requests, req)
	if !req.offers("loop_init") {
		m.protocol.say(w, "done")
		return
	}
	for i := len(m.results); i < len(m.calls); i++ {
		if text, ok := req.Results[callID(i)]; ok {
			m.results = append(m.results, text)
		}
	}
	if m.fault != nil || m.next == len(m.steps) || len(m.results) < len(m.calls) {
		m.protocol.say(w, "done")
		return
	}
	c := m.steps[m.next](m)
	m.next++
	if c.Tool == "" {
		m.protocol.say(w, cmp.Or(c.Say, "done"))
		return
	}
	offered, ok := req.find(c.Tool)
	if !ok {
		m.fault = fmt.Errorf("the client does not offer the tool %s", c.Tool)
	}
	m.calls = append(m.calls, c)
	m.protocol.write(w, callID(len(m.calls)-1), offered, c.Args)
}

func callID(i int) string { return fmt.Sprintf("call_%03d", i) }

func (r request) find(name string) (tool, bool) {
	for _, t := range r.Tools {
		if strings.HasSuffix(t.Name, name) && (strings.Contains(t.Name, "citeloop") || strings.Contains(t.Space, "citeloop")) {
			return t, true
		}
	}
	return tool{}, false
}

// shown returns the first request with citeloop's tools.
func (m *model) shown() request {
	i := slices.IndexFunc(m.requests, func(r request) bool { return r.offers("loop_init") })
	return m.requests[max(0, i)]
}

func (r request) offers(name string) bool {
	_, ok := r.find(name)
	return ok
}

// answered returns a text of the answer to the last call of a tool: the last JSON object of it, because some clients write lines before
// it.
func (m *model) answered(tool, path string) string {
	for i := len(m.results) - 1; i >= 0; i-- {
		if m.calls[i].Tool != tool {
			continue
		}
		for rest := m.results[i]; ; rest = rest[1:] {
			at, end := strings.Index(rest, "{"), strings.LastIndex(rest, "}")
			if at < 0 || end < at {
				m.fault = cmp.Or(m.fault, fmt.Errorf("the model cannot read the answer of %s: %.300s", tool, m.results[i]))
				return ""
			}
			if rest = rest[at:]; json.Valid([]byte(rest[:end+1-at])) {
				return gjson.Get(rest, path).Str
			}
		}
	}
	return ""
}
