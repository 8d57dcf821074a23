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
		{"byEntity", "Name the key entities of the question (people, organisations, studies, products, places) and search for each by name. Look for what the entity itself published, the original where there is one, not for what others say about it."},
		{"byTimeWindow", "Walk the timeline: where the matter began, where it stands today, and whatever of the last 18 months overturns an older answer. A stale answer is a wrong answer."},
		{"bySourceType", "Vary the kind of source on purpose: peer-reviewed before official or primary before reputable press before practitioners. Four blog posts are one kind of source; a claim with only second-hand support is weak."},
		{"byCounterArg", "Look for the strongest case against the answer that is forming: criticism, limitations, failed replications, dissenting experts, contrary data. Bring the best opposing source, not the easiest to dismiss."},
	}
}
