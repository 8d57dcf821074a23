// Package loops contains the use cases: start a loop, search, read, reflect, verify, report. Each is one method that loads
// a loop, runs one pure step of loopstate, appends the event and returns a result from the new state. The tools, the
// command line and the web page call the same methods.
//
// It is large because it has every use case, about one in each file, and all of them share one service with its caches:
// in packages of their own they would call each other through interfaces that have one implementation. What needs no
// store is in the pure packages verdict and views, and the states in memory are in cache.go.
//
// The files in order, each of which calls those before it; New in service.go also makes the caches of later ones:
//
//   - what all share: the service, and deletion (service.go), stored texts and their indexes (texts.go), words in a text that address a
//     model (suspicion.go), the outcome of a page (page.go), the folder of a loop (folder.go), changes of a loop (change.go),
//     what answers showed and cost (ledger.go), limits of owners and of long texts (limits.go), texts that repeat others
//     (near.go)
//   - gathering: a question for the text of a page (asktext.go), reading (read.go), starting (start.go), search (search.go),
//     search in what was read (find.go), gaps (gaps.go), what the host reports (update.go), what was published
//     about a source later (standing.go)
//   - looking: a source or its lines (resource.go), data of prompts (prompt.go), the critic of a draft (critic.go), views of
//     the state (view.go), the end of a round (reflect.go)
//   - checking: one check (examine.go), the addresses that a draft cites (cited.go), readers of claims (review.go,
//     secondreader.go), the check that is recorded (verify.go), and sources read again (recheck.go)
//   - handing over: reports (report.go), archives (archive.go, crate.go)
package loops
