package research

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
	Began    Kind = iota // the loop was started or continued
	InRound              // a round begins
	Step                 // something was done
	Refused              // something of the model was rejected or failed
	Decided              // the server's decision
	Writing              // the writing of the text begins
	Activity             // progress of a conversation: shown only where lines can be redrawn
	Ended                // the result
)
