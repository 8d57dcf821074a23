// Package loops contains the use cases: start a loop, search, read, reflect, verify, report. Each is one method that loads
// a loop, runs one pure step of loopstate, appends the event and returns a result from the new state. The tools, the
// command line and the web page call the same methods.
//
// It is one package because all use cases share one service with its caches: in packages of their own they would call each
// other through interfaces that have one implementation.
//
//   - all share: the service (service.go), the states in memory (cache.go), changes (change.go), stored texts, their indexes
//     and which repeat others (texts.go), limits (limits.go), the folder of a loop (folder.go)
//   - gathering: start.go, search.go, read.go with page.go (also words that address a model), find.go, gaps.go, update.go,
//     standing.go (what was published about a source later)
//   - looking: view.go with viewof.go (also pages of answers), brief.go, prompt.go
//   - closing a round: reflect.go
//   - checking: verify.go, cited.go, review.go, secondreader.go, recheck.go
//   - handing over: report.go, archive.go
package loops
