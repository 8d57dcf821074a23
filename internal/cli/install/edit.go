package install

import (
	"errors"
	"fmt"
	"slices"
	"unicode/utf8"
)

// Outcome says what an edit does to a file.
type Outcome int

// The outcomes.
const (
	Unchanged Outcome = iota // what was asked for is there already, or there is nothing to take out
	Added
	Updated  // an entry of ours has another command or other arguments now
	Replaced // an entry that was not ours was overwritten
	Removed
)

// Change is the outcome of an edit and the text that it leads to.
type Change struct {
	Outcome Outcome
	Text    []byte
	Was     string   // what the entry did before, in words; empty if there was none
	Kept    []string // arguments of the entry before that were not given now
}

// ForeignError is an entry of our name that is not ours.
type ForeignError struct{ Runs string }

func (e *ForeignError) Error() string {
	return fmt.Sprintf("the entry %q was not written by this command: %s", Name, e.Runs)
}

// ShapeError is a file whose parts are not what the client expects, or not such as can be edited with certainty.
type ShapeError struct{ Problem string }

func (e *ShapeError) Error() string { return e.Problem }

func shapeError(format string, args ...any) error {
	return &ShapeError{fmt.Sprintf(format, args...)}
}

// errUncertain keeps a result that is not what was asked for from the disk. No input is known that leads here.
var errUncertain = errors.New("the edit failed its check and was dropped; please report this with the shape of the file")

// A document is a client's file, read far enough to edit it.
type document interface {
	entry() (e entry, there bool)
	add(s Server) []byte    // there is no entry
	update(s Server) []byte // the entry is ours; the variables stay as they are
	setVariable(v Variable) ([]byte, error)
	without() []byte // the entry is there
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

// Add puts the server into the text of the client's file, which is empty where there is no file yet. An entry of our
// name that is not ours is a *ForeignError unless force is set. A text that cannot be edited is a *SyntaxError or a
// *ShapeError.
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

// Remove takes our entry out; self is the command that this program would be started by. See Add for the errors.
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

// Command returns the program that our entry in a text starts, and whether there is such an entry.
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

// State says in a word or two what a text holds under our name, for a list.
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

// Snippet is the whole of a file that holds nothing but the server.
func (c Client) Snippet(s Server) (string, error) {
	change, err := c.Add(nil, s, false)
	return string(change.Text), err
}
