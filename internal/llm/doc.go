// Package judge asks a language model for a second opinion on claims whose deterministic verdict is doubtful.
// It is optional and never needed: nothing is sent anywhere unless an endpoint and a model are configured.
//
// The endpoint speaks OpenAI's chat completions, which most hosted and local servers do. An answer is asked for
// by a strict JSON schema; a server that does not know schemas is asked for a JSON object, and one that knows
// neither is asked in words. [Opinion.Format] says which it was.
//
// # What an opinion may do
//
// [Combine] is the only place where an opinion meets a verdict, and it is a pure function:
//
//   - An answer that cannot be read, that gives no quote where one is due, or whose quote does not stand word for
//     word in the passages, is a failure. A failure changes nothing.
//   - An opinion may lower a verdict: "partly" and "not_supported" by one step, "contradicted", with the
//     contradicting words, to unsupported.
//   - It may lift unsupported to inferred, with the supporting words, unless a number, a negation, a name or a
//     quote of the claim speaks against it.
//   - It never makes a claim grounded. That takes a passage which the deterministic checks found.
//
// So a page that tells the model what to answer can win no more than one step, and only with words of its own
// that bear on the claim: less than it would get by saying the claim outright.
//
// # Bounds
//
// Passages are sent as they stand in the source, fenced and labelled as untrusted. Passages a claim, characters,
// tokens of the answer, size of a response, requests at once, claims a call, attempts, and the time of an
// attempt and of the whole call have limits. What was not judged says so. Tokens are counted, also those of
// answers that were of no use.
//
// The key is in the Authorization header and nowhere else: it is taken out of every error, flag and log line.
package judge
