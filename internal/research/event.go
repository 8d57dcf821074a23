package research

import (
	"fmt"
	"io"
)

// Event is a step of a run, for display.
type Event struct {
	Kind  Kind
	Round int    // from 1; 0 outside of rounds
	Who   string // the angle, or the step
	Text  string // one line, without control characters
}

// Kind is the kind of an event.
type Kind int

// The kinds.
const (
	Began   Kind = iota // the loop was started or continued
	InRound             // a round begins
	Step                // something was done
	Refused             // something of the model was rejected or failed
	Decided             // the server's decision
	Writing             // the writing of the text begins
	Ended               // the result
)

const whoColumn = 14

// Printer returns a function that writes events as lines.
func Printer(out io.Writer) func(Event) {
	return func(e Event) { fmt.Fprint(out, line(e)) }
}

func line(e Event) string {
	switch e.Kind {
	case Began:
		return fmt.Sprintf("%-*s  %s\n", whoColumn, e.Who, e.Text)
	case InRound:
		if e.Text == "" {
			return fmt.Sprintf("\nRound %d\n", e.Round)
		}
		return fmt.Sprintf("\nRound %d: %s\n", e.Round, e.Text)
	case Writing:
		return fmt.Sprintf("\nThe text\n  %-*s%s\n", whoColumn, "why now", e.Text)
	case Ended:
		return "\n" + e.Text + "\n"
	case Refused:
		return fmt.Sprintf("  %-*s✗ %s\n", whoColumn, e.Who, e.Text)
	}
	return fmt.Sprintf("  %-*s%s\n", whoColumn, e.Who, e.Text)
}
