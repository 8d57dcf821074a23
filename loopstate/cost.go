package loopstate

// Answered counts calls of a loop and the characters of their results.
type Answered struct {
	Calls int `json:"calls"`
	Chars int `json:"characters"`
}

func (a *Answered) add(b Answered) { a.Calls, a.Chars = a.Calls+b.Calls, a.Chars+b.Chars }

// Estimate is the expected cost of a loop for a host.
type Estimate struct {
	Rounds  int `json:"rounds"`
	Calls   int `json:"calls"`
	Chars   int `json:"characters"`
	Minutes int `json:"minutes"`
}

// Cost of a loop. A scripted loop of three rounds (tools.TestALoopFitsItsBudget: 15 pages, 40 claims, two reports) makes
// 44 calls that return 142,000 characters: 13 calls and 45,000 characters a round, and 5 calls and 7,000 characters for
// the start, the check of the draft and the reports.
const (
	callsPerRound = 13
	charsPerRound = 45_000
	otherCalls    = 5
	otherChars    = 7_000
	// secondsPerCall is assumed: a model's turn and the call together.
	secondsPerCall = 15
)

// usualRounds returns how many rounds a loop usually takes. The limit of its complexity is higher.
func usualRounds(complexity string) int {
	switch complexity {
	case "simple":
		return 2
	case "complex":
		return 5
	case "breaking":
		return 7
	}
	return 3
}

// Estimate returns what the loop will probably cost.
func (s *State) Estimate() Estimate {
	rounds := min(usualRounds(s.Complexity), s.RoundCap())
	calls := otherCalls + rounds*callsPerRound
	return Estimate{Rounds: rounds, Calls: calls, Chars: otherChars + rounds*charsPerRound, Minutes: (calls*secondsPerCall + 59) / 60}
}
