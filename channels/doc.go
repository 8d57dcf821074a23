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
// rest, once: search.go checks the query and runs the channels in parallel, each with its own deadline, and
// wordings.go asks each for the variants of the query; get.go is the one way to the network (with pace.go, retry.go,
// allowance.go and refusal.go, the rule from HTTP to outcomes); circuit.go stops asking; clean.go makes every result
// plain and drops what has no title or address; filter.go applies what a source could not; samework.go finds which
// results are one document, and fuse.go makes one ranked list. source_types.go has all the rules for the strength of a
// source, ids.go the spelling of typed ids, and auto.go picks channels for whoever names none.
//
// How to add a channel, with or without code, is in docs/own-channel.md.
package channels
