// Package resilience has the common policy for failed requests: when a request is repeated ([Retry]), and when a
// failing service gets no requests for a while ([Breaker]).
//
// Neither sends requests. The callers repeat different things: a round trip (fetch), a turn at a host's pace with the
// reading of its answer (channels), a call to a language model (research).
package resilience
