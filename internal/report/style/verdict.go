package style

import "github.com/citeloop/citeloop/loopstate"

// The statuses that only a text has; loopstate defines the others.
const (
	Uncited = "uncited" // a claim without a citation
	Own     = "own"     // the author's own inference, open question, or statement that the sources lack something
)

// Verdict is the presentation of a status in all views: never by color alone.
type Verdict struct {
	Status  string
	Sign    string
	Word    string
	Class   string // in the style sheet
	Meaning string
}

// Verdicts returns all verdicts, best first.
func Verdicts() []Verdict {
	return []Verdict{
		{loopstate.Grounded, "✓", "supported", "v-grounded", "a reader found that the cited lines say it"},
		{loopstate.Inferred, "≈", "not read yet, or in part", "v-inferred", "nobody has read it yet, or a reader found only a part of it"},
		{loopstate.Unsupported, "✗", "not supported", "v-unsupported", "the sources cited for it do not say it, or say otherwise"},
		{Uncited, "○", "uncited", "v-uncited", "no source is cited for it"},
		{Own, "°", "the author's own", "v-own", "the author's own statement, which no source was asked about"},
		{"", "–", "not checked", "v-unchecked", "it was not compared with its sources"},
	}
}

// VerdictOf returns the verdict of a status; an unknown status is not checked.
func VerdictOf(status string) Verdict {
	all := Verdicts()
	for _, v := range all {
		if v.Status == status {
			return v
		}
	}
	return all[len(all)-1]
}
