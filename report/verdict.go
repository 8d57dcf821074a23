package report

import "github.com/citeloop/citeloop/loopstate"

// Uncited is the status of a sentence that claims something and cites nothing; the others are
// loopstate's.
const Uncited = "uncited"

// verdict is how a status is shown: never by colour alone.
type verdict struct {
	Status  string
	Sign    string
	Shape   string // the sign's like in the drawings, as a letter
	Word    string
	Class   string // of the style sheet
	Meaning string
}

// verdicts lists them, best first.
func verdicts() []verdict {
	return []verdict{
		{loopstate.Grounded, "✓", "■", "grounded", "v-grounded", "a passage of a source that was read says it"},
		{loopstate.Inferred, "≈", "◆", "inferred", "v-inferred", "its parts stand in what was read, but no single passage says it"},
		{loopstate.Unsupported, "✗", "✕", "unsupported", "v-unsupported", "the sources cited for it do not say it"},
		{Uncited, "○", "○", "uncited", "v-uncited", "no source is cited for it"},
		{"", "–", "–", "not checked", "v-unchecked", "it was recorded, but never compared with its sources"},
	}
}

func verdictOf(status string) verdict {
	all := verdicts()
	for _, v := range all {
		if v.Status == status {
			return v
		}
	}
	return all[len(all)-1]
}
