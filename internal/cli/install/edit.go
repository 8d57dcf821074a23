package install

import (
	"errors"
	"fmt"
	"slices"
	"unicode/utf8"

	"github.com/citeloop/citeloop/internal/tomledit"
)

// Outcome is the effect of an edit on a file.
type Outcome int

// The outcomes.
const (
	Unchanged Outcome = iota // the entry is already as requested, or there is no entry to remove
	Added
	Updated  // our entry got another command or other arguments
	Replaced // an entry that was not ours was overwritten
	Removed
)

// Change is the outcome of an edit and the new text.
type Change struct {
	Outcome Outcome
	Text    []byte
	Was     string   // describes the previous entry; empty without one
	Kept    []string // arguments of the previous entry that were not given now
}

// document is a client's file.
type document interface {
	Get(path ...string) (any, error)     // nil without a value
	Set(value any, path ...string) error // a string, a list of strings or a bool
	Remove(path ...string) error         // of a value that exists
	Text() []byte
}

// open reads a client's file and the entry in it. there is false without one.
func (c Client) open(text []byte) (doc document, e entry, there bool, err error) {
	switch {
	case !utf8.Valid(text):
		err = errors.New("it is not text in UTF-8")
	case c.format == tomlFormat:
		doc, err = tomledit.Open(text)
	default:
		doc, err = openJSON(text)
	}
	if err != nil {
		return nil, e, false, err
	}
	value, err := doc.Get(c.key, Name)
	return doc, entryOf(value), value != nil, err
}

// Add adds the server to the text of the client's file, which is empty if there is no file yet. It fails with a
// *ForeignError if an entry with our name is not ours, unless force is set, and with another error if the text cannot be edited.
func (c Client) Add(text []byte, s Server, force bool) (Change, error) {
	for _, v := range s.Env {
		if !utf8.ValidString(v.Value) {
			return Change{}, fmt.Errorf("the value of %s is not in UTF-8, which the client's file must be", v.Name)
		}
	}
	if !utf8.ValidString(s.String()) {
		return Change{}, fmt.Errorf("the path in %q is not in UTF-8, which the client's file must be", s.String())
	}
	doc, e, there, err := c.open(text)
	if err != nil {
		return Change{}, err
	}
	change := Change{Outcome: Added}
	ours := there && e.ours(s.Command)
	if there {
		change = Change{Outcome: Replaced, Was: e.runs()}
	}
	if ours {
		change.Outcome, change.Kept = Updated, s.missing(e.args)
		s.Args = slices.Concat(s.Args, change.Kept)
	}
	switch {
	case there && e.is(s) && (e.eager || !c.eager):
		return Change{Text: text, Was: change.Was}, nil
	case there && !ours && !force:
		return Change{}, &ForeignError{change.Was}
	case there && !ours:
		err = doc.Remove(c.key, Name)
		there = false
	}
	set := func(value any, name ...string) {
		if err == nil {
			err = doc.Set(value, append([]string{c.key, Name}, name...)...)
		}
	}
	if c.typed && !there {
		set("stdio", "type")
	}
	set(s.Command, "command")
	set(s.Args, "args")
	if c.eager && (!there || !e.eager) {
		set(true, alwaysLoad)
	}
	for _, v := range s.Env {
		set(v.Value, "env", v.Name)
	}
	if err != nil {
		return Change{}, err
	}
	change.Text = doc.Text()
	if _, e, _, err := c.open(change.Text); err != nil || !e.is(s) {
		return Change{}, tomledit.ErrUncertain
	}
	return change, nil
}

// Remove removes our entry. self is the command that starts this program. It has the errors of Add.
func (c Client) Remove(text []byte, self string, force bool) (Change, error) {
	doc, e, there, err := c.open(text)
	switch {
	case err != nil:
		return Change{}, err
	case !there:
		return Change{Text: text}, nil
	case !e.ours(self) && !force:
		return Change{}, &ForeignError{e.runs()}
	}
	if err := doc.Remove(c.key, Name); err != nil {
		return Change{}, err
	}
	change := Change{Outcome: Removed, Text: doc.Text(), Was: e.runs()}
	if _, _, there, err := c.open(change.Text); err != nil || there {
		return Change{}, tomledit.ErrUncertain
	}
	return change, nil
}

// Presence says whether a file has our entry, in a word for a list.
type Presence string

// The presences.
const (
	Absent  Presence = "no"
	Present Presence = "yes"
	Foreign Presence = "another" // an entry of our name that is not ours
)

// Find returns the server that our entry in a text starts. The error says why the client cannot read the text.
func (c Client) Find(text []byte, self string) (Server, Presence, error) {
	_, e, there, err := c.open(text)
	switch {
	case err != nil || !there:
		return Server{}, Absent, err
	case !e.ours(self):
		return Server{}, Foreign, nil
	}
	return e.server(), Present, nil
}

// Snippet returns a file with only the server.
func (c Client) Snippet(s Server) (string, error) {
	change, err := c.Add(nil, s, false)
	return string(change.Text), err
}
