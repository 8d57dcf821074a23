package report

import "github.com/citeloop/citeloop/internal/report/drawing"

// Uncited is the status of a sentence that claims something and cites nothing; the others are
// loopstate's.
const Uncited = drawing.Uncited

// verdict is how a status is shown, in the text as in the drawings.
type verdict = drawing.Verdict

// verdicts lists them, best first.
func verdicts() []verdict { return drawing.Verdicts() }

func verdictOf(status string) verdict { return drawing.VerdictOf(status) }
