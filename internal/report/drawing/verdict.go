package drawing

import "github.com/citeloop/citeloop/loopstate"

// Uncited is the status of a sentence that claims something and cites nothing; the others are loopstate's.
const Uncited = "uncited"

// Verdict is how a status is shown wherever a loop is looked at: never by colour alone.
type Verdict struct {
	Status  string
	Sign    string
	Shape   string // the sign's like in the drawings, as a letter
	Word    string
	Class   string // of the style sheet
	Meaning string
}

// Verdicts lists them, best first.
func Verdicts() []Verdict {
	return []Verdict{
		{loopstate.Grounded, "✓", "■", "grounded", "v-grounded", "a passage of a source that was read says it"},
		{loopstate.Inferred, "≈", "◆", "inferred", "v-inferred", "wording does not decide it; it waits for review"},
		{loopstate.Unsupported, "✗", "✕", "unsupported", "v-unsupported", "the sources cited for it do not say it, or say otherwise"},
		{Uncited, "○", "○", "uncited", "v-uncited", "no source is cited for it"},
		{"", "–", "–", "not checked", "v-unchecked", "it was not compared with its sources"},
	}
}

// VerdictOf is the verdict of a status; what is no status was not checked.
func VerdictOf(status string) Verdict {
	all := Verdicts()
	for _, v := range all {
		if v.Status == status {
			return v
		}
	}
	return all[len(all)-1]
}
