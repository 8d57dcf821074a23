// Package channels searches. A channel is one source of search results (an archive, an encyclopedia, the user's own
// folders). A [Registry] holds all channels, asks several in parallel and merges their results into one list.
//
// Two guarantees:
//
//   - The report is truthful. Every search ends in one of nine [Status] values. "empty" means that the source itself
//     answered that it has nothing, or nothing within the requested dates and language. A refusal, a web page instead of
//     data, a broken answer and a wait that is too long each have their own status.
//   - Sources are treated politely: one User-Agent with a contact, one rate per host for all parallel searches, at most
//     two retries, Retry-After obeyed, and no requests for a while after failures in a row ([resilience.Hosts], shared with the reader of
//     pages). A registry asks only the channels that a search names.
//
// # Structure
//
// A [Channel] is a [Description] and a function that builds a request and parses the answer. Everything else exists once:
//
//   - registry.go opens the channels by their configuration (config.go) and describes their state
//   - query.go checks the query; search.go runs the channels in parallel, each with its own deadline, for each wording
//   - client.go and ask.go send requests (request.go)
//   - failure.go maps HTTP responses to a [Failure], and reads what the host still allows; answer.go reads answers and the errors
//     in them
//   - clean.go makes results plain text and drops those without a title or an address
//   - filter.go applies the filters that a source does not support
//   - fuse.go finds results that are the same document, and ranks them
//
// The sources are in package source, which imports this one. How to add one, with or without code, is in
// docs/channels.md#a-channel-of-your-own.
package channels
