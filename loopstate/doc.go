// Package loopstate is the domain: what a research loop is, how it changes and when it stops.
//
// A loop is its list of events. Nothing else is ever stored that could disagree with it: the state is a
// fold of the events, and the decision is a function of the state. Three laws hold, and tests keep them:
//
//   - Replay: folding the same events gives the same state and the same decision, byte for byte, at every
//     round of the past.
//   - Prefix: the state after n events does not depend on what came later, so a snapshot plus the tail of
//     the log equals the full fold.
//   - Once: an operation id that is already in the log adds nothing when it comes again.
//
// A change is made in three parts. A step (the functions of this package that take a [State] and return
// [Event] values) looks at the state, checks what it was asked, mints the ids and writes them into events.
// [Apply] folds an event into a state. [Decide] reads a state and says what to do next. All three are pure:
// no clock, no randomness, no disk, no network; times and random ids come in as arguments.
//
// A [Store] keeps the events. The store is the only shared thing: two processes may work on one loop, and
// the one whose append comes second gets [ErrConflict], loads what it missed and takes its step again.
package loopstate
