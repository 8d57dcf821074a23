// Package loopstate is the domain: the state of a research loop, its changes, and the decision when to stop.
//
// A loop is a list of events. The state is a fold of the events, and the decision is a function of the state. Three laws
// hold, and tests check them:
//
//   - Replay: folding the same events gives the same state and the same decision, byte for byte, for every past round.
//   - Prefix: the state after n events does not depend on later events, so the log can be folded in parts.
//   - Once: an operation id that is already in the log adds nothing when it is repeated.
//
// A change has three parts. A step (a function that takes a [State] and returns [Event] values) validates the request,
// assigns ids and creates events. [Apply] folds an event into a state. [Decide] returns what to do next. All three are
// pure: no clock, randomness, disk or network; times and random ids are arguments.
//
// Files use only what is below them:
//
//	store                                    the contract of stores
//	start, search, update, verify            steps
//	fold                                     events into the state
//	decide, advice                           the table of rules, and what would help
//	coverage, budget, tried, entity          facts derived from the state
//	state                                    the state and its index
//	event                                    payloads
//	round, review, claim, gap, source,       types and rules of their own values, with their steps
//	evidence, standing
//	check                                    limits and checks of a request
//	error                                    typed errors
//
// docs/mechanisms.md leads from each of the 184 mechanisms of the seed documents to its file.
//
// The package is larger than most. The parts of a state refer to each other, and a step, its fold and the rules that read
// the result change together: packages of their own would export their insides to each other.
//
// A [Store] stores the events. Two processes may change one loop: the second to append gets [ErrConflict], loads the
// new events and repeats its step.
package loopstate
