package grounding

import (
	"slices"
	"testing"
)

// Claims that say the same as their source in other words get no named difference; the same words that say something else keep
// theirs.
func TestFalseAlarms(t *testing.T) {
	const (
		attach = "Attaching a table takes only a shared lock on the parent, as opposed to the full lock that is taken by creating one."
		trams  = "Coaches will carry the passengers instead of the ferries on Sunday."
		ports  = "Several servers can run on one machine so long as they use different ports."
		files  = "It is safe to remove such files while the server is running as long as they are unrelated to any archiving in progress."
		night  = "By default the collector will run every five minutes and it will read the log."
	)
	tests := []struct {
		name, text, claim string
		want              DifferenceKind // "" for no difference
	}{
		{"the thing that another is compared with", attach, "The full lock is taken by creating a table.", ""},
		{"in the active voice", attach, "Creating a table takes the full lock.", ""},
		{"a comparison", attach, "Attaching a table takes a smaller lock on the parent than the full lock.", ""},
		{"in the place of the other", "Attaching takes the shared lock instead of the full lock.", "Attaching takes the full lock.", DifferentNegation},
		{"a thing that is replaced", trams, "Coaches will carry the ferries on Sunday.", DifferentNegation},
		{"a condition as a phrase", ports, "Several servers can run on one machine with different ports.", ""},
		{"a condition with when", ports, "Several servers can run on one machine when no two use the same ports.", ""},
		{"a condition as its opposite", files, "It is safe to remove such files while the server is running unless they are related to any archiving in progress.", ""},
		{"an opposite without its condition", files, "It is safe to remove such files while they are related to any archiving in progress.", DifferentDirection},
		{"a condition dropped", ports, "Several servers can run on one machine.", DifferentCondition},
		{"a habit", night, "By default the collector runs every five minutes, as configured.", ""},
		{"a habit in the passive", "Literal letters will be copied into the log.", "Literal letters are copied into the log.", ""},
		{"a habit with a hissing verb", "The server will pass each request to the other host.", "The server passes each request to the other host.", ""},
		{"a condition with its own bracket", "The scan skips pages that have only visible rows (if a page has its bit set, then it has no dead rows).", "The scan skips pages that have only visible rows.", ""},
		{"a condition in a bracket", "The scan skips pages that have only visible rows (if the option is set).", "The scan skips pages that have only visible rows.", DifferentCondition},
		{"any for all", "The result is true if the first value is equal to all of the others.", "The result is true if the first value is equal to any of the others.", "inferred"},
		{"opposite prepositions of other words", "While you may love corn, it takes up a lot of space, so concentrate on beans, lettuce and greens for cool weather.", "The page names beans, lettuce and greens, and advises against corn, because it takes up a lot of space.", ""},
		{"opposite prepositions of the same verb", "The council voted for the bridge of Halden.", "The council voted against the bridge of Halden.", DifferentDirection},
		{"the heading of a column", "With secure TLS resists forged answers of the resolver.", "secure; Gains: Resists forged answers of the resolver", ""},
		{"too little for one thing, too much for another", "A timeout may be too short for slow pumps. If the timeout is raised too much, the client hangs up.", "With too long a timeout the client hangs up.", ""},
		{"an opposite without its too", "The timeout of the pump is short.", "The timeout of the pump is long.", DifferentDirection},
		{"a place that is not the opposite", "Keep the copies on a second machine.", "Keep the copies off the host.", ""},
		{"a place that is the opposite", "Keep the copies on the host.", "Keep the copies off the host.", DifferentDirection},
		{"a switch", "The pump is turned on at dusk.", "The pump is turned off at dusk.", DifferentDirection},
		{"a plan that is done", "The collector will be closed in May.", "The collector was closed in May.", DifferentCertainty},
		{"modals of two verbs", "The disk that you should mount keeps the archives.", "The disk must keep the archives.", ""},
		{"a modal of one verb", "You should verify the copy afterwards.", "You must verify the copy afterwards.", DifferentCertainty},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			checker, claim := NewChecker([]Source{{ID: "S1", Text: tt.text}}), Claim{Text: tt.claim, Citations: cite("S1")}
			v := checker.Check(claim)
			named := slices.ContainsFunc(v.Differences, func(d Difference) bool { return d.Kind == tt.want })
			if tt.want == "inferred" {
				named = v.Status == Inferred
			}
			if tt.want == "" && len(v.Differences) > 0 || tt.want != "" && !named || v.Status == Grounded && tt.want != "" {
				t.Errorf("%s, want %q: %v %s", v.Status, tt.want, v.Differences, explain(checker, claim))
			}
		})
	}
}
