// Package archive reads and writes a loop as one file of JSON Lines: a head, the events of its log, the texts that they name,
// and an end with the hash of all lines before it.
//
//	{"citeloop_loop":2,"state_id":"…","query":"…","version":7,"generator":"citeloop …"}
//	{"event":{…}}
//	{"sha256":"…","text":"…"}
//	{"sha256":"…","base64":"…"}
//	{"end":true,"texts":12,"sha256":"…"}
//
// Hashes show damage and careless changes. They do not tell who wrote the file.
package archive

import (
	"fmt"

	"github.com/citeloop/citeloop/loopstate"
)

// format is the version of the format; 1 was a zip file.
const format = 2

// line is any line of the file.
type line struct {
	Format    int              `json:"citeloop_loop,omitempty"`
	StateID   string           `json:"state_id,omitempty"`
	Query     string           `json:"query,omitempty"`
	Version   int64            `json:"version,omitempty"` // number of the last event
	Generator string           `json:"generator,omitempty"`
	Event     *loopstate.Event `json:"event,omitempty"`
	Text      *string          `json:"text,omitempty"`
	Base64    []byte           `json:"base64,omitempty"` // a response that is not UTF-8
	End       bool             `json:"end,omitempty"`
	Texts     int              `json:"texts,omitempty"`
	SHA256    string           `json:"sha256,omitempty"` // of the text, or of all lines before the end
}

// Error says why a file cannot be imported, and what to do.
type Error struct{ Problem string }

func (e *Error) Error() string { return "this archive cannot be imported: " + e.Problem }

func invalid(problem string, args ...any) error {
	return &Error{fmt.Sprintf(problem, args...) + "; export the loop again"}
}
