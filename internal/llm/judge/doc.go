// Package judge asks a language model for a second opinion on claims whose deterministic verdict is doubtful. It is
// optional.
//
// [Combine], a pure function, is the only place where an opinion meets a verdict:
//
//   - An answer that cannot be read, that lacks a required quote, or whose quote is not word for word in the passages,
//     is a failure. A failure changes nothing.
//   - An opinion may lower a verdict: "partly" and "not_supported" by one step; "contradicted", with the contradicting
//     words, to unsupported.
//   - It may lift unsupported to inferred, with the supporting words, unless a number, a negation, a name or a quote of
//     the claim speaks against it.
//   - It never makes a claim grounded. That takes a passage which the deterministic checks found.
//
// So a page that tells the model what to answer wins one step at most, and only with words of its own that bear on the
// claim.
package judge
