package research

// Event is one thing that happened in a run, for people to see.
type Event struct {
	Kind  Kind
	Round int    // from 1; 0 outside of rounds
	Who   string // the angle, or the step
	Text  string // one line; what pages and models wrote in it is cut and without control characters
}

// Kind tells events apart.
type Kind int

// The kinds.
const (
	Began    Kind = iota // the loop was started, or is gone on with
	InRound              // a round begins
	Step                 // something was done
	Refused              // something of the model's was refused or did not work
	Decided              // the server's decision
	Writing              // the text begins
	Activity             // a conversation goes on: shown where lines can be redrawn, and not kept
	Ended                // the outcome
)
