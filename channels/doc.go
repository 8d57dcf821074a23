// Package channels searches. A [Channel] is one source of search results (an archive, an encyclopedia, the
// user's own folders); a [Registry] holds them all, asks several at once and makes one list of what they answer.
//
// Two promises:
//
//   - What a source said is what is reported. Every search ends in one of nine [Status] values; "empty" is said
//     only when the source itself answered that it has nothing, or nothing within the dates and the language
//     asked for. A refusal, a page for people where data was expected, a broken answer or a wait that would be
//     too long each have a name of their own.
//   - Sources are treated politely. One User-Agent with a contact, one pace per host that no number of parallel
//     searches exceeds, at most two retries, Retry-After obeyed, and a circuit that stops asking a source that
//     failed three times in a row. A registry asks only the channels that a search names.
//
// # How the work is divided
//
// A channel says what it is ([Description]), builds a request and reads the answer. The frame does all the
// rest, once: search.go checks the query and runs the channels in parallel, each with its own deadline;
// get.go is the one way to the network (with pace.go, retry.go and refusal.go, the rule from HTTP to outcomes);
// circuit.go stops asking; clean.go makes every result plain and drops what has no title or address; filter.go
// applies what a source could not; fuse.go makes one ranked list.
//
// # How to add a channel
//
//  1. Write one file named for the source: a struct that keeps its *door, a constructor func(*door) Channel,
//     Describe with the source's documented limits, and Search, which makes a URL with door.address and fetches it
//     with ask; a function of its own turns the body into [loopstate.Evidence], so that it can be fuzzed. Leave
//     a title empty rather than inventing one: the frame drops and counts such records. Return a [*Failure]
//     where the source says in its own way that something is wrong (an error inside a 200).
//  2. Add the constructor to the catalog in catalog.go; its place there is its place in every list.
//  3. Write a fixture by hand from the documented format, and a row in sources_test.go, from which
//     the tests of fixtures, faults and pace take their channels; add a fuzz target to fuzz_test.go.
package channels
