// Package textcheck checks cited text without a loop.
//
// Three things can be checked, each by one function:
//
//   - [Drafts]: texts in Markdown. It reads every cited address once, and looks every sentence that makes a claim up in the
//     texts that it cites. [Write] writes the [Result] as text, JSON, SARIF, annotations or a page.
//   - [Claims]: a file of claims against a file of texts, row by row, without the network.
//     [Synthesis] reads the same from the two files of RSL, synth.json and store.json.
//   - [AgainstTexts] and [Online]: the receipts of a report, against stored texts or against the current pages.
//
// Verdicts are those of package verify, as in a loop: each draft is a [verify.Result], and what a [Review] needs is the
// state of a loop in memory, an empty one or a copy of the loop whose texts are used. This package adds what a loop does not have:
// texts of files and addresses, places, [Lock], suppressions, and the formats.
package textcheck
