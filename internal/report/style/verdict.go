package style

// The statuses that only a text has; loopstate defines the others.
const (
	Uncited = "uncited" // a claim without a citation
	Own     = "own"     // the author's own inference, open question, or statement that the sources lack something
)

// Verdict is the presentation of a sentence in all views: never by colour alone.
type Verdict struct {
	Status  string
	Sign    string
	Word    string
	Class   string // in the style sheet
	Meaning string
}
