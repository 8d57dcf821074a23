package loopstate

// Angle is one way to approach a question. A searcher takes one angle and does not see the results of the others, so that
// the results differ.
type Angle struct {
	Angle string `json:"angle"`
	Brief string `json:"brief"`
}

// Angles lists all angles, in the order of mechanism 2 in docs/mechanisms.md.
func Angles() []Angle {
	return []Angle{
		{"byEntity", "Search for each key entity by name (people, organisations, studies, products, places): what it published itself, not what others say about it."},
		{"byTimeWindow", "Walk the timeline: where the matter began, where it stands today, and what of the last 18 months overturns an older answer."},
		{"bySourceType", "Vary the kind of source: peer-reviewed before official or primary before reputable press before practitioners. Second-hand support alone is weak."},
		{"byCounterArg", "Look for the strongest case against the answer that is forming: criticism, limitations, failed replications, dissenting experts, contrary data."},
	}
}
