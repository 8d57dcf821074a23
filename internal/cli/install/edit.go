package install

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"unicode/utf8"
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

// ForeignError reports an entry with our name that is not ours.
type ForeignError struct{ Runs string }

func (e *ForeignError) Error() string {
	return fmt.Sprintf("the entry %q was not written by this command: %s", Name, e.Runs)
}

// ShapeError reports a file that does not have the client's format, or that cannot be edited reliably.
type ShapeError struct{ Problem string }

func (e *ShapeError) Error() string { return e.Problem }

func shapeError(format string, args ...any) error {
	return &ShapeError{fmt.Sprintf(format, args...)}
}

// errUncertain prevents writing a wrong result. No input is known that causes it.
var errUncertain = errors.New("the edit failed its check and was dropped; please report this with the shape of the file")

// document is a client's file, parsed as far as edits need it.
type document interface {
	entry() (e entry, there bool)
	add(s Server) []byte    // requires that there is no entry
	update(s Server) []byte // requires an entry of ours; does not change its variables
	setVariable(v Variable) ([]byte, error)
	without() []byte // requires an entry
}

func (c Client) open(text []byte) (document, error) {
	if !utf8.Valid(text) {
		return nil, shapeError("it is not text in UTF-8")
	}
	if c.format == tomlFormat {
		return openTOML(text, c.key)
	}
	return openJSON(text, c)
}

// Add adds the server to the text of the client's file, which is empty if there is no file yet. It fails with a
// *ForeignError if an entry with our name is not ours, unless force is set, and with a *SyntaxError or *ShapeError if the
// text cannot be edited.
func (c Client) Add(text []byte, s Server, force bool) (Change, error) {
	for _, v := range s.Env {
		if !utf8.ValidString(v.Value) {
			return Change{}, fmt.Errorf("the value of %s is not in UTF-8, which the client's file must be", v.Name)
		}
	}
	if !utf8.ValidString(s.String()) {
		return Change{}, fmt.Errorf("the path in %q is not in UTF-8, which the client's file must be", s.String())
	}
	doc, err := c.open(text)
	if err != nil {
		return Change{}, err
	}
	e, there := doc.entry()
	change := Change{Outcome: Added}
	var kept []string
	if there && e.ours(s.Command) {
		kept = s.missing(e.args)
		s.Args = slices.Concat(s.Args, kept)
	}
	switch {
	case !there:
		change.Text = doc.add(s)
	case e.is(s) && (e.eager || !c.eager):
		return Change{Text: text, Was: e.runs()}, nil
	case e.ours(s.Command):
		change = Change{Updated, doc.update(s), e.runs(), kept}
	case !force:
		return Change{}, &ForeignError{e.runs()}
	default:
		rest, err := c.open(doc.without())
		if err != nil {
			return Change{}, errUncertain
		}
		change = Change{Outcome: Replaced, Text: rest.add(s), Was: e.runs()}
	}
	for _, v := range s.Env {
		doc, err := c.open(change.Text)
		if err != nil {
			return Change{}, errUncertain
		}
		if change.Text, err = doc.setVariable(v); err != nil {
			return Change{}, err
		}
	}
	if done, err := c.open(change.Text); err != nil {
		return Change{}, errUncertain
	} else if e, _ := done.entry(); !e.is(s) {
		return Change{}, errUncertain
	}
	return change, nil
}

// Remove removes our entry. self is the command that starts this program. It has the errors of Add.
func (c Client) Remove(text []byte, self string, force bool) (Change, error) {
	doc, err := c.open(text)
	if err != nil {
		return Change{}, err
	}
	e, there := doc.entry()
	if !there {
		return Change{Text: text}, nil
	}
	if !e.ours(self) && !force {
		return Change{}, &ForeignError{e.runs()}
	}
	change := Change{Outcome: Removed, Text: doc.without(), Was: e.runs()}
	if done, err := c.open(change.Text); err != nil {
		return Change{}, errUncertain
	} else if _, there := done.entry(); there {
		return Change{}, errUncertain
	}
	return change, nil
}

// Check reports why the text of the client's file cannot be read, or nil.
func (c Client) Check(text []byte) error {
	_, err := c.open(text)
	return err
}

// Command returns the program of our entry in a text, and whether there is an entry.
func (c Client) Command(text []byte, self string) (string, bool) {
	doc, err := c.open(text)
	if err != nil {
		return "", false
	}
	e, there := doc.entry()
	if !there || !e.ours(self) {
		return "", false
	}
	return *e.command, true
}

// Server returns the server that our entry in a text starts, and whether there is such an entry.
func (c Client) Server(text []byte, self string) (Server, bool) {
	doc, err := c.open(text)
	if err != nil {
		return Server{}, false
	}
	e, there := doc.entry()
	if !there || !e.ours(self) {
		return Server{}, false
	}
	s := Server{Command: *e.command, Args: e.args}
	for _, name := range slices.Sorted(maps.Keys(e.env)) {
		s.Env = append(s.Env, Variable{name, e.env[name]})
	}
	return s, true
}

// State describes our entry in a text in a word or two, for a list.
func (c Client) State(text []byte, self string) string {
	doc, err := c.open(text)
	if err != nil {
		return "unreadable"
	}
	switch e, there := doc.entry(); {
	case !there:
		return "no"
	case e.ours(self):
		return "yes"
	}
	return "another"
}

// Snippet returns a file with only the server.
func (c Client) Snippet(s Server) (string, error) {
	change, err := c.Add(nil, s, false)
	return string(change.Text), err
}
