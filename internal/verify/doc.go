// Package verify checks cited text without a loop.
//
// Three things can be checked, each by one function:
//
//   - [Drafts]: texts in Markdown. Every address that they cite is read once, and every sentence that claims
//     something is compared with the texts that it cites. The [Result] is written by [Write] as text, JSON, SARIF,
//     annotations or a page.
//   - [Claims]: a stream of claims against a shelf of texts that are already here, row by row; no network.
//     [Synthesis] reads the same from the two files of RSL, synth.json and store.json.
//   - [Receipts]: the receipts of a report, against the kept texts or against the pages as they are now.
//
// The verdicts are those of package grounding, and so is what they cannot do. What is added here: which text a mark
// leads to, what came of reading it, and what follows for the whole. Three answers are kept apart everywhere: it
// passed, it did not, and it cannot be said, because a text that is cited could not be read.
package verify
