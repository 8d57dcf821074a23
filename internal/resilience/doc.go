// Package resilience has the common policy for requests to services that others run: their rate, the pauses that a host asks
// for, when a request is repeated, and when a failing host gets no requests for a while.
//
// [Hosts] applies all of it, for pages and channels alike. [Retry] and [Breaker] are its parts.
package resilience
