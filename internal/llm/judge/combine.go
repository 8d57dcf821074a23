package judge

import (
	"fmt"
	"slices"
	"strings"

	"github.com/citeloop/citeloop/internal/grounding"
	"github.com/citeloop/citeloop/internal/sanitize"
)

// The kinds of flags that Combine adds to a verdict, exactly one of them: each begins a string of Verdict.Flags,
// followed by ": " and an explanation.
const (
	FlagAgrees    = "judge_agrees"     // the opinion is what the rules found
	FlagLowered   = "judge_lowered"    // the status was lowered
	FlagLifted    = "judge_lifted"     // unsupported became inferred
	FlagNotLifted = "judge_not_lifted" // the opinion is better than the rules allow
	FlagUndecided = "judge_undecided"  // the model abstained
	FlagFailed    = "judge_failed"     // the answer counts for nothing
	FlagSkipped   = "not_judged"       // nothing was asked
)

// The support after an opinion. It falls or rises with the status, so that one threshold on the support still
// sorts the claims as the statuses do, and keeps the order among claims of one fate. The bounds lie within
// grounding's bands: unsupported below 0.22, inferred below 0.42.
const (
	loweredFactor      = 0.5  // what a step down leaves
	contradictedFactor = 0.15 // what a contradiction leaves: as much as a veto of the rules
	inferredAtMost     = 0.38
	inferredAtLeast    = 0.25
	unsupportedAtMost  = 0.2
	// overruledConfidence: the rules and the model disagree, so the status is a toss-up.
	overruledConfidence = 0.5
)

// Combine lays an opinion beside the verdict that the rules found. The result differs from q.Verdict by a flag
// and, where the opinion is sound and the rules of this package allow it, by its status, support and deciding
// passage. It is grounded only if q.Verdict is.
func Combine(q Question, o Opinion) grounding.Verdict {
	c := combination{Verdict: q.Verdict, opinion: o}
	c.Flags, c.Passages = slices.Clone(c.Flags), slices.Clone(c.Passages)
	if o.Skipped != "" {
		return c.flagged(FlagSkipped, o.Skipped)
	}
	proof, failure := examine(q, o)
	if failure != "" {
		return c.flagged(FlagFailed, failure)
	}
	c.proof = proof
	switch o.Verdict {
	case CannotTell:
		return c.flagged(FlagUndecided, c.reason())
	case Contradicted:
		return c.contradicted()
	case NotSupported:
		return c.lowered()
	case Partly:
		if c.Status == grounding.Grounded {
			return c.lowered()
		}
	}
	switch c.Status {
	case grounding.Unsupported:
		return c.lifted(q.Claim)
	case grounding.Inferred:
		if o.Verdict == Supported {
			return c.flagged(FlagNotLifted, "grounded takes more than an opinion; "+c.reason())
		}
	}
	return c.flagged(FlagAgrees, c.reason())
}

// combination is a verdict on its way to the next.
type combination struct {
	grounding.Verdict
	opinion Opinion
	proof   proof
}

func (c combination) flagged(kind, explanation string) grounding.Verdict {
	c.Flags = append(c.Flags, kind+": "+sanitize.Short(explanation, maxReasonChars))
	return c.Verdict
}

// lowered takes the status down by one step. Without words that contradict the claim, the disagreement is worth no
// more than that.
func (c combination) lowered() grounding.Verdict {
	switch c.Status {
	case grounding.Grounded:
		c.Status = grounding.Inferred
		c.Support = min(c.Support*loweredFactor, inferredAtMost)
	case grounding.Inferred:
		c.unsupport(min(c.Support*loweredFactor, unsupportedAtMost))
	default:
		return c.flagged(FlagAgrees, c.reason())
	}
	return c.changed(FlagLowered, "lowered")
}

func (c combination) contradicted() grounding.Verdict {
	if c.Status == grounding.Unsupported {
		return c.flagged(FlagAgrees, c.reason())
	}
	c.unsupport(c.Support * contradictedFactor)
	c.decidedBy(c.proof.passage)
	return c.changed(FlagLowered, "lowered")
}

func (c *combination) unsupport(support float64) {
	c.Status, c.Support = grounding.Unsupported, support
	c.SourceID, c.IndependentOrigins = "", 0
	c.Flags = slices.DeleteFunc(c.Flags, func(flag string) bool {
		return flag == grounding.FlagSingleSource || flag == grounding.FlagSecondaryOnly
	})
}

func (c combination) lifted(claim string) grounding.Verdict {
	if flag := objection(c.Flags); flag != "" {
		return c.flagged(FlagNotLifted, "against it stands "+flag+"; "+c.reason())
	}
	if flag := c.proof.denies; flag != "" {
		return c.flagged(FlagNotLifted, "its own words differ: "+flag+"; "+c.reason())
	}
	c.Status = grounding.Inferred
	c.Support = max(c.Support, inferredAtLeast)
	c.SourceID = c.proof.passage.SourceID
	c.IndependentOrigins = 1 // one quote is one origin
	c.Flags = append(c.Flags, grounding.FlagSingleSource)
	c.decidedBy(c.proof.passage)
	return c.changed(FlagLifted, "lifted")
}

// decidedBy puts the passage that decided in front.
func (c *combination) decidedBy(e grounding.Evidence) {
	rest := slices.DeleteFunc(c.Passages, func(p grounding.Evidence) bool { return p == e })
	c.Passages = append([]grounding.Evidence{e}, rest[:min(len(rest), grounding.MaxPassages-1)]...)
	c.Passage = &e
}

func (c combination) changed(kind, verb string) grounding.Verdict {
	c.Confidence = overruledConfidence
	c.Because = fmt.Sprintf("The judge %s it to %s: %s. By the rules: %s", verb, c.Status, strings.TrimRight(c.reason(), "."), c.Because)
	return c.flagged(kind, c.reason())
}

// maxReasonChars bounds what of the model's words goes into a flag, in code points.
const maxReasonChars = 300

// reason is the opinion in a line. The model's own words are in quotation marks: they are no words of citeloop.
func (c combination) reason() string {
	const shownChars = 80
	s := string(c.opinion.Verdict)
	if c.proof.quote != "" {
		s += fmt.Sprintf(", %s says %q", c.proof.passage.SourceID, sanitize.Short(c.proof.quote, shownChars))
	}
	if because := sanitize.Short(c.opinion.Because, maxReasonChars/2); because != "" {
		s += fmt.Sprintf("; the model: %q", because)
	}
	return s
}
