package agents

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
)

type object = map[string]any

// tool is a tool as a client offers it to the model.
type tool struct {
	Name        string // the name for calls
	Space       string // the namespace in Codex
	Description string
	Deferred    bool // the model has to search for it
}

// request is a client's request to the model, in any of the three protocols.
type request struct {
	Text    string // all instructions and messages
	Tools   []tool
	Results map[string]string // the results of calls by id, as the model reads them
}

// call is an answer of the scripted model: a tool call, or text if Tool is empty.
type call struct {
	Tool string
	Args object
	Say  string // the text; "done" if empty
}

// protocol reads a client's request and writes the model's answer.
type protocol interface {
	read(body []byte) (request, error)
	write(w io.Writer, id string, offered tool, args object)
	say(w io.Writer, text string)
}

// model answers every request with the next step of a script. Requests without citeloop's tools, such as for the title of a
// conversation, get one word.
type model struct {
	protocol protocol
	server   *http.Server
	address  string

	mu       sync.Mutex
	steps    []func(m *model) call
	next     int
	calls    []call
	results  []string // of the calls, in order
	requests []request
	bodies   []string
	fault    error
}

// startModel serves a script until close.
func startModel(p protocol, steps []func(m *model) call) (*model, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	m := &model{protocol: p, steps: steps, address: "http://" + listener.Addr().String()}
	m.server = &http.Server{Handler: m}
	go m.server.Serve(listener)
	return m, nil
}

func (m *model) close() { m.server.Close() }

func (m *model) ServeHTTP(w http.ResponseWriter, r *http.Request) {
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
		m.answer(w, body)
	}
}

func reply(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(v)
}

// answer writes the next step.
func (m *model) answer(w io.Writer, body []byte) {
	m.mu.Lock()
	defer m.mu.Unlock()
	req, err := m.protocol.read(body)
	if err != nil {
		m.fault = err
	}
	m.requests, m.bodies = append(m.requests, req), append(m.bodies, string(body))
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

func (r request) offers(name string) bool {
	_, ok := r.find(name)
	return ok
}

// answered decodes the JSON answer to the last call of a tool into out, if there is one.
func (m *model) answered(tool string, out any) {
	for i := len(m.results) - 1; i >= 0; i-- {
		if m.calls[i].Tool != tool {
			continue
		}
		if err := json.Unmarshal([]byte(structured(m.results[i])), out); err != nil && m.fault == nil {
			m.fault = fmt.Errorf("the model cannot read the answer of %s: %w: %.300s", tool, err, m.results[i])
		}
		return
	}
}

// structured returns the last JSON object of an answer: some clients write lines before it.
func structured(text string) string {
	for rest := text; ; {
		i := strings.Index(rest, "{")
		if i < 0 {
			return text
		}
		rest = rest[i:]
		if end := strings.LastIndex(rest, "}"); end > 0 && json.Valid([]byte(rest[:end+1])) {
			return rest[:end+1]
		}
		rest = rest[1:]
	}
}

// event writes a server-sent event.
func event(w io.Writer, name string, data any) {
	encoded, err := json.Marshal(data)
	if err != nil {
		panic(err) // only maps, strings and numbers are written
	}
	if name != "" {
		fmt.Fprintf(w, "event: %s\n", name)
	}
	fmt.Fprintf(w, "data: %s\n\n", encoded)
}

// textOf joins all strings of a message's content: a string, or blocks with text.
func textOf(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case []any:
		var parts []string
		for _, item := range v {
			parts = append(parts, textOf(item))
		}
		return strings.Join(parts, "\n")
	case object:
		if text, ok := v["text"]; ok {
			return textOf(text)
		}
		return textOf(v["content"])
	}
	return ""
}
