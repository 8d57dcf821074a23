package hooks

import (
	"encoding/json"
	"fmt"
	"slices"
)

// Settings are the user's.
type Settings struct {
	Off     bool     `json:"off,omitempty"`     // record and check nothing
	Added   []string `json:"added,omitempty"`   // patterns of Never besides the default ones
	Removed []string `json:"removed,omitempty"` // of the default ones
}

// MaxSettingsBytes bounds the file of the settings (chosen).
const MaxSettingsBytes = 64 << 10

// ParseSettings reads the settings. The error is for invalid JSON and for a pattern that matches nothing: a list that is not
// understood must not count as a short one.
func ParseSettings(data []byte) (Settings, error) {
	var s Settings
	if len(data) > MaxSettingsBytes {
		return s, fmt.Errorf("settings of hooks: %d bytes; at most %d are read", len(data), MaxSettingsBytes)
	}
	if err := json.Unmarshal(data, &s); err != nil {
		return s, fmt.Errorf("settings of hooks: %w", err)
	}
	for _, p := range s.Added {
		if !CheckPattern(p) {
			return s, fmt.Errorf("settings of hooks: invalid pattern %q", p)
		}
	}
	return s, nil
}

// Never returns the list that is in force.
func (s Settings) Never() Never {
	list := slices.DeleteFunc(DefaultNever(), func(p string) bool { return slices.Contains(s.Removed, p) })
	return append(list, s.Added...)
}

// Add adds a pattern to the list, or a default one again. It reports whether this changed anything.
func (s *Settings) Add(pattern string) bool {
	if slices.Contains(s.Never(), pattern) {
		return false
	}
	if slices.Contains(s.Removed, pattern) {
		s.Removed = slices.DeleteFunc(s.Removed, func(p string) bool { return p == pattern })
		return true
	}
	s.Added = append(s.Added, pattern)
	return true
}

// Remove removes a pattern from the list. It reports whether the list had it.
func (s *Settings) Remove(pattern string) bool {
	if !slices.Contains(s.Never(), pattern) {
		return false
	}
	s.Added = slices.DeleteFunc(s.Added, func(p string) bool { return p == pattern })
	if slices.Contains(DefaultNever(), pattern) {
		s.Removed = append(s.Removed, pattern)
	}
	return true
}
