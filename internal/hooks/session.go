package hooks

import (
	"encoding/json"
	"maps"
	"sync"
)

const (
	// MaxLine bounds what one call tells the model, in code points (issue: at most 200 characters a call).
	MaxLine = 200
	// MaxTold bounds what all calls of a loop tell the model, in code points (issue: at most 40,000 characters a loop).
	MaxTold = 40_000
	// MaxList bounds a list of errors for the model, in code points.
	MaxList = 2_000
	// maxGoOn is how often in a row the model is asked to correct its text. Claude Code says when it already goes on because of
	// a hook; Codex and Gemini CLI have no limit of their own.
	maxGoOn = 2
	// maxFileTexts bounds the remembered files.
	maxFileTexts = 256
)

// Session is what hooks remember of a session of a client. It is safe for concurrent use. Its JSON is for hooks that run as
// processes.
type Session struct {
	mu    sync.Mutex
	state sessionState
}

type sessionState struct {
	Loop    string          `json:"loop,omitempty"`    // the open one
	Told    int             `json:"told,omitempty"`    // code points that the model was told about it
	Asked   int             `json:"asked,omitempty"`   // how often in a row it was asked to correct its last text
	Last    string          `json:"last,omitempty"`    // the text that it was asked to correct last, as a hash
	Files   map[string]int  `json:"files,omitempty"`   // how often it was asked to correct a file
	Passed  map[string]bool `json:"passed,omitempty"`  // texts of files that the user was told about, as hashes
	Changed map[string]bool `json:"changed,omitempty"` // files that were reported as changed, as hashes of path and text
}

// Open sets the open loop: the last one that the session started or asked about.
func (s *Session) Open(loop string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if loop != "" && s.state.Loop != loop {
		s.state = sessionState{Loop: loop}
	}
}

// Close forgets the open loop: the user cleared the conversation.
func (s *Session) Close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.state = sessionState{}
}

// Loop returns the open loop, or "".
func (s *Session) Loop() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.state.Loop
}

// Tell returns a text if the model may still be told it, or "".
func (s *Session) Tell(text string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := len([]rune(text))
	if s.state.Told+n > MaxTold {
		return ""
	}
	s.state.Told += n
	return text
}

// GoOn reports whether the model is to correct its last text, which has errors. hash identifies the text; active is what the
// client says about an earlier hook. A text that came back unchanged is not asked for again.
func (s *Session) GoOn(hash string, active bool) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if active || s.state.Asked >= maxGoOn || s.state.Last == hash {
		s.state.Asked, s.state.Last = 0, hash
		return false
	}
	s.state.Asked, s.state.Last = s.state.Asked+1, hash
	return true
}

// Done forgets that the model was asked to correct a text: the last one has no errors.
func (s *Session) Done() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.state.Asked, s.state.Last = 0, ""
}

// Correct reports whether the model is to be told the errors of a file that it wrote: at most twice for each.
func (s *Session) Correct(path string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.state.Files[path] >= maxGoOn || len(s.state.Files) >= maxFileTexts {
		return false
	}
	s.state.Files = with(s.state.Files, path, s.state.Files[path]+1)
	return true
}

// Passed reports whether the user is to be told about a text of a file: once for each.
func (s *Session) Passed(hash string) bool { return s.once(&s.state.Passed, hash) }

// Changed reports whether the model is to be told that a file has changed: once for each text.
func (s *Session) Changed(hash string) bool { return s.once(&s.state.Changed, hash) }

func (s *Session) once(known *map[string]bool, hash string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if (*known)[hash] || len(*known) >= maxFileTexts {
		return false
	}
	*known = with(*known, hash, true)
	return true
}

// with returns a copy of a map with one more entry.
func with[V any](m map[string]V, key string, value V) map[string]V {
	m = maps.Clone(m)
	if m == nil {
		m = map[string]V{}
	}
	m[key] = value
	return m
}

// MarshalJSON returns the session for the next process.
func (s *Session) MarshalJSON() ([]byte, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return json.Marshal(s.state)
}

// UnmarshalJSON reads the session of an earlier process.
func (s *Session) UnmarshalJSON(data []byte) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return json.Unmarshal(data, &s.state)
}
